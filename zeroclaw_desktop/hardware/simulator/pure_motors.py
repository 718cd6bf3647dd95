"""Motors of the simplified board (SPEC.md, Motors), as firmware/protocol/zc_motor.c moves them.

A motor belongs to the table only as long as its pin carries the PWM that was put there last: stop_all, the
host watchdog and every other command that takes the pin end it by that alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode, Pins

MOTORS = 2
_PLAIN = (PinMode.INPUT, PinMode.PULLUP, PinMode.OUTPUT)


@dataclass(eq=False)
class Motor:
    """One motor.

    Attributes:
        direction_pin: None for a motor that turns one way only.
        start, target, shown: duties: where the ramp began, where it ends, what is at the pin.
        began, ramp: milliseconds.
    """

    pin: int
    direction_pin: int | None
    direction: int
    start: int = 0
    target: int = 0
    shown: int = 0
    began: int = 0
    ramp: int = 0

    def duty_at(self, elapsed: int) -> int:
        """Duty so many milliseconds after the ramp began; divided as C does, towards zero."""
        if elapsed >= self.ramp:
            return self.target
        way = (self.target - self.start) * elapsed
        return self.start + (way // self.ramp if way >= 0 else -(-way // self.ramp))


class Motors:
    """Up to two of them.

    Args:
        now: milliseconds since the start.
    """

    def __init__(self, pins: Pins, now: Callable[[], int]) -> None:
        self._pins = pins
        self._now = now
        self._places: list[Motor | None] = [None] * MOTORS

    def restart(self) -> None:
        """As after a start: none."""
        self._places = [None] * MOTORS

    def _running(self) -> list[Motor]:
        return [motor for motor in self._places if motor is not None and self._is_running(motor)]

    def _is_running(self, motor: Motor) -> bool:
        return self._pins.mode(motor.pin) is PinMode.PWM and self._pins.value(motor.pin) == motor.shown

    def on(self, pin: int) -> Motor | None:
        """The running motor on a PWM pin."""
        return next((motor for motor in self._running() if motor.pin == pin), None)

    def may_steer(self, pin: int) -> bool:
        """Whether a pin is free to set a direction."""
        return self._pins.mode(pin) in _PLAIN and not self.steers(pin)

    def steers(self, pin: int) -> bool:
        """Whether a running motor has the pin for its direction."""
        return any(motor.direction_pin == pin for motor in self._running())

    @property
    def is_full(self) -> bool:
        """Whether there is no place for another one."""
        return len(self._running()) == MOTORS

    def add(self, pin: int, direction_pin: int | None, direction: int) -> Motor:
        """Take a pin that carries PWM with duty 0 already; sets the direction."""
        if direction_pin is not None:
            self._pins.write(direction_pin, direction)
        motor = Motor(pin, direction_pin, direction)
        running = self._running()
        place = next(i for i, entry in enumerate(self._places) if entry is None or entry not in running)
        self._places[place] = motor
        return motor

    def turn(self, motor: Motor, duty: int, ramp: int) -> None:
        """Go to a duty within so many milliseconds; 0 is a stop."""
        motor.start, motor.target, motor.ramp, motor.began = motor.shown, duty, ramp, self._now()
        if ramp == 0:
            self._show(motor, duty)

    def _show(self, motor: Motor, duty: int) -> None:
        motor.shown = duty
        if motor.target == 0 and duty == 0:
            self._places[self._places.index(motor)] = None
            self._pins.write(motor.pin, 0)
        else:
            self._pins.pwm(motor.pin, duty)

    def poll(self) -> None:
        """Once a millisecond: move the ramps on, let go of motors whose pin was taken."""
        running = self._running()
        self._places = [motor if motor in running else None for motor in self._places]
        for motor in running:
            elapsed = self._now() - motor.began
            if motor.shown == motor.target and motor.target:
                continue
            duty = motor.duty_at(elapsed)
            if duty != motor.shown or elapsed >= motor.ramp:
                self._show(motor, duty)
