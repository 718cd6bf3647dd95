"""An RP2040 for the tests: the emulator rp2040py with our image, and wires at its pins.

Its model of the chip is not ours, which is what it is good for. It does not lead a driven level back to the
pin's input; the wires do that. It starts at the boot stage in flash and does not run the check of the ROM.
"""

from __future__ import annotations

from pathlib import Path

from rp2040py.device.load_flash import load_uf2
from rp2040py.execute_batch import execute_batch
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.rp2040 import FLASH_START_ADDRESS
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import USBCDC

from tests.integration.ports.wires import Wires

NANOS_PER_MS = 1_000_000
UART_BYTE_NANOS = 40_000
"""Twice 115200 baud. The emulator keeps an interrupt that comes while interrupts are off until the next one,
so what the firmware looks at every millisecond must fit into the FIFO.
"""
FIRST_ANALOG_PIN = 26
PWM_MEGAHERTZ = 125.0
PWM_FUNCTION = 4
BATCH = 64
"""Instructions between two looks at the emulator's alarms."""
PWM_BASE, SIO_OUT, SIO_OE = 0x40050000, 0xD0000010, 0xD0000020


class PicoChip:
    """One chip with its wires; see chip_board.Chip.

    Args:
        image: UF2 file.
        wires: what hangs on the pins.
        line: ``uart`` or ``usb``.
    """

    def __init__(self, image: Path, wires: Wires, line: str = "uart") -> None:
        self.wires = wires
        self._line = line
        self._simulator = Simulator()
        self._chip = self._simulator.rp2040
        self._simulator.stopped = False
        load_uf2(image, self._chip)
        self._sent = bytearray()
        self._waiting = bytearray()
        self._restarts = 0
        self._end = self._simulator.clock.create_alarm(self._stop)
        self._next_byte = self._simulator.clock.create_alarm(self._feed_uart)
        self._chip.uart[0].on_byte = self._sent.append if line == "uart" else None
        self.usb: USBCDC | None = None
        if line == "usb":
            self.usb = USBCDC(self._chip.usb_ctrl)
            self.usb.on_serial_data = self._sent.extend
        self._chip.on_watchdog_trigger = self._restart_by_watchdog
        for number in range(len(wires.pins)):
            self._chip.gpio[number].add_listener(
                lambda value, _last, number=number: self._pin_changed(number, value)
            )
        self._chip.core.pc = FLASH_START_ADDRESS
        wires.listener = self._set_inputs

    # -- time and line --------------------------------------------------------------------------------
    def _stop(self) -> None:
        self._simulator.stopped = True

    def run_ms(self, milliseconds: int) -> bytes:
        """See chip_board.Chip."""
        self._end.schedule(milliseconds * NANOS_PER_MS)
        self._simulator.stopped = False
        while not self._simulator.stopped:
            execute_batch(self._simulator, BATCH)
        sent = bytes(self._sent)
        self._sent.clear()
        return sent

    def receive(self, data: bytes) -> None:
        """See chip_board.Chip."""
        if self.usb is not None:
            for byte in data:
                self.usb.send_serial_byte(byte)
            return
        was_idle = not self._waiting
        self._waiting += data
        if was_idle and data:
            self._next_byte.schedule(UART_BYTE_NANOS)

    def _feed_uart(self) -> None:
        self._chip.uart[0].feed_byte(self._waiting.pop(0))
        if self._waiting:
            self._next_byte.schedule(UART_BYTE_NANOS)

    @property
    def is_line_busy(self) -> bool:
        """See chip_board.Chip."""
        return bool(self._waiting) or (self.usb is not None and not self.usb.tx_fifo.empty)

    @property
    def seconds(self) -> float:
        """See chip_board.Chip."""
        return float(self._simulator.clock.nanos) / 1e9

    def restart(self) -> None:
        """As by the RUN pin."""
        self._waiting.clear()
        self._sent.clear()
        self._chip.enter_reset()
        self._chip.leave_reset()

    def _restart_by_watchdog(self) -> None:
        self._chip.enter_reset(from_watchdog=True)
        self._chip.leave_reset()

    # -- pins -----------------------------------------------------------------------------------------
    def _pin_changed(self, number: int, value: GPIOPinState) -> None:
        pin = self.wires.pins[number]
        pin.is_output = value in (GPIOPinState.LOW, GPIOPinState.HIGH)
        pin.latch = int(value is GPIOPinState.HIGH)
        pin.pull_up = value is GPIOPinState.INPUT_PULL_UP
        if number in self.wires.joined:
            self.wires.changed()
        self._set_inputs(number)

    def _set_inputs(self, number: int) -> None:
        for pin in (number, *self.wires.joined) if number in self.wires.joined else (number,):
            level = bool(self.wires.level(pin))
            if self._chip.gpio[pin]._raw_input_value != level or not self._chip.gpio[pin]._driven:
                self._chip.gpio[pin].set_input_value(level)

    def set_analog(self, pin: int, value: int) -> None:
        """See chip_board.Chip."""
        self._chip.adc.channel_values[pin - FIRST_ANALOG_PIN] = value

    def output_state(self) -> object:
        """See chip_board.Chip."""
        pads = [self._chip.gpio[number] for number in range(len(self.wires.pins))]
        words = [self._chip.read_uint32(address) for address in (SIO_OUT, SIO_OE)]
        slices = [
            self._chip.read_uint32(PWM_BASE + 0x14 * number + at)
            for number in range(8)
            for at in (0x00, 0x04, 0x0C, 0x10)
        ]
        return words, slices, [(pad.function_select, pad.pad_value) for pad in pads]

    def pulse(self, pin: int) -> tuple[float, float] | None:
        """(high time, period) in microseconds that a PWM slice makes at a pin; None when none drives it.

        Data sheet section 4.5.2: the counter runs from 0 to TOP at 125 MHz / DIV (4 binary places); the
        output is high while it is below CC.
        """
        if self._chip.gpio[pin].function_select != PWM_FUNCTION:
            return None
        base = PWM_BASE + 0x14 * (pin // 2 % 8)
        control, divisor, compare, top = (
            self._chip.read_uint32(base + at) for at in (0x00, 0x04, 0x0C, 0x10)
        )
        if not control & 1:
            return None
        tick = divisor / 16 / PWM_MEGAHERTZ
        high = compare >> pin % 2 * 16 & 0xFFFF
        return min(high, top + 1) * tick, (top + 1) * tick

    def is_in_rom(self) -> bool:
        """Whether the ROM runs, as its boot loader does."""
        return int(self._chip.core.pc) < FLASH_START_ADDRESS
