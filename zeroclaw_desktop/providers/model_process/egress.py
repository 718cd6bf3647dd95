"""Keeps the provider process from talking to anybody but the servers that it was asked to talk to.

Audit hooks (PEP 578) see every look-up and every connection of this interpreter and cannot be removed again.
They are a guard against libraries that call home, not against hostile native code.
"""

from __future__ import annotations

import os
import socket
import sys
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Any

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


class ForbiddenHostError(OSError):
    """A connection to a host that nobody asked for."""


class EgressGuard:
    """Hosts that may be reached; an address that a permitted name was resolved to is permitted as well.

    Args:
        environment: where proxies are named, which are permitted.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._hosts: set[str] = set()
        self._numeric: set[str] = set()
        self.allow(environment[name] for name in PROXY_VARIABLES if environment.get(name))

    def allow(self, addresses: Iterable[str]) -> None:
        """Permit the hosts of addresses (``https://api.openai.com/v1``)."""
        for address in addresses:
            host = urllib.parse.urlsplit(address if "://" in address else f"//{address}").hostname
            if host:
                self._hosts.add(host.lower())

    def permits(self, host: object) -> bool:
        """Whether a name or address may be reached."""
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
        return name.lower().rstrip(".") in self._hosts

    def install(self) -> None:
        """Watch this interpreter from now on."""
        ask = socket.getaddrinfo

        def noting(host: Any, *rest: Any, **named: Any) -> Any:
            found = ask(host, *rest, **named)
            if host is not None and self.permits(host):
                self._numeric.update(str(entry[4][0]) for entry in found)
            return found

        socket.getaddrinfo = noting
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "socket.getaddrinfo":
            host = arguments[0]
            if host is not None and not self._reachable(host):
                raise ForbiddenHostError(f"the provider process may not look up {host!r}")
        elif event == "socket.connect":
            address = arguments[1]
            if isinstance(address, tuple) and not self._reachable(address[0]):
                raise ForbiddenHostError(f"the provider process may not connect to {address[0]}")

    def _reachable(self, host: object) -> bool:
        return self.permits(host) or str(host) in self._numeric
