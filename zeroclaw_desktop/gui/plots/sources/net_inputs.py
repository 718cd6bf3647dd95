"""UDP and MQTT as sources: the settings that switch them on, and why one of them does not work."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.bridge.settings_bridge import SettingsBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField
from zeroclaw_desktop.gui.widgets.switch import Switch

UDP, REACH, UDP_PORT, TOPICS = "plots.udp", "plots.udp_reach", "plots.udp_port", "plots.mqtt_topics"


class NetInputs(QWidget):
    """Shows and changes four settings; their names and explanations are those of the settings page.

    Args:
        settings: bridge object.
    """

    def __init__(self, settings: SettingsBridge) -> None:
        super().__init__()
        self._settings = settings
        self.udp, self.reach, self.udp_port = Switch(), ChoiceList(), NumberField()
        self.udp_port.setMaximumWidth(space(24))
        self.topics = QLineEdit()
        self.broker_button = Button("", compact=True)
        self.broker_button.clicked.connect(lambda: actions().open_page("settings"))
        self.udp_error, self.topics_error, self.refusal = ErrorCard(), ErrorCard(), ErrorCard()
        self._names = {key: Text(role="label") for key in (UDP, REACH, UDP_PORT, TOPICS)}
        self._notes = {key: Text(role="caption", tone="muted", wrap=True) for key in (UDP, TOPICS)}
        column(
            row(self._names[UDP], STRETCH, self.udp),
            self._notes[UDP],
            row(self._names[REACH], self.reach, self._names[UDP_PORT], self.udp_port, STRETCH),
            self.udp_error,
            self._names[TOPICS],
            row(self.topics, self.broker_button),
            self._notes[TOPICS],
            self.topics_error,
            self.refusal,
            gap=2,
            parent=self,
        )
        for card in (self.udp_error, self.topics_error, self.refusal):
            card.hide()
        self.udp.clicked.connect(lambda: self._put(UDP, self.udp.isChecked()))
        self.reach.activated.connect(lambda _at: self._put(REACH, self.reach.currentData()))
        self.udp_port.editingFinished.connect(self._put_port)
        self.topics.editingFinished.connect(lambda: self._put(TOPICS, self.topics.text().strip()))
        settings.setting_changed.connect(self._take_setting)
        self._retranslate()

    def show_settings(self) -> None:
        """Show what is set now."""
        found = {key: self._settings.setting(key) for key in self._names}
        for key, label in self._names.items():
            label.setText(found[key].title)
        for key, note in self._notes.items():
            note.setText(found[key].description)
        self.udp.setChecked(bool(found[UDP].value))
        self.reach.clear()
        for value, text in found[REACH].choices:
            self.reach.addItem(text, value)
        self.reach.setCurrentIndex(max(0, self.reach.findData(found[REACH].value)))
        if not self.udp_port.hasFocus():
            self.udp_port.set_value(float(found[UDP_PORT].value))
        if not self.topics.hasFocus():
            self.topics.setText(str(found[TOPICS].value))
        editors: tuple[tuple[str, QWidget], ...] = (
            (UDP, self.udp),
            (REACH, self.reach),
            (UDP_PORT, self.udp_port),
            (TOPICS, self.topics),
        )
        for key, editor in editors:
            editor.setAccessibleName(found[key].title)

    def show_faults(self, faults: Mapping[str, ErrorView]) -> None:
        """Say why UDP or the topics do not work."""
        for key, card in ((UDP, self.udp_error), (TOPICS, self.topics_error)):
            fault = faults.get(key)
            card.setVisible(fault is not None)
            if fault is not None:
                card.set_error(fault, offer_action=False)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _take_setting(self, key: str, _value: object) -> None:
        if key in self._names:
            self.show_settings()

    def _put_port(self) -> None:
        value = self.udp_port.value()
        self._put(UDP_PORT, int(value) if value is not None and value == int(value) else value)

    def _put(self, key: str, value: object) -> None:
        if value == self._settings.value(key):
            return
        fault = self._settings.set_value(key, value)
        self.refusal.setVisible(fault is not None)
        if fault is not None:
            self.refusal.set_error(fault, offer_action=False)

    def _retranslate(self) -> None:
        self.topics.setPlaceholderText("lab/+/temp, greenhouse/#")
        self.broker_button.setText(self.tr("Broker…"))
        self.show_settings()
