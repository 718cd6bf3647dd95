"""One setting: name, what it does, what became of it, editor, reset, what is wrong with a value, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.settings.editors import FieldEditor, make_editor
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ErrorView, SettingView


_NOTE_ICONS = {"success": ("done", "live_ink"), "warning": ("warning", "warn_ink")}


class SettingRow(QWidget):
    """Shows a ``SettingView``.

    Args:
        setting: the first view; later ones come through ``show_setting``.
    """

    value_chosen = Signal(str, object)
    """Key and the value that the person wants."""

    def __init__(self, setting: SettingView) -> None:
        super().__init__()
        self.setting = setting
        self._title = Text(role="strong")
        self._description = Text(role="body", tone="muted", wrap=True)
        self._restart = Text(role="caption", tone="faint")
        self.error = Text(role="caption", tone="danger", wrap=True)
        self.error.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._error_line = QWidget()
        row(IconLabel("error", "danger_ink", size("icon_small")), self.error, parent=self._error_line)
        self._error_line.hide()
        self.note = Text(role="caption", tone="muted", wrap=True)
        self.note.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._note_icon = IconLabel(*_NOTE_ICONS["success"], size("icon_small"))
        self._note_line = QWidget()
        row(self._note_icon, self.note, parent=self._note_line)
        self.editor = make_editor(setting)
        self.reset_button = IconButton("retry", small=True)
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)
        texts = column(
            self._title, self._description, self._note_line, self._restart, self._error_line, gap=1
        )
        line = row(gap=4, margins=(0, 3), parent=self)
        line.addLayout(texts, 1)
        line.addWidget(self.editor)
        line.addWidget(self.reset_button)
        self.editor.value_chosen.connect(self._choose)
        self.reset_button.clicked.connect(self._reset)
        self.show_setting(setting)

    def show_setting(self, setting: SettingView) -> None:
        """Show another state of the same setting."""
        self.setting = setting
        self._title.setText(setting.title)
        self._description.setText(setting.description)
        self._description.setVisible(bool(setting.description))
        self.editor.show_setting(setting)
        self.reset_button.setVisible(setting.value != setting.default)
        self._restart.setVisible(setting.needs_restart)
        self.note.setText(setting.note)
        self._note_icon.set_icon(*_NOTE_ICONS[setting.note_kind])
        self._note_line.setVisible(bool(setting.note))
        self._retranslate()

    def wait_for_answer(self) -> None:
        """Keep what was typed until ``show_error`` tells what became of it."""
        if isinstance(self.editor, FieldEditor):
            self.editor.set_waiting(True)

    def show_error(self, error: ErrorView | None) -> None:
        """Say what is wrong with the value that was wanted; None when it was taken."""
        if isinstance(self.editor, FieldEditor):
            self.editor.set_waiting(False)
        self.editor.set_invalid(error is not None)
        self._error_line.setVisible(error is not None)
        if error is None and isinstance(self.editor, FieldEditor):
            self.editor.accept_shown()
        self.editor.show_setting(self.setting)
        if error is None:
            return
        sentences = (error.title, error.not_done, error.next_step)
        self.error.setText(" ".join(sentence for sentence in sentences if sentence))

    def error_text(self) -> str:
        """Return what is said to be wrong, '' when nothing is."""
        return "" if self._error_line.isHidden() else self.error.text()

    def matches(self, words: list[str]) -> bool:
        """Tell whether every word stands in the texts or the key of the setting."""
        setting = self.setting
        choices = " ".join(text for _, text in setting.choices)
        texts = (setting.title, setting.description, setting.key, setting.section, choices)
        whole = " ".join(texts).casefold()
        return all(word in whole for word in words)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _choose(self, value: Any) -> None:
        self.value_chosen.emit(self.setting.key, value)

    def _reset(self) -> None:
        if isinstance(self.editor, FieldEditor):
            self.editor.accept_shown()
        self.value_chosen.emit(self.setting.key, self.setting.default)

    def _retranslate(self) -> None:
        self.reset_button.set_name(self.tr("Reset to default: {0}").format(self._default_text()))
        self._restart.setText(self.tr("Takes effect at the next start"))

    def _default_text(self) -> str:
        setting = self.setting
        if setting.kind == "bool":
            return self.tr("on") if setting.default else self.tr("off")
        names = dict(setting.choices)
        return str(names.get(setting.default, setting.default)) + (f" {setting.unit}" if setting.unit else "")
