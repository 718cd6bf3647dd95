"""The pins of the simplified board: modes, levels, and the timers behind PWM, servo pulses and tones.

A pin under PWM, servo or tone has one steady level here: the square wave itself is told by its frequency and
duty, not by edges. Rules of the timers: SPEC.md, Firmware of the Arduino Uno.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from zeroclaw_desktop.hardware.simulator.machine import Snapshot
from zeroclaw_desktop.hardware.simulator.pure_model import PureModel

FULL_DUTY = 255
SERVO_PERIOD_US = 20_000
MAX_EDGES = 8192


class PinMode(StrEnum):
    """What a pin does, with the letters of the ``state`` reply."""

    RESERVED = "-"
    INPUT = "i"
    PULLUP = "u"
    OUTPUT = "o"
    PWM = "p"
    SERVO = "s"
    TONE = "t"


class TimerConflictError(Exception):
    """The timer behind the pin is in use for something else."""


_INPUTS = (PinMode.INPUT, PinMode.PULLUP)
_MODE_NAMES = {PinMode.RESERVED: "input", PinMode.INPUT: "input", PinMode.PULLUP: "input_pullup"}


class Pins:
    """All pins.

    Args:
        now: the board's time in seconds, for the edges.
        model: the board's kind.
    """

    def __init__(self, now: Callable[[], float], model: PureModel) -> None:
        self._now = now
        self._model = model
        self._count = model.places
        self._outside: dict[int, int] = {}
        self._shorted: dict[int, int] = {}
        self._edges: list[tuple[float, int, int]] = []
        self._edges_lost = 0
        self._modes = [PinMode.INPUT] * self._count
        self._latches = [0] * self._count
        self._values = [0] * self._count
        self._tone_ends: dict[int, int] = {}
        self.restart()

    def restart(self) -> None:
        """All pins become inputs; what is wired to them stays."""
        before = self._levels()
        usable = self._model.pins
        self._modes = [PinMode.INPUT if pin in usable else PinMode.RESERVED for pin in range(self._count)]
        self._latches = [0] * self._count
        self._values = [0] * self._count
        self._tone_ends.clear()
        for pin in range(self._count):
            self._note_edge(pin, before[pin])

    # -- reading --------------------------------------------------------------------------------------
    def mode(self, pin: int) -> PinMode:
        """What a pin does."""
        return self._modes[pin]

    def level(self, pin: int) -> int:
        """Level at a pin: a short's, else its own as an output, else what drives it, else the pull-up."""
        if pin in self._shorted:
            return self._shorted[pin]
        if self._modes[pin] not in _INPUTS:
            return self._latches[pin]
        return self._outside.get(pin, int(self._modes[pin] is PinMode.PULLUP))

    def is_input(self, pin: int) -> bool:
        """Whether a pin is an input, with or without its pull-up."""
        return self._modes[pin] in _INPUTS

    def shorted(self, pin: int) -> int | None:
        """The level that a short holds a pin at; None when there is none."""
        return self._shorted.get(pin)

    def held(self, pin: int) -> int | None:
        """The level that something outside gives a pin; None when nothing does."""
        return self._shorted.get(pin, self._outside.get(pin))

    def is_held_low(self, pin: int) -> bool:
        """Whether something outside pulls a pin low."""
        return self.held(pin) == 0

    def value(self, pin: int) -> int:
        """Duty, pulse in microseconds or hertz of a pin under PWM, servo or tone."""
        return self._values[pin]

    def values(self, mode: PinMode) -> dict[str, int]:
        """Duty, pulse in microseconds or hertz of all pins in a mode, by number as a string."""
        return {str(pin): self._values[pin] for pin in range(self._count) if self._modes[pin] is mode}

    def _levels(self) -> list[int]:
        return [self.level(pin) for pin in range(self._count)]

    def snapshot(self) -> Snapshot:
        """Levels, modes and square waves now."""
        waves = {pin: wave for pin in range(self._count) if (wave := self._wave(pin)) is not None}
        return Snapshot(
            tuple(self._levels()), tuple(_MODE_NAMES.get(mode, "output") for mode in self._modes), waves
        )

    def _wave(self, pin: int) -> tuple[float, float] | None:
        """Frequency in Hz and duty 0..1; None for a plain level, as PWM is at both ends of its range."""
        mode, value = self._modes[pin], self._values[pin]
        if pin in self._shorted:
            return None
        if mode is PinMode.PWM and 0 < value < FULL_DUTY:
            return self._model.pwm_hertz(pin), value / FULL_DUTY
        if mode is PinMode.SERVO:
            return 1e6 / SERVO_PERIOD_US, value / SERVO_PERIOD_US
        return (float(value), 0.5) if mode is PinMode.TONE else None

    def take_edges(self) -> tuple[list[tuple[float, int, int]], int]:
        """Level changes since the last call as (seconds, pin, level), and how many were lost."""
        edges = sorted(edge for edge in self._edges if edge[0] <= self._now())
        lost, self._edges_lost = self._edges_lost, 0
        self._edges = [edge for edge in self._edges if edge[0] > self._now()]
        return edges, lost

    # -- changing -------------------------------------------------------------------------------------
    def drive(self, pin: int, level: int | None) -> None:
        """A part outside drives a pin; None lets go."""
        before = self.level(pin)
        if level is None:
            self._outside.pop(pin, None)
        else:
            self._outside[pin] = level
        self._note_edge(pin, before)

    def short(self, pin: int, level: int | None) -> None:
        """Tie a pin to ground (0) or supply (1); None ends that."""
        before = self.level(pin)
        if level is None:
            self._shorted.pop(pin, None)
        else:
            self._shorted[pin] = level
        self._note_edge(pin, before)

    def _note_edge(self, pin: int, before: int) -> None:
        level = self.level(pin)
        if level != before:
            self.add_edges(pin, [(self._now(), level)])

    def add_edges(self, pin: int, edges: list[tuple[float, int]]) -> None:
        """Level changes of a pin as (seconds, level); those that lie ahead are told when they have come."""
        room = MAX_EDGES - len(self._edges)
        self._edges += [(seconds, pin, level) for seconds, level in edges[:room]]
        self._edges_lost += max(0, len(edges) - room)

    def _use(self, pin: int, mode: PinMode, level: int = 0, value: int = 0) -> None:
        before = self.level(pin)
        self._modes[pin], self._latches[pin], self._values[pin] = mode, level, value
        self._tone_ends.pop(pin, None)
        self._note_edge(pin, before)

    def write(self, pin: int, level: int) -> None:
        """Make a pin an output with a level; whatever a timer did there ends."""
        self._use(pin, PinMode.OUTPUT, level)

    def set_mode(self, pin: int, mode: PinMode) -> None:
        """Make a pin an input or an output; one that was an output keeps its level."""
        was_output = self._modes[pin] not in _INPUTS
        self._use(pin, mode, self._latches[pin] if mode is PinMode.OUTPUT and was_output else 0)

    def pwm(self, pin: int, duty: int) -> None:
        """PWM with a duty of 0 to 255 on a pin that has it.

        Raises:
            TimerConflictError: a servo or a tone has the timer.
        """
        if self._partner_does(pin, PinMode.SERVO) or (
            pin in self._model.tone_pins and self._tone_elsewhere(pin)
        ):
            raise TimerConflictError
        self._use(pin, PinMode.PWM, int(duty == FULL_DUTY), duty)

    def servo(self, pin: int, pulse_us: int) -> None:
        """Servo pulses on a pin that has them.

        Raises:
            TimerConflictError: PWM on the other pin has the timer.
        """
        if self._partner_does(pin, PinMode.PWM):
            raise TimerConflictError
        self._use(pin, PinMode.SERVO, 0, pulse_us)

    def tone(self, pin: int, hertz: int, end: int | None) -> None:
        """A tone on any pin until the millisecond ``end``, or for ever.

        Raises:
            TimerConflictError: another tone, or PWM on another pin of the timer.
        """
        pwm = any(self._modes[other] is PinMode.PWM for other in self._model.tone_pins if other != pin)
        if pwm or self._tone_elsewhere(pin):
            raise TimerConflictError
        self._use(pin, PinMode.TONE, 0, hertz)
        if end is not None:
            self._tone_ends[pin] = end

    def _partner_does(self, pin: int, mode: PinMode) -> bool:
        """Whether the other pin of the timer is in a mode."""
        partner = self._model.servo_partners.get(pin)
        return partner is not None and self._modes[partner] is mode

    def _tone_elsewhere(self, pin: int) -> bool:
        return any(mode is PinMode.TONE for other, mode in enumerate(self._modes) if other != pin)

    def end_tones(self, now: int) -> None:
        """End the tones whose time has passed at the millisecond ``now``."""
        for pin in [pin for pin, end in self._tone_ends.items() if now >= end]:
            self.write(pin, 0)

    def stop_all(self) -> int:
        """Every output becomes plain and low; returns how many there were."""
        outputs = [pin for pin, mode in enumerate(self._modes) if mode not in (*_INPUTS, PinMode.RESERVED)]
        for pin in outputs:
            self.write(pin, 0)
        return len(outputs)
