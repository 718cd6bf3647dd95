"""One simulated ATmega328P: the C core ``firmware/simulator/avr`` as a WebAssembly module, run by wasmtime.

The machine knows nothing of wall-clock time, ports or boards; its owner calls :meth:`AvrMachine.run` with CPU
cycles and moves bytes, levels and voltages in and out. Pins are numbered as on an Arduino Uno (A0 = 14).
"""

from __future__ import annotations

import ctypes
import enum
import functools
import struct
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import wasmtime

from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex
from zeroclaw_desktop.hardware.simulator.virtual_devices import I2cDevice

PIN_COUNT = 20
FLASH_BYTES = 0x8000
EEPROM_BYTES = 1024
_HIGH_FUSE_BOOT_RESET = 0xDE
_HIGH_FUSE_APPLICATION_RESET = 0xDF
_FUSE_LOW, _FUSE_EXTENDED, _LOCK_BITS = 0xFF, 0xFD, 0xCF
_SREG_ADDRESS, _STACK_POINTER_ADDRESS = 0x5F, 0x5D
_PIN_MODES = ("input", "input_pullup", "output")
_EDGE = struct.Struct("<QII")
_PWM = struct.Struct("<QQ")


class _Status(ctypes.LittleEndianStructure):
    """The record ``status`` of host.c, read in place."""

    _fields_ = (
        ("cycles_to_run", ctypes.c_uint64),
        ("cycles_run", ctypes.c_uint64),
        ("cycle", ctypes.c_uint64),
        ("pin_levels", ctypes.c_uint32),
        ("bytes_waiting", ctypes.c_uint32),
        ("edges_waiting", ctypes.c_uint32),
        ("edges_dropped", ctypes.c_uint32),
        ("input_waiting", ctypes.c_uint32),
        ("in_bootloader", ctypes.c_uint32),
        ("is_sleeping", ctypes.c_uint32),
        ("resets", ctypes.c_uint32),
    )


class _Signature:
    """Stands in for the type of an exported function, which wasmtime would build anew at each call."""

    def __init__(self, function: wasmtime.Func, store: wasmtime.Store) -> None:
        function_type = function.type(store)
        self.params = function_type.params
        self.results = function_type.results

    def __call__(self, store: wasmtime.Store) -> _Signature:
        return self


class ResetCause(enum.IntEnum):
    """Why the chip restarts: the bit that appears in MCUSR (datasheet section 10.9.1)."""

    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8


class _TwiEvent(enum.IntEnum):
    START, ADDRESS, WRITE, READ, STOP = range(5)


@functools.lru_cache(maxsize=1)
def _compile(wasm_path: Path, _modified_ns: int) -> tuple[wasmtime.Engine, wasmtime.Module]:
    """Compile the module once for all machines of the process (some 40 ms)."""
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, wasm_path.read_bytes())


