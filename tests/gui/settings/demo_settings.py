"""A stand-in for the settings bridge with the product's own schema, kept in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.views import ErrorView, SettingView


def _choice(key: str, section: str, title: str, default: Any, *choices: tuple[Any, str]) -> SettingView:
    return SettingView(key, section, title, f"About {title}.", "choice", default, default, choices)


THEME = _choice(
    "ui.theme", "Appearance", "Theme", "system", ("system", "System"), ("light", "Light"), ("dark", "Dark")
)
LANGUAGE = _choice("ui.language", "Appearance", "Language", "en", ("en", "English"), ("zh", "中文"))
BAUD = _choice(
    "serial.baud",
    "Serial",
    "Baud rate",
    115200,
    *((rate, str(rate)) for rate in (9600, 57600, 74880, 115200, 230400)),
)
DRY_RUN = SettingView("execution.dry_run", "Safety", "Dry run", "Send nothing.", "bool", False, False)
WINDOW = SettingView(
    "plots.window_seconds",
    "Plots",
    "Time window",
    "How much of the past a new plot shows.",
    "int",
    30,
    30,
    minimum=5,
    maximum=600,
    unit="s",
    needs_restart=True,
)
ADDRESS = SettingView(
    "reports.address", "Serial", "Report address", "Where reports go.", "address", "mqtt://kim:***@bench", ""
)
NAME = SettingView("device.name", "Serial", "Board name", "Name on cards.", "text", "Uno", "Uno")
CHINESE = {
    "Appearance": "外观",
    "Theme": "主题",
    "Language": "语言",
    "System": "跟随系统",
    "Light": "浅色",
    "Dark": "深色",
    "Plots": "曲线",
    "Time window": "时间窗口",
}


class DemoSettings(QObject):
    """Settings in memory; numbers are checked against their limits as the schema does it."""

    setting_changed = Signal(str, object)
    file_problem = Signal(object)
    address_answered = Signal(str, object)
    notes_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, Any]] = []
        self.known = {one.key: one for one in (THEME, LANGUAGE, BAUD, NAME, ADDRESS, DRY_RUN, WINDOW)}
        self.current_problem: ErrorView | None = None

    def settings(self) -> list[SettingView]:
        return [self._worded(setting) for setting in self.known.values()]

    def value(self, key: str) -> Any:
        return self.known[key].value

    def set_value(self, key: str, value: Any) -> ErrorView | None:
        self.calls.append((key, value))
        setting = self.known[key]
        if setting.kind == "int":
            if not isinstance(value, int):
                return ErrorView(f"{value!r} is not a whole number.", "The setting stays at 30 s.")
            if not (setting.minimum or 0) <= value <= (setting.maximum or value):
                return ErrorView(f"{value} is outside 5 to 600 s.", "The setting stays as it was.")
        self.known[key] = replace(setting, value=value)
        self.setting_changed.emit(key, value)
        return None

    def set_address(self, key: str, text: str) -> None:
        """Only remembered: the test answers."""
        self.calls.append((key, text))

    def answer(self, key: str, taken: str, error: ErrorView | None = None) -> None:
        """What the keyring did, some time later."""
        if error is None:
            self.known[key] = replace(self.known[key], value=taken)
            self.setting_changed.emit(key, taken)
        self.address_answered.emit(key, error)

    def tell(self, key: str, note: str, kind: str) -> None:
        """What became of a setting."""
        self.known[key] = replace(self.known[key], note=note, note_kind=kind)
        self.notes_changed.emit()

    def problem(self) -> ErrorView | None:
        return self.current_problem

    def file_path(self) -> str:
        return "/home/kim/.zeroclaw/config.toml"

    def _worded(self, setting: SettingView) -> SettingView:
        if self.known["ui.language"].value != "zh":
            return setting
        choices = tuple((value, CHINESE.get(text, text)) for value, text in setting.choices)
        return replace(
            setting,
            section=CHINESE.get(setting.section, setting.section),
            title=CHINESE.get(setting.title, setting.title),
            choices=choices,
        )


class SettingsWorld(QObject):
    """The bridge as far as the Settings page uses it."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = DemoSettings()
