"""Reads the configuration file: every problem with its key path, unknown keys kept, defaults for the rest."""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from zeroclaw_desktop.config.address import read_address
from zeroclaw_desktop.config.errors import ConfigProblem
from zeroclaw_desktop.config.model_entries import read_entries
from zeroclaw_desktop.config.schema import BY_KEY, SECTIONS, SETTINGS, check_value

MAX_BYTES = 1_000_000
MAX_PROBLEMS = 100
PLAIN_PASSWORD = "has a password in plain text; it goes to the system's keyring when the program starts"


class LoadedConfig(NamedTuple):
    """Values of all settings, and what was wrong with the file."""

    values: Mapping[str, Any]
    problems: tuple[ConfigProblem, ...] = ()
    path: Path | None = None


def defaults() -> dict[str, Any]:
    """Default of every setting by key."""
    return {setting.key: setting.default for setting in SETTINGS}


def load_config(path: Path) -> LoadedConfig:
    """Read a file; a wrong value leaves its default, a wrong file leaves all of them.

    Args:
        path: the file; it need not exist.
    """
    try:
        text = read_limited(path)
    except FileNotFoundError:
        return LoadedConfig(defaults(), (), path)
    except (OSError, UnicodeDecodeError) as error:
        return LoadedConfig(defaults(), (ConfigProblem("", f"the file cannot be read: {error}"),), path)
    try:
        values, problems = _read(tomllib.loads(text), text)
    except RecursionError:
        return LoadedConfig(defaults(), (ConfigProblem("", "not valid TOML: nested too deeply"),), path)
    except ValueError as error:  # TOMLDecodeError, and a number with too many digits
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else 0
        return LoadedConfig(defaults(), (ConfigProblem("", f"not valid TOML: {error}", line),), path)
    return LoadedConfig(values, tuple(problems), path)


def read_limited(path: Path) -> str:
    """Text of the configuration file.

    Raises:
        OSError: it cannot be read, is no regular file (a pipe would never end) or is larger than MAX_BYTES.
        UnicodeDecodeError: it is no text.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MAX_BYTES // 1_000_000} MB", str(path))
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def _read(table: Mapping[str, Any], text: str) -> tuple[dict[str, Any], list[ConfigProblem]]:
    values: dict[str, Any] = defaults()
    problems: list[ConfigProblem] = []
    for key, value in _flatten(table):
        if len(problems) >= MAX_PROBLEMS and key not in BY_KEY:
            continue  # looking for the lines and near names of thousands would take minutes
        line = _line_of(key, text)
        setting = BY_KEY.get(key)
        if setting is None and key in SECTIONS:
            problems.append(ConfigProblem(key, f"must be a table, written as [{key}]", _line_of(key, text)))
            continue
        if setting is None:
            import difflib

            near = difflib.get_close_matches(key, list(BY_KEY), 1, 0.6)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            problems.append(ConfigProblem(key, f"unknown key, kept as it is{hint}", line, fatal=False))
            continue
        if setting.kind == "tables":
            # A wrong table costs itself only.
            values[key], faults = read_entries(value)
            problems += [ConfigProblem(path, fault, _line_of(path, text)) for path, fault in faults]
            continue
        wrong = check_value(setting, value)
        if wrong:
            problems.append(ConfigProblem(key, wrong, line))
        else:
            values[key] = value
            if setting.kind == "address" and read_address(value).password:
                problems.append(ConfigProblem(key, PLAIN_PASSWORD, line, fatal=False))
    return values, problems


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping) and key not in BY_KEY:
            yield from _flatten(value, f"{key}.")
        else:
            yield key, value


def _line_of(key: str, text: str) -> int:
    """Line of ``name =`` inside ``[section]``; 0 when it is written in another way."""
    section, _, name = key.rpartition(".")
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[([^\[\]]+)\]", line)
        if header:
            current = header.group(1).strip()
        elif _assigns(line, name if current == section else key if not current else ""):
            return number
    return 0


def _assigns(line: str, name: str) -> bool:
    return bool(name) and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line) is not None
