"""The image of the Mega in simavr; which pin is where is read from the Arduino core."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.integration.ports.wires import Wires
from tests.unit.firmware.vectors import FIRMWARE, PinState
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex

MEGA_IMAGE = FIRMWARE / "prebuilt" / "zeroclaw-arduino-mega.hex"
SOURCE = Path(__file__).with_name("simavr_mega.c")
SIMAVR_HEADER = Path("/usr/include/simavr/sim_avr.h")
ARDUINO_PINS = Path("/usr/share/arduino/hardware/arduino/avr/variants/mega/pins_arduino.h")
PINS = 70
FIRST_ANALOG_PIN = 54
MILLIVOLTS = 5000
TONE_PIN = 24
"""Where the vectors play tones."""
#: Address of PINx in data memory (ATmega2560 data sheet, section 33); DDRx and PORTx follow.
PORT_ADDRESSES = {
    **{letter: 0x20 + 3 * number for number, letter in enumerate("ABCDEFG")},
    **{letter: 0x100 + 3 * number for number, letter in enumerate("HJKL")},
}
#: Everything of the timers that decides what their pins do: control, compare and top, not the counters.
TIMER_REGISTERS = [
    *(0x44, 0x45, 0x47, 0x48, 0xB0, 0xB1, 0xB3, 0xB4),
    *(base + at for base in (0x80, 0x90, 0xA0, 0x120) for at in (0, 1, *range(6, 14))),
]


def missing_tools() -> str:
    """Return what is missing for these tests and how to get it; empty when all is there."""
    missing = [str(path) for path in (SIMAVR_HEADER, ARDUINO_PINS) if not path.exists()]
    hint = "apt-get install libsimavr-dev libelf-dev gcc arduino-core-avr"
    return f"needs {' and '.join(missing)}: {hint}" if missing else ""


def build(folder: Path) -> Path:
    """Compile the simavr host into folder; returns the program."""
    program = folder / "simavr_mega"
    command = ["cc", "-O2", "-Wall", "-o", str(program), str(SOURCE), "-lsimavr", "-lelf", "-lm"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return program


def pin_places() -> list[tuple[str, int]]:
    """(port, bit) of each pin after Arduino's pins_arduino.h."""
    text = ARDUINO_PINS.read_text(encoding="latin-1")
    ports = re.findall(r"^\s*(P[A-L])\s*,\s*// P\w \d \*\* \d", text, re.M)
    bits = re.findall(r"^\s*_BV\(\s*(\d)\s*\)\s*,\s*// P\w \d \*\* \d", text, re.M)
    assert len(ports) == len(bits) == PINS
    return [(port[1], int(bit)) for port, bit in zip(ports, bits, strict=True)]


class MegaChip:
    """One chip; see chip_board.Chip. Its wires are simavr's own.

    Args:
        program: of build().
        folder: for the image as bytes.
    """

    def __init__(self, program: Path, folder: Path) -> None:
        memory = parse_intel_hex(MEGA_IMAGE.read_text(encoding="ascii"))
        image = bytearray(max(start + len(data) for start, data in memory.items()))
        for start, data in memory.items():
            image[start : start + len(data)] = data
        path = folder / "image.bin"
        path.write_bytes(image)
        self.wires = Wires(PINS, sda=20, scl=21, miso=50, mosi=51)
        self.wires.listener = self._drive
        self.places = pin_places()
        self.micros = 0
        self._left = 0
        self._process = subprocess.Popen(
            [str(program), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        """End simavr."""
        self._process.communicate()

    def _order(self, text: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        results: list[str] = []
        for line in self._process.stdout:
            if line == "ok\n":
                return results
            results.append(line.strip())
        raise AssertionError(f"simavr ended at '{text}': {results}")

    def run_ms(self, milliseconds: int) -> bytes:
        """See chip_board.Chip."""
        self.micros += milliseconds * 1000
        *sent, left = self._order(f"tick {milliseconds}")
        self._left = int(left.removeprefix("left "))
        return bytes.fromhex("".join(line.removeprefix("sent ") for line in sent))

    def receive(self, data: bytes) -> None:
        """See chip_board.Chip."""
        if data:
            self._order(f"recv {data.hex()}")

    @property
    def is_line_busy(self) -> bool:
        """See chip_board.Chip."""
        return self._left > 0

    @property
    def seconds(self) -> float:
        """See chip_board.Chip."""
        return self.micros / 1e6

    def _drive(self, pin: int) -> None:
        port, bit = self.places[pin]
        if pin in self.wires.driven:
            self._order(f"drive {port} {bit} {self.wires.driven[pin]}")

    def set_analog(self, pin: int, value: int) -> None:
        """See chip_board.Chip."""
        millivolts = round((value + 0.5) * MILLIVOLTS / 1023.5)
        self._order(f"analog {pin - FIRST_ANALOG_PIN} {millivolts}")

    def data(self, address: int, count: int) -> bytes:
        """Bytes of the data memory."""
        return bytes.fromhex(self._order(f"data {address:x} {count}")[0].removeprefix("data "))

    def output_state(self) -> object:
        """See chip_board.Chip."""
        ports = [list(self.data(address + 1, 2)) for address in PORT_ADDRESSES.values()]
        letter, bit = self.places[TONE_PIN]
        ports[list(PORT_ADDRESSES).index(letter)][1] &= ~(1 << bit)  # a tone changes it all the time
        return ports, [self.data(address, 1) for address in TIMER_REGISTERS]

    def seen(self) -> dict[int, PinState]:
        """The pins as the port registers have them."""
        registers = {letter: self.data(address, 3) for letter, address in PORT_ADDRESSES.items()}
        pins = {}
        for number, (port, bit) in enumerate(self.places):
            level, direction, latch = (register >> bit & 1 for register in registers[port])
            pins[number] = PinState("o" if direction else "u" if latch else "i", level, 0)
        return pins
