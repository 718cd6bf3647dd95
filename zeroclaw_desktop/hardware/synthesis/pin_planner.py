"""Gives each need of a template a pin: the person's, the board's own part, or the best free one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile, LocalText, NamedPin, PinProfile
from zeroclaw_desktop.contracts.synthesis import Dialect, Finding, NeedInfo, PinChoice, both
from zeroclaw_desktop.foundation.text import QUOTED, visible
from zeroclaw_desktop.hardware.synthesis.capabilities import (
    CAPABILITY_WORDS,
    is_named,
    missing_capability,
)
from zeroclaw_desktop.hardware.synthesis.pin_spelling import find_pin, spell_pin

PROPOSALS = 4
_BUS_NAMES = {"i2c_data": "SDA", "i2c_clock": "SCL"}
_STRAPPING_COST, _NOTE_COST, _BUS_COST, _LED_COST = 100, 20, 8, 40
BOARD_BUTTONS: Mapping[str, str] = {"STM32 Nucleo": "PC13"}
"""Pin of the button that is on every board of a family (ST UM1724, section 6.5: B1 USER)."""


@dataclass(frozen=True)
class PinPlan:
    """The pins of all needs, and what is wrong with them."""

    choices: tuple[PinChoice, ...]
    findings: tuple[Finding, ...]


def _names(pins: Sequence[PinProfile]) -> str:
    return ", ".join(pin.name for pin in pins[:PROPOSALS])


def _analog_rank(pin: PinProfile) -> int:
    """The number of the analog input as printed (A0 is 0); an ESP32's first converter has A0 to A9."""
    names = [re.fullmatch(r"A(\d{1,2})", name) for name in (pin.name, *pin.aliases)]
    return min((int(found[1]) for found in names if found), default=12)


