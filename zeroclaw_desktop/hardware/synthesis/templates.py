"""Reads ``firmware/templates/<key>/template.toml``: what a kind of firmware needs, takes and shows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import LocalText
from zeroclaw_desktop.contracts.synthesis import DIALECTS, Dialect, NeedInfo, ParamInfo, TemplateInfo
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.boards.table_reader import TableReader
from zeroclaw_desktop.hardware.synthesis.capabilities import CAPABILITIES
from zeroclaw_desktop.hardware.synthesis.errors import TemplateDataError

SCHEMA = 1
FILE_OF_DIALECT: Mapping[Dialect, str] = {
    "arduino": "sketch.ino",
    "micropython": "program.py.txt",
    "rust": "main.rs.txt",
}
PARAM_KINDS = ("number", "whole", "choice", "text")
READS = ("", "rate", "period", "angle_low", "angle_high", "count", "percent", "choice", "pin_map")
WHEN = ("always", "3v3", "5v")
_KEYS = (
    *("schema", "key", "title", "about", "words", "shows"),
    *("pins", "params", "parts", "cautions"),
)


@dataclass(frozen=True)
class Part:
    """A part with its wiring; ``{need}`` in a line stands for the pin, ``{volts}`` for the board's supply."""

    name: LocalText
    wiring: tuple[LocalText, ...]


@dataclass(frozen=True)
class Caution:
    """A warning that belongs to the parts; ``when``: ``always``, or only on boards of 3.3 V or 5 V."""

    when: str
    text: LocalText


@dataclass(frozen=True)
class Template:
    """One kind of firmware.

    Attributes:
        info: what others may know of it.
        sources: text by dialect.
    """

    info: TemplateInfo
    parts: tuple[Part, ...]
    cautions: tuple[Caution, ...]
    sources: Mapping[Dialect, str] = field(default_factory=dict, repr=False)


def _words(table: Mapping[str, Any], path: str, reader: TableReader) -> tuple[str, ...]:
    rows = reader.get(table, "words", dict, {})
    reader.only(rows, f"{path}words.", ("en", "zh"))
    return tuple(str(word) for language in ("en", "zh") for word in rows.get(language, ()))


def _text(table: Mapping[str, Any], key: str, path: str, reader: TableReader) -> LocalText:
    return reader.text(table.get(key), f"{path}{key}")


def _read_need(row: Mapping[str, Any], reader: TableReader) -> NeedInfo:
    key = reader.get(row, "key", str)
    path = f"pins.{key}."
    reader.only(row, path, ("key", "label", "needs", "prefer", "words"))
    capabilities = tuple(str(item) for item in reader.get(row, "needs", list))
    reader.problems += [f"{path}needs: {item!r} is none" for item in capabilities if item not in CAPABILITIES]
    prefer = reader.get(row, "prefer", str, "")
    if prefer not in ("", "led", "button"):
        reader.problems.append(f"{path}prefer must be led or button, not {prefer!r}")
    return NeedInfo(key, _text(row, "label", path, reader), capabilities, prefer, _words(row, path, reader))


def _read_param(row: Mapping[str, Any], reader: TableReader) -> ParamInfo:
    key = reader.get(row, "key", str)
    path = f"params.{key}."
    known = ("key", "label", "default", "kind", "unit", "minimum", "maximum", "choices", "reads")
    reader.only(row, path, known)
    kind, reads = reader.get(row, "kind", str, "number"), reader.get(row, "reads", str, "")
    if kind not in PARAM_KINDS or reads not in READS:
        reader.problems.append(f"{path}kind or reads is not known: {kind!r}, {reads!r}")
    choices = {
        str(name): reader.text(words, f"{path}choices.{name}")
        for name, words in reader.get(row, "choices", dict, {}).items()
    }
    default = row.get("default")
    low, high = reader.get(row, "minimum", float, 0.0), reader.get(row, "maximum", float, 0.0)
    number = isinstance(default, int | float) and not isinstance(default, bool)
    fits = {
        "number": number and low <= float(default or 0) <= high,
        "whole": number and isinstance(default, int) and low <= default <= high,
        "choice": default in choices,
        "text": isinstance(default, str),
    }
    if not fits.get(kind, False):
        reader.problems.append(f"{path}default {default!r} does not fit")
        default = 0
    assert default is not None
    unit = reader.get(row, "unit", str, "")
    label = _text(row, "label", path, reader)
    return ParamInfo(key, label, default, kind, unit, low, high, choices, reads)