class AvrMachine:
    """An ATmega328P at 16 MHz with the pins of an Arduino Uno.

    Args:
        boot_reset: whether reset starts the boot loader (fuse BOOTRST, 512-byte boot section), as on an Uno.
        wasm_path: the compiled core, ``firmware/prebuilt/avr.wasm``.

    Raises:
        wasmtime.WasmtimeError: the file is not a module that fits.
        OSError: the file cannot be read.
    """

    CLOCK_HZ = 16_000_000

    def __init__(self, *, boot_reset: bool = True, wasm_path: Path) -> None:
        engine, module = _compile(wasm_path, wasm_path.stat().st_mtime_ns)
        self._store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        integer = wasmtime.ValType.i32()
        linker.define_func("host", "twi", wasmtime.FuncType([integer, integer], [integer]), self._on_twi)
        linker.define_func("host", "spi", wasmtime.FuncType([integer], [integer]), self._on_spi)
        exports = linker.instantiate(self._store, module).exports(self._store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._functions: dict[str, wasmtime.Func] = {
            name: item for name, item in exports.items() if isinstance(item, wasmtime.Func)
        }
        for function in self._functions.values():
            function.type = _Signature(function, self._store)  # type: ignore[assignment, method-assign]
        self._run_function = self._functions["avr_run"]
        self._exchange = self._call("avr_exchange")
        self._exchange_size = self._call("avr_exchange_size")
        # The module has no allocator, so its memory never grows and the record never moves.
        record = memory.get_buffer_ptr(self._store, ctypes.sizeof(_Status), self._call("avr_status"))
        self._status = _Status.from_buffer(record)
        self._i2c_devices: dict[int, I2cDevice] = {}
        self._i2c_selected: I2cDevice | None = None
        self.spi_transfer: Callable[[int], int] | None = None
        self._call("avr_power_on")
        high = _HIGH_FUSE_BOOT_RESET if boot_reset else _HIGH_FUSE_APPLICATION_RESET
        self.set_fuses(high=high)
        self.reset(ResetCause.POWER_ON)

    def _call(self, name: str, *arguments: int) -> int:
        return int(self._functions[name](self._store, *arguments) or 0)

    # Memory and reset

    def set_fuses(
        self,
        *,
        low: int = _FUSE_LOW,
        high: int = _HIGH_FUSE_BOOT_RESET,
        extended: int = _FUSE_EXTENDED,
        lock_bits: int = _LOCK_BITS,
    ) -> None:
        """Set the fuse and lock bytes (datasheet section 27); they take effect at the next reset."""
        self._call("avr_set_fuses", low, high, extended, lock_bits)

    def load_flash(self, data: bytes, address: int = 0) -> None:
        """Write data into flash at a byte address without a programmer.

        Raises:
            ValueError: data does not fit into the 32 KiB of flash.
        """
        if address < 0 or address + len(data) > FLASH_BYTES:
            raise ValueError(f"{len(data)} bytes at 0x{address:04X} do not fit into the flash")
        self._memory.write(self._store, data, self._exchange)
        self._call("avr_load_flash", address, len(data))

    def load_hex(self, text: str) -> None:
        """Write an Intel HEX image into flash; raises IntelHexError when it is not sound or too large."""
        for address, data in parse_intel_hex(text, size_limit=FLASH_BYTES).items():
            self.load_flash(data, address)

    def read_flash(self, address: int, length: int) -> bytes:
        """Return flash bytes [address, address + length)."""
        if address < 0 or length < 0 or address + length > FLASH_BYTES:
            raise ValueError("the range lies outside the flash")
        start = self._call("avr_flash") + address
        return bytes(self._memory.read(self._store, start, start + length))

    @property
    def eeprom(self) -> bytes:
        """The 1024 bytes of EEPROM."""
        start = self._call("avr_eeprom")
        return bytes(self._memory.read(self._store, start, start + EEPROM_BYTES))

    @eeprom.setter
    def eeprom(self, content: bytes) -> None:
        if len(content) != EEPROM_BYTES:
            raise ValueError(f"EEPROM holds {EEPROM_BYTES} bytes")
        self._memory.write(self._store, content, self._call("avr_eeprom"))

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Restart the chip. Flash, EEPROM, SRAM, the outside levels and the cycle count stay as they are."""
        self._call("avr_reset", int(cause))

    # Time

    def run(self, cycles: int) -> int:
        """Run for at least that many cycles (asleep they are skipped) and return how many went by."""
        self._status.cycles_to_run = cycles
        self._run_function(self._store)
        return int(self._status.cycles_run)

    def step(self) -> None:
        """Run one instruction, or enter one interrupt, or jump to the next event while asleep."""
        self._call("avr_step")

    @property
    def cycle_count(self) -> int:
        """CPU cycles since power-on."""
        return int(self._status.cycle)

    @property
    def clock_divider(self) -> int:
        """System clock prescaler (CLKPR): the CPU runs at CLOCK_HZ / clock_divider."""
        return self._call("avr_clock_divider")

    @property
    def is_sleeping(self) -> bool:
        """Whether the CPU is in a sleep mode."""
        return bool(self._status.is_sleeping)

    @property
    def in_bootloader(self) -> bool:
        """Whether the program counter is in the boot section that the fuses define."""
        return bool(self._status.in_bootloader)

    @property
    def reset_count(self) -> int:
        """Resets of any cause since power-on, the one of power-on included."""
        return int(self._status.resets)

    # Serial line

    def uart_receive(self, data: bytes) -> int:
        """Send bytes to the board; they arrive one by one at the line's speed.

        Returns:
            How many found room in the line's queue.
        """
        piece = data[: self._exchange_size]
        self._memory.write(self._store, piece, self._exchange)
        return self._call("avr_uart_send", len(piece))

    def uart_transmitted(self) -> bytes:
        """Return the bytes that the board has sent since the last call."""
        if not self._status.bytes_waiting:
            return b""
        count = self._call("avr_uart_take")
        return bytes(self._memory.read(self._store, self._exchange, self._exchange + count))

    @property
    def uart_input_waiting(self) -> int:
        """Bytes of the host that have not yet reached the board."""
        return int(self._status.input_waiting)

    @property
    def uart_baud(self) -> int:
        """Bit rate that the firmware has set (from UBRR0 and U2X0), 0 while the USART is off."""
        return self._call("avr_uart_baud")

    def set_line_baud(self, baud: int) -> None:
        """Set the host's bit rate (0 follows the board); beyond 4 % of difference bytes are garbled."""
        self._call("avr_uart_line_baud", baud)

    # Pins

    def pin_levels(self) -> list[int]:
        """Return the level on each of the pins 0 to 19."""
        levels = self._status.pin_levels
        return [levels >> pin & 1 for pin in range(PIN_COUNT)]

    def pin_modes(self) -> list[str]:
        """Return 'input', 'input_pullup' or 'output' for each of the pins 0 to 19."""
        return [_PIN_MODES[self._call("avr_pin_mode", pin)] for pin in range(PIN_COUNT)]

    def drive_pin(self, pin: int, level: int | None) -> None:
        """Put 0 or 1 on a pin from outside, or let go of it (None). An output pin keeps its own level."""
        if not 0 <= pin < PIN_COUNT:
            raise ValueError(f"there is no pin {pin}")
        self._call("avr_drive_pin", pin, -1 if level is None else int(bool(level)))

    def short_pin(self, pin: int, level: int | None) -> None:
        """Tie a pin to ground (0) or supply (1), which no output can move, or end that (None)."""
        if not 0 <= pin < PIN_COUNT:
            raise ValueError(f"there is no pin {pin}")
        self._call("avr_short_pin", pin, -1 if level is None else int(bool(level)))

    def set_analog(self, channel: int, volts: float | None) -> None:
        """Put a voltage (0 to 5 V) on analogue channel 0 to 7, or disconnect it (None)."""
        if not 0 <= channel <= 7:
            raise ValueError(f"there is no analogue channel {channel}")
        self._call("avr_set_analog", channel, -1 if volts is None else max(0, round(volts * 1000)))

    def pwm(self, pin: int) -> tuple[float, float] | None:
        """Return (frequency in Hz, duty 0 to 1) of the signal that a timer puts on the pin, or None."""
        if not self._call("avr_pwm", pin):
            return None
        raw = self._memory.read(self._store, self._exchange, self._exchange + _PWM.size)
        period, high = _PWM.unpack(bytes(raw))
        return self.CLOCK_HZ / period, high / period

    def take_edges(self) -> list[tuple[int, int, int]]:
        """Return the level changes since the last call as (cycle, pin, level), oldest first."""
        edges: list[tuple[int, int, int]] = []
        while self._status.edges_waiting:
            count = self._call("avr_edges_take")
            end = self._exchange + count * _EDGE.size
            edges.extend(_EDGE.iter_unpack(bytes(self._memory.read(self._store, self._exchange, end))))
        return edges

    @property
    def edges_dropped(self) -> int:
        """Level changes lost because the ring of 8192 was full."""
        return int(self._status.edges_dropped)

    # Buses

    def attach_i2c(self, address: int, device: I2cDevice | None) -> None:
        """Connect a device at a 7-bit address of the two-wire bus, or remove it (None)."""
        if device is None:
            self._i2c_devices.pop(address, None)
        else:
            self._i2c_devices[address] = device

    def _end_i2c_transfer(self) -> int:
        if self._i2c_selected is not None:
            self._i2c_selected.end()
        self._i2c_selected = None
        return 0

    def _on_twi(self, event: int, value: int) -> int:
        if event in (_TwiEvent.START, _TwiEvent.STOP):
            return self._end_i2c_transfer()
        if event == _TwiEvent.ADDRESS:
            device = self._i2c_devices.get(value >> 1)
            if device is None or not device.begin(is_read=bool(value & 1)):
                return 0
            self._i2c_selected = device
            return 1
        if self._i2c_selected is None:
            return 0xFF if event == _TwiEvent.READ else 0
        if event == _TwiEvent.READ:
            return self._i2c_selected.read() & 0xFF
        return int(self._i2c_selected.write(value))

    def _on_spi(self, value: int) -> int:
        return self.spi_transfer(value) & 0xFF if self.spi_transfer is not None else 0xFF

    # Insight for tests and debuggers

    def read_data(self, address: int, length: int) -> bytes:
        """Return raw data-space bytes (registers, I/O as stored, SRAM up to 0x8FF), without side effects."""
        start = self._call("avr_data") + address
        return bytes(self._memory.read(self._store, start, start + length))

    def write_data(self, address: int, data: bytes) -> None:
        """Overwrite raw data-space bytes without the side effects of an instruction."""
        self._memory.write(self._store, data, self._call("avr_data") + address)

    @property
    def registers(self) -> list[int]:
        """R0 to R31."""
        return list(self.read_data(0, 32))

    @registers.setter
    def registers(self, values: Sequence[int]) -> None:
        self.write_data(0, bytes(values))

    @property
    def sreg(self) -> int:
        """The status register."""
        return self.read_data(_SREG_ADDRESS, 1)[0]

    @sreg.setter
    def sreg(self, value: int) -> None:
        self.write_data(_SREG_ADDRESS, bytes([value]))

    @property
    def stack_pointer(self) -> int:
        """SP."""
        return int.from_bytes(self.read_data(_STACK_POINTER_ADDRESS, 2), "little")

    @stack_pointer.setter
    def stack_pointer(self, value: int) -> None:
        self.write_data(_STACK_POINTER_ADDRESS, value.to_bytes(2, "little"))

    @property
    def program_counter(self) -> int:
        """Byte address of the next instruction."""
        return self._call("avr_pc") * 2

    @program_counter.setter
    def program_counter(self, byte_address: int) -> None:
        self._call("avr_set_pc", byte_address // 2)

    @property
    def undefined_instructions(self) -> int:
        """Executed flash words that are no instruction of this chip (erased flash, mostly)."""
        return self._call("avr_undefined_count")


def pulse_width_us(edges: Iterable[tuple[int, int, int]], pin: int) -> float | None:
    """Return the length of the last complete high pulse on a pin in microseconds, for servos.

    Args:
        edges: (cycle, pin, level) as :meth:`AvrMachine.take_edges` gives them.
        pin: Arduino pin number.
    """
    rise: int | None = None
    width: float | None = None
    for cycle, edge_pin, level in edges:
        if edge_pin != pin:
            continue
        if level:
            rise = cycle
        elif rise is not None:
            width = (cycle - rise) * 1e6 / AvrMachine.CLOCK_HZ
            rise = None
    return width
