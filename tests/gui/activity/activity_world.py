"""Believable tasks for tests and pictures of the Activity page."""

from __future__ import annotations

from dataclasses import replace

from tests.gui.demo_bridge import DemoBridge, simulated_board
from zeroclaw_desktop.bridge.activity_views import (
    BudgetView,
    OutputView,
    ResourceRowView,
    TaskView,
    TransitionView,
    TrialView,
)
from zeroclaw_desktop.bridge.views import ErrorView

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