def _read_part(row: Mapping[str, Any], number: int, reader: TableReader) -> Part:
    path = f"parts.{number}."
    reader.only(row, path, ("name", "wiring"))
    wiring = reader.get(row, "wiring", list, [])
    lines = tuple(reader.text(line, f"{path}wiring.{at}") for at, line in enumerate(wiring))
    return Part(_text(row, "name", path, reader), lines)


def _read_caution(row: Mapping[str, Any], number: int, reader: TableReader) -> Caution:
    path = f"cautions.{number}."
    reader.only(row, path, ("when", "text"))
    when = reader.get(row, "when", str, "always")
    if when not in WHEN:
        reader.problems.append(f"{path}when must be one of {', '.join(WHEN)}")
    return Caution(when, _text(row, "text", path, reader))


def _rows(table: Mapping[str, Any], key: str, reader: TableReader) -> Sequence[Mapping[str, Any]]:
    rows = reader.get(table, key, list, [])
    return [row for row in rows if isinstance(row, Mapping)]


def read_template(folder: Path) -> Template:
    """Read one template.

    Args:
        folder: with ``template.toml`` and a source for each dialect.

    Raises:
        TemplateDataError: with every fault that was found.
    """
    name = f"{folder.name}/template.toml"
    try:
        table = tomllib.loads((folder / "template.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TemplateDataError(
            f"The template {name} cannot be read: {error}", details={"file": name}
        ) from error
    reader = TableReader(name)
    reader.only(table, "", _KEYS)
    if reader.get(table, "schema", int) != SCHEMA:
        reader.problems.append(f"schema must be {SCHEMA}")
    if reader.get(table, "key", str) != folder.name:
        reader.problems.append("key must be the name of the folder")
    sources: dict[Dialect, str] = {
        dialect: (folder / FILE_OF_DIALECT[dialect]).read_text(encoding="utf-8")
        for dialect in DIALECTS
        if (folder / FILE_OF_DIALECT[dialect]).is_file()
    }
    if not sources:
        reader.problems.append("there is no source beside it")
    info = TemplateInfo(
        folder.name,
        _text(table, "title", "", reader),
        _text(table, "about", "", reader),
        _words(table, "", reader),
        tuple(_read_need(row, reader) for row in _rows(table, "pins", reader)),
        tuple(_read_param(row, reader) for row in _rows(table, "params", reader)),
        tuple(sources),
        tuple(str(series) for series in reader.get(table, "shows", list, [])),
    )
    parts = tuple(_read_part(row, at, reader) for at, row in enumerate(_rows(table, "parts", reader)))
    cautions = tuple(
        _read_caution(row, at, reader) for at, row in enumerate(_rows(table, "cautions", reader))
    )
    if reader.problems:
        raise TemplateDataError(
            f"The template {name} is wrong: " + "; ".join(reader.problems) + ".",
            hint="Correct the file; the other templates show the form.",
            details={"file": name, "problems": list(reader.problems)},
        )
    return Template(info, parts, cautions, sources)


ORDER = (
    *("blink", "button", "servo", "dht", "ds18b20", "analog"),
    *("i2c-scan", "motor", "neopixel", "telemetry", "protocol", "own"),
)
"""In which the shipped templates are shown; others follow by name."""


@cache
def template_catalog() -> Mapping[str, Template]:
    """All templates by key.

    Raises:
        TemplateDataError: one of them is wrong.
    """
    folders = [path.parent for path in firmware_path("templates").glob("*/template.toml")]
    rank = {key: at for at, key in enumerate(ORDER)}
    folders.sort(key=lambda folder: (rank.get(folder.name, len(rank)), folder.name))
    return {folder.name: read_template(folder) for folder in folders}


@cache
def shared_source(name: str) -> str:
    """A piece that several templates include (``host_link.ino``)."""
    return firmware_path(f"templates/{name}").read_text(encoding="utf-8")
