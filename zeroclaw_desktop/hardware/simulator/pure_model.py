"""What the simplified board knows of its kind: made from the board file, plus the rules of the Uno's timers.

The pin table, the limits of the converter and the functions of the pins are those of ``resources/boards``; a
kind whose timers no rule describes here has one for each pin.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from zeroclaw_desktop.contracts.boards import BoardProfile, PinProfile
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

UNO = "arduino-uno"
AVR_KINDS = (UNO, "arduino-nano", "arduino-nano-old")
"""Boards with the ATmega328P: three timers, shared as SPEC.md says."""
OTHER_PWM_HERTZ = 1_000.0
"""PWM of the boards whose frequency no file tells."""
FAST_PWM_HERTZ = 16_000_000 / 64 / 256
SLOW_PWM_HERTZ = 16_000_000 / 64 / 510
"""Fast PWM on timer 0, phase-correct PWM on the others (ATmega328P data sheet, sections 14.7 and 17.7)."""
_CHANNEL = re.compile(r"A(\d{1,2})")
_FAST_PINS = (5, 6)
_BUS_FUNCTIONS = ("sda", "scl")


@dataclass(frozen=True)
class PureModel:
    """One kind of board.

    Attributes:
        pins: wire numbers that can be used, in order.
        reserved: number -> why the pin is refused, as the reply says it.
        input_only: pins without an output driver and without a pull-up.
        analog_only: pins that can be measured and nothing else.
        channels: channel of the converter -> pin.
        spi_pins: out, in and clock; () where the board file names none.
        select_pin: the pin that must not be held low while it is an input; None where there is no such.
        servo_partners: pin -> the other pin of its timer, which does PWM or servo on both.
        tone_pins: PWM pins of the timer that makes the tones.
        boot_levels: pin -> the level at power-up without which the board does not start.
    """

    key: str
    pins: tuple[int, ...]
    reserved: Mapping[int, str]
    input_only: frozenset[int]
    analog_only: frozenset[int]
    channels: Mapping[int, int]
    adc_steps: int
    reference_volts: float
    pwm_pins: tuple[int, ...]
    servo_pins: tuple[int, ...]
    led_pin: int | None
    i2c_pins: tuple[int, ...]
    spi_pins: tuple[int, ...]
    select_pin: int | None = None
    servo_partners: Mapping[int, int] = field(default_factory=dict)
    tone_pins: tuple[int, ...] = ()
    boot_levels: Mapping[int, int] = field(default_factory=dict)

    @property
    def places(self) -> int:
        """One more than the highest number of a pin."""
        return max((*self.pins, *self.reserved)) + 1

    @property
    def adc_bits(self) -> int:
        """Bits of the converter."""
        return self.adc_steps.bit_length() - 1

    def pwm_hertz(self, pin: int) -> float:
        """Frequency of the PWM on a pin."""
        if self.key not in AVR_KINDS:
            return OTHER_PWM_HERTZ
        return FAST_PWM_HERTZ if pin in _FAST_PINS else SLOW_PWM_HERTZ

    def channel_of(self, pin: int) -> int | None:
        """Channel of the converter that measures a pin."""
        return next((channel for channel, number in self.channels.items() if number == pin), None)


def channels_of(profile: BoardProfile) -> dict[int, int]:
    """Channel of the converter -> pin: the number behind the A of its name, else the place in the file."""
    analog = [pin for pin in profile.pins if "analog" in pin.functions and not pin.reserved]
    named = {_named_channel(pin): pin.number for pin in analog}
    named.pop(None, None)
    channels = {channel: number for channel, number in named.items() if channel is not None}
    free = iter(channel for channel in range(len(analog) + len(channels)) if channel not in channels)
    for pin in analog:
        if pin.number not in channels.values():
            channels[next(free)] = pin.number
    return dict(sorted(channels.items()))


def _named_channel(pin: PinProfile) -> int | None:
    matches = (_CHANNEL.fullmatch(name) for name in (pin.name, *pin.aliases))
    return next((int(match.group(1)) for match in matches if match is not None), None)


def model_of(profile: BoardProfile) -> PureModel:
    """The model of a board file."""
    is_avr = profile.key in AVR_KINDS
    usable = [pin for pin in profile.pins if not pin.reserved]
    spi = profile.wiring.spi
    return PureModel(
        key=profile.key,
        pins=tuple(sorted(pin.number for pin in usable)),
        reserved={pin.number: _why_reserved(pin) for pin in profile.pins if pin.reserved},
        input_only=frozenset(pin.number for pin in usable if pin.input_only),
        analog_only=frozenset(pin.number for pin in usable if "digital" not in pin.functions),
        channels=channels_of(profile),
        adc_steps=1 << profile.adc_bits,
        reference_volts=profile.adc_reference_volts,
        pwm_pins=_with(usable, "pwm"),
        servo_pins=_with(usable, "servo"),
        led_pin=profile.led_pin,
        i2c_pins=_i2c_pins(profile),
        spi_pins=() if spi is None else (spi.out_pin, spi.in_pin, spi.clock_pin),
        select_pin=10 if is_avr else None,
        servo_partners={9: 10, 10: 9} if is_avr else {},
        tone_pins=(3, 11) if is_avr else (),
        boot_levels={pin.number: pin.boot_level for pin in usable if pin.boot_level is not None},
    )


def _why_reserved(pin: PinProfile) -> str:
    return "serial line" if "uart" in pin.functions else pin.note.replace('"', "'")


def _with(pins: list[PinProfile], function: str) -> tuple[int, ...]:
    return tuple(sorted(pin.number for pin in pins if function in pin.functions))


def _i2c_pins(profile: BoardProfile) -> tuple[int, ...]:
    """SDA and SCL: by name, else the first two that the file gives the bus."""
    named = [pin.number for name in _BUS_FUNCTIONS if (pin := profile.pin_named(name)) is not None]
    found = named if len(named) == 2 else [pin.number for pin in profile.pins if "i2c" in pin.functions][:2]
    return tuple(found) if len(found) == 2 else ()


@cache
def pure_model(key: str = UNO) -> PureModel:
    """The model of a kind of board.

    Raises:
        KeyError: there is no such kind.
    """
    return model_of(board_catalog()[key])
