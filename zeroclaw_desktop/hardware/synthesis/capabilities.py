"""What a pin can do for a sketch: the board's table, and what the chips' data sheets add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zeroclaw_desktop.contracts.boards import BoardProfile, LocalText, PinProfile

INTERRUPT_PINS: Mapping[str, frozenset[int]] = {
    "ATmega328P": frozenset({2, 3}),
    "ATmega2560": frozenset({2, 3, 18, 19, 20, 21}),
    "ATmega32U4": frozenset({0, 1, 2, 3, 7}),
}
"""Pins of attachInterrupt (Arduino reference, attachInterrupt()); on other chips every pin has one."""
NO_PULL_UP: Mapping[str, frozenset[int]] = {"ESP8266": frozenset({16, 17})}
"""Pins that are no input-only pins and yet have no pull-up (ESP8266 data sheet: GPIO16 pulls down)."""
SERVO_TIMER_PINS: Mapping[str, frozenset[int]] = {
    "ATmega328P": frozenset({9, 10}),
    "ATmega2560": frozenset({44, 45, 46}),
    "ATmega32U4": frozenset({9, 10}),
}
"""Pins whose PWM the library Servo takes away with its first timer (Arduino reference, Servo)."""
TONE_TIMER_PINS: Mapping[str, frozenset[int]] = {
    "ATmega328P": frozenset({3, 11}),
    "ATmega2560": frozenset({9, 10}),
    "ATmega32U4": frozenset({5}),
}
"""Pins whose PWM tone() takes away (Arduino reference, tone(): timer 2, on the Leonardo timer 3)."""


def _can_output(_board: BoardProfile, pin: PinProfile) -> bool:
    return "digital" in pin.functions and not pin.input_only


def _can_input(_board: BoardProfile, pin: PinProfile) -> bool:
    return "digital" in pin.functions


def _can_pull_up(board: BoardProfile, pin: PinProfile) -> bool:
    return _can_output(board, pin) and pin.number not in NO_PULL_UP.get(board.chip, ())


def _can_interrupt(board: BoardProfile, pin: PinProfile) -> bool:
    return "digital" in pin.functions and pin.number in INTERRUPT_PINS.get(board.chip, {pin.number})


def is_named(board: BoardProfile, pin: PinProfile, name: str) -> bool:
    """Whether the board prints a name such as ``SDA`` at the pin."""
    named = board.pin_named(name)
    return named is not None and named.number == pin.number


def _can_be_bus(name: str) -> Callable[[BoardProfile, PinProfile], bool]:
    """The pin of that name; on chips of Espressif, whose buses reach any pin, every output will do."""

    def check(board: BoardProfile, pin: PinProfile) -> bool:
        return is_named(board, pin, name) or (board.chip.startswith("ESP") and _can_output(board, pin))

    return check


def _has(function: str) -> Callable[[BoardProfile, PinProfile], bool]:
    return lambda _board, pin: function in pin.functions


CAPABILITIES: Mapping[str, Callable[[BoardProfile, PinProfile], bool]] = {
    "output": _can_output,
    "input": _can_input,
    "pull_up": _can_pull_up,
    "interrupt": _can_interrupt,
    "pwm": _has("pwm"),
    "analog": _has("analog"),
    "i2c_data": _can_be_bus("SDA"),
    "i2c_clock": _can_be_bus("SCL"),
}
CAPABILITY_WORDS: Mapping[str, LocalText] = {
    "output": {"en": "be an output", "zh": "作为输出"},
    "input": {"en": "be a digital input", "zh": "作为数字输入"},
    "pull_up": {"en": "be an input with pull-up", "zh": "作为带上拉的输入"},
    "interrupt": {"en": "cause an interrupt", "zh": "触发中断"},
    "pwm": {"en": "give PWM", "zh": "输出 PWM"},
    "analog": {"en": "measure a voltage", "zh": "测量电压"},
    "i2c_data": {"en": "be the data line of I2C (SDA)", "zh": "作为 I2C 数据线（SDA）"},
    "i2c_clock": {"en": "be the clock line of I2C (SCL)", "zh": "作为 I2C 时钟线（SCL）"},
}


def missing_capability(board: BoardProfile, pin: PinProfile, wanted: tuple[str, ...]) -> str:
    """The first wanted capability that the pin does not have; '' when it has all."""
    return next((name for name in wanted if not CAPABILITIES[name](board, pin)), "")
