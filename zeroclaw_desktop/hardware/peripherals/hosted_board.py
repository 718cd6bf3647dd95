"""The board's side of the protocol (firmware/protocol/SPEC.md) for hardware that does not speak it itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from zeroclaw_desktop.contracts.boards import BoardProfile, PinProfile
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.peripherals.driver import ANALOG_STEPS_BITS, Driver, DriverError
from zeroclaw_desktop.hardware.peripherals.hosted_pins import HostedPins, pulse_us
from zeroclaw_desktop.hardware.simulator.pure_events import SUBSCRIPTIONS, TIME_MODULUS, Subscriptions
from zeroclaw_desktop.hardware.simulator.pure_line import LINE_BYTES, ReceivedLine, TransmitBuffer
from zeroclaw_desktop.hardware.simulator.pure_model import model_of
from zeroclaw_desktop.hardware.simulator.pure_protocol import (
    DONE,
    Command,
    Request,
    RequestRefusedError,
    Result,
    compact,
    event_line,
    failure_line,
    letter_and_number,
    read_request,
    success_line,
)

BUS_BYTES = 32
MAX_CHANNELS = 100
LINE_HOLDS_NOTHING_NS = 1_000_000_000
"""More than the transmit buffer of a serial line needs to empty; here is no such line."""
_log = logger("serial")
_LACKS = {"digital": "digital function", "analog": "ADC", "pwm": "PWM", "servo": "servo output"}
ALWAYS = ("ping", "capabilities", "state", "stop_all", "subscribe", "unsubscribe", "watchdog_host")


class HostedBoard:
    """Answers requests by a driver.

    Args:
        now: monotonic seconds.
    """

    def __init__(self, profile: BoardProfile, driver: Driver, now: Callable[[], float]) -> None:
        self._profile = profile
        self._model = model_of(profile)
        self._driver = driver
        self._now = now
        self._started = now()
        self._pins = HostedPins(profile, driver)
        self._transmit = TransmitBuffer()
        self._subscriptions = Subscriptions(self._measure, self._transmit)
        self._host_limit = 0
        self._host_heard = 0
        self._host_lost = False
        self._table = self._offered()

    @property
    def busy(self) -> bool:
        """Whether something is to be looked at often: a subscription or a tone that ends."""
        return self._subscriptions.active or self._pins.sounding

    # -- lines ----------------------------------------------------------------------------------------
    def answer(self, line: ReceivedLine) -> bytes:
        """The reply to a line; raises PortError when the hardware has gone."""
        try:
            request = read_request(line, self._model)
            self._host_heard, self._host_lost = self._milliseconds, False
            command = self._table.get(request.command)
            if command is None:
                raise request.refused("Unknown command", "unknown_command")
            return success_line(request, self._carry_out(request, command))
        except RequestRefusedError as error:
            return failure_line(error)

    @staticmethod
    def _carry_out(request: Request, command: Command) -> Result:
        try:
            return command(request)
        except DriverError as error:  # it stands between quotes, raw
            raise request.refused(json.dumps(error.message)[1:-1], error.reply_code) from error

    def poll(self) -> bytes:
        """What is due now: events, the end of a tone, the safe state when the host is silent.

        Raises PortError when the hardware has gone; what it refuses is logged and tried again.
        """
        self._transmit.drain(LINE_HOLDS_NOTHING_NS)
        try:
            self._pins.end_tones(self._now())
            self._watch_host()
            self._subscriptions.poll(self._milliseconds)
        except DriverError as error:
            _log.warning("The %s did not do what was due: %s", self._profile.name, error.message)
        return self._transmit.take()

    def _watch_host(self) -> None:
        silent = self._milliseconds - self._host_heard
        if self._host_limit and not self._host_lost and silent >= self._host_limit:
            self._host_lost = True
            stopped = self._pins.stop_all()
            self._transmit.put(event_line("host_lost", stopped=stopped, t=self._milliseconds % TIME_MODULUS))

    def make_safe(self) -> None:
        """Put the outputs into the safe state, as the line is about to be let go."""
        self._pins.stop_all()

    @property
    def _milliseconds(self) -> int:
        return round((self._now() - self._started) * 1000)

    # -- commands -------------------------------------------------------------------------------------
    def _offered(self) -> Mapping[str, Command]:
        everything: dict[str, Command] = {
            "ping": self._ping,
            "capabilities": self._capabilities,
            "state": self._state,
            "gpio_read": lambda request: str(self._pins.read(self._pin(request, "digital").number)),
            "gpio_write": self._gpio_write,
            "pin_mode": self._pin_mode,
            "adc_read": self._adc_read,
            "pwm_write": self._pwm_write,
            "servo_write": self._servo_write,
            "servo_detach": lambda request: self._release(request, "s"),
            "tone": self._tone,
            "no_tone": lambda request: self._release(request, "t"),
            "i2c_scan": self._i2c_scan,
            "i2c_read": self._i2c_read,
            "i2c_write": self._i2c_write,
            "spi_transfer": self._spi_transfer,
            "stop_all": lambda _request: {"stopped": self._pins.stop_all()},
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "watchdog_host": self._watchdog_host,
        }
        offered = (*ALWAYS, *self._driver.commands)
        return {name: command for name, command in everything.items() if name in offered}

    def _pin(self, request: Request, function: str, name: str = "pin") -> PinProfile:
        """The pin of a request, by number or by name; raises ``bad_value``, ``bad_pin``, ``unsupported``."""
        value = request.argument(name)
        text, number = value.text, value.integer
        if text is None and number is None:
            raise request.refused(f"{name} must be an integer", "bad_value")
        if text is not None:  # a name; a number between quotes is none
            pin = None if text.isdecimal() else self._profile.pin_named(text)
        else:
            pin = self._profile.pin(number or 0)
        said = value.raw.decode("utf-8", "replace").strip('"')
        if pin is None or pin.reserved:
            reserved = ": reserved" if pin is not None else ""
            raise request.refused(f"Invalid pin {said}{reserved}", "bad_pin")
        if function and function not in pin.functions:
            raise request.refused(f"Pin {said} has no {_LACKS[function]}", "unsupported")
        return pin

    def _output(self, request: Request, function: str) -> int:
        pin = self._pin(request, function)
        if pin.input_only:
            raise request.refused(f"Pin {pin.number} is an input only", "unsupported")
        return pin.number

    def _ping(self, _request: Request) -> Result:
        """The hardware is asked too, which feeds its own watchdog."""
        self._driver.alive()
        return "pong"

    def _gpio_write(self, request: Request) -> Result:
        pin, level = self._output(request, "digital"), request.number("value", 0, 1)
        self._pins.write(pin, level)
        return DONE

    def _pin_mode(self, request: Request) -> Result:
        mode = request.argument("mode").text or ""
        if mode not in ("input", "input_pullup", "output"):
            raise request.refused("mode must be input, input_pullup or output", "bad_value")
        if mode == "output":
            self._pins.make_output(self._output(request, "digital"))
        else:
            pin = self._pin(request, "digital").number
            self._pins.make_input(pin, pull_up=mode == "input_pullup")
        return DONE

    def _adc_read(self, request: Request) -> Result:
        if request.has("pin") and not request.has("channel"):
            return self._converted(self._pin(request, "analog").number)
        channel = request.number("channel", 0, max(self._channels(), default=0))
        pin = self._profile.pin_named(f"A{channel}")
        if pin is None or "analog" not in pin.functions:
            raise request.refused(f"There is no channel {channel}", "bad_value")
        return self._converted(pin.number)

    def _converted(self, pin: int) -> int:
        return self._driver.analog(pin) >> (ANALOG_STEPS_BITS - self._profile.adc_bits)

    def _pwm_write(self, request: Request) -> Result:
        pin, duty = self._output(request, "pwm"), request.number("duty", 0, 255)
        self._pins.pwm(pin, duty)
        return DONE

    def _servo_write(self, request: Request) -> Result:
        pin = self._output(request, "servo")
        pulse = request.number("us", 500, 2500) if request.has("us") else None
        self._pins.servo(pin, pulse_us(request.number("angle", 0, 180)) if pulse is None else pulse)
        return DONE

    def _tone(self, request: Request) -> Result:
        pin, hertz = self._output(request, "pwm"), request.number("hz", 31, 20_000)
        length = request.optional("ms", 0, 60_000, 0)
        self._pins.tone(pin, hertz, self._now() + length / 1000 if length else None)
        return DONE

    def _release(self, request: Request, mode: str) -> Result:
        self._pins.release(self._pin(request, "").number, mode)
        return DONE

    # -- buses ----------------------------------------------------------------------------------------
    def _check_free(self, request: Request, pins: Sequence[int], modes: str) -> None:
        """Raise ``conflict`` when a pin of a bus is in use for something else (SPEC.md, Buses)."""
        for pin in pins:
            if self._pins.mode(pin) in modes:
                raise request.refused(f"Pin {pin} is in use", "conflict")

    def _i2c_scan(self, request: Request) -> Result:
        self._check_free(request, self._with("i2c"), "opst")
        return {"found": list(self._driver.i2c_scan())}

    def _i2c_read(self, request: Request) -> Result:
        address, count = request.number("addr", 8, 119), request.number("count", 1, BUS_BYTES)
        self._check_free(request, self._with("i2c"), "opst")
        return self._driver.i2c_read(address, self._register(request), count).hex()

    @staticmethod
    def _register(request: Request) -> bytes:
        """``reg``: a number is one byte, else 1 to 4 bytes; b'' when it is missing."""
        if not request.has("reg"):
            return b""
        if request.argument("reg").integer is not None:
            return bytes([request.number("reg", 0, 255)])
        return request.byte_string("reg", 4)

    def _i2c_write(self, request: Request) -> Result:
        address, data = request.number("addr", 8, 119), request.byte_string("data", BUS_BYTES)
        self._check_free(request, self._with("i2c"), "opst")
        self._driver.i2c_write(address, data)
        return DONE

    def _spi_transfer(self, request: Request) -> Result:
        select, data = self._pin(request, "digital", "cs").number, request.byte_string("data", BUS_BYTES)
        mode = request.optional("mode", 0, 3, 0)
        hertz = request.optional("hz", 125_000, 8_000_000, 1_000_000)
        wiring = self._profile.wiring.spi
        wires = () if wiring is None else (wiring.clock_pin, wiring.out_pin, wiring.in_pin)
        self._check_free(request, (*wires, select), "pst")
        answer = self._driver.spi_transfer(select, data, mode, hertz)
        self._pins.note_outputs(self._driver.spi_leaves(select))
        return answer.hex()

    # -- events and the host watchdog -----------------------------------------------------------------
    def _signal(self, request: Request) -> str:
        """A signal of the board: ``a0``, ``d13``, ``uptime``; raises ``bad_value``."""
        value = request.argument("signal")
        if value.text == "uptime":
            return "uptime"
        letter, number = letter_and_number(value.raw)
        pin = self._profile.pin_named(f"A{number}") if letter == "a" else self._profile.pin(number)
        function = {"a": "analog", "d": "digital"}.get(letter, "")
        command = {"a": "adc_read", "d": "gpio_read"}.get(letter, "")
        if pin is None or pin.reserved or function not in pin.functions or command not in self._table:
            raise request.refused("Unknown signal", "bad_value")
        return f"{letter}{number}"

    def _measure(self, signal: str) -> int:
        if signal == "uptime":
            return self._milliseconds % TIME_MODULUS
        number = int(signal[1:])
        if signal[0] == "d":
            return self._pins.read(number)
        pin = self._profile.pin_named(f"A{number}")
        return self._converted(pin.number) if pin is not None else 0

    def _subscribe(self, request: Request) -> Result:
        signal, period = self._signal(request), 0
        if not signal.startswith("d") or request.has("period_ms"):
            period = request.number("period_ms", 5, 3_600_000)
        if not self._subscriptions.subscribe(signal, period, self._milliseconds):
            raise request.refused("No free subscription", "full")
        return DONE

    def _unsubscribe(self, request: Request) -> Result:
        signal = self._signal(request) if request.has("signal") else None
        return {"ended": self._subscriptions.unsubscribe(signal)}

    def _watchdog_host(self, request: Request) -> Result:
        milliseconds = request.number("ms", 0, 600_000)
        if 0 < milliseconds < 100:
            raise request.refused("ms must be 0 or from 100 to 600000", "bad_value")
        self._driver.guard(milliseconds)
        self._host_limit = milliseconds
        return DONE

    # -- the board as a whole -------------------------------------------------------------------------
    def _with(self, function: str) -> list[int]:
        pins = (pin for pin in self._profile.pins if function in pin.functions and not pin.reserved)
        return [pin.number for pin in pins]

    def _channels(self) -> list[int]:
        named = (self._profile.pin_named(f"A{channel}") for channel in range(MAX_CHANNELS))
        return [channel for channel, pin in enumerate(named) if pin is not None and "analog" in pin.functions]

    def _capabilities(self, _request: Request) -> Result:
        """An object inside a string, as upstream hosts expect it."""
        name, version = self._driver.firmware
        facts = {
            "gpio": self._with("digital"),
            "led_pin": -1 if self._profile.led_pin is None else self._profile.led_pin,
            "adc": self._channels() if "adc_read" in self._table else [],
            "adc_bits": self._profile.adc_bits,
            "pwm": self._with("pwm") if "pwm_write" in self._table else [],
            "servo": self._with("servo") if "servo_write" in self._table else [],
            "i2c": self._with("i2c") if "i2c_read" in self._table else [],
            "spi": self._with("spi") if "spi_transfer" in self._table else [],
            "proto": 1,
            "fw": name,
            "version": version,
            "board": self._profile.key,
            "window": 1,
            "window_bytes": LINE_BYTES + 1,
            "line_max": LINE_BYTES,
            "subscriptions": SUBSCRIPTIONS,
            "watchdog_ms": 0,
            "commands": list(self._table),
        }
        return compact(facts).decode()

    def _state(self, _request: Request) -> Result:
        return {
            **self._pins.state(),
            "host_ms": self._host_limit,
            "dropped": self._subscriptions.dropped,
            "t": self._milliseconds % TIME_MODULUS,
        }