class _Planner:
    def __init__(self, board: BoardProfile, dialect: Dialect, named: Sequence[NamedPin]) -> None:
        self._board = board
        self._dialect = dialect
        self._names = {row.pin: row.name for row in named}
        self._taken: dict[int, NeedInfo] = {}
        self.findings: list[Finding] = []

    def _cost(self, pin: PinProfile, need: NeedInfo) -> tuple[int, int]:
        """The lower, the better: nothing is worse than a pin on which the boot depends."""
        measures = "analog" in need.capabilities
        cost = _STRAPPING_COST * pin.strapping
        cost += _NOTE_COST * bool(pin.note and not pin.strapping)
        cost += _BUS_COST * len(pin.functions & {"i2c", "spi", "uart"})
        cost += _LED_COST * (pin.number == self._board.led_pin)
        if measures:
            cost += _analog_rank(pin) // 2
        else:
            cost += 6 * ("analog" in pin.functions)
        if "pwm" not in need.capabilities:
            cost += 3 * ("pwm" in pin.functions)
        for capability, name in _BUS_NAMES.items():
            if capability in need.capabilities and is_named(self._board, pin, name):
                cost = -1
        return cost, pin.number

    def candidates(self, need: NeedInfo) -> list[PinProfile]:
        """Free pins that would do, best first; pins that have a name are not taken silently."""
        free = [
            pin
            for pin in self._board.pins
            if not pin.reserved
            and pin.number not in self._taken
            and pin.number not in self._names
            and not missing_capability(self._board, pin, need.capabilities)
        ]
        return sorted(free, key=lambda pin: self._cost(pin, need))

    def _error(self, need: NeedInfo, code: str, english: str, chinese: str) -> None:
        free = _names(self.candidates(need))
        hint: LocalText = {
            "en": f"These would do: {free}." if free else "No other pin of this board would do.",
            "zh": f"可以改用：{free}。" if free else "这块板上没有其他合适的引脚。",
        }
        text = both(english, chinese)
        self.findings.append(Finding("error", code, text, hint, need=need.key))

    def _warn(self, need: NeedInfo, code: str, english: str, chinese: str) -> None:
        self.findings.append(Finding("warning", code, both(english, chinese), need=need.key))

    def wanted(self, need: NeedInfo, said: str) -> PinProfile | None:
        """The pin that the person wants, when it may be used; else a finding says why not."""
        board, shown = self._board, visible(said, QUOTED)
        pin = find_pin(board, said)
        label_en, label_zh = need.label["en"], need.label["zh"]
        if pin is None:
            self._error(
                need,
                "pin_unknown",
                f"The {board.name} has no pin {shown}.",
                f"{board.name} 没有引脚 {shown}。",
            )
            return None
        if pin.reserved:
            self._error(
                need,
                "pin_reserved",
                f"Pin {pin.name} is not free: {pin.notes.get('en', pin.note)}.",
                f"引脚 {pin.name} 不可用：{pin.notes.get('zh', pin.note)}。",
            )
            return None
        other = self._taken.get(pin.number)
        if other is not None:
            self._error(
                need,
                "pin_conflict",
                f"Pin {pin.name} is wanted twice: for {other.label['en']} and for {label_en}.",
                f"引脚 {pin.name} 被用了两次：{other.label['zh']}和{label_zh}。",
            )
            return None
        lack = missing_capability(board, pin, need.capabilities)
        if lack:
            words = CAPABILITY_WORDS[lack]
            self._error(
                need,
                "pin_unable",
                f"Pin {pin.name} of the {board.name} cannot {words['en']}.",
                f"{board.name} 的引脚 {pin.name} 不能{words['zh']}。",
            )
            return None
        if pin.strapping and pin.number != board.led_pin:
            self._warn(
                need,
                "pin_strapping",
                f"Pin {pin.name} decides how the board starts: it {pin.notes.get('en', pin.note)}.",
                f"引脚 {pin.name} 影响启动方式：{pin.notes.get('zh', pin.note)}。",
            )
        if pin.number in self._names:
            name = self._names[pin.number]
            self._warn(
                need,
                "pin_named",
                f"Pin {pin.name} has the name '{name}'. It is used for {label_en} now.",
                f"引脚 {pin.name} 已命名为“{name}”，现在用于{label_zh}。",
            )
        return pin

    def _own_part(self, need: NeedInfo) -> PinProfile | None:
        """The pin of the board's own LED or button, where the need asks for it."""
        board = self._board
        pin: PinProfile | None = None
        if need.prefer == "led" and board.led_pin is not None:
            pin = board.pin(board.led_pin)
        elif need.prefer == "button" and board.family in BOARD_BUTTONS:
            pin = board.pin_named(BOARD_BUTTONS[board.family])
        usable = (
            pin is not None
            and pin.number not in self._taken
            and not pin.reserved
            and not missing_capability(board, pin, need.capabilities)
        )
        return pin if usable else None

    def take(self, need: NeedInfo, pin: PinProfile | None, by: str, reason: LocalText) -> PinChoice:
        """Note the pin of a need."""
        if pin is not None:
            self._taken[pin.number] = need
        spelled = spell_pin(self._board, pin, self._dialect) if pin is not None else ""
        name = pin.name if pin is not None else ""
        free = tuple(other.name for other in self.candidates(need)[:PROPOSALS])
        number = pin.number if pin is not None else None
        return PinChoice(need.key, need.label, number, name, spelled, by, reason, free)

    def propose(self, need: NeedInfo) -> PinChoice:
        """The board's own part, else the best free pin."""
        own = self._own_part(need)
        if own is not None:
            return self.take(need, own, "board", both("it is on the board", "就在板上"))
        found = self.candidates(need)
        if not found:
            self._error(
                need,
                "no_pin",
                f"No free pin of the {self._board.name} is left for {need.label['en']}.",
                f"{self._board.name} 没有可用于{need.label['zh']}的空闲引脚。",
            )
            return self.take(need, None, "planner", both("none is free", "没有空闲引脚"))
        best = found[0]
        for capability, name in _BUS_NAMES.items():
            if capability in need.capabilities and is_named(self._board, best, name):
                return self.take(need, best, "board", both(f"{name} of the board", f"板上的 {name}"))
        english = [CAPABILITY_WORDS[item]["en"] for item in need.capabilities]
        chinese = [CAPABILITY_WORDS[item]["zh"] for item in need.capabilities]
        reason = both(f"free and can {' and '.join(english)}", f"空闲，且可{'、'.join(chinese)}")
        return self.take(need, best, "planner", reason)


def plan_pins(
    board: BoardProfile,
    needs: Sequence[NeedInfo],
    wanted: Mapping[str, str],
    named: Sequence[NamedPin],
    dialect: Dialect,
) -> PinPlan:
    """Choose a pin for every need.

    Args:
        wanted: by need: the pin that the person wants, as it was said.
        named: pins that have a name; they are used only when they are wanted.
    """
    planner = _Planner(board, dialect, named)
    chosen: dict[str, PinChoice] = {}
    for need in needs:
        said = wanted.get(need.key, "").strip()
        if said:
            pin = planner.wanted(need, said)
            by_person = both("you chose it", "由你指定")
            chosen[need.key] = planner.take(need, pin, "person", by_person)
    # What can be done by few pins only is chosen first, so that it finds one.
    rest = [need for need in needs if need.key not in chosen]
    rest.sort(key=lambda need: (not need.prefer, len(planner.candidates(need))))
    for need in rest:
        chosen[need.key] = planner.propose(need)
    return PinPlan(tuple(chosen[need.key] for need in needs), tuple(planner.findings))
