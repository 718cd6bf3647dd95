"""A simulated board in plain Python: the whole protocol of firmware/protocol/SPEC.md, no firmware inside.

It takes the place of the real simulation where ``wasmtime`` cannot be installed, and stands for every kind of
board that has a board file but no core here (``pure_model``). It says so: its firmware is called
``zeroclaw-simplified``. It has no flash memory, so it cannot be flashed.

Its ideas are apart: ``pure_line`` (bytes and lines), ``pure_json`` and ``pure_protocol`` (requests and
replies), ``pure_pins`` (pins and timers), ``pure_buses``, ``pure_uart`` and ``pure_motors`` (what is more
than a pin), ``pure_events`` (subscriptions), ``pure_commands`` and ``pure_bus_commands`` (what each command
does).
"""

from __future__ import annotations

from zeroclaw_desktop.hardware.simulator.machine import Snapshot
from zeroclaw_desktop.hardware.simulator.pure_bus_commands import BusCommands
from zeroclaw_desktop.hardware.simulator.pure_buses import I2cBus, SpiBus
from zeroclaw_desktop.hardware.simulator.pure_commands import (
    FIRMWARE_NAME,
    FIRMWARE_VERSION,
    Commands,
)
from zeroclaw_desktop.hardware.simulator.pure_events import TIME_MODULUS, UPTIME, Subscriptions
from zeroclaw_desktop.hardware.simulator.pure_line import LineReader, ReceivedLine, TransmitBuffer
from zeroclaw_desktop.hardware.simulator.pure_model import PureModel, pure_model
from zeroclaw_desktop.hardware.simulator.pure_motors import Motors
from zeroclaw_desktop.hardware.simulator.pure_pins import Pins
from zeroclaw_desktop.hardware.simulator.pure_protocol import (
    RequestRefusedError,
    event_line,
    failure_line,
    read_request,
    success_line,
)
from zeroclaw_desktop.hardware.simulator.pure_uart import SecondLine
from zeroclaw_desktop.hardware.simulator.virtual_devices import (
    EEPROM_ADDRESS,
    LM75_ADDRESS,
    Eeprom24C32,
    Lm75,
    spi_loopback,
)

BOOT_SECONDS = 0.2
"""From a reset to the boot line; a real Uno's boot loader waits about a second longer."""
MILLISECOND_NS = 1_000_000
NEVER_NS = 1 << 62


