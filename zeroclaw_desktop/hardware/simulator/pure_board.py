"""A simulated board in plain Python: the same protocol, no firmware inside and no flashing.

It takes the place of the real simulation where ``wasmtime`` cannot be installed, and says so: its firmware is
called ``zeroclaw-simplified``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from zeroclaw_desktop.hardware.simulator.machine import PIN_COUNT, Snapshot

ADC_MAX = 1023
REFERENCE_VOLTS = 5.0
BOOT_SECONDS = 0.2
PWM_PINS = (3, 5, 6, 9, 10, 11)
SERVO_PINS = (9, 10)
PWM_HERTZ = {5: 976.56, 6: 976.56}
LINE_BYTES = 255
_MODE_NAMES = {"i": "input", "u": "input_pullup"}


class ProtocolError(Exception):
    """The request cannot be done; the text is the protocol's error."""


class PureBoard:
    """An Uno as its host sees it."""

    kind = "pure"

    def __init__(self) -> None:
        self._now = 0.0
        self._volts = [0.0] * 6
        self._external: dict[int, int] = {}
        self._edges: list[tuple[float, int, int]] = []
        self._output = bytearray()
        self._line = bytearray()
        self._commands: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "ping": lambda _args: "pong",
            "capabilities": self._capabilities,
            "state": self._state,
            "gpio_read": lambda args: str(self._level(self._pin(args))),
            "gpio_write": self._gpio_write,
            "pin_mode": self._pin_mode,
            "adc_read": self._adc_read,
            "pwm_write": self._pwm_write,
            "servo_write": self._servo_write,
            "servo_detach": self._release,
            "tone": self._tone,
            "no_tone": self._release,
            "stop_all": self._stop_all,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "board_reset": lambda _args: self._reset_later(),
        }
        self.reset("power")

    # -- SimulatedMachine -----------------------------------------------------------------------------
    def reset(self, cause: str) -> None:
        """See SimulatedMachine."""
        self._modes = ["i"] * PIN_COUNT
        self._latches = [0] * PIN_COUNT
        self._pwm: dict[int, int] = {}
        self._servo: dict[int, int] = {}
        self._subscriptions: dict[str, list[float]] = {}
        self._started = self._now + BOOT_SECONDS
        self._boot_cause: str | None = cause
        self._line.clear()

    def advance(self, seconds: float) -> None:
        """See SimulatedMachine."""
        self._now += seconds
        if self._now < self._started:
            return
        if self._boot_cause is not None:
            self._send(
                {"evt": "boot", "fw": "zeroclaw-simplified", "version": "1", "reset": self._boot_cause}
            )
            self._boot_cause = None
        for signal, due in self._subscriptions.items():
            period, next_time = due
            if self._now >= next_time:
                due[1] = max(next_time + period, self._now)
                self._send(
                    {
                        "evt": "telemetry",
                        "signal": signal,
                        "value": self._measure(signal),
                        "t": self._millis(),
                    }
                )

    def receive(self, data: bytes) -> None:
        """See SimulatedMachine."""
        for byte in data:
            if byte in b"\r\n":
                if self._line:
                    self._run_line(bytes(self._line))
                self._line.clear()
            else:
                self._line.append(byte)

    def transmitted(self) -> bytes:
        """See SimulatedMachine."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def drive_pin(self, pin: int, level: int | None) -> None:
        """See SimulatedMachine."""
        before = self._level(pin)
        if level is None:
            self._external.pop(pin, None)
        else:
            self._external[pin] = level
        if self._level(pin) != before and f"d{pin}" in self._subscriptions:
            self._send({"evt": "change", "signal": f"d{pin}", "value": self._level(pin), "t": self._millis()})

    def set_volts(self, channel: int, volts: float) -> None:
        """See SimulatedMachine."""
        self._volts[channel] = volts

    def snapshot(self) -> Snapshot:
        """See SimulatedMachine."""
        pwm = {pin: (PWM_HERTZ.get(pin, 490.2), duty / 255) for pin, duty in self._pwm.items()}
        modes = tuple(_MODE_NAMES.get(mode, "output") for mode in self._modes)
        return Snapshot(tuple(self._level(pin) for pin in range(PIN_COUNT)), modes, pwm)

    def take_edges(self) -> tuple[list[tuple[float, int, int]], int]:
        """See SimulatedMachine."""
        edges, self._edges = self._edges, []
        return edges, 0

    # -- protocol -------------------------------------------------------------------------------------
    def _run_line(self, line: bytes) -> None:
        if len(line) > LINE_BYTES:
            self._send({"id": None, "ok": False, "error": "Line too long", "code": "line_too_long"})
            return
        try:
            row = json.loads(line)
            request_id, command, args = row["id"], row["cmd"], row.get("args") or {}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._send({"id": None, "ok": False, "error": "Bad JSON", "code": "bad_json"})
            return
        run = self._commands.get(command) if isinstance(command, str) else None
        try:
            if run is None:
                raise ProtocolError(f"Unknown command {command}")
            self._send({"id": request_id, "ok": True, "result": run(args if isinstance(args, dict) else {})})
        except ProtocolError as error:
            self._send({"id": request_id, "ok": False, "error": str(error)})

    def _send(self, row: Mapping[str, Any]) -> None:
        self._output += json.dumps(row, separators=(",", ":")).encode() + b"\n"

    def _millis(self) -> int:
        return int((self._now - self._started) * 1000)

    def _number(self, args: Mapping[str, Any], name: str, low: int, high: int) -> int:
        value = args.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ProtocolError(f"{name} must be {low} to {high}")
        return value

    def _pin(self, args: Mapping[str, Any]) -> int:
        value = args.get("pin")
        if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value < PIN_COUNT:
            raise ProtocolError(f"Invalid pin {value}")
        return value

    def _level(self, pin: int) -> int:
        if self._modes[pin] not in "iu":
            return self._latches[pin]
        return self._external.get(pin, 1 if self._modes[pin] == "u" else 0)

    def _set_output(self, pin: int, level: int, mode: str = "o") -> None:
        before = self._level(pin)
        self._modes[pin] = mode
        self._latches[pin] = level
        if mode != "p":
            self._pwm.pop(pin, None)
        if mode != "s":
            self._servo.pop(pin, None)
        if level != before:
            self._edges.append((self._now, pin, level))

    def _gpio_write(self, args: Mapping[str, Any]) -> str:
        self._set_output(self._pin(args), self._number(args, "value", 0, 1))
        return "done"

    def _pin_mode(self, args: Mapping[str, Any]) -> str:
        pin, mode = self._pin(args), args.get("mode")
        letters = {"input": "i", "input_pullup": "u", "output": "o"}
        if mode not in letters:
            raise ProtocolError("mode must be input, input_pullup or output")
        self._set_output(pin, self._latches[pin] if mode == "output" else 0, letters[str(mode)])
        return "done"

    def _adc_read(self, args: Mapping[str, Any]) -> int:
        return self._measure(f"a{self._number(args, 'channel', 0, 5)}")

    def _measure(self, signal: str) -> int:
        if signal == "uptime":
            return self._millis()
        if signal[0] == "d":
            return self._level(int(signal[1:]))
        volts = self._volts[int(signal[1:])]
        return max(0, min(ADC_MAX, int(volts * 1024 / REFERENCE_VOLTS)))

    def _pwm_write(self, args: Mapping[str, Any]) -> str:
        pin, duty = self._pin(args), self._number(args, "duty", 0, 255)
        if pin not in PWM_PINS:
            raise ProtocolError(f"Pin {pin} has no PWM")
        self._set_output(pin, 1 if duty == 255 else 0, "p")
        self._pwm[pin] = duty
        return "done"

    def _servo_write(self, args: Mapping[str, Any]) -> str:
        pin = self._pin(args)
        if pin not in SERVO_PINS:
            raise ProtocolError(f"Pin {pin} has no servo output")
        angle = self._number(args, "angle", 0, 180)
        self._set_output(pin, 0, "s")
        self._servo[pin] = 544 + round(angle * 1856 / 180)
        return "done"

    def _tone(self, args: Mapping[str, Any]) -> str:
        self._number(args, "hz", 31, 20_000)
        self._set_output(self._pin(args), 0, "o")
        return "done"

    def _release(self, args: Mapping[str, Any]) -> str:
        self._set_output(self._pin(args), 0)
        return "done"

    def _stop_all(self, _args: Mapping[str, Any]) -> dict[str, int]:
        driven = [pin for pin in range(PIN_COUNT) if self._modes[pin] not in "iu"]
        for pin in driven:
            self._set_output(pin, 0)
        return {"stopped": len(driven)}

    def _subscribe(self, args: Mapping[str, Any]) -> str:
        signal = str(args.get("signal", ""))
        known = signal == "uptime" or (
            signal[:1] in "ad" and signal[1:].isdigit() and int(signal[1:]) < (6 if signal[0] == "a" else 20)
        )
        if not known:
            raise ProtocolError("Unknown signal")
        period = args.get("period_ms", 100 if signal[0] != "d" else 3_600_000)
        self._subscriptions[signal] = [max(0.005, float(period) / 1000), self._now]
        return "done"

    def _unsubscribe(self, args: Mapping[str, Any]) -> dict[str, int]:
        signal = args.get("signal")
        ended = [name for name in self._subscriptions if signal is None or name == signal]
        for name in ended:
            del self._subscriptions[name]
        return {"ended": len(ended)}

    def _reset_later(self) -> str:
        self.reset("watchdog")
        return "done"

    def _capabilities(self, _args: Mapping[str, Any]) -> str:
        return json.dumps(
            {
                "gpio": list(range(2, PIN_COUNT)),
                "led_pin": 13,
                "pwm": PWM_PINS,
                "servo": SERVO_PINS,
                "fw": "zeroclaw-simplified",
                "version": "1",
                "window": 4,
                "commands": list(self._commands),
            }
        )

    def _state(self, _args: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "mode": "--" + "".join(self._modes[2:]),
            "level": "--" + "".join(str(self._level(pin)) for pin in range(2, PIN_COUNT)),
            "pwm": {str(pin): duty for pin, duty in self._pwm.items()},
            "servo": {str(pin): pulse for pin, pulse in self._servo.items()},
            "t": self._millis(),
        }
