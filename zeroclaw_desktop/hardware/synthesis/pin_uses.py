"""What a sketch does with pins, and the rules that this is held against; the same for both dialects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile, LocalText, PinProfile
from zeroclaw_desktop.contracts.synthesis import Finding, both
from zeroclaw_desktop.foundation.text import QUOTED, visible
from zeroclaw_desktop.hardware.synthesis.capabilities import (
    CAPABILITY_WORDS,
    SERVO_TIMER_PINS,
    TONE_TIMER_PINS,
    missing_capability,
)
from zeroclaw_desktop.hardware.synthesis.pin_spelling import find_pin

PROPOSALS = 4


@dataclass(frozen=True)
class PinUse:
    """One place of a sketch that uses a pin.

    Attributes:
        said: the pin as the sketch has it after constants were put in (``9``, ``A0``, ``PA5``).
        capability: what is asked of it, a key of CAPABILITIES.
        name: of the constant; '' when the number stands there.
        bus: name of the bus (``I2C``) when a bus takes the pin; '' else.
        timer: ``servo`` or ``tone`` when a timer is taken for it.
    """

    said: str
    capability: str
    line: int
    name: str = ""
    bus: str = ""
    timer: str = ""


def check_uses(uses: Sequence[PinUse], board: BoardProfile) -> list[Finding]:
    """Everything that is wrong with the pins of a sketch; each fault once."""
    findings: list[Finding] = []
    seen: set[tuple[str, str, str]] = set()
    good: list[tuple[PinUse, PinProfile]] = []
    for use in uses:
        pin = find_pin(board, use.said)
        if pin is not None:
            good.append((use, pin))
        for finding in _check_one(use, pin, board):
            mark = (finding.code, use.said, use.capability if finding.code == "pin_unable" else "")
            if mark not in seen:
                seen.add(mark)
                findings.append(finding)
    findings += _shared_pins(good)
    findings += _bus_conflicts(good)
    findings += _timer_conflicts(good, board)
    return findings


def _check_one(use: PinUse, pin: PinProfile | None, board: BoardProfile) -> Iterable[Finding]:
    if pin is None:
        shown = visible(use.said, QUOTED)
        yield _error(
            use, "pin_unknown", f"The {board.name} has no pin {shown}.", f"{board.name} 没有引脚 {shown}。"
        )
        return
    if pin.reserved:
        yield _error(
            use,
            "pin_reserved",
            f"Pin {pin.name} is not free: {pin.notes.get('en', pin.note)}.",
            f"引脚 {pin.name} 不可用：{pin.notes.get('zh', pin.note)}。",
            _free(board, use.capability),
        )
        return
    lack = missing_capability(board, pin, (use.capability,))
    if lack:
        words = CAPABILITY_WORDS[lack]
        yield _error(
            use,
            "pin_unable",
            f"Pin {pin.name} of the {board.name} cannot {words['en']}.",
            f"{board.name} 的引脚 {pin.name} 不能{words['zh']}。",
            _free(board, use.capability),
        )
    elif pin.strapping and pin.number != board.led_pin:
        message = both(
            f"Pin {pin.name} decides how the board starts: it {pin.notes.get('en', pin.note)}.",
            f"引脚 {pin.name} 影响启动方式：{pin.notes.get('zh', pin.note)}。",
        )
        yield Finding("warning", "pin_strapping", message, line=use.line)


def _error(use: PinUse, code: str, english: str, chinese: str, hint: LocalText | None = None) -> Finding:
    return Finding("error", code, both(english, chinese), hint or {}, line=use.line)


def _free(board: BoardProfile, capability: str) -> LocalText:
    good = [
        pin.name
        for pin in board.pins
        if not pin.reserved
        and not pin.strapping
        and pin.number != board.led_pin
        and not missing_capability(board, pin, (capability,))
    ]
    if not good:
        return {}
    names = ", ".join(good[:PROPOSALS])
    return both(f"These would do: {names}.", f"可以改用：{names}。")


def _shared_pins(good: Sequence[tuple[PinUse, PinProfile]]) -> Iterable[Finding]:
    """Two names for one pin: what they stand for is wired to the same place."""
    first: dict[int, PinUse] = {}
    told: set[int] = set()
    for use, pin in good:
        if not use.name:
            continue
        other = first.setdefault(pin.number, use)
        if other.name != use.name and pin.number not in told:
            told.add(pin.number)
            names = f"{visible(other.name, QUOTED)}, {visible(use.name, QUOTED)}"
            yield _error(
                use,
                "pin_conflict",
                f"Two names stand for pin {pin.name}: {names}.",
                f"引脚 {pin.name} 有两个名称：{names}。",
            )


def _bus_conflicts(good: Sequence[tuple[PinUse, PinProfile]]) -> Iterable[Finding]:
    buses = {pin.number: use.bus for use, pin in good if use.bus}
    told: set[int] = set()
    for use, pin in good:
        bus = buses.get(pin.number, "")
        if bus and not use.bus and pin.number not in told:
            told.add(pin.number)
            yield _error(
                use,
                "pin_conflict",
                f"Pin {pin.name} belongs to the {bus} bus that this sketch uses.",
                f"引脚 {pin.name} 属于本程序使用的 {bus} 总线。",
            )


def _timer_conflicts(good: Sequence[tuple[PinUse, PinProfile]], board: BoardProfile) -> Iterable[Finding]:
    timers = {use.timer for use, _pin in good if use.timer}
    for timer, table, words in (
        ("servo", SERVO_TIMER_PINS, "Servo"),
        ("tone", TONE_TIMER_PINS, "tone()"),
    ):
        lost = table.get(board.chip, frozenset()) if timer in timers else frozenset()
        for number in sorted(lost):
            use = next((u for u, pin in good if pin.number == number and u.capability == "pwm"), None)
            if use is not None:
                yield _error(
                    use,
                    "timer_conflict",
                    f"Pin {use.said} gives no PWM while {words} is used: both need the same timer.",
                    f"使用 {words} 时引脚 {use.said} 不能输出 PWM：两者占用同一个定时器。",
                )
