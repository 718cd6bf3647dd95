"""One editor for each kind of setting: switch, choice, number, text. Each tells the value that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import SegmentedControl
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import row
from zeroclaw_desktop.gui.widgets.switch import Switch

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import SettingView

_MOST_SEGMENTS = 4


class Editor(QWidget):
    """Shows and takes one value."""

    value_chosen = Signal(object)
    """The value that the person wants, of the setting's own type; a text where a number could not be read."""

    def show_setting(self, setting: SettingView) -> None:
        """Show the value and take over texts and limits."""
        raise NotImplementedError

    def set_invalid(self, invalid: bool) -> None:
        """Mark that what stands here was not taken."""


class SwitchEditor(Editor):
    """For ``bool``."""

    def __init__(self) -> None:
        super().__init__()
        self.switch = Switch()
        self.switch.clicked.connect(lambda: self.value_chosen.emit(self.switch.isChecked()))
        row(None, self.switch, parent=self)
        self.setFocusProxy(self.switch)

    def show_setting(self, setting: SettingView) -> None:
        """Show on or off."""
        self.switch.setChecked(bool(setting.value))
        self.switch.setAccessibleName(setting.title)


class SegmentEditor(Editor):
    """For a ``choice`` of few."""

    def __init__(self, setting: SettingView) -> None:
        super().__init__()
        self._values = [value for value, _ in setting.choices]
        self.control = SegmentedControl([(str(n), text) for n, (_, text) in enumerate(setting.choices)])
        self.control.chosen.connect(lambda key: self.value_chosen.emit(self._values[int(key)]))
        row(None, self.control, parent=self)

    def show_setting(self, setting: SettingView) -> None:
        """Mark the choice."""
        self.control.set_texts([text for _, text in setting.choices])
        self.control.setAccessibleName(setting.title)
        if setting.value in self._values:
            self.control.set_current(str(self._values.index(setting.value)))


class ListEditor(Editor):
    """For a ``choice`` of many."""

    def __init__(self, setting: SettingView) -> None:
        super().__init__()
        self._values = [value for value, _ in setting.choices]
        self.box = ChoiceList()
        self.box.setMinimumWidth(space(32))
        self.box.addItems([text for _, text in setting.choices])
        self.box.activated.connect(lambda number: self.value_chosen.emit(self._values[number]))
        row(None, self.box, parent=self)
        self.setFocusProxy(self.box)

    def show_setting(self, setting: SettingView) -> None:
        """Mark the choice."""
        for number, (_, text) in enumerate(setting.choices):
            self.box.setItemText(number, text)
        self.box.setAccessibleName(setting.title)
        if setting.value in self._values:
            self.box.setCurrentIndex(self._values.index(setting.value))


class FieldEditor(Editor):
    """For numbers, texts and addresses: what is typed counts after Enter or when the field is left."""

    def __init__(self, setting: SettingView) -> None:
        super().__init__()
        self._setting = setting
        self.field = QLineEdit()
        self._unit = Text(role="body", tone="muted")
        is_number = setting.kind in ("int", "float")
        self.field.setFixedWidth(space(28) if is_number else size("board_minimum_width"))
        if is_number:
            self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.field.setFont(theme().font("mono"))
        self.field.editingFinished.connect(self._offer)
        self._unit.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        row(None, self.field, self._unit, parent=self)
        self.setFocusProxy(self.field)

    def show_setting(self, setting: SettingView) -> None:
        """Show the value unless the person is just typing one."""
        self._setting = setting
        self._unit.setText(setting.unit)
        self._unit.setVisible(bool(setting.unit))
        self.field.setAccessibleName(setting.title)
        if not self.field.isModified():
            self.field.setText(_shown(setting.value))

    def set_waiting(self, waiting: bool) -> None:
        """Let nothing be typed while it is not known yet whether what stands here is taken."""
        self.field.setReadOnly(waiting)

    def accept_shown(self) -> None:
        """Take what stands in the field as stored."""
        self.field.setModified(False)

    def set_invalid(self, invalid: bool) -> None:
        """Draw the field as not taken."""
        self.field.setProperty("invalid", invalid)
        self.field.style().unpolish(self.field)
        self.field.style().polish(self.field)

    def _offer(self) -> None:
        if self.field.isModified() and not self.field.isReadOnly():
            self.value_chosen.emit(read_value(self.field.text(), self._setting.kind))


def read_value(text: str, kind: str) -> Any:
    """Return what a text means for a kind of setting.

    Args:
        text: as typed; full-width digits of Chinese input methods are read too.
        kind: ``int``, ``float``, ``text`` or ``address``.

    Returns:
        The number; the text itself where it is no number, so that the schema can say what is wrong.
    """
    if kind in ("text", "address"):
        return text
    bare = text.strip().replace("_", "").replace(" ", "")
    try:
        return int(bare) if kind == "int" else float(bare)
    except ValueError:
        return text.strip()


def make_editor(setting: SettingView) -> Editor:
    """Return the editor for a setting's kind."""
    if setting.kind == "bool":
        return SwitchEditor()
    if setting.kind == "choice":
        few = len(setting.choices) <= _MOST_SEGMENTS
        return SegmentEditor(setting) if few else ListEditor(setting)
    return FieldEditor(setting)


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
