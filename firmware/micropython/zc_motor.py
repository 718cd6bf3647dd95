"""Direct-current motors: a PWM pin and, where the driver has one, a direction pin; see SPEC.md, Motors.

A motor belongs to this table only as long as its pin carries the PWM that was put there last: stop_all, the
host watchdog and every other command that takes the pin end it by that alone.
"""

from zc_protocol import Refused

PLACES = 2
RAMP_MAX_MS = 10000


class Motors:
    """Two of them."""

    def __init__(self, pins, board):
        self._pins = pins
        self._board = board
        self._running = {}  # pin: [direction pin, direction, first, target, shown, begun_ms, ramp_ms]

    def _keep_running(self):
        for pin in list(self._running):
            if self._pins.mode(pin) != "p" or self._pins.value(pin) != self._running[pin][4]:
                del self._running[pin]

    def _ramp(self, pin, target, ramp_ms, now):
        motor = self._running[pin]
        motor[2:4] = [motor[4], target]
        motor[5:7] = [now, ramp_ms]
        if ramp_ms == 0:
            self._show(pin, target)

    def _show(self, pin, duty):
        motor = self._running[pin]
        motor[4] = duty
        if duty == 0 and motor[3] == 0:
            del self._running[pin]
            self._pins.write(pin, 0)
        else:
            self._pins.pwm(pin, duty)

    def poll(self, now):
        """Move the ramps on."""
        if not self._running:
            return
        self._keep_running()
        for pin in list(self._running):
            _, _, first, target, shown, begun, ramp = self._running[pin]
            if shown == target and target:
                continue
            passed = now - begun
            # towards zero, as in C, so that both ways are alike
            way = abs(target - first) * passed // ramp if ramp else 0
            duty = target if passed >= ramp else first + (way if target > first else -way)
            if duty != shown or passed >= ramp:
                self._show(pin, duty)

    def start(self, request, now):
        """motor_start"""
        pin = request.pin()
        duty = request.number("duty", 1, 255)
        direction = request.optional("direction", 0, 1, 0)
        ramp_ms = request.optional("ramp_ms", 0, RAMP_MAX_MS, 0)
        other = request.pin("dir_pin") if request.has("dir_pin") else None
        if other == pin or (other is None and direction):
            raise Refused("direction needs a dir_pin of its own", "bad_value")
        self._keep_running()
        motor = self._running.get(pin)
        if motor is None:
            self._take(request, pin, other, direction)
        elif motor[0] != other or motor[1] != direction:
            raise Refused("The motor runs the other way: stop it first", "conflict")
        self._ramp(pin, duty, ramp_ms, now)
        return b'"done"'

    def _take(self, request, pin, other, direction):
        directions = [motor[0] for motor in self._running.values()]
        if other is not None:
            request.checked_output(other)
            if self._pins.has_timer(other) or other in directions:
                raise Refused("Pin %d is in use" % other, "conflict")
        if pin in directions:
            raise Refused("Pin %d is in use" % pin, "conflict")
        if len(self._running) >= PLACES:
            raise Refused("No free motor", "full")
        if pin not in self._board.PWM:
            raise Refused("Pin %d has no PWM" % pin, "unsupported")
        self._pins.pwm(pin, 0)
        if other is not None:
            self._pins.write(other, direction)
        self._running[pin] = [other, direction, 0, 0, 0, 0, 0]

    def stop(self, request, now):
        """motor_stop"""
        pin = request.pin()
        ramp_ms = request.optional("ramp_ms", 0, RAMP_MAX_MS, 0)
        self._keep_running()
        if pin in self._running:
            self._ramp(pin, 0, ramp_ms, now)
        elif self._pins.mode(pin) == "p":  # pwm_write has taken the pin meanwhile: it must stop all the same
            self._pins.write(pin, 0)
        return b'"done"'
