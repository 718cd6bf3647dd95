"""An STM32F401 for the tests: Unicorn runs the instructions, this file plays the registers of RM0368.

It is stricter than the chip: a peripheral without its clock, an unknown register, and reading a register that
the manual calls write-only fail the test. No interrupts come by themselves (Unicorn has none for this core);
a test may run a handler, and in QEMU, in test_stm32_qemu.py, interrupts are QEMU's. Time passes when the
microsecond timer is read and when the processor sleeps, so a test is as fast as the computer and always gives
the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from unicorn import UC_ARCH_ARM, UC_MODE_MCLASS, UC_MODE_THUMB, Uc
from unicorn.arm_const import (
    UC_ARM_REG_LR,
    UC_ARM_REG_MSP,
    UC_ARM_REG_PC,
    UC_ARM_REG_R0,
    UC_ARM_REG_R12,
    UC_ARM_REG_SP,
    UC_ARM_REG_XPSR,
)

from tests.integration.ports.wires import Wires
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex

FLASH, FLASH_BYTES = 0x08000000, 512 * 1024
RAM, RAM_BYTES = 0x20000000, 96 * 1024
PERIPHERALS, PERIPHERAL_BYTES = 0x40000000, 0x30000
SYSTEM, SYSTEM_BYTES = 0xE000E000, 0x1000
DEBUG, DEBUG_BYTES = 0xE0042000, 0x1000
AIRCR, NVIC_ISER = 0xD0C, 0x100
HANDLER_RETURN = FLASH + FLASH_BYTES - 4
"""Where a handler returns to; nothing is there."""
CORE_REGISTERS = (
    *range(UC_ARM_REG_R0, UC_ARM_REG_R12 + 1),
    *(UC_ARM_REG_LR, UC_ARM_REG_PC, UC_ARM_REG_XPSR),
)
READ_US = 1
"""Microseconds that pass with a reading of the timer."""
SLEEP_US = 1000
INSTRUCTIONS = 3_000_000
"""In one go; a program that does not sleep within so many hangs."""

TIMERS = {0x10000: "TIM1", 0x0: "TIM2", 0x400: "TIM3", 0x800: "TIM4", 0xC00: "TIM5", 0x14800: "TIM11"}
GPIO, RCC, FLASH_REGISTERS, USART2, ADC1 = 0x20000, 0x23800, 0x23C00, 0x4400, 0x12000
IWDG, SYSCFG, EXTI, ADC_COMMON = 0x3000, 0x13800, 0x13C00, 0x12300
#: What must be switched on for a block: register of RCC and bit (section 6.3).
CLOCKS = {
    0x10000: (0x44, 0),
    0x0: (0x40, 0),
    0x400: (0x40, 1),
    0x800: (0x40, 2),
    0xC00: (0x40, 3),
    0x14800: (0x44, 18),
    USART2: (0x40, 17),
    ADC1: (0x44, 8),
    SYSCFG: (0x44, 14),
    **{GPIO + 0x400 * port: (0x30, port) for port in range(4)},
}
RESET_FLAGS = {"power": 7 << 25, "external": 1 << 26, "brownout": 3 << 25, "program": 5 << 26}
"""RCC_CSR after a reset (section 6.3.20): each comes with PINRSTF."""


class Stm32Chip:
    """One chip with its wires.

    Args:
        image: Intel HEX file.
        wires: what hangs on the pins.
    """

    def __init__(self, image: Path, wires: Wires) -> None:
        self.wires = wires
        self.received: list[int] = []
        """Bytes on their way to the chip."""
        self.sent = bytearray()
        self.analog = [0] * 16
        """12-bit values at the ADC's inputs."""
        self.micros = 0
        self.changes: list[tuple[int, int, int]] = []
        """(microseconds, pin, level) of each change of an output."""
        self.registers: dict[int, int] = {}
        self._reset_cause: str | None = None
        self._fault: Exception | None = None
        self._emulator = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        self._emulator.mem_map(FLASH, FLASH_BYTES)
        self._emulator.mem_map(RAM, RAM_BYTES)
        for start, data in parse_intel_hex(image.read_text(encoding="ascii")).items():
            self._emulator.mem_write(start, bytes(data))
        blocks: list[tuple[int, int, Callable[[int], int], Callable[[int, int], None]]] = [
            (PERIPHERALS, PERIPHERAL_BYTES, self._read, self._write),
            (SYSTEM, SYSTEM_BYTES, lambda offset: 0, self._write_system),
            (DEBUG, DEBUG_BYTES, lambda offset: 0, lambda offset, value: None),
        ]
        for start, size, read, write in blocks:
            self._emulator.mmio_map(start, size, self._reader(read), None, self._writer(write), None)
        self.reset("power")

    def _reader(self, read: Callable[[int], int]) -> Callable[..., int]:
        def call(_uc: Uc, offset: int, _size: int, _data: object) -> int:
            try:
                return read(offset)
            except (
                AssertionError,
                LookupError,
                ValueError,
            ) as error:  # raised again by run(): Unicorn would swallow it
                self._fault = self._fault or error
                return 0

        return call

    def _writer(self, write: Callable[[int, int], None]) -> Callable[..., None]:
        def call(_uc: Uc, offset: int, _size: int, value: int, _data: object) -> None:
            try:
                write(offset, value)
            except (AssertionError, LookupError, ValueError) as error:
                self._fault = self._fault or error

        return call

    # -- running --------------------------------------------------------------------------------------
    def reset(self, cause: str) -> None:
        """Restart: ``power``, ``external``, ``brownout`` or ``program``. RAM keeps what it has."""
        self.registers = {RCC: 0x83, RCC + 0x74: RESET_FLAGS[cause]}
        self.registers |= {GPIO: 0xA8000000, GPIO + 0x0C: 0x64000000, GPIO + 0x400: 0x280}
        self.registers[USART2] = 0xC0
        for pin in self.wires.pins:
            pin.is_output, pin.latch, pin.pull_up = False, 0, False
        self.micros = 0
        self.enabled_interrupts = 0
        stack, start = (
            int.from_bytes(self._emulator.mem_read(FLASH + place, 4), "little") for place in (0, 4)
        )
        self._emulator.reg_write(UC_ARM_REG_MSP, stack)
        self._emulator.reg_write(UC_ARM_REG_SP, stack)
        self._emulator.reg_write(UC_ARM_REG_PC, start | 1)

    def run_ms(self, milliseconds: int) -> bytes:
        """See chip_board.Chip."""
        end = self.micros + milliseconds * 1000
        while self.micros < end:
            before = self.micros
            self.run_until_sleep()
            if self.micros < before:  # restarted
                end -= before
        sent, self.sent = bytes(self.sent), bytearray()
        return sent

    def receive(self, data: bytes) -> None:
        """See chip_board.Chip."""
        self.received += data

    @property
    def is_line_busy(self) -> bool:
        """See chip_board.Chip."""
        return bool(self.received)

    @property
    def seconds(self) -> float:
        """See chip_board.Chip."""
        return self.micros / 1e6

    def set_analog(self, pin: int, value: int) -> None:
        """See chip_board.Chip."""
        self.analog[ADC_INPUTS[pin]] = value

    def output_state(self) -> object:
        """See chip_board.Chip: GPIO but for what is read only, and the timers but for their counters."""
        kept = {}
        for offset, value in self.registers.items():
            block = self._block(offset)
            if value and ((GPIO <= block < RCC) or TIMERS.get(block, "TIM5") != "TIM5"):
                kept[offset] = value
        return kept

    def run_until_sleep(self) -> None:
        """Run until the processor waits for an interrupt, which then comes a millisecond later."""
        pc = int(self._emulator.reg_read(UC_ARM_REG_PC))
        self._emulator.emu_start(pc | 1, 0xFFFFFFFF, count=INSTRUCTIONS)
        self._check()
        if self._reset_cause is not None:
            cause, self._reset_cause = self._reset_cause, None
            self.reset(cause)
            self.run_until_sleep()
            return
        self.micros += SLEEP_US - self.micros % SLEEP_US

    def _check(self) -> None:
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault

    def crash(self) -> None:
        """Go on in the handler of a hard fault (ARMv7-M manual, table B1-4: vector 3)."""
        handler = int.from_bytes(self._emulator.mem_read(FLASH + 3 * 4, 4), "little")
        self._emulator.reg_write(UC_ARM_REG_PC, handler)

    def interrupt(self, number: int) -> None:
        """Run the handler of an interrupt that the firmware has enabled, as the processor would."""
        assert self.enabled_interrupts >> number & 1, f"interrupt {number} is not enabled"
        kept = {register: self._emulator.reg_read(register) for register in CORE_REGISTERS}
        handler = int.from_bytes(self._emulator.mem_read(FLASH + (16 + number) * 4, 4), "little")
        self._emulator.reg_write(UC_ARM_REG_LR, HANDLER_RETURN | 1)
        self._emulator.emu_start(handler | 1, HANDLER_RETURN, count=INSTRUCTIONS)
        for register, value in kept.items():
            self._emulator.reg_write(register, value)
        self._check()

    def edge(self, pin: int, level: int) -> None:
        """Change an input from outside; the interrupt comes when EXTI is set up for that (section 10)."""
        before = self.wires.level(pin)
        self.wires.drive(pin, level)
        line = pin % 16
        selected = self.registers.get(SYSCFG + 8 + line // 4 * 4, 0) >> line % 4 * 4 & 15
        trigger = self.registers.get(EXTI + (0x08 if level else 0x0C), 0)
        wanted = self.registers.get(EXTI, 0) & trigger & 1 << line and selected == pin // 16
        if before != level and wanted:
            self.interrupt(6 + line if line < 5 else 23 if line < 10 else 40)

    # -- registers ------------------------------------------------------------------------------------
    @staticmethod
    def _block(offset: int) -> int:
        if offset >= GPIO + 0x1000:
            return RCC if offset < FLASH_REGISTERS else FLASH_REGISTERS
        if ADC1 <= offset < ADC1 + 0x400:
            return ADC1
        return offset & ~0x3FF

    def _need_clock(self, offset: int) -> int:
        block = self._block(offset)
        assert block in (*CLOCKS, RCC, FLASH_REGISTERS, IWDG, EXTI), f"no peripheral at {offset:#x}"
        if block in CLOCKS:
            register, bit = CLOCKS[block]
            clocked = self.registers.get(RCC + register, 0) >> bit & 1
            assert clocked, f"the peripheral at {block:#x} has no clock"
        return block

    def _read(self, offset: int) -> int:
        block = self._need_clock(offset)
        place = offset - block
        value = self.registers.get(offset, 0)
        if block == RCC and place == 0:
            return value | (value & 1 << 16) << 1 | (value & 1 << 24) << 1
        if block == RCC and place == 8:
            return value | (value & 3) << 2
        if GPIO <= block < RCC:
            return self._read_gpio((block - GPIO) // 0x400, place, value)
        if block == USART2:
            return self._read_usart(place, value)
        if block == 0xC00 and place == 0x24:
            assert self.registers.get(block, 0) & 1, "the timer does not run"
            self.micros += READ_US
            return self.micros & 0xFFFFFFFF
        if block == ADC1 and place == 0x4C:
            self.registers[ADC1] = self.registers.get(ADC1, 0) & ~2
            return self.analog[self.registers.get(ADC1 + 0x34, 0) & 31]
        return value

    def _read_gpio(self, port: int, place: int, value: int) -> int:
        assert place != 0x18, "BSRR is write-only"
        if place != 0x10:
            return value
        pins = range(port * 16, min(port * 16 + 16, len(self.wires.pins)))
        return sum(self.wires.level(pin) << pin % 16 for pin in pins)

    def _read_usart(self, place: int, value: int) -> int:
        if place == 0:
            return value | bool(self.received) << 5
        if place == 4:
            return self.received.pop(0) if self.received else 0
        return value

    def _write(self, offset: int, value: int) -> None:
        block = self._need_clock(offset)
        place = offset - block
        if GPIO <= block < RCC:
            self._write_gpio(block, place, value)
        elif block == USART2 and place == 4:
            assert self.registers.get(USART2 + 0x0C, 0) & 0x2008 == 0x2008, "the transmitter is off"
            self.sent.append(value & 0xFF)
        elif block == ADC1 and place == 8 and value & 1 << 30:
            assert value & 1, "the ADC is off"
            self.registers[ADC1] = self.registers.get(ADC1, 0) | 2
            self.registers[offset] = value & ~(1 << 30)
        elif block in TIMERS and place == 0x14 and value & 1:
            self._check_no_pulse_begins(TIMERS[block], block)
            self.registers[block + 0x24] = 0
        elif block == RCC and place == 0x74 and value & 1 << 24:
            self.registers[offset] = 0
        else:
            self.registers[offset] = value

    def _write_gpio(self, block: int, place: int, value: int) -> None:
        if place == 0x18:
            latch = self.registers.get(block + 0x14, 0) & ~(value >> 16) | value & 0xFFFF
            self.registers[block + 0x14] = latch
        else:
            assert place != 0x10, "IDR is read-only"
            self.registers[block + place] = value
        modes, pulls, latch = (self.registers.get(block + at, 0) for at in (0x00, 0x0C, 0x14))
        first = (block - GPIO) // 0x400 * 16
        for pin in range(first, min(first + 16, len(self.wires.pins))):
            wire, bit = self.wires.pins[pin], pin % 16
            before = wire.is_output and wire.latch
            mode = modes >> 2 * bit & 3
            wire.is_output = mode == 1 or (mode == 2 and self.timer_output(pin) is not None)
            wire.latch = latch >> bit & 1 if mode == 1 else 0
            wire.pull_up = pulls >> 2 * bit & 3 == 1
            if wire.is_output and wire.latch != before:
                self.changes.append((self.micros, pin, wire.latch))
        self.wires.changed()

    def _write_system(self, offset: int, value: int) -> None:
        if NVIC_ISER <= offset < NVIC_ISER + 12:
            self.enabled_interrupts |= value << (offset - NVIC_ISER) * 8
        if offset == AIRCR and value >> 16 == 0x5FA and value & 4:
            self._reset_cause = "program"
            self._emulator.emu_stop()

    def _check_no_pulse_begins(self, timer: str, block: int) -> None:
        """UG sets the counter to 0 (section 13.4.6), which makes the outputs high at once."""
        for (pin, _), route in TIMER_PINS.items():
            port = GPIO + 0x400 * (pin // 16)
            is_connected = self.registers.get(port, 0) >> pin % 16 * 2 & 3 == 2
            if route[0] == timer and is_connected and self.timer_output(pin) == route:
                enabled = self.registers.get(block + 0x20, 0) >> route[1] * 4 & 1
                assert not enabled or self.registers.get(block + 0x34 + route[1] * 4, 0) == 0, (
                    f"a pulse begins at pin {pin} while its timer is set up"
                )

    # -- what the timers do to a pin ------------------------------------------------------------------
    def timer_output(self, pin: int) -> tuple[str, int] | None:
        """(timer, channel from 0) that the pin's alternate function connects, None when it is none.

        Alternate function mapping: data sheet DS10086, table 9.
        """
        block = GPIO + 0x400 * (pin // 16)
        function = self.registers.get(block + 0x20 + pin % 16 // 8 * 4, 0) >> pin % 8 * 4 & 15
        return TIMER_PINS.get((pin, function))

    def pulse(self, pin: int) -> tuple[float, float] | None:
        """(high time, period) in microseconds that a timer makes at a pin; None when no timer drives it.

        Section 13.3: the counter runs from 0 to ARR at the timer's clock / (PSC + 1); in PWM mode 1 the
        output is high while it is below CCR.
        """
        block = GPIO + 0x400 * (pin // 16)
        if self.registers.get(block, 0) >> pin % 16 * 2 & 3 != 2:
            return None
        route = self.timer_output(pin)
        if route is None:
            return None
        base = next(offset for offset, name in TIMERS.items() if name == route[0])
        channel = route[1]
        value = {
            key: self.registers.get(base + at, 0)
            for key, at in {
                "control": 0,
                "enable": 0x20,
                "prescaler": 0x28,
                "top": 0x2C,
                "break": 0x44,
            }.items()
        }
        mode = self.registers.get(base + 0x18 + channel // 2 * 4, 0) >> channel % 2 * 8 & 0x7F
        runs = value["control"] & 1 and value["enable"] >> channel * 4 & 1 and mode >> 4 == 6
        if not runs or (route[0] == "TIM1" and not value["break"] >> 15 & 1):
            return None
        tick = (value["prescaler"] + 1) / self.timer_megahertz()
        period = value["top"] + 1
        return min(self.registers.get(base + 0x34 + channel * 4, 0), period) * tick, period * tick

    def timer_megahertz(self) -> float:
        """Clock of the timers (section 6.2, figure 12): 84 MHz from the PLL, 16 MHz without."""
        if self.registers.get(RCC + 8, 0) & 3 != 2:
            return 16.0
        setting = self.registers[RCC + 4]
        source = 8.0 if setting >> 22 & 1 else 16.0
        return source / (setting & 63) * (setting >> 6 & 511) / ((setting >> 16 & 3) * 2 + 2)


#: Pin and input of the ADC: data sheet DS10086, table 8.
ADC_INPUTS = {**{pin: pin for pin in range(8)}, 16: 8, 17: 9, **{32 + n: 10 + n for n in range(6)}}
TIMER_PINS: dict[tuple[int, int], tuple[str, int]] = {
    **{(8 + channel, 1): ("TIM1", channel) for channel in range(4)},
    **{(pin, 1): ("TIM2", channel) for pin, channel in {0: 0, 5: 0, 15: 0, 1: 1, 19: 1, 26: 2}.items()},
    **{
        (pin, 2): ("TIM3", channel)
        for pin, channel in {6: 0, 7: 1, 20: 0, 21: 1, 16: 2, 17: 3, 38: 0, 39: 1, 40: 2, 41: 3}.items()
    },
    **{(22 + channel, 2): ("TIM4", channel) for channel in range(4)},
}
