"""What the person said of boards: the kind and the name. Kept in a file of the home folder."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import write_atomically
from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger

HEADER = "# Boards that were seen here. Written by ZeroClaw Desktop.\n"
MOST_KEPT = 500
MOST_NAME = 60
_log = logger("serial")


@dataclass(frozen=True)
class KnownBoard:
    """One board.

    Attributes:
        identity: see PortIdentities; ``board:<id>`` for a simulated one; the address of an added one.
        kind: key of the board file; '' while only the name is known.
        name: given by the person; '' for the kind's own.
        pins: names and roles that the person gave pins, in order.
    """

    identity: str
    kind: str = ""
    name: str = ""
    pins: tuple[NamedPin, ...] = ()


def plain_name(name: str) -> str:
    """A name as it is kept: one line, not too long."""
    return " ".join(name.split())[:MOST_NAME]


def with_pin(pins: tuple[NamedPin, ...], pin: int, name: str, role: str) -> tuple[NamedPin, ...]:
    """The named pins with one more: a pin has one name, and a name moves when another pin has it.

    Args:
        name: '' takes the pin's name away.
    """
    chosen = plain_name(name)
    kept = [named for named in pins if named.pin != pin and named.name.casefold() != chosen.casefold()]
    return (*kept, *((NamedPin(chosen, pin, role),) if chosen else ()))


class KnownBoards:
    """The list, in a file of its own.

    Args:
        path: the file; None keeps the list in memory only.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._boards: dict[str, KnownBoard] = {}
        if path is not None:
            self._boards = _read(path)

    def find(self, identity: str) -> KnownBoard | None:
        """What is known of an identity."""
        return self._boards.get(identity)

    def all(self) -> tuple[KnownBoard, ...]:
        """Every board, oldest first."""
        return tuple(self._boards.values())

    def remember(
        self,
        identity: str,
        *,
        kind: str | None = None,
        name: str | None = None,
        pins: tuple[NamedPin, ...] | None = None,
    ) -> KnownBoard:
        """Note a kind, a name, the named pins; what is not given stays.

        Raises:
            ZeroClawError: the file cannot be written; the list in memory has the change.
        """
        self._read_again()
        known = self._boards.pop(identity, KnownBoard(identity))
        if kind is not None:
            known = replace(known, kind=kind)
        if name is not None:
            known = replace(known, name=name)
        if pins is not None:
            known = replace(known, pins=pins)
        self._boards[identity] = known  # newest last
        while len(self._boards) > MOST_KEPT:
            del self._boards[next(iter(self._boards))]
        self._write()
        return known

    def forget(self, identity: str) -> None:
        """Drop what is known; raises ZeroClawError like ``remember``."""
        self._read_again()
        if self._boards.pop(identity, None) is not None:
            self._write()

    def _read_again(self) -> None:
        """Take over what another program has written meanwhile; nothing of it is overwritten."""
        if self._path is not None:
            self._boards |= _read(self._path)

    def _write(self) -> None:
        if self._path is None:
            return
        rows = [
            f"\n[[board]]\nidentity = {_quoted(board.identity)}\nkind = {_quoted(board.kind)}\n"
            f"name = {_quoted(board.name)}\n{_pin_rows(board)}"
            for board in self._boards.values()
        ]
        try:
            write_atomically(self._path, HEADER + "".join(rows))
        except ZeroClawError as error:
            _log.error("What you said of the board is forgotten at the end: %s", error.message)
            raise


def _pin_rows(board: KnownBoard) -> str:
    rows = [
        f"    {{ name = {_quoted(pin.name)}, pin = {pin.pin}, role = {_quoted(pin.role)} }},\n"
        for pin in board.pins
    ]
    return f"pins = [\n{''.join(rows)}]\n" if rows else ""


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are a part of TOML's, except for half characters and DEL."""
    clean = text.encode("utf-8", "replace").decode("utf-8").replace("\x7f", "")
    return json.dumps(clean, ensure_ascii=False)


def _read(path: Path) -> dict[str, KnownBoard]:
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("board", [])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.error("%s cannot be read, so boards have to be chosen anew: %s", path.name, error)
        return {}
    found: dict[str, KnownBoard] = {}
    for row in rows if isinstance(rows, list) else ():
        board = _row(row)
        if board is not None:
            found[board.identity] = board
    return found


def _row(row: Any) -> KnownBoard | None:
    if not isinstance(row, dict):
        return None
    values = [row.get(key, "") for key in ("identity", "kind", "name")]
    if not all(isinstance(value, str) for value in values) or not values[0]:
        return None
    rows = row.get("pins", [])
    pins = [_pin(entry) for entry in rows] if isinstance(rows, list) else []
    return KnownBoard(values[0], values[1], values[2], tuple(pin for pin in pins if pin is not None))


def _pin(row: Any) -> NamedPin | None:
    if not isinstance(row, dict):
        return None
    name, pin, role = row.get("name"), row.get("pin"), row.get("role", "")
    if not (isinstance(name, str) and name and type(pin) is int and isinstance(role, str)):
        return None
    return NamedPin(name, pin, role)
