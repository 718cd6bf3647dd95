"""Words and figures of the Activity page: states, sources, durations, times of day, pins."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TaskView

BADGES = {
    "pending": "off",
    "validated": "off",
    "running": "busy",
    "completed": "live",
    "failed": "failed",
    "cancelled": "off",
    "interrupted": "interrupted",
}
"""Badge kind of each state; see ``widgets.badges.Badge``."""
SHAPES = {
    "pending": ("ring", "text_faint"),
    "validated": ("triangle", "text_muted"),
    "running": ("half", "accent"),
    "completed": ("disc", "live"),
    "failed": ("cross", "danger_ink"),
    "cancelled": ("ring", "text_muted"),
    "interrupted": ("half", "warn_ink"),
}
"""Shape and colour token of each state; see ``widgets.badges.draw_shape``."""
_FIRST_ANALOG, _LAST_ANALOG = 14, 19


def state_word(state: str) -> str:
    """Return a task's state in the person's language; a state that is not known stays as it is."""
    return {
        "pending": QCoreApplication.translate("Activity", "Checking"),
        "validated": QCoreApplication.translate("Activity", "Ready"),
        "running": QCoreApplication.translate("Activity", "Running"),
        "completed": QCoreApplication.translate("Activity", "Done"),
        "failed": QCoreApplication.translate("Activity", "Failed"),
        "cancelled": QCoreApplication.translate("Activity", "Cancelled"),
        "interrupted": QCoreApplication.translate("Activity", "Interrupted"),
    }.get(state, state)


def step_word(state: str) -> str:
    """Return what happened at a transition (``PENDING`` ... ``CANCELLED``)."""
    return {
        "PENDING": QCoreApplication.translate("Activity", "Received"),
        "VALIDATED": QCoreApplication.translate("Activity", "Checked"),
        "RUNNING": QCoreApplication.translate("Activity", "Started"),
        "COMPLETED": QCoreApplication.translate("Activity", "Done"),
        "FAILED": QCoreApplication.translate("Activity", "Failed"),
        "CANCELLED": QCoreApplication.translate("Activity", "Cancelled"),
        "INTERRUPTED": QCoreApplication.translate("Activity", "Interrupted"),
    }.get(state, state)


def task_word(task: TaskView) -> str:
    """Return in what state a task is, waiting included."""
    if task.asking:
        return QCoreApplication.translate("Activity", "Waits for your approval")
    return QCoreApplication.translate("Activity", "Waiting") if task.waiting else state_word(task.state)


def task_badge(task: TaskView) -> str:
    """Return the badge kind of a task's state."""
    return "waits" if task.asking or task.waiting else BADGES.get(task.state, "off")


def source_word(source: str) -> str:
    """Return who asked (``ActionPayload.source``) in the person's language."""
    return {
        "agent": QCoreApplication.translate("Activity", "Assistant"),
        "manual": QCoreApplication.translate("Activity", "You"),
        "schedule": QCoreApplication.translate("Activity", "Schedule"),
        "sop": QCoreApplication.translate("Activity", "SOP"),
        "webhook": QCoreApplication.translate("Activity", "Webhook"),
        "channel": QCoreApplication.translate("Activity", "Message channel"),
    }.get(source, source)


def duration_text(milliseconds: float | None) -> str:
    """Return a duration with its unit: ``0.42 ms``, ``18 ms``, ``1.81 s``, ``2 min 05 s``; '' for None."""
    if milliseconds is None:
        return ""
    if milliseconds < 9.95:
        return f"{milliseconds:.2g} ms" if milliseconds < 0.995 else f"{milliseconds:.1f} ms"
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1000:.2f} s" if milliseconds < 9_995 else f"{milliseconds / 1000:.1f} s"
    return span_text(milliseconds / 1000)


def span_text(seconds: float) -> str:
    """Return a duration in whole seconds: ``9 s``, ``2 min 05 s``, ``30 min``, ``1 h 20 min``."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {left:02d} s" if left else f"{minutes} min"
    return f"{left} s"


def clock_text(epoch_s: float) -> str:
    """Return the local time of day: ``14:03:25``."""
    return time.strftime("%H:%M:%S", time.localtime(epoch_s))


def moment_text(epoch_s: float) -> str:
    """Return the local time of day, with the date before it when it was not today."""
    when = time.localtime(epoch_s)
    today = when[:3] == time.localtime()[:3]
    return clock_text(epoch_s) if today else time.strftime("%Y-%m-%d %H:%M:%S", when)


def pin_name(number: int) -> str:
    """Return the printed name of an Uno's pin: 14 to 19 are A0 to A5."""
    return f"A{number - _FIRST_ANALOG}" if _FIRST_ANALOG <= number <= _LAST_ANALOG else str(number)


def level_word(level: object) -> str:
    """Return a digital level in words."""
    if level is None:
        return QCoreApplication.translate("Activity", "unknown")
    return (
        QCoreApplication.translate("Activity", "high")
        if level
        else QCoreApplication.translate("Activity", "low")
    )


def observed_pins(states: Mapping[str, Any]) -> dict[int, str]:
    """Return what was read back from pins, in words, by pin number.

    Args:
        states: ``TaskView.observed``: rows such as ``pin_13: {"mode": "output", "level": 1}``.
    """
    found: dict[int, str] = {}
    for name, row in states.items():
        number = name.removeprefix("pin_")
        if number == name or not number.isdigit() or not isinstance(row, Mapping):
            continue
        if row.get("angle") is not None:
            found[int(number)] = f"{row['angle']:g}°"
        elif row.get("duty") is not None:
            found[int(number)] = f"{row['duty'] * 100:.0f} %"
        else:
            found[int(number)] = level_word(row.get("level"))
    return found


def other_readings(states: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what was read back and is no pin, as (name, value) rows."""
    return [(name, value_text(value)) for name, value in states.items() if not name.startswith("pin_")]


def parameter_rows(task: TaskView) -> list[tuple[str, str]]:
    """Return the parameters of a task as (name, value with its unit) rows."""
    return [
        (name, with_unit(value_text(value), task.units.get(name, ""))) for name, value in task.params.items()
    ]


def with_unit(text: str, unit: str) -> str:
    """Return a value with its unit: ``0.3 s``, ``90°``."""
    return f"{text}{unit}" if unit == "°" else f"{text} {unit}".rstrip()


def value_text(value: object) -> str:
    """Return a parameter or reading as a person writes it: no quotes, no braces, numbers short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_text(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(value_text(item) for item in value)
    return str(value)
