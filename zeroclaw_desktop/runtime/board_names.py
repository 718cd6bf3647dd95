"""Names of boards and pins, given without a window: written where a window finds them at its start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile, NamedPin
from zeroclaw_desktop.execution.pin_roles import ROLES
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, profile_for_usb
from zeroclaw_desktop.hardware.discovery.identity import PortIdentities
from zeroclaw_desktop.hardware.discovery.known_boards import (
    MOST_NAME,
    KnownBoard,
    KnownBoards,
    plain_name,
    with_pin,
)
from zeroclaw_desktop.hardware.peripherals.address import is_board_address, read_board_address
from zeroclaw_desktop.hardware.transport.discovery import list_serial_ports
from zeroclaw_desktop.runtime.simulators import named_simulator

MOST_CHARACTERS = MOST_NAME
"""Of a name of a board or a pin."""
FILE_NAME = "known-boards.toml"


def pin_name_problem(
    profile: BoardProfile, named_pins: Sequence[NamedPin], pin: int, name: str
) -> tuple[str, str]:
    """Why a pin must not get a name; ('', '') when it may.

    Args:
        named_pins: the names of the board's pins now.
        pin: wire number.

    Returns:
        Key and what it is about: ``reserved`` pin, ``too_long`` (number of characters allowed), ``printed``
        (the pin that has this printed name), ``taken`` (the pin that has this name).
    """
    found = profile.pin(pin)
    if found is None or found.reserved:
        return "reserved", str(pin) if found is None else found.name
    chosen = " ".join(name.split())
    if len(chosen) > MOST_NAME:
        return "too_long", str(MOST_NAME)
    printed = profile.pin_named(chosen) if chosen else None
    if printed is not None and printed.number != pin:
        return "printed", printed.name
    for named in named_pins:
        if named.pin != pin and named.name.casefold() == chosen.casefold():
            other = profile.pin(named.pin)
            return "taken", other.name if other is not None else str(named.pin)
    return "", ""


def name_board(home: Path, board: str, name: str, pin: str = "", role: str = "") -> KnownBoard:
    """Name a board, or one of its pins.

    Args:
        home: folder that holds the list.
        board: ``sim-uno``, the path of a port, or the address of a board that was added.
        name: '' takes the name away.
        pin: number or name of a pin; '' for the board itself.
        role: what the pin is for, see execution.pin_roles.ROLES; '' for a name alone.

    Returns:
        What is known of the board now.

    Raises:
        ZeroClawError: no such board, pin or role, or it cannot be written down.
    """
    known = KnownBoards(home / FILE_NAME)
    identity, profile = _identity(known, board)
    if not pin:
        return known.remember(identity, name=plain_name(name))
    found = profile.pin_named(pin) if profile is not None else None
    if found is None or found.reserved:
        kind = profile.name if profile is not None else "board on this port, whose kind is not known,"
        raise ZeroClawError(
            f"The {kind} has no pin '{pin}' that could be named.",
            hint="Say the number or the name that is printed beside the pin; for an unknown board choose its "
            "kind on the Devices page first.",
            code="illegal_name",
        )
    if role and role not in ROLES:
        roles = ", ".join(f"{key} ({what})" for key, what in ROLES.items())
        raise ZeroClawError(f"There is no role '{role}'.", hint=f"Known: {roles}.", code="illegal_name")
    before = known.find(identity) or KnownBoard(identity)
    return known.remember(identity, pins=with_pin(before.pins, found.number, name, role))


def _identity(known: KnownBoards, board: str) -> tuple[str, BoardProfile | None]:
    if is_board_address(board):
        there = known.find(read_board_address(board).text)
        if there is not None:
            return there.identity, board_catalog().get(there.kind)
    simulated = named_simulator(board)
    if simulated is not None:
        return f"board:{simulated[0]}", simulated[1]
    for port, identity in PortIdentities().of(list_serial_ports()).items():
        if port.path == board:
            there = known.find(identity)
            kind = there.kind if there is not None else ""
            return identity, board_catalog().get(kind) or profile_for_usb(port.vendor or 0, port.product or 0)
    raise ZeroClawError(
        f"There is no port '{board}'.",
        hint="See: zeroclaw device list",
        code="port_missing",
        details={"port": board},
    )
