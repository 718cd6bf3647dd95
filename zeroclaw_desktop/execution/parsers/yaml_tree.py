"""Builds plain values from the parsing events of PyYAML: the strict part that ``yaml_list.py`` describes.

In a module of its own because PyYAML takes its time to be imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.envelope import MAX_DEPTH, MAX_INTEGER_DIGITS
from zeroclaw_desktop.execution.parsers.places import (
    Place,
    expected,
    found,
    found_at,
    found_text,
    place_at,
    printable,
    unreadable,
)

_PLAIN_NULL = frozenset({"", "~", "null"})
_PLAIN_BOOL = {"true": True, "false": False}
_UNSURE_BOOL = frozenset({"y", "yes", "n", "no", "on", "off", "true", "false", "null"})
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_UNSURE_NUMBER = re.compile(
    r"[-+]?(?:[0-9][0-9_.,:]*(?:[eE][-+]?[0-9]*)?|0[xXoObB][0-9a-fA-F_]*|\.[0-9]+(?:[eE][-+]?[0-9]+)?"
    r"|\.(?:inf|nan))|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE,
)


class YamlTree:
    """Builds lists, dicts and scalars from parsing events, without recursion, and keeps the place of each."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 0
        self.places: dict[str, Place] = {}
        self.offsets: dict[str, int] = {}
        self._open: list[_Open] = []
        self._root: Any = None
        self._documents = 0

    def read(self) -> Any:
        """The one document of the text.

        Raises:
            FaultError: what was expected and where.
        """
        for event in self._events():
            self._take(event)
        return self._root

    def refuse(self, offset: int, wanted: Words, got: Words | None = None) -> NoReturn:
        """Raise the fault of a place."""
        raise FaultError(
            [unreadable(place_at(self.text, offset), wanted, got or found_at(self.text, offset))]
        )

    def _events(self) -> Iterator[yaml.Event]:
        try:
            yield from yaml.parse(self.text, Loader=yaml.SafeLoader)
        except yaml.reader.ReaderError as error:
            self.refuse(error.position, expected("characters"))
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            offset = mark.index if mark is not None else 0
            problem = " ".join(str(error.problem or error.context or "").split())
            self.refuse(offset, expected("yaml", problem=printable(problem)))
        except (ValueError, OverflowError) as error:
            # PyYAML lets the errors of int() and chr() through, e.g. for the escape \UFFFFFFFF.
            self.refuse(0, expected("yaml", problem=printable(str(error))))

    def _take(self, event: yaml.Event) -> None:
        offset = event.start_mark.index if event.start_mark is not None else 0
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self.refuse(offset, expected("yaml_one"))
        elif isinstance(event, yaml.AliasEvent):
            self.refuse(offset, expected("yaml_alias"))
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self._open.pop()
            self._put(done.value, done.offset, done)
        elif isinstance(event, yaml.NodeEvent):
            self._node(event, offset)

    def _node(self, event: yaml.NodeEvent, offset: int) -> None:
        if event.anchor is not None:
            self.refuse(offset, expected("yaml_alias"))
        if getattr(event, "tag", None) is not None:
            self.refuse(offset, expected("yaml_tag"))
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalar(event, offset), offset, None)
            return
        if len(self._open) >= MAX_DEPTH:
            got = found("levels", count=MAX_DEPTH + 1)
            self.refuse(offset, expected("depth", limit=MAX_DEPTH), got)
        if self._open and self._open[-1].awaits_key:
            self.refuse(offset, expected("yaml_key"))
        path = self._open[-1].child_path() if self._open else ""
        self._remember(path, offset)
        self._open.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], path, offset))

    def _put(self, value: Any, offset: int, done: _Open | None) -> None:
        """Hand a finished value to the collection that it stands in."""
        if not self._open:
            self._root, self.start = value, offset
            return
        around = self._open[-1]
        if around.awaits_key:
            self._key(around, value, offset)
            return
        if done is None:
            self._remember(around.child_path(), offset)
        around.add(value)

    def _key(self, around: _Open, value: Any, offset: int) -> None:
        if not isinstance(value, str) or not value:
            self.refuse(offset, expected("yaml_key"))
        if value in around.value:
            self.refuse(offset, expected("once"), found("again", text=printable(value)))
        around.key = value
        self._remember(around.child_path(), offset)

    def _remember(self, path: str, offset: int) -> None:
        """Note the place of a value; that of a member is the place of its name, which comes first."""
        if path in self.places:
            return
        self.places[path] = place_at(self.text, offset)
        self.offsets[path] = offset

    def _scalar(self, event: yaml.ScalarEvent, offset: int) -> Any:
        text = _whole_characters(event.value)
        if text is None:
            self.refuse(offset, expected("characters"))
        if event.style is not None:
            return text
        if self._open and self._open[-1].awaits_key and text.lower() in _UNSURE_BOOL:
            return text
        if text in _PLAIN_NULL:
            return None
        if text in _PLAIN_BOOL:
            return _PLAIN_BOOL[text]
        if text.lower() in _UNSURE_BOOL:
            self.refuse(offset, expected("yaml_bool"), found_text(text))
        if _DECIMAL.fullmatch(text):
            return self._number(text, offset)
        if _UNSURE_NUMBER.fullmatch(text):
            self.refuse(offset, expected("yaml_number"), found_text(text))
        return text

    def _number(self, text: str, offset: int) -> int | float:
        if len(text) <= MAX_INTEGER_DIGITS:
            value = int(text) if _INTEGER.fullmatch(text) else float(text)
            if value not in (float("inf"), float("-inf")):
                return value
        self.refuse(offset, expected("finite", digits=MAX_INTEGER_DIGITS), found_text(text))


def _whole_characters(text: str) -> str | None:
    """The text with surrogate pairs joined, as JSON writes them (RFC 8259, 7); None when a half is left."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return None


class _Open:
    """A list or a dict that is being filled."""

    def __init__(self, value: Any, path: str, offset: int) -> None:
        self.value = value
        self.path = path
        self.offset = offset
        self.key: str | None = None

    @property
    def awaits_key(self) -> bool:
        """Whether the next thing is the name of a member."""
        return isinstance(self.value, dict) and self.key is None

    def child_path(self) -> str:
        """Path of the value that comes next."""
        if self.key is None:
            return f"{self.path}[{len(self.value)}]"
        return f"{self.path}.{self.key}"

    def add(self, value: Any) -> None:
        """Take the next value."""
        if self.key is None:
            self.value.append(value)
        else:
            self.value[self.key] = value
            self.key = None
