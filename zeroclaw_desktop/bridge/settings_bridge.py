"""Settings for the settings page and for whoever follows one of them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.views import ErrorView, SettingView
from zeroclaw_desktop.config.errors import ConfigError
from zeroclaw_desktop.config.schema import SECTIONS, SETTINGS, Setting
from zeroclaw_desktop.foundation.errors import ZeroClawError


class SettingsBridge(QObject):
    """Reads and changes settings."""

    setting_changed = Signal(str, object)
    file_problem = Signal(object)

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        core.config.on_change(self.setting_changed.emit)

    def settings(self) -> list[SettingView]:
        """All settings in the order of the schema, texts in the window's language."""
        return [self._view(setting) for setting in SETTINGS]

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
        return SettingView(
            setting.key,
            SECTIONS[setting.section][language],
            setting.title[language],
            setting.description[language],
            setting.kind,
            self._core.config.get(setting.key),
            setting.default,
            choices,
            setting.minimum,
            setting.maximum,
            setting.unit,
            setting.needs_restart,
        )
