"""The commands of the simplified board (SPEC.md, Commands): each takes a request and returns its result.

All arguments are read before anything changes, so a refused request leaves the board as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from zeroclaw_desktop.hardware.simulator.pure_events import (
    SUBSCRIPTIONS,
    TIME_MODULUS,
    Subscriptions,
    signal_by_name,
)
from zeroclaw_desktop.hardware.simulator.pure_line import LINE_BYTES
from zeroclaw_desktop.hardware.simulator.pure_model import PureModel
from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode, Pins, TimerConflictError
from zeroclaw_desktop.hardware.simulator.pure_protocol import (
    DONE,
    Command,
    Request,
    Result,
    compact,
)

FIRMWARE_NAME = "zeroclaw-simplified"
FIRMWARE_VERSION = "1.1.0"
"""Version of the firmware whose behaviour this board has."""
PROTOCOL_VERSION = 1
WINDOW_BYTES = 255
REQUEST_BYTES = 60
SERVO_0_US, SERVO_180_US = 544, 2_400
"""Pulse widths at 0 and 180 degrees (SPEC.md, servo_write)."""
_MODES = {"input": PinMode.INPUT, "input_pullup": PinMode.PULLUP, "output": PinMode.OUTPUT}


class CommandBoard(Protocol):
    """What the commands need of the board."""

    model: PureModel
    pins: Pins
    subscriptions: Subscriptions
    host_limit: int
    """Host watchdog in milliseconds, 0 when it is off."""

    @property
    def milliseconds(self) -> int:
        """Time since the start."""

    def measure(self, signal: str) -> int:
        """Value of a signal now."""

    def request_restart(self) -> None:
        """Restart as soon as the reply has gone."""


class Commands:
    """The command set of one board.

    Args:
        extra: commands of its buses and motors.
    """

    def __init__(self, board: CommandBoard, extra: Mapping[str, Command]) -> None:
        self._board = board
        self._pins = board.pins
        self._model = board.model
        self._table: dict[str, Command] = {
            "ping": lambda _request: "pong",
            "capabilities": self._capabilities,
            "state": self._state,
            "gpio_read": self._gpio_read,
            "gpio_write": self._gpio_write,
            "pin_mode": self._pin_mode,
            "adc_read": self._adc_read,
            "pwm_write": self._pwm_write,
            "servo_write": self._servo_write,
            "servo_detach": lambda request: self._release(request, PinMode.SERVO),
            "tone": self._tone,
            "no_tone": lambda request: self._release(request, PinMode.TONE),
            **extra,
            "stop_all": lambda _request: {"stopped": self._pins.stop_all()},
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "watchdog_host": self._watchdog_host,
            "board_reset": self._board_reset,
        }

    def run(self, request: Request) -> Result:
        """Carry out a request.

        Raises:
            RequestRefusedError: it cannot be done; nothing changed.
        """
        command = self._table.get(request.command)
        if command is None:
            raise request.refused("Unknown command", "unknown_command")
        return command(request)

    # -- pins -----------------------------------------------------------------------------------------
    def _gpio_read(self, request: Request) -> Result:
        return str(self._pins.level(request.digital_pin()))

    def _gpio_write(self, request: Request) -> Result:
        self._pins.write(request.output_pin(), request.number("value", 0, 1))
        return DONE

    def _pin_mode(self, request: Request) -> Result:
        pin = request.digital_pin()
        mode = _MODES.get(request.argument("mode").text or "")
        if mode is None:
            raise request.refused("mode must be input, input_pullup or output", "bad_value")
        if pin in self._model.input_only and mode is not PinMode.INPUT:
            raise request.refused(f"Pin {pin} is input only, without pull-up", "unsupported")
        self._pins.set_mode(pin, mode)
        return DONE

    def _adc_read(self, request: Request) -> Result:
        if request.has("pin") and not request.has("channel"):
            pin = request.pin()
            channel = self._model.channel_of(pin)
            if channel is None:
                raise request.refused(f"Pin {pin} has no ADC", "unsupported")
            return self._board.measure(f"a{channel}")
        channel = request.number("channel", 0, max(self._model.channels, default=0))
        if channel not in self._model.channels:
            raise request.refused(f"There is no channel {channel}", "bad_value")
        return self._board.measure(f"a{channel}")

    def _pwm_write(self, request: Request) -> Result:
        pin, duty = request.output_pin(), request.number("duty", 0, 255)
        if pin not in self._model.pwm_pins:
            raise request.refused(f"Pin {pin} has no PWM", "unsupported")
        return self._with_timer(request, pin, lambda: self._pins.pwm(pin, duty))

    def _servo_write(self, request: Request) -> Result:
        pin = request.output_pin()
        if request.has("us"):
            pulse = request.number("us", 500, 2500)
        else:
            angle = request.number("angle", 0, 180)
            pulse = SERVO_0_US + (angle * (SERVO_180_US - SERVO_0_US) + 90) // 180
        if pin not in self._model.servo_pins:
            raise request.refused(f"Pin {pin} has no servo output", "unsupported")
        return self._with_timer(request, pin, lambda: self._pins.servo(pin, pulse))

    def _tone(self, request: Request) -> Result:
        pin, hertz = request.output_pin(), request.number("hz", 31, 20_000)
        length = request.number("ms", 0, 60_000) if request.has("ms") else 0
        end = self._board.milliseconds + length if length else None
        return self._with_timer(request, pin, lambda: self._pins.tone(pin, hertz, end))

    @staticmethod
    def _with_timer(request: Request, pin: int, act: Callable[[], None]) -> Result:
        try:
            act()
        except TimerConflictError as error:
            raise request.refused(f"Pin {pin}: its timer is in use", "conflict") from error
        return DONE

    def _release(self, request: Request, mode: PinMode) -> Result:
        """End a servo or a tone; the pin stays an output, low."""
        pin = request.pin()
        if self._pins.mode(pin) is mode:
            self._pins.write(pin, 0)
        return DONE

    # -- events and the host watchdog -----------------------------------------------------------------
    @staticmethod
    def _signal(request: Request) -> str:
        signal = signal_by_name(request.argument("signal"), request.model)
        if signal is None:
            raise request.refused("Unknown signal", "bad_value")
        return signal

    def _subscribe(self, request: Request) -> Result:
        signal, period = self._signal(request), 0
        if not signal.startswith("d") or request.has("period_ms"):
            period = request.number("period_ms", 5, 3_600_000)
        if not self._board.subscriptions.subscribe(signal, period, self._board.milliseconds):
            raise request.refused("No free subscription", "full")
        return DONE

    def _unsubscribe(self, request: Request) -> Result:
        signal = self._signal(request) if request.has("signal") else None
        return {"ended": self._board.subscriptions.unsubscribe(signal)}

    def _watchdog_host(self, request: Request) -> Result:
        milliseconds = request.number("ms", 0, 600_000)
        if 0 < milliseconds < 100:
            raise request.refused("ms must be 0 or from 100 to 600000", "bad_value")
        self._board.host_limit = milliseconds
        return DONE

    def _board_reset(self, _request: Request) -> Result:
        self._pins.stop_all()
        self._board.request_restart()
        return DONE

    # -- the board as a whole -------------------------------------------------------------------------
    def _capabilities(self, _request: Request) -> Result:
        """An object inside a string, as upstream hosts expect it."""
        model = self._model
        digital = [pin for pin in model.pins if pin not in model.analog_only]
        facts = {
            "gpio": digital,
            **({} if model.led_pin is None else {"led_pin": model.led_pin}),
            "adc": list(model.channels),
            "adc_bits": model.adc_bits,
            "pwm": model.pwm_pins,
            "servo": model.servo_pins,
            "i2c": model.i2c_pins,
            "spi": model.spi_pins,
            "uart": digital,
            "proto": PROTOCOL_VERSION,
            "fw": FIRMWARE_NAME,
            "version": FIRMWARE_VERSION,
            "board": model.key,
            "window": WINDOW_BYTES // REQUEST_BYTES,
            "window_bytes": WINDOW_BYTES,
            "line_max": LINE_BYTES,
            "subscriptions": SUBSCRIPTIONS,
            "watchdog_ms": 0,
            "commands": list(self._table),
        }
        return compact(facts).decode()

    def _state(self, _request: Request) -> Result:
        modes = [self._pins.mode(pin) for pin in range(self._model.places)]
        levels = [
            "-" if mode is PinMode.RESERVED else str(self._pins.level(pin)) for pin, mode in enumerate(modes)
        ]
        return {
            "mode": "".join(modes),
            "level": "".join(levels),
            "pwm": self._pins.values(PinMode.PWM),
            "servo": self._pins.values(PinMode.SERVO),
            "tone": self._pins.values(PinMode.TONE),
            "host_ms": self._board.host_limit,
            "dropped": self._board.subscriptions.dropped,
            "t": self._board.milliseconds % TIME_MODULUS,
        }
