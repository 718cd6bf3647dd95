"""Boards and ports by the names that people type."""

from __future__ import annotations

from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, profile_for_usb
from zeroclaw_desktop.hardware.transport.discovery import list_serial_ports
from zeroclaw_desktop.hardware.transport.open_errors import port_holders
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import UNO_ID, UNO_NAME, UNO_TYPE

SIMULATED_NAMES = ("", "sim", "simulated", UNO_ID)


async def reach_board(runtime: Runtime, board: str, board_type: str = UNO_TYPE) -> str:
    """Connect to a board and return its id.

    Args:
        board: ``sim-uno`` or '' for the simulated board, else the path of a port.
        board_type: kind of the board on that port.

    Raises:
        ZeroClawError: why it cannot be reached.
    """
    if board in SIMULATED_NAMES:
        return await runtime.simulators.start()
    profile = board_catalog().get(board_type)
    if profile is None:
        raise ZeroClawError(
            f"There is no kind of board '{board_type}'.",
            hint=f"Known: {', '.join(board_catalog())}.",
            code="unknown_board",
        )
    connection = runtime.roster.add(board, profile.name, profile, board)
    await connection.connect()
    return board


def list_rows() -> list[dict[str, Any]]:
    """USB serial ports and the boards that can be simulated, as plain rows."""
    rows: list[dict[str, Any]] = []
    for port in list_serial_ports():
        profile = profile_for_usb(port.vendor or 0, port.product or 0)
        holders = port_holders(port.path)
        hint = f"in use by {', '.join(holders)}" if holders else ""
        if profile is None and not hint:
            hint = f"{port.chip or 'unknown chip'}: say which board it is with --type"
        rows.append(
            {
                "path": port.path,
                "name": profile.name if profile else port.description or "Serial port",
                "type": profile.key if profile else "",
                "usb_id": port.usb_id,
                "serial_number": port.serial_number,
                "simulated": False,
                "hint": hint,
            }
        )
    rows.append(
        {
            "path": UNO_ID,
            "name": UNO_NAME,
            "type": UNO_TYPE,
            "usb_id": "",
            "serial_number": "",
            "simulated": True,
            "hint": "always available",
        }
    )
    return rows


def genuine_ports() -> list[str]:
    """Ports on which a known kind of board sits."""
    return [row["path"] for row in list_rows() if row["type"] and not row["simulated"]]
