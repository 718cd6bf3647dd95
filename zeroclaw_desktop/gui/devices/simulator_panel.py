"""The bench of one simulated board: virtual parts with wires, and the faults one can provoke (HW-10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.devices.bench_faults import FaultLines, FaultMenu
from zeroclaw_desktop.gui.devices.part_row import PartRow
from zeroclaw_desktop.gui.devices.terminal_line import TerminalDot
from zeroclaw_desktop.gui.devices.wires_overlay import DrawnWire, WiresOverlay
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.simulator_views import BenchView, PinChoiceView
    from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture


class SimulatorPanel(Card):
    """The parts of one simulated board.

    Args:
        devices: bridge object; its ``simulator`` knows the benches.
        board_id: which board.
    """

    def __init__(self, devices: DevicesBridge, board_id: str) -> None:
        super().__init__(role="sunken", padding=3, gap=2)
        self._devices, self._board_id = devices, board_id
        self._simulator = devices.simulator
        self._picture: BoardPicture | None = None
        self._model_of = ""
        self.rows: dict[str, PartRow] = {}
        self.wires: WiresOverlay | None = None
        self.header = SectionHeader()
        self.add_button = Button("", "ghost", "add", compact=True)
        self.add_menu = QMenu(self.add_button)
        actions().guard(self.add_menu)
        self.add_menu.aboutToShow.connect(self.fill_add_menu)
        self.add_button.setMenu(self.add_menu)
        self.undo_button = IconButton("undo", small=True)
        self.undo_button.clicked.connect(lambda: self._simulator.undo(board_id))
        self.fault_menu = FaultMenu(self._simulator, board_id, self._pin_names)
        self.fault_lines = FaultLines(self._simulator, board_id)
        self.notice = Notice()
        self.notice.action_triggered.connect(self.notice.hide)
        self.notice.hide()
        self.empty = Text(tone="muted", wrap=True)
        self._rows = column(gap=1)
        head = row(self.header, self.add_button, self.undo_button, self.fault_menu, gap=1)
        head.setStretch(0, 1)
        self.body.addLayout(head)
        for part in (self.fault_lines, self.notice, self.empty):
            self.body.addWidget(part)
        self.body.addLayout(self._rows)
        self._simulator.bench_changed.connect(self._take_change)
        self._retranslate()
        self.refresh()

    def attach(self, picture: BoardPicture, card: QWidget) -> None:
        """Draw the wires to the pins of a picture.

        Args:
            picture: the board.
            card: what holds both the picture and this panel.
        """
        self._picture = picture
        self.wires = WiresOverlay(card, picture)
        self.refresh()

    def refresh(self) -> None:
        """Take over parts, values and faults from the bridge."""
        bench = self._simulator.bench(self._board_id)
        if bench is None:
            return
        self._show_rows(bench)
        self.fault_lines.show_faults(bench.faults)
        self.fault_menu.show_faults(bench.faults)
        self.undo_button.setEnabled(bench.can_undo)
        self.empty.setVisible(not bench.parts)
        self._show_wires()

    def fill_add_menu(self) -> None:
        """List the kinds of parts."""
        self.add_menu.clear()
        for kind in self._simulator.part_kinds():
            entry = self.add_menu.addAction(kind.name)
            entry.triggered.connect(lambda _=False, key=kind.key: self._add(key))

    def tell(self, sentence: str, kind: str = "info") -> None:
        """Say something about what was just done; '' says nothing any more."""
        self._model_of = ""
        self.notice.setVisible(bool(sentence))
        if sentence:
            self.notice.set_notice(sentence, kind, self.tr("Close"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.tell("")
            self.refresh()
        super().changeEvent(event)

    # -- parts ----------------------------------------------------------------------------------------
    def _add(self, kind: str) -> None:
        refusal = self._simulator.add_part(self._board_id, kind)
        self.tell(refusal, "error")

    def _take_change(self, board_id: str) -> None:
        if board_id == self._board_id:
            self.refresh()

    def _show_rows(self, bench: BenchView) -> None:
        wanted = [part.part_id for part in bench.parts]
        if wanted != list(self.rows):
            self._rebuild(bench)
        for part in bench.parts:
            self.rows[part.part_id].show_part(part)

    def _rebuild(self, bench: BenchView) -> None:
        """Rows in the order of the bench; those that stay are kept, with what the keyboard is at."""
        kept = dict(self.rows)
        self.rows = {}
        place = 0
        for number, part in enumerate(bench.parts):
            line = kept.pop(part.part_id, None) or self._new_row(part.part_id, bench, place)
            self._rows.insertWidget(number, line)
            self.rows[part.part_id] = line
            place += len(part.terminals)
        for line in kept.values():
            self._rows.removeWidget(line)
            line.hide()
            line.deleteLater()

    def _new_row(self, part_id: str, bench: BenchView, place: int) -> PartRow:
        part = next(part for part in bench.parts if part.part_id == part_id)
        line = PartRow(self._simulator, self._board_id, part, place)
        line.refused.connect(lambda why: self.tell(why, "error"))
        line.told.connect(self.tell)
        line.model_wanted.connect(self._show_model)
        for dot in line.dots.values():
            dot.setToolTip(self.tr("Drag to a pin of the board"))
            dot.drag_moved.connect(self._pull)
            dot.drag_ended.connect(self._drop)
            dot.drag_cancelled.connect(lambda _: self._end_drag())
            dot.hovered.connect(self._bring_out)
        return line

    def _show_model(self, part_id: str) -> None:
        """Show the model of a part; a second time hides it."""
        if self._model_of == part_id:
            self.tell("")
            return
        self.tell(self.rows[part_id].part().model)
        self._model_of = part_id

    # -- wires ----------------------------------------------------------------------------------------
    def _show_wires(self) -> None:
        if self.wires is not None:
            self.wires.set_wires(
                DrawnWire(line.dots[terminal.key], terminal.pin)
                for line in self.rows.values()
                for terminal in line.part().terminals
                if terminal.pin is not None
            )

    def _bring_out(self, dot: TerminalDot | None) -> None:
        if self.wires is not None:
            self.wires.bring_out(dot)

    def _pull(self, dot: TerminalDot, place: QPoint) -> None:
        """Show what the wire would do at the pin under its end."""
        if self.wires is None or self._picture is None:
            return
        choices = {
            choice.number: choice
            for choice in self._simulator.pin_choices(self._board_id, dot.part_id, dot.terminal)
        }
        self._picture.highlight_pins(number for number, choice in choices.items() if not choice.refusal)
        choice = choices.get(self._pin_under(place))
        if choice is None:
            self.wires.pull(dot, place)
            return
        self.wires.pull(dot, place, "danger" if choice.refusal else "live", self._about(choice))

    def _about(self, choice: PinChoiceView) -> str:
        name = self.tr("Pin {pin}").format(pin=choice.name)
        return choice.refusal or (f"{name}: {choice.remark}" if choice.remark else name)

    def _drop(self, dot: TerminalDot, place: QPoint) -> None:
        self._end_drag()
        pin = self._pin_under(place)
        if pin >= 0 and dot.part_id in self.rows:
            self.rows[dot.part_id].wire(dot.terminal, pin)

    def _end_drag(self) -> None:
        if self._picture is not None:
            self._picture.highlight_pins(())
        if self.wires is not None:
            self.wires.let_go()

    def _pin_under(self, place: QPoint) -> int:
        """Number of the pin at a place on the screen; -1 when there is none."""
        if self._picture is None:
            return -1
        found = self._picture.pin_at(QPointF(self._picture.mapFromGlobal(place)))
        return -1 if found is None else found

    def _pin_names(self) -> Sequence[tuple[int, str]]:
        """The pins that a fault can hold."""
        closed = ("serial", "reserved")
        pins = self._devices.pins(self._board_id)
        return [(pin.number, pin.name) for pin in pins if pin.mode not in closed]

    def _retranslate(self) -> None:
        self.header.set_text(self.tr("Parts on this board"))
        self.add_button.setText(self.tr("Add a part"))
        self.undo_button.set_name(self.tr("Undo the last change of parts and wires"))
        self.empty.setText(
            self.tr("No parts yet. Add a button, a knob or a motor, and drag its dot to a pin of the board.")
        )
