"""The Activity page's bridge: running, waiting, history, transitions, outputs, cancel, trial."""

from __future__ import annotations

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.activity_views import TrialView


def test_tasks_are_followed_from_waiting_to_history(live: Live) -> None:
    board = live.start_board()
    activity = live.bridge.activity
    live.bridge.devices.run_command(board, "led_blink", {"count": 50})
    live.until(lambda: any(task.state == "running" for task in activity.running()), "running")
    live.bridge.devices.run_command(board, "led_set", {"state": 1})
    live.until(lambda: any(task.waiting for task in activity.running()), "waiting")
    names = {row.name: row for row in activity.resources()}
    assert len(names["sim-uno/gpio:13"].holders) == 1
    assert len(names["sim-uno/gpio:13"].waiting) == 1
    blink = next(task for task in activity.running() if task.action == "led_blink")
    activity.cancel(blink.task_id)
    live.until(lambda: len(activity.history()) >= 2, "both in the history")
    ended = {task.action: task for task in activity.history()}
    assert ended["led_blink"].state == "cancelled"
    assert ended["led_set"].state == "completed"
    assert [step.state for step in activity.transitions(blink.task_id)] == [
        "PENDING",
        "VALIDATED",
        "RUNNING",
        "CANCELLED",
    ]
    outputs = activity.outputs()
    assert [(output.pin, output.value) for output in outputs] == [(13, "high")]
    activity.release_output(board, 13)
    live.until(lambda: not activity.outputs(), "the release")
    assert live.level(13) == 0


def test_history_is_filtered(live: Live) -> None:
    board = live.start_board()
    activity = live.bridge.activity
    live.bridge.devices.run_command(board, "led_set", {"state": 0})
    live.bridge.devices.run_command(board, "servo_move", {"angle": 999})
    live.until(lambda: len(activity.history()) == 2, "both tasks")
    assert [task.action for task in activity.history(state="failed")] == ["servo_move"]
    assert [task.action for task in activity.history("LED")] == ["led_set"]
    failed = activity.history(state="failed")[0]
    assert failed.error is not None
    assert failed.error.code == "0x11"


def test_a_task_is_tried_again_on_a_twin(live: Live) -> None:
    board = live.start_board()
    activity = live.bridge.activity
    live.bridge.devices.run_command(board, "led_blink", {"count": 2, "interval": 0.05})
    live.until(lambda: bool(activity.history()), "the blink")
    trials: list[TrialView] = []
    activity.trial_finished.connect(trials.append)
    activity.try_on_twin(activity.history()[0].task_id)
    live.until(lambda: bool(trials), "the trial")
    assert trials[0].ok
    pin, levels, _duty = trials[0].traces[0]
    assert pin == 13
    assert [level for _, level in levels] == [1, 0, 1, 0]
