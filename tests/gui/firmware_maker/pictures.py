"""Scenes of the sheet that makes firmware."""

from __future__ import annotations

from dataclasses import replace

from tests.gui.demo_bridge import SIMULATOR, DemoBridge, simulated_board
from tests.gui.firmware_maker.demo_maker import FAULT, HEARD, PLAN, WARNING, DemoMaker
from tests.gui.staging import Scene, Staged, window_with
from zeroclaw_desktop.bridge.views import FlashView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.firmware_maker.sheet import MakeSheet


def _sheet(maker: DemoMaker | None = None) -> tuple[Staged, MakeSheet, DemoBridge, DemoMaker]:
    bridge, demo = DemoBridge(simulated_board()), maker or DemoMaker()
    page = DevicesPage(bridge.devices, demo)  # type: ignore[arg-type]
    window = window_with(bridge, "devices", page)
    assert page.make_sheet is not None
    return Staged(window, lambda: page.open_maker(SIMULATOR)), page.make_sheet, bridge, demo


def request() -> Staged:
    """First step."""
    return _sheet()[0]


def unclear() -> Staged:
    """A request that names nothing."""
    staged, sheet, _, _ = _sheet()

    def act() -> None:
        staged.act()
        sheet.request_step.field.setText("make me a coffee")
        sheet.request_step.plan_button.click()

    return Staged(staged.window, act)


def plan() -> Staged:
    """Second step, with a warning."""
    maker = DemoMaker()
    maker.plan_view = replace(PLAN, findings=(WARNING,))
    staged, sheet, _, _ = _sheet(maker)

    def act() -> None:
        staged.act()
        sheet.request_step.template_chosen.emit("blink")

    return Staged(staged.window, act)


def sketch_with_fault() -> Staged:
    """Third step: the check found something."""
    maker = DemoMaker()
    staged, sheet, _, _ = _sheet(maker)

    def act() -> None:
        staged.act()
        sheet.request_step.template_chosen.emit("blink")
        sheet.next_button.click()
        maker.plan_changed.emit(SIMULATOR, replace(PLAN, findings=(FAULT,), ok=False, edited=True))

    return Staged(staged.window, act)


def sketch_built() -> Staged:
    """Third step: compiled."""
    staged, sheet, _, _ = _sheet()

    def act() -> None:
        staged.act()
        sheet.request_step.template_chosen.emit("blink")
        sheet.next_button.click()
        sheet.next_button.click()

    return Staged(staged.window, act)


def result() -> Staged:
    """Last step."""
    staged, sheet, bridge, maker = _sheet()

    def act() -> None:
        staged.act()
        sheet.request_step.template_chosen.emit("blink")
        for _ in range(3):
            sheet.next_button.click()
        done = FlashView(SIMULATOR, "done", 100.0, firmware="zeroclaw-blink 1.0", seconds=2.0)
        bridge.devices.set_flash(done)
        maker.heard.emit(SIMULATOR, HEARD)

    return Staged(staged.window, act)


SCENES: dict[str, Scene] = {
    "make_request": request,
    "make_unclear": unclear,
    "make_plan": plan,
    "make_sketch_fault": sketch_with_fault,
    "make_sketch_built": sketch_built,
    "make_result": result,
}
