"""Picks typed values out of a parsed TOML table and collects everything that is wrong with it."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from zeroclaw_desktop.contracts.boards import LocalText
from zeroclaw_desktop.contracts.flash_options import UsbId
from zeroclaw_desktop.hardware.errors import BoardDataError

MAX_NUMBER = 1 << 40
Record = TypeVar("Record")


class TableReader:
    """One file.

    Args:
        source: name of the file, for messages.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self.problems: list[str] = []

    def get(self, table: Mapping[str, Any], path: str, kind: type, default: Any = None) -> Any:
        """The value at a dotted path; a missing one is a problem unless there is a default."""
        value: Any = table
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is None:
            if default is None:
                self.problems.append(f"{path} is missing")
                return kind()
            return default
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            self.problems.append(f"{path} must be {kind.__name__}, not {value!r}")
            return kind()
        return value

    def positive(self, table: Mapping[str, Any], path: str, kind: type, default: Any = None) -> Any:
        """A number above zero."""
        value = self.get(table, path, kind, default)
        given = any(problem.startswith(f"{path} ") for problem in self.problems)
        if not given and value is not default and not 0 < value < MAX_NUMBER:
            self.problems.append(f"{path} must be above 0, not {value!r}")
        return value

    def only(self, table: Any, path: str, known: tuple[str, ...]) -> None:
        """Complain of keys that mean nothing here."""
        if isinstance(table, Mapping):
            self.problems += [f"{path}{key} is not known here" for key in table if key not in known]

    def record(self, kind: type[Record], table: Any, path: str) -> Record | None:
        """Build a flat dataclass of int, float, bool, str, UsbId and tuples of int or str; None when wrong.

        Every field is a key of the table; one without a default must be there; numbers are 0 or more.
        """
        if not isinstance(table, Mapping):
            self.problems.append(f"{path} must be a table")
            return None
        fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
        types = typing.get_type_hints(kind)
        before = len(self.problems)
        self.only(table, f"{path}.", tuple(fields))
        values: dict[str, Any] = {}
        for name, field in fields.items():
            if name in table:
                values[name] = self._value(table[name], types[name], f"{path}.{name}")
            elif field.default is dataclasses.MISSING:
                self.problems.append(f"{path}.{name} is missing")
        return kind(**values) if len(self.problems) == before else None

    def _value(self, value: Any, kind: Any, path: str) -> Any:
        if kind == UsbId:
            return self.usb_id(value, path)
        if typing.get_origin(kind) is tuple:
            item = typing.get_args(kind)[0]
            if not isinstance(value, list) or not value:
                self.problems.append(f"{path} must be a list with at least one entry")
                return ()
            return tuple(self._value(entry, item, path) for entry in value)
        checked = self.get({"value": value}, "value", kind)
        if self.problems and self.problems[-1].startswith("value "):
            self.problems[-1] = path + self.problems[-1].removeprefix("value")
        elif kind in (int, float) and not 0 <= checked < MAX_NUMBER:
            self.problems.append(f"{path} must be 0 or more, not {value!r}")
        return checked

    def usb_id(self, text: Any, path: str) -> UsbId:
        """``2341:0043`` as two numbers."""
        match = re.fullmatch(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})", str(text))
        if match is None:
            self.problems.append(f"{path}: {text!r} is not of the form 2341:0043")
            return (0, 0)
        return int(match.group(1), 16), int(match.group(2), 16)

    def text(self, value: Any, path: str) -> LocalText:
        """A text in English and Chinese: ``{ en = "...", zh = "..." }``."""
        if (
            isinstance(value, Mapping)
            and set(value) == {"en", "zh"}
            and all(isinstance(words, str) and words.strip() for words in value.values())
        ):
            return {"en": value["en"], "zh": value["zh"]}
        self.problems.append(f"{path} must be {{ en = ..., zh = ... }}, both with words in them")
        return {"en": "", "zh": ""}

    def finish(self) -> None:
        """Raises BoardDataError when anything was wrong."""
        if self.problems:
            raise BoardDataError(
                f"The board file {self._source} is wrong: " + "; ".join(self.problems) + ".",
                hint="Correct the file; the built-in files show the form.",
                details={"file": self._source, "problems": list(self.problems)},
            )
