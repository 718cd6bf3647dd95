"""The name of this machine among others."""

from __future__ import annotations

import socket
from functools import cache


@cache
def machine_name() -> str:
    """The host name, which must differ between machines that work together."""
    return socket.gethostname()
