"""Pins, ADC, PWM, servo and tone by MicroPython's module `machine`.

The levels of pins are read back from the hardware; modes are kept here, since `machine` does not tell them.
"""

from machine import ADC, PWM, Pin
from zc_protocol import Refused

INPUT, PULL_UP, OUTPUT, PWM_ON, SERVO, TONE = "i", "u", "o", "p", "s", "t"
PWM_HERTZ = 1000
SERVO_HERTZ = 50
ADC_BITS = 12


class Pins:
    """All pins of a board.

    board: module with the board's numbers, see zc_board.py.
    now: function that gives milliseconds.
    """

    def __init__(self, board, now):
        self._board = board
        self._now = now
        self._modes = {}
        self._values = {}  # duty, microseconds or hertz of pins with a timer
        self._timers = {}  # PWM objects
        self._handles = {pin: self._make(pin, Pin.IN) for pin in board.GPIO}
        self._tone_pin = None
        self._tone_end = None

    def _make(self, pin, mode, *pull, **level):
        return Pin(self._board.pin_id(pin), mode, *pull, **level)

    def mode(self, pin):
        """Letter as the `state` command shows it."""
        return self._modes.get(pin, INPUT) if pin in self._board.GPIO else "-"

    def is_input(self, pin):
        """Whether nothing is driven there."""
        return self.mode(pin) in (INPUT, PULL_UP)

    def has_timer(self, pin):
        """Whether PWM, servo or tone is on the pin."""
        return pin in self._timers

    def value(self, pin):
        """Duty, microseconds or hertz of a pin with a timer."""
        return self._values[pin]

    def level(self, pin):
        """Level at the pin; changes nothing."""
        return self._handles[pin].value()

    def _release(self, pin):
        timer = self._timers.pop(pin, None)
        if timer is not None:
            timer.deinit()
        if pin == self._tone_pin:
            self._tone_pin = None

    def set_mode(self, pin, mode):
        """Input, pull-up or output; an output that is one keeps its level, another starts low."""
        if mode == OUTPUT:
            if self.mode(pin) != OUTPUT:
                self.write(pin, 0)
            return
        self._release(pin)
        pull = (Pin.PULL_UP,) if mode == PULL_UP else (None,)
        self._handles[pin] = self._make(pin, Pin.IN, *pull)
        self._modes[pin] = mode

    def write(self, pin, level):
        """Make it an output with this level; ends PWM, servo and tone there."""
        if self.mode(pin) == OUTPUT:
            self._handles[pin].value(level)
            return
        self._release(pin)
        self._handles[pin] = self._make(pin, Pin.OUT, value=level)
        self._modes[pin] = OUTPUT

    def stop_all(self):
        """Safe state; returns how many pins were outputs."""
        driven = [pin for pin in self._board.GPIO if not self.is_input(pin)]
        for pin in driven:
            self.write(pin, 0)
        return len(driven)

    def analog(self, channel):
        """0 to 4095. The converter would end an output, so for one its level tells the value."""
        pin = self._board.ANALOG[channel]
        highest = (1 << ADC_BITS) - 1
        if pin in self._board.GPIO and not self.is_input(pin):
            return highest * self.level(pin)
        value = ADC(Pin(self._board.pin_id(pin)), **self._board.ADC_OPTIONS).read_u16() >> (16 - ADC_BITS)
        if pin in self._board.GPIO:  # the converter has taken the pin away from its mode
            self.set_mode(pin, self.mode(pin))
        return value

    def _check_timer(self, pin, mode):
        wanted = self._board.timer_of(pin)
        for other in self._timers:
            found = self._board.timer_of(other)
            if other == pin or wanted is None or found is None or found[0] != wanted[0]:
                continue
            if self.mode(other) != mode or found == wanted or mode == TONE:
                raise Refused("Pin %d: its timer is in use" % pin, "conflict")

    def _use(self, pin, mode, value, hertz, **duty):
        self._check_timer(pin, mode)
        if self.mode(pin) != mode:
            before = self.mode(pin), None if self.is_input(pin) else self.level(pin)
            self.write(pin, 0)
            try:
                self._timers[pin] = PWM(self._handles[pin], freq=hertz, **duty)
            except (ValueError, OSError):  # no timer is left
                self.set_mode(pin, before[0] if before[1] is None else OUTPUT)
                if before[1]:
                    self.write(pin, 1)
                raise Refused("Pin %d: its timer is in use" % pin, "conflict") from None
        elif mode == TONE:
            self._timers[pin].freq(hertz)
        else:
            self._timers[pin].init(freq=hertz, **duty)
        self._modes[pin] = mode
        self._values[pin] = value

    def pwm(self, pin, duty):
        """Duty 0 to 255."""
        self._use(pin, PWM_ON, duty, PWM_HERTZ, duty_u16=duty * 257)

    def servo(self, pin, pulse_us):
        """50 pulses of this width a second."""
        self._use(pin, SERVO, pulse_us, SERVO_HERTZ, duty_ns=pulse_us * 1000)

    def tone(self, pin, hertz, milliseconds):
        """A square wave; 0 milliseconds: until stopped."""
        if self._tone_pin not in (None, pin):
            raise Refused("Pin %d: its timer is in use" % pin, "conflict")
        self._use(pin, TONE, hertz, hertz, duty_u16=32768)
        self._tone_pin = pin
        self._tone_end = self._now() + milliseconds if milliseconds else None

    def poll(self, now):
        """End a tone that has played to its end."""
        if self._tone_pin is not None and self._tone_end is not None and now >= self._tone_end:
            self.write(self._tone_pin, 0)
