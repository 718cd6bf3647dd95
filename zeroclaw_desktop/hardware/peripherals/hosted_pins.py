"""The pins of a board that this program answers for: what each is, and what the host is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.peripherals.driver import Driver
from zeroclaw_desktop.hardware.protocol import SERVO_0_US, SERVO_180_US

PWM_HERTZ = 1_000
FULL_DUTY = 255
SERVO_HERTZ = 50
SERVO_PERIOD_US = 1_000_000 / SERVO_HERTZ
INPUTS = ("i", "u")
UNKNOWN, RESERVED = "?", "-"


@dataclass
class _Pin:
    mode: str = UNKNOWN
    value: int = 0
    """Duty, pulse in microseconds or hertz while the pin carries a wave; else the level."""
    ends: float | None = None
    """Monotonic seconds when its tone ends."""


class HostedPins:
    """Remembers what the host made of each pin; a pin that it has not touched is not known.

    Modes are those of SPEC.md, ``state``; ``?`` is a pin that nobody asked for yet, which is left alone.
    """

    def __init__(self, profile: BoardProfile, driver: Driver) -> None:
        self._driver = driver
        self._pins = {pin.number: _Pin(RESERVED if pin.reserved else UNKNOWN) for pin in profile.pins}

    def mode(self, pin: int) -> str:
        """What a pin does."""
        return self._pins[pin].mode

    def read(self, pin: int) -> int:
        """Level at a pin; one that nobody has touched becomes an input."""
        if self._pins[pin].mode == UNKNOWN:
            self.make_input(pin, pull_up=False)
        return self._driver.level(pin)

    def write(self, pin: int, level: int) -> None:
        """Make a pin an output with a level."""
        self._driver.set_output(pin, level)
        self._pins[pin] = _Pin("o", level)

    def make_input(self, pin: int, *, pull_up: bool) -> None:
        """Make a pin an input."""
        self._driver.set_input(pin, pull_up=pull_up)
        self._pins[pin] = _Pin("u" if pull_up else "i")

    def note_outputs(self, levels: Mapping[int, int]) -> None:
        """Remember pins that a bus has left as outputs with a level."""
        for pin, level in levels.items():
            self._pins[pin] = _Pin("o", level)

    def make_output(self, pin: int) -> None:
        """Make a pin an output: low, or with the level that it has as one."""
        self.write(pin, self._pins[pin].value if self._pins[pin].mode == "o" else 0)

    def pwm(self, pin: int, duty: int) -> None:
        """PWM with a duty of 0 to 255."""
        self._driver.wave(pin, PWM_HERTZ, duty / FULL_DUTY)
        self._pins[pin] = _Pin("p", duty)

    def servo(self, pin: int, pulse_us: int) -> None:
        """Servo pulses."""
        self._driver.wave(pin, SERVO_HERTZ, pulse_us / SERVO_PERIOD_US)
        self._pins[pin] = _Pin("s", pulse_us)

    def tone(self, pin: int, hertz: int, ends: float | None) -> None:
        """A tone until monotonic seconds ``ends``, or for ever."""
        self._driver.wave(pin, hertz, 0.5)
        self._pins[pin] = _Pin("t", hertz, ends)

    def release(self, pin: int, mode: str) -> None:
        """End a servo or a tone; the pin stays an output, low."""
        if self._pins[pin].mode == mode:
            self.write(pin, 0)

    @property
    def sounding(self) -> bool:
        """Whether a tone is to end by itself."""
        return any(state.ends is not None for state in self._pins.values())

    def end_tones(self, now: float) -> None:
        """End the tones whose time has passed."""
        for pin, state in self._pins.items():
            if state.ends is not None and now >= state.ends:
                self.write(pin, 0)

    def stop_all(self) -> int:
        """Every output becomes plain and low; returns how many there were.

        One that refuses keeps the others from nothing: the fault is raised after all were told.
        """
        outputs = [pin for pin, state in self._pins.items() if state.mode in "opst"]
        fault: Exception | None = None
        for pin in outputs:
            try:
                self.write(pin, 0)
            except ZeroClawError as error:
                fault = error
        if fault is not None:
            raise fault
        return len(outputs)

    def state(self) -> dict[str, object]:
        """Modes, levels and waves as SPEC.md has them; only touched pins are read."""
        modes, levels = [], []
        for number in range(max(self._pins) + 1):
            state = self._pins.get(number, _Pin(RESERVED))
            modes.append(state.mode)
            plain = state.mode in (*INPUTS, "o")
            levels.append(str(self._driver.level(number)) if plain else self._steady(state))
        return {
            "mode": "".join(modes),
            "level": "".join(levels),
            "pwm": self._values("p"),
            "servo": self._values("s"),
            "tone": self._values("t"),
        }

    @staticmethod
    def _steady(state: _Pin) -> str:
        """The level of a pin that is not read: a wave rests low, and is high at full duty."""
        if state.mode in (UNKNOWN, RESERVED):
            return "-"
        return "1" if state.mode == "p" and state.value == FULL_DUTY else "0"

    def _values(self, mode: str) -> dict[str, int]:
        return {str(pin): state.value for pin, state in self._pins.items() if state.mode == mode}


def pulse_us(angle: int) -> int:
    """Pulse width of an angle in degrees (SPEC.md, servo_write), in whole microseconds."""
    return SERVO_0_US + (angle * (SERVO_180_US - SERVO_0_US) + 90) // 180
