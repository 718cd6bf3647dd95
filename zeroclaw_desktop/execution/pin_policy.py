"""The pin policy of a board (EX-6): checks of planned changes against limits that no payload can widen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zeroclaw_desktop.contracts.actions import ActionFault, PinChange
from zeroclaw_desktop.contracts.boards import BoardProfile, PinPolicy, PinState
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.registry import PassingState


def is_active(value: float | int | None, mode: str) -> bool:
    """Whether a pin drives something: a high level, a duty above 0, or any servo angle."""
    if value is None or mode in ("input", "input_pullup"):
        return False
    return True if mode == "servo" else value > 0


def policy_faults(
    changes: Sequence[PinChange], profile: BoardProfile, pins: Mapping[int, PinState]
) -> list[ActionFault]:
    """Say which planned changes the board's policy forbids.

    Args:
        changes: what an action will do, in order.
        pins: pins as last observed, by number.
    """
    faults: list[ActionFault] = []
    for change in changes:
        policy = profile.policy(change.pin)
        found = _limit_faults(change, policy) + _exclusive_faults(change, policy, profile, pins)
        faults += [row for row in found if row not in faults]
    return faults


def passing_faults(passing: Sequence[PassingState], profile: BoardProfile) -> list[ActionFault]:
    """Say which pins an action would keep active for longer at a time than they may be."""
    faults: list[ActionFault] = []
    for state in passing:
        longest = profile.policy(state.change.pin).max_on_seconds
        if longest is not None and state.seconds > longest:
            reason = Words(
                f"it may be on for {longest:g} s at most, and this takes {state.seconds:g} s.",
                f"最长只能连续打开 {longest:g} 秒，而这需要 {state.seconds:g} 秒。",
            )
            faults.append(policy_limit(state.change.pin, reason))
    return faults


def policy_limit(pin: int, reason: Words) -> ActionFault:
    """A pin may not do what is planned for it."""
    message = f"Pin {pin} of this board may not do that: {reason.en}"
    return fault(Code.POLICY_LIMIT, message, "pin", pin=pin, reason=reason.en, reason_zh=reason.zh)


def _limit_faults(change: PinChange, policy: PinPolicy) -> list[ActionFault]:
    reasons = []
    if change.mode not in policy.modes:
        reasons.append(Words(f"it may not be made '{change.mode}'.", f"不能设为“{change.mode}”。"))
    after = change.after
    if after is not None and change.mode == "pwm" and after > policy.max_duty:
        most = f"{policy.max_duty:g}"
        reasons.append(Words(f"its duty may be {most} at most.", f"占空比最高为 {most}。"))
    if after is not None and change.mode == "output" and after > 0 and policy.max_duty < 1.0:
        most = f"{policy.max_duty:g}"
        reasons.append(
            Words(
                f"it may not be fully on; its duty may be {most} at most.",
                f"不能完全打开，占空比最高为 {most}。",
            )
        )
    if after is not None and change.mode == "servo" and not policy.min_angle <= after <= policy.max_angle:
        low, high = f"{policy.min_angle:g}", f"{policy.max_angle:g}"
        reasons.append(
            Words(f"its angle may be {low} to {high} degrees.", f"角度只能在 {low} 到 {high} 度之间。")
        )
    return [policy_limit(change.pin, reason) for reason in reasons]


def _exclusive_faults(
    change: PinChange, policy: PinPolicy, profile: BoardProfile, pins: Mapping[int, PinState]
) -> list[ActionFault]:
    if not policy.exclusive or not is_active(change.after, change.mode):
        return []
    others = [
        number
        for number, other in profile.policies.items()
        if other.exclusive == policy.exclusive and number != change.pin and _observed_active(pins.get(number))
    ]
    return [
        fault(
            Code.EXCLUSIVE_PIN,
            f"Pin {change.pin} must not be active together with pin {other} ({policy.exclusive}).",
            "pin",
            pin=change.pin,
            other=other,
            group=policy.exclusive,
        )
        for other in others
    ]


def _observed_active(state: PinState | None) -> bool:
    return state is not None and is_active(state.shown, state.mode)
