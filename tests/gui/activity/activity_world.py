"""Believable tasks for tests and pictures of the Activity page."""

from __future__ import annotations

from dataclasses import replace

from tests.gui.demo_bridge import DemoBridge, simulated_board
from zeroclaw_desktop.bridge.activity_views import (
    BudgetView,
    InterruptedView,
    OutputView,
    ResourceRowView,
    TaskRecord,
    TaskView,
    TransitionView,
    TrialView,
)
from zeroclaw_desktop.bridge.recovery_words import REASONS, SAFETY
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.language import Language

START = 1_767_360_000.25
BOARD_NAME = "Simulated Arduino Uno"
OUT_OF_RANGE = ErrorView(
    title="'angle' is 999; it must be from 0 to 180 degrees.",
    not_done="Nothing was changed.",
    next_step="Choose a value in the range.",
    raw="angle: 999 is above the maximum 180",
    code="0x11",
)


def task(task_id: str, state: str = "completed", **changes: object) -> TaskView:
    """Return a task that blinked the LED; every field can be changed."""
    plain = TaskView(
        task_id=task_id,
        action="led_blink",
        title="Blink the LED 3 times",
        source="agent",
        board=BOARD_NAME,
        state=state,
        started=START,
        elapsed_ms=1_812.0,
        params={"count": 3, "interval": 0.3},
        units={"interval": "s"},
        commanded=((13, "low", "low"),) if state == "completed" else (),
        observed={"pin_13": {"mode": "output", "level": 0}} if state == "completed" else {},
        result="pin 13  ·  count 3" if state == "completed" else "",
        can_cancel=state in ("pending", "validated", "running"),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def steps(*rows: tuple[str, float], note: str = "") -> list[TransitionView]:
    """Return transitions from (state, milliseconds since the first) rows; the note is the last one's."""
    last = len(rows) - 1
    return [
        TransitionView(state, START + ms / 1000, ms, note if number == last else "")
        for number, (state, ms) in enumerate(rows)
    ]


DONE = (("PENDING", 0.0), ("VALIDATED", 0.6), ("RUNNING", 420.0), ("COMPLETED", 1_812.0))


def interrupted(number: int, **changes: object) -> InterruptedView:
    """Return an interrupted task whose board was made safe; every field can be changed."""
    plain = InterruptedView(
        number=number,
        task_id=f"old-{number}",
        action="led_blink",
        title="Blink the LED 50 times",
        source="agent",
        board=BOARD_NAME,
        at=START - 90_000.0,
        policy="ask",
        reason=REASONS["en"]["moved"],
        safety=SAFETY["en"]["safe"],
        safety_kind="safe",
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def three_interrupted(language: Language = "en") -> list[InterruptedView]:
    """Return one that waits for its answer, one that waits for its board, one that cannot be repeated."""
    reasons, safety = REASONS[language], SAFETY[language]
    english = language == "en"
    return [
        interrupted(
            1,
            title="Blink the LED 50 times" if english else "LED 闪烁 50 次",
            reason=reasons["moved"],
            safety=safety["safe"],
        ),
        interrupted(
            2,
            title="Set pin 7 high" if english else "将引脚 7 置为高电平",
            source="manual",
            board="arduino-uno-75833353035351B0",
            policy="rerun",
            reason=reasons["idempotent"],
            safety=safety["waiting"],
            safety_kind="waiting",
            ready=False,
        ),
        interrupted(
            3,
            title="warp_drive",
            source="schedule",
            reason=reasons["unknown"],
            safety="",
            safety_kind="",
            can_repeat=False,
            ready=False,
        ),
    ]


def old_tasks(count: int) -> list[TaskRecord]:
    """Return tasks of earlier runs as the journal has them, latest first; every tenth was interrupted."""
    records = []
    for number in range(count, 0, -1):
        cut = number % 10 == 0
        view = task(
            f"old-{number}",
            "interrupted" if cut else "completed",
            number=number,
            started=START - 86_400.0 - (count - number) * 60.0,
            title=f"Blink the LED {number} times",
            elapsed_ms=None if cut else 1_812.0,
            commanded=((13, "low", "low"),),
        )
        end = TransitionView("INTERRUPTED", START, 420.0, "", False)
        known = steps(*DONE[:3]) if cut else steps(*DONE)
        records.append(TaskRecord(view, tuple([*known, end] if cut else known)))
    return records


class ActivityWorld(DemoBridge):
    """The demo bridge with a live simulated board and tasks of every kind."""

    def __init__(self) -> None:
        super().__init__(simulated_board())

    def fill(self) -> None:
        """Put one task of each kind here."""
        activity = self.activity
        activity.put(task("turn-1.call-1"), *steps(*DONE))
        activity.put(
            task(
                "task-2",
                "failed",
                action="servo_move",
                title="Turn the servo to 999°",
                source="manual",
                elapsed_ms=0.63,
                params={"angle": 999},
                units={"angle": "°"},
                error=OUT_OF_RANGE,
            ),
            *steps(("PENDING", 0.0), ("FAILED", 0.63)),
        )
        activity.put(
            task(
                "task-3", "cancelled", title="Blink the LED 40 times", source="schedule", elapsed_ms=9_410.0
            ),
            *steps(
                ("PENDING", 0.0),
                ("VALIDATED", 1.0),
                ("RUNNING", 40.0),
                ("CANCELLED", 9_410.0),
                note="person",
            ),
        )
        activity.put(
            task(
                "task-4",
                action="pwm_write",
                title="Set PWM of pin 5 to 0.4",
                source="manual",
                elapsed_ms=44.0,
                params={"pin": 5, "duty": 0.4},
                commanded=((5, "low", "40 %"),),
                observed={"pin_5": {"mode": "pwm", "level": None, "duty": 0.25}},
                result="",
            ),
            *steps(("PENDING", 0.0), ("VALIDATED", 0.5), ("RUNNING", 0.9), ("COMPLETED", 44.0)),
        )
        held = ("sim-uno/gpio:13", "sim-uno/serial")
        activity.put(
            task("task-5", "running", title="Fade the LED for 20 s", elapsed_ms=3_200.0, resources=held),
            *steps(("PENDING", 0.0), ("VALIDATED", 0.6), ("RUNNING", 1.4)),
        )
        activity.put(
            task(
                "task-6",
                "validated",
                title="Switch the LED on",
                source="manual",
                elapsed_ms=1_100.0,
                resources=held,
                waiting=True,
            ),
            *steps(("PENDING", 0.0), ("VALIDATED", 0.6)),
        )
        activity.held = [OutputView(BOARD_NAME, "sim-uno", 5, "40 %", "task-4", "manual", 75.0)]
        activity.rows = [ResourceRowView(name, ("task-5",), ("task-6",)) for name in held]
        activity.sessions = [
            BudgetView("turn-1", 1.8, 1_800.0),
            BudgetView("task-3", 1_500.0, 1_800.0),
            BudgetView("sop-night", 1_800.0, 1_800.0),
        ]


def trial(task_id: str) -> TrialView:
    """Return a trial in which pin 13 blinked twice and pin 5 carried PWM."""
    blink = ((0.0, 1), (0.3, 0), (0.6, 1), (0.9, 0))
    pwm = tuple((0.1 + number * 0.001, (number + 1) % 2) for number in range(800))
    return TrialView(task_id, True, "pin 13  ·  count 2", ((13, blink, None), (5, pwm, 0.4)))
