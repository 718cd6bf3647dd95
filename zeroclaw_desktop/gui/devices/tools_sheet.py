"""The programs that write firmware: found with their version, missing with the command that installs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Hairline, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn, Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.tool_views import ToolView
    from zeroclaw_desktop.bridge.tools_bridge import ToolsBridge


class InstallCommand(QWidget):
    """A command in mono letters with a button that copies it."""

    def __init__(self, command: str = "") -> None:
        super().__init__()
        self._command = ElidedText("", "mono_small", middle=True)
        self._command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy_button = IconButton("copy", small=True)
        self.copy_button.clicked.connect(self.copy)
        row(self._command, self.copy_button, gap=1, parent=self).setStretch(0, 1)
        self.set_command(command)
        self._retranslate()

    def set_command(self, command: str) -> None:
        """Show another command."""
        self._command.set_text(command)

    def command(self) -> str:
        """Return the command."""
        return self._command.whole_text()

    def copy(self) -> None:
        """Put the command into the clipboard."""
        QGuiApplication.clipboard().setText(self.command())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.copy_button.set_name(self.tr("Copy the command"))


class ToolRow(QWidget):
    """One program."""

    def __init__(self, tool: ToolView) -> None:
        super().__init__()
        self.tool = tool
        self.badge = Badge()
        purpose = tool.purpose[:1].upper() + tool.purpose[1:]
        text = purpose + (f"  ·  {tool.boards}" if tool.boards else "")
        head = row(Text(tool.name, "strong"), Text(tool.version, "mono_small", "muted"), STRETCH, self.badge)
        self.path = ElidedText(tool.path, "mono_small", "muted", middle=True)
        self.path.setVisible(tool.found)
        self.install = InstallCommand(tool.install)
        self.install.setVisible(not tool.found)
        column(head, ElidedText(text, "caption", "muted"), self.path, self.install, gap=0.5, parent=self)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        if self.tool.found:
            self.badge.set_state(self.tr("Found"), "live")
        else:
            self.badge.set_state(self.tr("Missing"), "off")


class ToolsSheet(Sheet):
    """Lies over the Devices page.

    Args:
        host: the page.
        tools: bridge object.
    """

    def __init__(self, host: QWidget, tools: ToolsBridge) -> None:
        super().__init__(host)
        self._tools = tools
        self.rows: list[ToolRow] = []
        self._lines: list[QWidget] = []
        self._explanation = Text(tone="muted", wrap=True)
        self.state = Text(tone="muted")
        self._column = column(STRETCH, gap=3, margins=(0, 0, 3, 0))
        self._scroll = ScrollColumn(self._column)
        self.refresh_button = Button("", "secondary", "refresh")
        self.refresh_button.clicked.connect(tools.look)
        self.done_button = Button("", "primary")
        self.done_button.clicked.connect(self.close_sheet)
        self.panel.body.addWidget(self._explanation)
        self.panel.body.addWidget(self._scroll)
        self.panel.body.addLayout(row(self.refresh_button, self.state, STRETCH, self.done_button))
        tools.changed.connect(self._show)
        self._retranslate()

    def open_tools(self) -> None:
        """Show the list and look again."""
        self._tools.look()
        self._show()
        self._scroll.setMinimumHeight(max(size("console_height"), self._host.height() - space(60)))
        self.open_sheet()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._show()
        super().changeEvent(event)

    def _show(self) -> None:
        tools = self._tools.tools() or []
        if tools != [line.tool for line in self.rows]:
            self._rebuild(tools)
        looking = self._tools.looking()
        self.refresh_button.setEnabled(not looking)
        missing = sum(not tool.found for tool in tools)
        if looking:
            self.state.setText(self.tr("Looking…"))
        elif missing:
            self.state.setText(self.tr("{0} missing").format(missing))
        else:
            self.state.setText(self.tr("All of them are there.") if tools else "")

    def _rebuild(self, tools: list[ToolView]) -> None:
        for widget in (*self.rows, *self._lines):
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.rows = [ToolRow(tool) for tool in tools]
        self._lines = [Hairline() for _ in tools[1:]]
        place = 0
        for number, tool_row in enumerate(self.rows):
            if number:
                self._column.insertWidget(place, self._lines[number - 1])
                place += 1
            self._column.insertWidget(place, tool_row)
            place += 1

    def _retranslate(self) -> None:
        self.set_title(self.tr("Flashing tools"))
        self._explanation.setText(
            self.tr("A board needs one of its tools only. Run the command in a terminal, then look again.")
        )
        self.refresh_button.setText(self.tr("Look again"))
        self.done_button.setText(self.tr("Done"))
