"""The commands: each takes a request and returns its result as JSON text; see the table in SPEC.md."""

import json

import zc_bus
import zc_json
from zc_events import MODULUS, PERIOD_MAX_MS, PERIOD_MIN_MS, PLACES, Events
from zc_motor import Motors
from zc_pins import ADC_BITS, Pins
from zc_protocol import LINE_MAX, Line, Refused
from zc_version import FIRMWARE, PROTOCOL, VERSION

DONE = b'"done"'
SERVO_0_US, SERVO_180_US = 544, 2400
WINDOW_BYTES = 255
REQUEST_BYTES = 60
_MODES = {"input": "i", "input_pullup": "u", "output": "o"}


class Board:
    """The firmware: give it the received bytes and call poll() about every millisecond.

    put: writes bytes to the host.
    board: module with the board's numbers, see zc_board.py.
    now: function that gives milliseconds since the start, without an end.
    restart: restarts the board; called when the reply has gone.
    """

    def __init__(self, put, board, now, restart):
        self._put = put
        self._board = board
        self._now = now
        self._restart = restart
        self._restart_wanted = False
        self.pins = Pins(board, now)
        self._events = Events(put, self.pins, board)
        self._motors = Motors(self.pins, board)
        self._line = Line(put, self._run, board)
        self._host_limit = 0
        self._host_heard = 0
        self._host_lost = False
        self._polled = now()

    def start(self, reset_cause):
        """Send the boot event."""
        text = '{"evt":"boot","fw":"%s","version":"%s","reset":"%s"}\n'
        self._put((text % (FIRMWARE, VERSION, reset_cause)).encode())

    def receive(self, byte):
        """Take one byte from the line."""
        self._line.receive(byte)
        if self._restart_wanted:
            self._restart_wanted = False
            self._restart()

    def poll(self):
        """Do what is due by the clock."""
        now = self._now()
        if now == self._polled:
            return
        self._polled = now
        if self._host_limit and not self._host_lost and now - self._host_heard >= self._host_limit:
            self._host_lost = True
            stopped = self.pins.stop_all()
            self._put(b'{"evt":"host_lost","stopped":%d,"t":%d}\n' % (stopped, now % MODULUS))
        self.pins.poll(now)
        self._motors.poll(now)
        self._events.poll(now)

    def _run(self, request):
        self._host_heard = self._now()
        self._host_lost = False
        for name, function in COMMANDS:
            if name == request.command:
                return function(self, request)
        raise Refused("Unknown command", "unknown_command")

    # -- pins ---------------------------------------------------------------------------------------
    def _gpio_read(self, request):
        return b'"1"' if self.pins.level(request.pin()) else b'"0"'

    def _gpio_write(self, request):
        pin, level = request.pin(), request.number("value", 0, 1)
        self.pins.write(request.checked_output(pin), level)
        return DONE

    def _pin_mode(self, request):
        pin = request.pin()
        mode = _MODES.get(request.text("mode"))
        if mode is None:
            raise Refused("mode must be input, input_pullup or output", "bad_value")
        if mode == "o":
            request.checked_output(pin)
        if mode == "u" and pin in self._board.NO_PULL_UP:
            raise Refused("Pin %d has no pull-up" % pin, "unsupported")
        self.pins.set_mode(pin, mode)
        return DONE

    def _adc_read(self, request):
        channels = self._board.ANALOG
        if request.has("pin") and not request.has("channel"):
            pin, written = request.any_pin("pin")
            if pin in channels:
                return str(self.pins.analog(channels.index(pin))).encode()
            if pin not in self._board.GPIO:
                raise request.reserved(pin, written)
            raise Refused("Pin %d has no ADC" % pin, "unsupported")
        channel = request.number("channel", 0, len(channels) - 1)
        if channels[channel] is None:
            raise Refused("The board has no such channel", "bad_value")
        return str(self.pins.analog(channel)).encode()

    def _pwm_write(self, request):
        pin, duty = request.pin(), request.number("duty", 0, 255)
        if pin not in self._board.PWM:
            raise Refused("Pin %d has no PWM" % pin, "unsupported")
        self.pins.pwm(pin, duty)
        return DONE

    def _servo_write(self, request):
        pin = request.pin()
        if request.has("us"):
            pulse = request.number("us", 500, 2500)
        else:
            angle = request.number("angle", 0, 180)
            pulse = SERVO_0_US + (angle * (SERVO_180_US - SERVO_0_US) + 90) // 180
        if pin not in self._board.SERVO:
            raise Refused("Pin %d has no servo output" % pin, "unsupported")
        self.pins.servo(pin, pulse)
        return DONE

    def _release(self, request, mode):
        pin = request.pin()
        if self.pins.mode(pin) == mode:
            self.pins.write(pin, 0)
        return DONE

    def _tone(self, request):
        pin, hertz = request.pin(), request.number("hz", 31, 20000)
        length = request.optional("ms", 0, 60000, 0)
        request.checked_output(pin)
        if pin not in self._board.TONE:
            raise Refused("Pin %d has no tone output" % pin, "unsupported")
        self.pins.tone(pin, hertz, length)
        return DONE

    def _stop_all(self, request):
        return b'{"stopped":%d}' % self.pins.stop_all()

    # -- events and the host watchdog ---------------------------------------------------------------
    def _signal(self, request):
        value = request.argument("signal")
        raw = str(request.line[value[1] : value[2]], "utf-8")
        if value[0] == "s" and zc_json.text(request.line, value) == "uptime":
            return "uptime"
        signal = self._events.signal(raw)
        if signal is None:
            raise Refused("Unknown signal", "bad_value")
        return signal

    def _subscribe(self, request):
        signal, period = self._signal(request), 0
        if signal[0] != "d" or request.has("period_ms"):
            period = request.number("period_ms", PERIOD_MIN_MS, PERIOD_MAX_MS)
        if not self._events.subscribe(signal, period, self._now()):
            raise Refused("No free subscription", "full")
        return DONE

    def _unsubscribe(self, request):
        signal = self._signal(request) if request.has("signal") else None
        return b'{"ended":%d}' % self._events.unsubscribe(signal)

    def _watchdog_host(self, request):
        limit = request.number("ms", 0, 600000)
        if 0 < limit < 100:
            raise Refused("ms must be 0 or from 100 to 600000", "bad_value")
        self._host_limit = limit
        return DONE

    def _board_reset(self, request):
        self.pins.stop_all()
        self._restart_wanted = True
        return DONE

    # -- the board as a whole -----------------------------------------------------------------------
    def _capabilities(self, request):
        board = self._board
        facts = {
            "gpio": list(board.GPIO),
            "led_pin": -1 if board.LED is None else board.LED,
            "adc": [channel for channel, pin in enumerate(board.ANALOG) if pin is not None],
            "adc_bits": ADC_BITS,
            "pwm": list(board.PWM),
            "servo": list(board.SERVO),
            "i2c": sorted(board.I2C.values()),
            "spi": sorted(board.SPI.values()),
            "uart": [],
            "proto": PROTOCOL,
            "fw": FIRMWARE,
            "version": VERSION,
            "board": board.NAME,
            "window": WINDOW_BYTES // REQUEST_BYTES,
            "window_bytes": WINDOW_BYTES,
            "line_max": LINE_MAX,
            "subscriptions": PLACES,
            "watchdog_ms": 0,
            "commands": [name for name, _ in COMMANDS],
        }
        return json.dumps(json.dumps(facts).replace(", ", ",").replace(": ", ":")).encode()

    def _state(self, request):
        modes = [self.pins.mode(pin) for pin in range(self._board.PIN_COUNT)]
        levels = ["-" if mode == "-" else str(self.pins.level(pin)) for pin, mode in enumerate(modes)]
        facts = ['{"mode":"%s","level":"%s"' % ("".join(modes), "".join(levels))]
        for key, letter in (("pwm", "p"), ("servo", "s"), ("tone", "t")):
            pairs = [
                '"%d":%d' % (pin, self.pins.value(pin)) for pin, mode in enumerate(modes) if mode == letter
            ]
            facts.append('"%s":{%s}' % (key, ",".join(pairs)))
        facts.append('"host_ms":%d,"dropped":%d' % (self._host_limit, self._events.dropped))
        facts.append('"t":%d}' % (self._now() % MODULUS))
        return ",".join(facts).encode()


