"""Settings for the settings page and for whoever follows one of them.

An address may hold a password, which goes to the system's keyring: that takes its time, so the answer comes
later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.views import ErrorView, SettingView
from zeroclaw_desktop.config.address import read_address
from zeroclaw_desktop.config.errors import ConfigError
from zeroclaw_desktop.config.schema import BY_KEY, SECTIONS, SETTINGS, Setting
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.runtime import Runtime

SHARED_KEY = "shared.redis_url"


class SettingsBridge(QObject):
    """Reads and changes settings."""

    setting_changed = Signal(str, object)
    file_problem = Signal(object)
    address_answered = Signal(str, object)
    """Key, and what was wrong (None when the address was taken): the answer to ``set_address``."""
    notes_changed = Signal()

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        core.config.on_change(self.setting_changed.emit)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.contracts.events import SharedStateChanged

        runtime.bus.subscribe(SharedStateChanged, lambda _status: self.notes_changed.emit())
        self.notes_changed.emit()

    def settings(self) -> list[SettingView]:
        """All settings in the order of the schema, texts in the window's language."""
        return [self._view(setting) for setting in SETTINGS if setting.on_page]

    def setting(self, key: str) -> SettingView:
        """One setting by its key, texts in the window's language."""
        return self._view(BY_KEY[key])

    def value(self, key: str) -> Any:
        """Value of one setting."""
        return self._core.config.get(key)

    def set_value(self, key: str, value: Any) -> ErrorView | None:
        """Change a setting; returns what was wrong, None when it was taken."""
        try:
            self._core.config.set(key, value)
        except ZeroClawError as error:
            from zeroclaw_desktop.bridge.error_text import error_view_of

            return error_view_of(error, self._core.language)
        self.file_problem.emit(self.problem())
        return None

    def set_address(self, key: str, text: str) -> None:
        """Change an address; the answer comes by ``address_answered``."""
        self._core.when_ready(
            lambda runtime: self._core.start(self._put_address(runtime, key, text), f"address {key}")
        )

    async def _put_address(self, runtime: Runtime, key: str, text: str) -> None:
        from zeroclaw_desktop.bridge.error_text import error_view_of

        try:
            await runtime.passwords.put(key, text)
        except ZeroClawError as error:
            self.address_answered.emit(key, error_view_of(error, self._core.language))
            return
        self.address_answered.emit(key, None)
        self.file_problem.emit(self.problem())

    def problem(self) -> ErrorView | None:
        """What is wrong with the file, None when nothing is."""
        problems = self._core.config.problems
        if not problems:
            return None
        from zeroclaw_desktop.bridge.error_text import error_view_of

        return error_view_of(ConfigError(problems, str(self._core.config.path)), self._core.language)

    def file_path(self) -> str:
        """Where the file is."""
        return str(self._core.config.path)

    def _view(self, setting: Setting) -> SettingView:
        language = self._core.language
        choices = tuple((value, texts[language]) for value, texts in (setting.choices or {}).items())
        value = self._core.config.get(setting.key)
        note, kind = self._note(setting.key)
        return SettingView(
            setting.key,
            SECTIONS[setting.section][language],
            setting.title[language],
            setting.description[language],
            setting.kind,
            read_address(value).bare if setting.kind == "address" else value,
            setting.default,
            choices,
            setting.minimum,
            setting.maximum,
            setting.unit,
            setting.needs_restart,
            note,
            kind,
        )

    def _note(self, key: str) -> tuple[str, str]:
        runtime = self._core.runtime
        if key != SHARED_KEY or runtime is None:
            return "", "success"
        from zeroclaw_desktop.bridge.shared_words import shared_note

        return shared_note(runtime.shared.status, self._core.language)
