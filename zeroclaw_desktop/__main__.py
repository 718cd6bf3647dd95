"""``python -m zeroclaw_desktop`` and the script ``zeroclaw-desktop`` open the window."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window; returns the exit code.

    Nothing becomes garbage before the first paint, so the collector waits until then; ``gui.app`` turns it on
    again.
    """
    gc.disable()
    from zeroclaw_desktop.gui.app import main as open_window

    return open_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