COMMANDS = (
    ("ping", lambda board, request: b'"pong"'),
    ("capabilities", Board._capabilities),
    ("state", Board._state),
    ("gpio_read", Board._gpio_read),
    ("gpio_write", Board._gpio_write),
    ("pin_mode", Board._pin_mode),
    ("adc_read", Board._adc_read),
    ("pwm_write", Board._pwm_write),
    ("servo_write", Board._servo_write),
    ("servo_detach", lambda board, request: board._release(request, "s")),
    ("tone", Board._tone),
    ("no_tone", lambda board, request: board._release(request, "t")),
    ("i2c_scan", lambda board, request: zc_bus.run_i2c_scan(board._board, board.pins, request)),
    ("i2c_read", lambda board, request: zc_bus.run_i2c_read(board._board, board.pins, request)),
    ("i2c_write", lambda board, request: zc_bus.run_i2c_write(board._board, board.pins, request)),
    ("spi_transfer", lambda board, request: zc_bus.run_spi_transfer(board._board, board.pins, request)),
    ("motor_start", lambda board, request: board._motors.start(request, board._now())),
    ("motor_stop", lambda board, request: board._motors.stop(request, board._now())),
    ("stop_all", Board._stop_all),
    ("subscribe", Board._subscribe),
    ("unsubscribe", Board._unsubscribe),
    ("watchdog_host", Board._watchdog_host),
    ("board_reset", Board._board_reset),
)
