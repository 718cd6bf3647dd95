"""Boards that the person adds by their address (HW-5), for the Devices page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.board_views import kind_views
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.views import AddressKindView, BoardKindView
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.runtime import Runtime


class AddedBoardsBridge(QObject):
    """Adds and removes; what becomes of the connection is on the board's card."""

    added = Signal(str)
    """Id of the board that was added."""
    refused = Signal(object)
    """ErrorView: why it was not."""

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def ways(self) -> list[AddressKindView]:
        """Ways to reach a board."""
        if self._runtime is None:
            return []
        return [
            AddressKindView(kind.key, kind.board_type, kind.any_board, kind.port)
            for kind in self._runtime.added.kinds()
        ]

    def board_types(self) -> list[BoardKindView]:
        """Kinds of boards that may be at an address, families together."""
        return kind_views(self._runtime.added.board_types()) if self._runtime is not None else []

    def serial_ports(self) -> list[str]:
        """Ports that are plugged in, for MicroPython boards."""
        if self._runtime is None:
            return []
        roster = self._runtime.roster
        there = {port.path for port in roster.free_ports()}
        there |= {board.port for board in roster.boards() if not (board.added or board.simulated)}
        return sorted(there)

    def add(self, way: str, fields: Mapping[str, str], board_type: str = "", name: str = "") -> None:
        """Add a board and connect it; ``added`` or ``refused`` tells what came of it.

        Args:
            way: key of one of ``ways``.
            fields: what that way needs: ``host``, ``port``, ``topic``, ``user``, ``password``, ``tls``
                (any text: yes), ``path``.
        """
        if self._runtime is not None:
            self._core.start(self._add(self._runtime, way, fields, board_type, name), "add board")

    async def _add(
        self, runtime: Runtime, way: str, fields: Mapping[str, str], board_type: str, name: str
    ) -> None:
        try:
            board_id = await runtime.added.add(
                address_of(way, fields), board_type, name, fields.get("password", "")
            )
        except ZeroClawError as error:
            self.refused.emit(error_view_of(error, self._core.language))
            return
        self.added.emit(board_id)
        try:
            await runtime.roster.connection(board_id).connect()
        except ZeroClawError:
            return  # the board's own card says it

    def remove(self, board_id: str) -> None:
        """Disconnect a board and forget it with its name, pins and password."""
        if self._runtime is not None:
            self._core.start(self._remove(self._runtime, board_id), "remove board")

    async def _remove(self, runtime: Runtime, board_id: str) -> None:
        try:
            await runtime.added.remove(board_id)
        except ZeroClawError as error:
            self.refused.emit(error_view_of(error, self._core.language))


def address_of(way: str, fields: Mapping[str, str]) -> str:
    """The address that fields stand for, as a person would write it; it is checked where it is read."""
    value = {name: text.strip() for name, text in fields.items()}
    if way in ("micropython", "raspberry-pi"):
        return f"{'gpio' if way == 'raspberry-pi' else way}:{value.get('path', '')}"
    host, port = value.get("host", ""), value.get("port", "")
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    place = f"{host}:{port}" if port else host
    if way == "mqtt":
        user = f"{quote(value['user'], safe='')}@" if value.get("user") else ""
        scheme = "mqtts" if value.get("tls") else "mqtt"
        return f"{scheme}://{user}{place}/{quote(value.get('topic', '').strip('/'), safe='/')}"
    return f"{'unoq' if way == 'uno-q' else way}://{place}"
