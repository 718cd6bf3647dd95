"""The settings in use: read once, changed one by one, written back with the person's comments kept."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.address import read_address
from zeroclaw_desktop.config.errors import ConfigError, ConfigProblem
from zeroclaw_desktop.config.loader import LoadedConfig, load_config, read_limited
from zeroclaw_desktop.config.schema import BY_KEY, check_value
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger

_log = logger("config")


class ConfigStore:
    """Settings of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._loaded: LoadedConfig = load_config(path)
        self._listeners: list[Callable[[str, Any], None]] = []
        for problem in self._loaded.problems:
            _log.warning("%s: %s", path.name, problem)

    @property
    def values(self) -> Mapping[str, Any]:
        """All settings by key."""
        return self._loaded.values

    @property
    def problems(self) -> tuple[ConfigProblem, ...]:
        """What was wrong with the file when it was read."""
        return self._loaded.problems

    def get(self, key: str) -> Any:
        """Value of a setting; an unknown key is a programming error."""
        return self._loaded.values[key]

    def on_change(self, listener: Callable[[str, Any], None]) -> None:
        """Call ``listener(key, value)`` after each change."""
        self._listeners.append(listener)

    def set(self, key: str, value: Any) -> None:
        """Change a setting and write the file; what was edited there meanwhile is kept and told as well.

        Raises:
            ConfigError: no such key, the value is not allowed (an address with a password is not: it would
                be written to the file), or the file cannot be written safely.
        """
        setting = BY_KEY.get(key)
        wrong = "unknown key" if setting is None else check_value(setting, value)
        if not wrong and setting is not None and setting.kind == "address":
            value = value.strip()
            wrong = "a password is not written to the file" if read_address(value).password else ""
        if wrong:
            raise ConfigError([ConfigProblem(key, wrong)])
        self._write(key, value)
        before, self._loaded = self._loaded.values, load_config(self.path)
        edited = [other for other, now in self.values.items() if other != key and now != before[other]]
        for changed in (key, *edited):
            for listener in self._listeners:
                listener(changed, self.values[changed])

    def _write(self, key: str, value: Any) -> None:
        import tomlkit  # only needed when something is changed: 20 ms of the start saved
        from tomlkit.exceptions import TOMLKitError

        section, name = key.split(".", 1)
        try:
            document = tomlkit.parse(self._text())
            if section not in document:
                document[section] = tomlkit.table()
            table: Any = document[section]
            table[name] = value
        except (TOMLKitError, OSError, ValueError, RecursionError) as error:
            raise self._unusable(f"the file cannot be used, so nothing was changed: {error}") from error
        except (TypeError, KeyError, AttributeError) as error:
            raise self._unusable(
                f"'{section}' must be a table, written as [{section}]; nothing was changed", section
            ) from error
        write_atomically(self.path, tomlkit.dumps(document))

    def _text(self) -> str:
        try:
            return read_limited(self.path)
        except FileNotFoundError:
            return ""

    def _unusable(self, reason: str, key: str = "") -> ConfigError:
        return ConfigError([ConfigProblem(key, reason)], str(self.path))


def write_atomically(path: Path, text: str) -> None:
    """Replace a file as a whole or not at all; private to the user. A link keeps pointing at the file.

    Raises:
        ZeroClawError: the folder cannot be written to (code ``config_write``).
    """
    import tempfile

    name = ""
    try:
        target = path.resolve()
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{path.name}.")
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except (OSError, RuntimeError, UnicodeError) as error:  # RuntimeError: links that lead to each other
        if name:
            with contextlib.suppress(OSError):
                os.unlink(name)
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise ZeroClawError(
            f"The file {path} could not be written: {reason}. Nothing was changed.",
            hint="Check free space and permissions.",
            code="config_write",
            details={"path": str(path), "reason": reason},
        ) from error
