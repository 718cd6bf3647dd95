"""Reads ``[policy]`` of a board file: limits for all pins, and for single ones below ``[policy.pins.N]``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from zeroclaw_desktop.contracts.boards import PinPolicy

MODES = frozenset({"input", "input_pullup", "output", "pwm", "servo"})
# key in the file -> (field, lowest, highest)
_NUMBERS: Mapping[str, tuple[str, float, float]] = {
    "max_duty": ("max_duty", 0.0, 1.0),
    "min_angle": ("min_angle", 0.0, 180.0),
    "max_angle": ("max_angle", 0.0, 180.0),
    "max_on_seconds": ("max_on_seconds", 0.01, 1e6),
    "min_off_seconds": ("min_off_seconds", 0.0, 1e6),
    "changes_per_second": ("changes_per_second", 0.01, 1e4),
}


def read_policies(
    table: Mapping[str, Any], pins: Collection[int], problems: list[str]
) -> dict[int, PinPolicy]:
    """Build the policy of every pin that the file limits.

    Args:
        table: the whole board file.
        pins: wire numbers of the board.
        problems: complaints are added here, with the key path.
    """
    section = table.get("policy", {})
    if not isinstance(section, Mapping):
        problems.append("policy must be a table")
        return {}
    shared = {key: value for key, value in section.items() if key != "pins"}
    default = _read(shared, "policy", PinPolicy(), problems)
    policies = dict.fromkeys(pins, default) if shared else {}
    single = section.get("pins", {})
    if not isinstance(single, Mapping):
        problems.append("policy.pins must be a table")
        return policies
    for key, row in single.items():
        path = f"policy.pins.{key}"
        if not (str(key).isdigit() and int(key) in pins):
            problems.append(f"{path}: {key} is not a pin of the board")
        elif not isinstance(row, Mapping):
            problems.append(f"{path} must be a table")
        else:
            policies[int(key)] = _read(row, path, default, problems)
    return policies


def _read(row: Mapping[str, Any], path: str, base: PinPolicy, problems: list[str]) -> PinPolicy:
    changes: dict[str, Any] = {}
    for key, value in row.items():
        where = f"{path}.{key}"
        if key in _NUMBERS:
            field, low, high = _NUMBERS[key]
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
                problems.append(f"{where} must be a number from {low:g} to {high:g}, not {value!r}")
            else:
                changes[field] = float(value)
        elif key == "modes":
            if not isinstance(value, list) or not set(value) <= MODES:
                problems.append(f"{where} must be a list of {', '.join(sorted(MODES))}")
            else:
                changes["modes"] = frozenset(value)
        elif key == "exclusive" and isinstance(value, str):
            changes["exclusive"] = value
        else:
            problems.append(f"{where} is not a limit that is known")
    policy = replace(base, **changes)
    if policy.min_angle > policy.max_angle:
        problems.append(f"{path}: min_angle is above max_angle")
    return policy
