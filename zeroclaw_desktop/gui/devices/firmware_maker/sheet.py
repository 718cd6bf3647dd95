"""Make firmware: five steps in one sheet over the Devices page, from words to what the board says."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.devices.firmware_maker.heard_step import HeardStep
from zeroclaw_desktop.gui.devices.firmware_maker.plan_step import PlanStep
from zeroclaw_desktop.gui.devices.firmware_maker.request_step import RequestStep
from zeroclaw_desktop.gui.devices.firmware_maker.sketch_step import SketchStep
from zeroclaw_desktop.gui.devices.firmware_maker.write_step import WriteStep
from zeroclaw_desktop.gui.devices.flash_steps import StepLine
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.maker_bridge import MakerBridge, WishDraft
    from zeroclaw_desktop.bridge.maker_views import BuildView, HeardView, PlanView
    from zeroclaw_desktop.bridge.views import BoardView, ErrorView, FlashView


class Step(Enum):
    """What the sheet shows."""

    REQUEST = 0
    PLAN = 1
    SKETCH = 2
    WRITE = 3
    HEARD = 4


GENERATED = "generated"
_ENDED = ("done", "failed", "cancelled")


class MakeSheet(Sheet):
    """Makes firmware for one board.

    Args:
        host: page that the sheet lies over.
        devices, maker: bridge objects.
    """

    def __init__(self, host: QWidget, devices: DevicesBridge, maker: MakerBridge) -> None:
        super().__init__(host)
        self._devices = devices
        self._maker = maker
        self._board: BoardView | None = None
        self._draft: WishDraft | None = None
        self._plan: PlanView | None = None
        self._build: BuildView | None = None
        self._step = Step.REQUEST
        self._writing = False
        self._own_sketch = ""
        self.panel.setMaximumWidth(size("maker_width"))
        self.panel.setMaximumHeight(size("maker_height"))
        self.panel.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.setStretch(0, 1)  # the panel takes the height of the page, up to its own limit
        layout.setStretch(1, 0)
        self._make_parts()
        self._connect()
        self.closed.connect(self._ended)
        self._retranslate()

    # -- from outside ---------------------------------------------------------------------------------
    def step(self) -> Step:
        """The state that is shown."""
        return self._step

    def draft(self) -> WishDraft | None:
        """What the person has chosen so far."""
        return self._draft

    def open_for(self, board: BoardView, sketch_path: str = "") -> None:
        """Open for a board; what was begun for it goes on, writing as well.

        Args:
            board: which board.
            sketch_path: an .ino file to begin with, unless something is being written; '' for none.
        """
        another = self._board is None or self._board.board_id != board.board_id
        self._board = board
        self.plan_step.show_board(board, self._devices.pins(board.board_id))
        self.request_step.show_templates(self._maker.templates())
        begins = bool(sketch_path) and not self._writing
        if another or begins or self._step in (Step.HEARD, Step.REQUEST):
            self._draft = self._plan = self._build = None
            self._go(Step.REQUEST)
        else:
            self._go(self._step)
        self._retranslate()
        self.open_sheet()
        if self._step is Step.REQUEST:
            self.request_step.begin()
        if begins:
            self._maker.read_sketch(board.board_id, sketch_path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, but not out of a field or the editor."""
        typing = isinstance(self.focusWidget(), QLineEdit | QPlainTextEdit)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not typing:
            self.next_button.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language; texts of the core come anew."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            if self._board is not None and self.isVisible():
                self.request_step.show_templates(self._maker.templates())
                if self._draft is not None:
                    self._maker.plan(self._board.board_id, self._draft)
        super().changeEvent(event)

    # -- parts ----------------------------------------------------------------------------------------
    def _make_parts(self) -> None:
        self._steps = StepLine()
        self.request_step = RequestStep()
        self.plan_step = PlanStep()
        self.sketch_step = SketchStep()
        self.write_step = WriteStep()
        self.heard_step = HeardStep()
        self._parts = (
            self.request_step,
            self.plan_step,
            self.sketch_step,
            self.write_step,
            self.heard_step,
        )
        self.back_button = Button("", "ghost")
        self.cancel_button = Button("", "secondary")
        self.next_button = Button("", "primary")
        self.panel.body.addWidget(self._steps)
        for part in self._parts:
            self.panel.body.addWidget(part, 1)
        self.panel.body.addLayout(row(self.back_button, STRETCH, self.cancel_button, self.next_button))

    def _connect(self) -> None:
        self.request_step.requested.connect(self._understand)
        self.request_step.template_chosen.connect(self._begin_template)
        self.plan_step.pin_chosen.connect(self._choose_pin)
        self.plan_step.param_chosen.connect(self._choose_param)
        self.plan_step.dialect_chosen.connect(self._choose_dialect)
        self.sketch_step.edited.connect(self._take_sketch)
        self.sketch_step.reset_requested.connect(lambda: self._take_sketch(""))
        self.sketch_step.restore_requested.connect(self._restore_sketch)
        self.write_step.retry_requested.connect(self._write)
        self.heard_step.plot_requested.connect(self._show_plots)
        self.back_button.clicked.connect(self._back)
        self.cancel_button.clicked.connect(self._cancel)
        self.next_button.clicked.connect(self._advance)
        self._maker.draft_made.connect(self._take_draft)
        self._maker.plan_changed.connect(self._take_plan)
        self._maker.build_changed.connect(self._take_build)
        self._maker.heard.connect(self._take_heard)
        self._maker.failed.connect(self._take_error)
        self._devices.flash_changed.connect(self._take_flash)
        self._devices.flash_log_added.connect(self._take_log)

    def _ours(self, board_id: str) -> bool:
        return self._board is not None and self._board.board_id == board_id

    # -- request and plan -----------------------------------------------------------------------------
    def _understand(self, sentence: str) -> None:
        if self._board is not None:
            self._maker.understand(self._board.board_id, sentence)

    def _begin_template(self, key: str) -> None:
        from zeroclaw_desktop.bridge.maker_bridge import WishDraft

        if self._board is not None:
            self._take_draft(self._board.board_id, WishDraft(key))

    def _take_draft(self, board_id: str, draft: WishDraft) -> None:
        if self._ours(board_id) and self.isVisible():
            self._draft = draft
            self._plan = self._build = None
            self._own_sketch = ""
            self.sketch_step.show_replaced(False)
            self._replan()

    def _replan(self) -> None:
        if self._board is not None and self._draft is not None:
            self._build = None
            self.sketch_step.clear_build()
            self._maker.plan(self._board.board_id, self._draft)
            self._refresh_buttons()

    def _take_plan(self, board_id: str, plan: PlanView) -> None:
        if not self._ours(board_id) or self._draft is None:
            return
        self._plan = plan
        self.plan_step.show_plan(plan)
        self.sketch_step.show_plan(plan)
        if self._step is Step.REQUEST:
            self._go(Step.PLAN)
        self._refresh_buttons()

    def _choose_pin(self, need: str, name: str) -> None:
        if self._draft is not None:
            self._draft.pins[need] = name
            self._leave_sketch()

    def _choose_param(self, key: str, value: str) -> None:
        if self._draft is not None:
            self._draft.params[key] = value
            self._leave_sketch()

    def _choose_dialect(self, dialect: str) -> None:
        if self._draft is not None:
            self._draft.dialect = dialect
            self._leave_sketch()

    def _leave_sketch(self) -> None:
        """Other pins or values give another sketch; the person's own is kept to be brought back."""
        assert self._draft is not None
        if self._draft.sketch:
            self._own_sketch, self._draft.sketch = self._draft.sketch, ""
            self.sketch_step.show_replaced(True)
        self._replan()

    def _restore_sketch(self) -> None:
        self.sketch_step.show_replaced(False)
        self._take_sketch(self._own_sketch)

    # -- sketch and build -----------------------------------------------------------------------------
    def _take_sketch(self, text: str) -> None:
        if self._draft is None:
            return
        unchanged = self._plan is not None and not self._plan.edited and text == self._plan.sketch
        wanted = "" if unchanged else text
        if wanted != self._draft.sketch or not unchanged:
            self._draft.sketch = wanted
            self._replan()

    def _take_build(self, board_id: str, build: BuildView) -> None:
        if self._ours(board_id):
            self._build = build
            self.sketch_step.show_build(build)
            self._refresh_buttons()
            if build.state != "running" and self.focusWidget() is self.close_button:
                self.next_button.setFocus(Qt.FocusReason.OtherFocusReason)  # it was off while it compiled

    def _take_error(self, board_id: str, error: ErrorView) -> None:
        if not self._ours(board_id):
            return
        if self._step is Step.REQUEST or self._plan is None:
            self._go(Step.REQUEST)
            self.request_step.show_error(error)
        else:
            self.sketch_step.error_card.set_error(error, offer_action=False)
            self.sketch_step.error_card.show()

    # -- writing --------------------------------------------------------------------------------------
    def _write(self) -> None:
        if self._board is None:
            return
        self._writing = True
        self.write_step.begin()
        self._go(Step.WRITE)
        self._devices.start_flash(self._board.board_id, GENERATED)

    def _take_flash(self, view: FlashView) -> None:
        if not self._writing or not self._ours(view.board_id):
            return
        if view.phase == "done":
            self._writing = False
            self.heard_step.begin(view.firmware)
            self._go(Step.HEARD)
            self._maker.listen(view.board_id)
            return
        self.write_step.show_flash(view)
        if view.phase in _ENDED:
            self._writing = False
        self._refresh_buttons()

    def _take_log(self, board_id: str, line: str) -> None:
        if self._ours(board_id) and self._writing:
            self.write_step.add_log(line)

    def _take_heard(self, board_id: str, heard: HeardView) -> None:
        if self._ours(board_id) and self._step is Step.HEARD:
            self.heard_step.show_heard(heard)

    def _show_plots(self) -> None:
        self.close_sheet()
        actions().open_page("plots")

    # -- steps ----------------------------------------------------------------------------------------
    def _go(self, step: Step) -> None:
        self._step = step
        for number, part in enumerate(self._parts):
            part.setVisible(number == step.value)
        self._steps.set_current(step.value)
        self._refresh_buttons()
        target = self.cancel_button if step is Step.WRITE else self.next_button
        if step is not Step.REQUEST and self.isVisible():
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _advance(self) -> None:
        if self._step is Step.PLAN:
            self._go(Step.SKETCH)
        elif self._step is Step.SKETCH:
            self.sketch_step.flush()
            if self._build is not None and self._build.state == "done":
                self._write()
            elif self._board is not None and self._draft is not None:
                self._maker.build(self._board.board_id, self._draft)
        elif self._step is Step.HEARD:
            self.close_sheet()

    def _back(self) -> None:
        before = {Step.PLAN: Step.REQUEST, Step.SKETCH: Step.PLAN, Step.WRITE: Step.SKETCH}
        self._go(before.get(self._step, Step.REQUEST))
        if self._step is Step.REQUEST:
            self.request_step.begin()

    def _cancel(self) -> None:
        if self._building():
            self._maker.cancel_build()
        elif self._writing and self._board is not None:
            self._devices.cancel_flash(self._board.board_id)
        else:
            self.close_sheet()

    def _ended(self) -> None:
        self._maker.stop_listening()

    def _building(self) -> bool:
        return self._build is not None and self._build.state == "running"

    def _refresh_buttons(self) -> None:
        step, building = self._step, self._building()
        good = self._plan is not None and self._plan.ok
        built = self._build is not None and self._build.state == "done"
        self.back_button.setVisible(
            step in (Step.PLAN, Step.SKETCH) or (step is Step.WRITE and not self._writing)
        )
        self.back_button.setEnabled(not building)
        self.cancel_button.setVisible(step is not Step.HEARD)
        self.next_button.setVisible(step in (Step.PLAN, Step.SKETCH, Step.HEARD))
        self.next_button.setEnabled(step is Step.HEARD or (good and not building))
        texts = {
            Step.PLAN: self.tr("Continue"),
            Step.SKETCH: self.tr("Write to the board") if built else self.tr("Check and compile"),
            Step.HEARD: self.tr("Done"),
        }
        self.next_button.setText(texts.get(step, ""))

    def _retranslate(self) -> None:
        name = self._board.name if self._board else ""
        self.set_title(self.tr("Make firmware for {0}").format(name))
        self._steps.set_names(
            [
                self.tr("Request"),
                self.tr("Parts and pins"),
                self.tr("Sketch"),
                self.tr("Write"),
                self.tr("Result"),
            ]
        )
        self.back_button.setText(self.tr("Back"))
        self.cancel_button.setText(self.tr("Cancel"))
        self._refresh_buttons()