class PureBoard:
    """A board of any kind as its host sees it; implements SimulatedMachine.

    On its buses: an LM75 thermometer at 0x48, a 24C32 memory at 0x50, and a wire from MOSI to MISO.

    Args:
        model: which kind; None for the Arduino Uno.
    """

    kind = "pure"

    def __init__(self, model: PureModel | None = None) -> None:
        self.model = model or pure_model()
        self._now_ns = 0
        self._started_ns = 0
        self._boot_cause: str | None = None
        self._restarting = False
        self._volts: dict[int, float] = {}
        self._reader = LineReader()
        self._transmit = TransmitBuffer()
        self.pins = Pins(lambda: self._now_ns / 1e9, self.model)
        self.subscriptions = Subscriptions(self.measure, self._transmit)
        self.host_limit = 0
        self._host_heard = 0
        self._host_lost = False
        self.i2c, self.spi = I2cBus(self.pins, self.model), SpiBus(self.pins, self.model)
        self.second_line = SecondLine(self.pins, lambda: self._now_ns / 1e9)
        self.motors = Motors(self.pins, lambda: self.milliseconds)
        self._thermometer = Lm75()
        self._attach_devices()
        self._commands = Commands(self, BusCommands(self).table)
        self.reset("power")

    def _attach_devices(self) -> None:
        self.i2c.attach(LM75_ADDRESS, self._thermometer)
        self.i2c.attach(EEPROM_ADDRESS, Eeprom24C32(lambda: self._now_ns / 1e9))
        self.spi.exchange = spi_loopback

    # -- SimulatedMachine -----------------------------------------------------------------------------
    def reset(self, cause: str) -> None:
        """See SimulatedMachine. What is wired to the pins stays; the board is silent for BOOT_SECONDS.

        A pin that something outside holds at the wrong level keeps it from starting until the next reset.
        """
        self._restart(cause, round(BOOT_SECONDS * 1e9))
        held = ((self.pins.held(pin), level) for pin, level in self.model.boot_levels.items())
        if any(outside is not None and outside != level for outside, level in held):
            self._started_ns = NEVER_NS

    def advance(self, seconds: float) -> None:
        """See SimulatedMachine. Events are looked at in each whole millisecond since the start."""
        end = self._now_ns + round(seconds * 1e9)
        while (due := self._next_tick()) <= end:
            self._pass_time(due)
            if self._boot_cause is not None:
                self._boot()
            else:
                self._tick()
        self._pass_time(end)

    def receive(self, data: bytes) -> None:
        """See SimulatedMachine. Bytes that come before the boot line are lost."""
        for line in self._reader.feed(data):
            if self._boot_cause is None:
                self._answer(line)
        if self._boot_cause is not None:
            self._reader.clear()

    def transmitted(self) -> bytes:
        """See SimulatedMachine."""
        return self._transmit.take()

    def drive_pin(self, pin: int, level: int | None) -> None:
        """See SimulatedMachine."""
        self.pins.drive(pin, level)
        self.second_line.see(pin)

    def short_pin(self, pin: int, level: int | None) -> None:
        """See SimulatedMachine."""
        self.pins.short(pin, level)
        self.second_line.see(pin)

    def set_volts(self, channel: int, volts: float | None) -> None:
        """See SimulatedMachine."""
        self._volts[channel] = volts or 0.0

    def set_room(self, celsius: float) -> None:
        """See SimulatedMachine."""
        self._thermometer.celsius = celsius

    def snapshot(self) -> Snapshot:
        """See SimulatedMachine."""
        return self.pins.snapshot()

    def take_edges(self) -> tuple[list[tuple[float, int, int]], int]:
        """See SimulatedMachine."""
        return self.pins.take_edges()

    # -- CommandBoard ---------------------------------------------------------------------------------
    @property
    def milliseconds(self) -> int:
        """Time since the start."""
        return (self._now_ns - self._started_ns) // MILLISECOND_NS

    def measure(self, signal: str) -> int:
        """Value of a signal now: level, share of the supply voltage in steps, or milliseconds."""
        if signal == UPTIME:
            return self.milliseconds % TIME_MODULUS
        number = int(signal[1:])
        if signal[0] == "d":
            return self.pins.level(number)
        steps = self.model.adc_steps
        return max(0, min(steps - 1, int(self._volts_at(number) * steps / self.model.reference_volts)))

    def _volts_at(self, channel: int) -> float:
        """A short at the pin wins over what is connected."""
        pin = self.model.channels[channel]
        level = self.pins.shorted(pin)
        return self._volts.get(channel, 0.0) if level is None else level * self.model.reference_volts

    def request_restart(self) -> None:
        """Restart as soon as the reply has gone."""
        self._restarting = True

    # -- life -----------------------------------------------------------------------------------------
    def _restart(self, cause: str, silence_ns: int) -> None:
        self.pins.restart()
        self.subscriptions.clear()
        self.second_line.restart()
        self.motors.restart()
        self._reader.clear()
        self.host_limit, self._host_heard, self._host_lost = 0, 0, False
        self._restarting = False
        self._started_ns = self._now_ns + silence_ns
        self._boot_cause = cause

    def _boot(self) -> None:
        cause, self._boot_cause = self._boot_cause, None
        self._transmit.put(event_line("boot", fw=FIRMWARE_NAME, version=FIRMWARE_VERSION, reset=cause))

    def _next_tick(self) -> int:
        """When something can happen next, in nanoseconds: the boot line, then each millisecond."""
        if self._boot_cause is not None:
            return self._started_ns
        return self._started_ns + (self.milliseconds + 1) * MILLISECOND_NS

    def _pass_time(self, until_ns: int) -> None:
        self._transmit.drain(until_ns - self._now_ns)
        self._now_ns = until_ns

    def _tick(self) -> None:
        now = self.milliseconds
        self.pins.end_tones(now)
        if self.host_limit and not self._host_lost and now - self._host_heard >= self.host_limit:
            self._host_lost = True
            stopped = self.pins.stop_all()
            self._transmit.put(event_line("host_lost", stopped=stopped, t=now % TIME_MODULUS))
        self.second_line.poll()
        self.motors.poll()
        self.subscriptions.poll(now)

    def _answer(self, line: ReceivedLine) -> None:
        try:
            request = read_request(line, self.model)
            self._host_heard, self._host_lost = self.milliseconds, False
            self._transmit.put(success_line(request, self._commands.run(request)))
        except RequestRefusedError as error:
            self._transmit.put(failure_line(error))
        if self._restarting:  # not by the boot loader, so without its wait
            self._restart("command", 0)
            self._boot()
