"""The scenes of the Activity page for the pictures."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from tests.gui.activity.activity_world import (
    ActivityWorld,
    interrupted,
    old_tasks,
    steps,
    task,
    three_interrupted,
    trial,
)
from tests.gui.demo_bridge import DemoBridge, demo_pages
from tests.gui.staging import Scene, Staged
from zeroclaw_desktop.bridge.views import ApprovalRuleView, ErrorView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.gui.activity.page import ActivityPage
from zeroclaw_desktop.gui.main_window import MainWindow


def _language() -> Language:
    return "zh" if QCoreApplication.translate("Activity", "You") == "你" else "en"


def _window(bridge: DemoBridge, page: str = "activity") -> MainWindow:
    window = MainWindow(bridge, demo_pages(bridge))  # type: ignore[arg-type]
    window.show_page(page)
    return window


def _page(window: MainWindow) -> ActivityPage:
    page = window.page("activity")
    assert isinstance(page, ActivityPage)
    return page


def _filled(task_id: str) -> tuple[MainWindow, ActivityWorld]:
    world = ActivityWorld()
    world.fill()
    window = _window(world)
    _page(window).select(task_id)
    return window, world


def activity_empty() -> Staged:
    """Nothing was done yet."""
    return Staged(_window(DemoBridge()))


def activity_running() -> Staged:
    """A running task, one that waits, a held output."""
    return Staged(_filled("task-5")[0])


def activity_asking() -> Staged:
    """A task that waits for the person's approval."""
    world = ActivityWorld()
    world.fill()
    world.activity.put(
        task("turn-2.call-1", "pending", title="Set pin 7 high", asking=True, params={"pin": 7, "value": 1}),
        *steps(("PENDING", 0.0)),
    )
    window = _window(world)
    _page(window).select("turn-2.call-1")
    return Staged(window)


def activity_failed() -> Staged:
    """A task that failed."""
    return Staged(_filled("task-2")[0])


def activity_trial() -> Staged:
    """A task that was tried on the simulator."""
    window, world = _filled("turn-1.call-1")
    world.activity.trial_finished.emit(trial("turn-1.call-1"))
    return Staged(window)


def activity_interrupted() -> Staged:
    """After a crash: three tasks, one for each kind of answer."""
    world = ActivityWorld()
    world.activity.old = old_tasks(40)
    world.recovery.offered = three_interrupted(_language())
    window = _window(world)
    _page(window).select("old-40", 40)
    return Staged(window)


def activity_remembered() -> Staged:
    """Two answers are remembered."""
    window, world = _filled("task-5")
    chinese = _language() == "zh"
    world.approvals.known = [
        ApprovalRuleView(
            "rule-1",
            "助手在开发板 Arduino Uno（2341:0043:A1）上执行 digital_write(pin=7，value=1)，"
            "条件：引脚 7 为低电平或本命令留下的状态"
            if chinese
            else "digital_write(pin=7, value=1) on Arduino Uno (2341:0043:A1) when the assistant asks, "
            "while pin 7 is low or as this leaves it",
            "还有 59 分钟" if chinese else "for 59 more min",
            2,
            "window",
        ),
        ApprovalRuleView(
            "rule-2",
            "助手在开发板 Arduino Uno（2341:0043:A1）上执行 servo_move(angle 从 0° 到 90°，pin=9，speed=0)"
            if chinese
            else "servo_move(angle from 0° to 90°, pin=9, speed=0) on Arduino Uno (2341:0043:A1) "
            "when the assistant asks",
            "直到 ZeroClaw 关闭" if chinese else "until ZeroClaw closes",
            1,
            "command line",
        ),
    ]
    world.approvals.changed.emit()
    return Staged(window)


def activity_one_interrupted() -> Staged:
    """After a crash: one task."""
    world = ActivityWorld()
    world.activity.old = old_tasks(40)
    world.recovery.offered = three_interrupted(_language())[:1]
    window = _window(world)
    _page(window).select("old-39", 39)
    return Staged(window)


def interrupted_elsewhere() -> Staged:
    """After a crash: another page is shown."""
    world = ActivityWorld()
    world.recovery.offered = [interrupted(1), replace(interrupted(2), source="manual")]
    return Staged(_window(world, "devices"))


def activity_filters() -> Staged:
    """The journal of earlier runs with its filters open."""
    world = ActivityWorld()
    world.fill()
    world.activity.old = old_tasks(400)
    window = _window(world)
    _page(window).past.filters_button.setChecked(True)
    _page(window).select("old-396", 396)
    return Staged(window)


def activity_without_journal() -> Staged:
    """The disk refused the journal."""
    world = ActivityWorld()
    world.fill()
    title, step = "The database zeroclaw.db cannot be read or written.", "Check the disk."
    if _language() == "zh":
        title, step = "数据库 zeroclaw.db 无法读写。", "请检查磁盘。"
    world.activity.fault = ErrorView(title=title, next_step=step, code="store_io")
    return Staged(_window(world))


SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        activity_empty,
        activity_running,
        activity_asking,
        activity_failed,
        activity_trial,
        activity_interrupted,
        activity_one_interrupted,
        activity_remembered,
        interrupted_elsewhere,
        activity_filters,
        activity_without_journal,
    )
}
