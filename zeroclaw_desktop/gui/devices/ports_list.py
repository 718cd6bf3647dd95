"""Serial ports for which no board card stands yet, and boards that are plugged in without a port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.port_row import PortlessRow, PortRow
from zeroclaw_desktop.gui.widgets.labels import Hairline, SectionHeader, Text
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.port_access_bridge import PortAccessBridge
    from zeroclaw_desktop.bridge.port_views import AccessView
    from zeroclaw_desktop.bridge.views import BoardKindView, PortView


NEW_MILLISECONDS = 15_000
"""How long a port that was plugged in is marked."""


class PortsList(Card):
    """All such ports; hidden when there is none.

    Args:
        access: bridge object that knows what keeps ports closed, and asks them.
    """

    connect_requested = Signal(str, str)
    mend_requested = Signal(str)
    """Port or USB place whose obstacle is to be mended."""

    def __init__(self, access: PortAccessBridge) -> None:
        super().__init__(gap=3)
        self._access = access
        self._header = SectionHeader()
        self._explanation = Text(tone="muted", wrap=True)
        self._shown: tuple[list[PortView], list[AccessView]] = ([], [])
        self.rows: list[PortRow] = []
        self.portless: list[PortlessRow] = []
        self._lines: list[QWidget] = []
        self._known_paths: set[str] | None = None
        """Ports of the last look; None before the first one, after which none is new."""
        self._new: set[str] = set()
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(NEW_MILLISECONDS)
        self._calm.timeout.connect(self._forget_new)
        self.body.addWidget(self._header)
        self.body.addWidget(self._explanation)
        access.changed.connect(self._refresh)
        self._retranslate()
        self.hide()

    def is_empty(self) -> bool:
        """Whether there is neither a port nor a board without one."""
        return not any(self._shown)

    def show_ports(self, ports: list[PortView], board_types: list[BoardKindView]) -> None:
        """Show these ports; only news are shown when they are there already."""
        portless = self._access.portless()
        self._note_new({port.path for port in ports})
        self.setVisible(bool(ports or portless))
        if (ports, portless) != self._shown:
            self._shown = (list(ports), portless)
            self._rebuild(ports, portless, board_types)
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _rebuild(
        self, ports: list[PortView], portless: list[AccessView], board_types: list[BoardKindView]
    ) -> None:
        """Rows of ports that stay are kept: the keyboard or an open menu may be there."""
        kept = {old.port: old for old in self.rows if old.port in ports}
        gone = [old for old in self.rows if old.port not in kept]
        for widget in (*self.rows, *self.portless, *self._lines):
            self.body.removeWidget(widget)
        for widget in (*gone, *self.portless, *self._lines):
            widget.hide()
            widget.deleteLater()
        self.rows = [kept.get(port) or self._new_row(port, board_types) for port in ports]
        self.portless = [PortlessRow(problem) for problem in portless]
        self._lines = [Hairline() for _ in (*ports, *portless)]
        for portless_row in self.portless:
            portless_row.mend_requested.connect(self.mend_requested)
        for line, widget in zip(self._lines, (*self.rows, *self.portless), strict=True):
            self.body.addWidget(line)
            self.body.addWidget(widget)

    def _new_row(self, port: PortView, board_types: list[BoardKindView]) -> PortRow:
        made = PortRow(port, board_types)
        made.connect_requested.connect(self.connect_requested)
        made.ask_requested.connect(self._access.ask)
        made.mend_requested.connect(self.mend_requested)
        return made

    def _note_new(self, paths: set[str]) -> None:
        came = paths - self._known_paths if self._known_paths is not None else set()
        self._known_paths = paths
        self._new = (self._new | came) & paths
        if came:
            self._calm.start()

    def _forget_new(self) -> None:
        self._new.clear()
        self._refresh()

    def _refresh(self) -> None:
        """Take over obstacles and answers; what holds for every port is told at the first one only."""
        told: set[str] = set()
        for port_row in self.rows:
            problem = self._access.problem(port_row.port.path)
            if problem is not None and not problem.serious:
                again = problem.sentence in told
                told.add(problem.sentence)
                problem = None if again else problem
            port_row.show_new(port_row.port.path in self._new)
            port_row.show_problem(problem)
            port_row.show_answer(self._access.asked(port_row.port.path))

    def _retranslate(self) -> None:
        self._header.set_text(self.tr("Ports without a known board"))
        self._explanation.setText(
            self.tr(
                "A USB chip does not tell which board it sits on. 'Find out' asks the firmware, then the "
                "boot loader, which restarts the board; or choose the board by hand. The choice is "
                "remembered."
            )
        )
