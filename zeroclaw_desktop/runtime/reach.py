"""Boards and ports by the names that people type."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.shared_state import LockHolder, open_shared_state
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, profiles_for_usb
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoards
from zeroclaw_desktop.hardware.instance import instance_name
from zeroclaw_desktop.hardware.peripherals.address import is_board_address, read_board_address
from zeroclaw_desktop.hardware.transport.discovery import list_serial_ports
from zeroclaw_desktop.hardware.transport.open_errors import port_holders
from zeroclaw_desktop.runtime.board_names import FILE_NAME
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.shared_service import REDIS_KEY
from zeroclaw_desktop.runtime.simulators import (
    NAME_BEGIN,
    UNO_TYPE,
    board_id_of,
    named_simulator,
    simulated_kinds,
)
from zeroclaw_desktop.vault.setting_passwords import SettingPasswords
from zeroclaw_desktop.vault.system_keyring import SystemKeyring


async def reach_board(runtime: Runtime, board: str, board_type: str = UNO_TYPE) -> str:
    """Connect to a board and return its id.

    Args:
        board: a simulated board, see ``named_simulator``, the address or name of one that was added
            (``tcp://...``), else the path of a port.
        board_type: kind of the board there, unless it was said when it was added.

    Raises:
        ZeroClawError: why it cannot be reached.
    """
    address = runtime.added.address_of(board) if board else None
    if address is not None:
        return await runtime.added.reach(address, board_type)
    simulated = named_simulator(board)
    if simulated is not None:
        board_id, kind = simulated
        return await runtime.simulators.start(board_id, kind=kind.key)
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
        candidates = profiles_for_usb(port.vendor or 0, port.product or 0)
        profile = candidates[0] if len(candidates) == 1 else None
        holders = port_holders(port.path)
        hint = f"in use by {', '.join(holders)}" if holders else ""
        if candidates and profile is None and not hint:
            keys = ", ".join(candidate.key for candidate in candidates)
            hint = f"one of {keys}: say which with --type"
        elif profile is None and not hint:
            hint = f"{port.chip or 'unknown chip'}: say which board it is with --type"
        rows.append(
            _row(
                port.path,
                profile.name if profile else port.description or "Serial port",
                type=profile.key if profile else "",
                usb_id=port.usb_id,
                serial_number=port.serial_number,
                hint=hint,
            )
        )
    kinds = sorted(simulated_kinds(), key=lambda kind: kind.key != UNO_TYPE)
    rows += [
        _row(
            board_id_of(kind.key),
            f"{NAME_BEGIN}{kind.name}",
            type=kind.key,
            simulated=True,
            hint="always available" if kind.key == UNO_TYPE else "its protocol, without firmware",
        )
        for kind in kinds
    ]
    return rows


def _row(path: str, name: str, **facts: Any) -> dict[str, Any]:
    row = {"path": path, "name": name, "type": "", "usb_id": "", "serial_number": "", "simulated": False}
    return {**row, "hint": "", "held_by": None, **facts}


async def rows_with_holders(rows: Sequence[dict[str, Any]], config: ConfigStore) -> list[dict[str, Any]]:
    """The same rows with who drives each device (EX-19), and rows for devices elsewhere that are driven.

    Without a shared Redis nobody can tell, and the rows stay as they are.

    Raises:
        ZeroClawError: the Redis cannot be asked.
    """
    address = await SettingPasswords(config, SystemKeyring()).full(REDIS_KEY)
    if not address:
        return list(rows)
    state = open_shared_state(address)
    try:
        holders = {holder.device_id: holder for holder in await state.holders()}
    finally:
        await state.close()
    listed = []
    for row in rows:
        holder = None if row["simulated"] else holders.pop(instance_name(_path_of(row)), None)
        listed.append({**row, **_held_by(holder, row["hint"])})
    for holder in holders.values():
        listed.append(_row(holder.device_id, "Device of another program", **_held_by(holder, "")))
    return listed


def added_rows(home: Path) -> list[dict[str, Any]]:
    """The boards whose addresses were entered, as rows like those of ``list_rows``.

    Args:
        home: folder that holds the list.
    """
    rows = []
    for board in KnownBoards(home / FILE_NAME).all():
        if is_board_address(board.identity):
            profile = board_catalog().get(board.kind)
            name = board.name or (profile.name if profile is not None else board.kind)
            rows.append(_row(board.identity, name, type=board.kind, added=True, hint="added by its address"))
    return rows


def _path_of(row: dict[str, Any]) -> str:
    """What other programs open: an added board at a serial port is known by that port."""
    path = str(row["path"])
    return read_board_address(path).path if row.get("added") else path


def _held_by(holder: LockHolder | None, hint: str) -> dict[str, Any]:
    if holder is None:
        return {"held_by": None, "hint": hint}
    who = f"driven by '{holder.owner}' in {holder.process}"
    facts = {"owner": holder.owner, "process": holder.process, "seconds_left": round(holder.remaining, 1)}
    return {"held_by": facts, "hint": f"{hint}; {who}" if hint else who}


def genuine_ports() -> list[str]:
    """Ports on which a known kind of board sits."""
    return [row["path"] for row in list_rows() if row["type"] and not row["simulated"]]
