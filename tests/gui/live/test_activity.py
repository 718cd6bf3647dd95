"""The Activity page's bridge: running, waiting, history, transitions, outputs, cancel, trial."""

from __future__ import annotations

from pathlib import Path

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.activity_views import (
    HistoryPage,
    HistoryQuery,
    TaskRecord,
    TaskView,
    TrialView,
)
from zeroclaw_desktop.contracts.events import ApprovalOpened
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.paths import database_file


def answer(live: Live, query: HistoryQuery | None = None) -> HistoryPage:
    """The first answer to a question about the past."""
    pages: list[HistoryPage] = []
    connection = live.bridge.activity.history_came.connect(pages.append)
    live.bridge.activity.ask_history(query or HistoryQuery())
    live.until(lambda: bool(pages), "an answer")
    live.bridge.activity.history_came.disconnect(connection)
    return pages[0]


def past(live: Live, query: HistoryQuery | None = None, *, least: int = 0) -> list[TaskView]:
    """Past tasks, once there are at least so many."""
    found: list[TaskView] = []

    def enough() -> bool:
        found[:] = answer(live, query).tasks
        return len(found) >= least

    if not enough():
        live.until(lambda: not live.bridge.activity.running(), "the end of all tasks")
        assert enough()
    return found


def record(live: Live, task: TaskView) -> TaskRecord:
    """A task with its steps, from the journal."""
    records: list[TaskRecord] = []
    live.bridge.activity.task_came.connect(records.append)
    live.bridge.activity.ask_task(task.task_id, task.number)
    live.until(lambda: bool(records), "the task")
    return records[0]


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
    assert answer(live).tasks == ()  # what runs is not past
    blink = next(task for task in activity.running() if task.action == "led_blink")
    activity.cancel(blink.task_id)
    live.until(lambda: not activity.running(), "the end of both")
    ended = {task.action: task for task in past(live, least=2)}
    assert ended["led_blink"].state == "cancelled"
    assert ended["led_set"].state == "completed"
    told = ["PENDING", "VALIDATED", "RUNNING", "CANCELLED"]
    assert [step.state for step in activity.transitions(blink.task_id)] == told
    assert [step.state for step in record(live, ended["led_blink"]).steps] == told
    outputs = activity.outputs()
    assert [(output.pin, output.value) for output in outputs] == [(13, "high")]
    activity.release_output(board, 13)
    live.until(lambda: not activity.outputs(), "the release")
    assert live.level(13) == 0


def test_history_is_filtered_in_the_words_of_the_window(live: Live) -> None:
    """EX-14: title, command, board and id are searched in the whole journal, letters in any case."""
    board = live.start_board()
    live.bridge.devices.run_command(board, "led_set", {"state": 0})
    live.bridge.devices.run_command(board, "servo_move", {"angle": 999})
    assert len(past(live, least=2)) == 2

    def actions(**query: str) -> list[str]:
        return [task.action for task in past(live, HistoryQuery(**query))]  # type: ignore[arg-type]

    assert actions(state="failed") == ["servo_move"]
    assert actions(text="LED") == ["led_set"]
    assert actions(text="servo to 999") == ["servo_move"]
    assert actions(text="simulated arduino") == ["servo_move", "led_set"]
    assert actions(text="nothing of this") == []
    assert actions(source="agent") == []
    assert actions(board_id="sim-uno", state="completed") == ["led_set"]
    assert actions(board_id="another") == []
    live.bridge.core.config.set("ui.language", "zh")
    assert actions(text="舵机转到 999") == ["servo_move"]
    live.bridge.core.config.set("ui.language", "en")
    failed = past(live, HistoryQuery(state="failed"))[0]
    assert failed.error is not None
    assert failed.error.code == "0x11"


def test_details_of_the_journal_are_those_of_memory(live: Live) -> None:
    """EX-12, EX-14: parameters with units, pins asked and read back, steps."""
    board = live.start_board()
    live.bridge.devices.run_command(board, "pwm_write", {"pin": 5, "duty": 0.4})
    (listed,) = past(live, least=1)
    remembered = live.bridge.activity.task(listed.task_id)
    assert remembered is not None
    assert remembered.number == listed.number > 0
    kept = record(live, listed)
    for name in ("title", "board", "board_id", "state", "source", "params", "units", "commanded"):
        assert getattr(kept.task, name) == getattr(remembered, name), name
    assert kept.task.observed == remembered.observed
    assert kept.task.commanded[0][::2] == (5, "40 %")
    live_steps = live.bridge.activity.transitions(listed.task_id)
    assert [(step.state, step.at) for step in kept.steps] == [(step.state, step.at) for step in live_steps]


def test_parameters_have_their_units(live: Live) -> None:
    board = live.start_board()
    live.bridge.devices.run_command(board, "servo_move", {"angle": 90})
    live.bridge.devices.run_command(board, "led_breath", {"duration": 1, "pin": 6})
    units = {task.action: task.units for task in past(live, least=2)}
    assert units["servo_move"]["angle"] == "°"
    assert units["led_breath"]["duration"] == "s"


def test_a_question_is_a_state_of_its_task(live: Live) -> None:
    """EX-6: what waits for the person says so."""
    board = live.start_board()
    runtime = live.bridge.core.runtime
    assert runtime is not None
    opened: list[ApprovalOpened] = []
    runtime.bus.subscribe(ApprovalOpened, opened.append)
    payload = make_payload("digital_write", {"pin": 7, "value": 1}, source="agent", device_id=board)
    task = live.loop.create_task(runtime.executor.submit(payload))
    live.until(lambda: bool(opened), "the question")
    assert [view.asking for view in live.bridge.activity.running()] == [True]
    live.bridge.chat.answer_approval(opened[0].request.approval_id, "once")
    live.until(task.done, "the report")
    assert task.result().ok
    live.until(lambda: not live.bridge.activity.running(), "its end")
    assert not past(live, least=1)[0].asking


def test_a_task_is_tried_again_on_a_twin(live: Live) -> None:
    board = live.start_board()
    activity = live.bridge.activity
    live.bridge.devices.run_command(board, "led_blink", {"count": 2, "interval": 0.05})
    (blink,) = past(live, least=1)
    trials: list[TrialView] = []
    activity.trial_finished.connect(trials.append)
    activity.try_on_twin(blink.task_id)
    live.until(lambda: bool(trials), "the trial")
    assert trials[0].ok
    pin, levels, _duty = trials[0].traces[0]
    assert pin == 13
    assert [level for _, level in levels] == [1, 0, 1, 0]


def test_without_a_journal_this_run_is_known_and_that_is_said(live: Live, own_state_folder: Path) -> None:
    """EX-14: a disk that refuses takes the past away, not the page."""
    runtime = live.bridge.core.runtime
    assert runtime is not None
    live.run(runtime.journal_keeper.close())
    database_file().unlink()
    database_file().mkdir()
    live.run(runtime.journal_keeper.open())
    board = live.start_board()
    live.bridge.devices.run_command(board, "led_set", {"state": 1})
    live.until(lambda: bool(live.bridge.activity._ended()), "the end of the task")
    page = answer(live)
    assert page.kind == "all"
    assert [task.action for task in page.tasks] == ["led_set"]
    assert page.fault is not None
    assert page.fault.title
    assert answer(live, HistoryQuery(state="failed")).tasks == ()
