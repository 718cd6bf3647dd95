"""Compiles test firmwares and runs them, with the same inputs, on simavr and on the shipped module."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.integration.avr.avr_native import HERE, WASM
from zeroclaw_desktop.hardware.simulator.avr_machine import FLASH_BYTES, AvrMachine
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex

FLAGS = ["-Os", "-w", "-mmcu=atmega328p", "-DF_CPU=16000000L", "-ffunction-sections", "-fdata-sections"]
ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
SLICE_CYCLES = 16000


@dataclass(frozen=True, order=True)
class Stimulus:
    """Something that happens outside at a cycle: kind is 'uart', 'pin' or 'adc' (millivolts)."""

    cycle: int
    kind: str
    first: int
    second: int = 0


@dataclass
class Trace:
    """What the outside sees: pin edges as (cycle, pin, level) and the bytes sent."""

    edges: list[tuple[int, int, int]] = field(default_factory=list)
    sent: bytes = b""

    def cycles(self, pin: int) -> list[int]:
        """When the pin changed."""
        return [cycle for cycle, edge_pin, _ in self.edges if edge_pin == pin]


def typed(start_cycle: int, text: bytes, spacing: int = 2000) -> list[Stimulus]:
    """The bytes of text one after the other, spacing cycles apart."""
    return [Stimulus(start_cycle + index * spacing, "uart", byte) for index, byte in enumerate(text)]


def compile_c(source: Path, folder: Path) -> bytes:
    """Compile one C firmware of the folder firmware/ and return its flash image."""
    elf = folder / f"{source.stem}.elf"
    subprocess.run(["avr-gcc", "-std=gnu11", *FLAGS, "-o", str(elf), str(source)], check=True)
    return _image(elf)


def _image(elf: Path) -> bytes:
    binary = elf.with_suffix(".bin")
    subprocess.run(["avr-objcopy", "-O", "binary", str(elf), str(binary)], check=True)
    return binary.read_bytes()


def compile_sketch(source: Path, folder: Path) -> bytes:
    """Compile a sketch with the Arduino core of the apt package arduino-core-avr.

    DECIMAL_DIG is named because the packaged core does not compile with the packaged avr-gcc otherwise.
    """
    core = ARDUINO / "cores" / "arduino"
    libraries = [ARDUINO / "libraries" / name / "src" for name in ("EEPROM", "SPI", "Wire")]
    folders = [core, ARDUINO / "variants" / "standard", *libraries, libraries[-1] / "utility"]
    defines = ["-DARDUINO=10819", "-DARDUINO_AVR_UNO", "-DDECIMAL_DIG=__DECIMAL_DIG__"]
    options = [*FLAGS, *defines, *(f"-I{path}" for path in folders)]

    def compile_one(path: Path) -> str:
        language = ["avr-g++", "-std=gnu++11", "-fno-exceptions"] if path.suffix == ".cpp" else ["avr-gcc"]
        target = folder / f"{path.name}.o"
        subprocess.run([*language, *options, "-c", str(path), "-o", str(target)], check=True)
        return str(target)

    places = [core, *libraries, libraries[-1] / "utility"]
    parts = [source]
    for place in places:
        parts += [path for path in sorted(place.iterdir()) if path.suffix in (".c", ".cpp", ".S")]
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_one, parts))
    elf = folder / "sketch.elf"
    subprocess.run(["avr-gcc", *FLAGS, "-Wl,--gc-sections", *objects, "-lm", "-o", str(elf)], check=True)
    return _image(elf)


def image_of_hex(path: Path) -> bytes:
    """The flash image of an Intel HEX file that starts at 0."""
    image = bytearray(b"\xff" * FLASH_BYTES)
    end = 0
    for address, data in parse_intel_hex(path.read_text(), size_limit=FLASH_BYTES).items():
        end = address + len(data)
        image[address:end] = data
    return bytes(image[:end])


def run_on_simavr(
    program: Path, folder: Path, image: bytes, cycles: int, script: Sequence[Stimulus] = ()
) -> Trace:
    """Run an image for some cycles in simavr; see simavr_firmware.c."""
    path = folder / "image.bin"
    path.write_bytes(image)
    lines = "".join(f"{s.cycle} {s.kind} {s.first} {s.second}\n" for s in sorted(script))
    output = subprocess.run(
        [str(program), str(path), str(cycles)], input=lines, capture_output=True, text=True, check=True
    ).stdout
    trace, sent = Trace(), bytearray()
    for line in output.splitlines():
        kind, *numbers = line.split()
        values = [int(number) for number in numbers]
        assert kind in ("pin", "uart"), line
        if kind == "pin":
            trace.edges.append((values[0], values[1], values[2]))
        else:
            sent.append(values[1])
    trace.sent = bytes(sent)
    return trace


def _apply(machine: AvrMachine, stimulus: Stimulus) -> None:
    if stimulus.kind == "uart":
        assert machine.uart_receive(bytes([stimulus.first])) == 1
    elif stimulus.kind == "pin":
        machine.drive_pin(stimulus.first, stimulus.second)
    else:
        machine.set_analog(stimulus.first, stimulus.second / 1000)


def run_on_module(image: bytes, cycles: int, script: Sequence[Stimulus] = ()) -> Trace:
    """Run an image for some cycles in the shipped module."""
    machine = AvrMachine(boot_reset=False, wasm_path=WASM)
    machine.load_flash(image)
    trace = Trace()

    def run_until(cycle: int) -> None:
        while machine.cycle_count < cycle:
            machine.run(min(SLICE_CYCLES, cycle - machine.cycle_count))
            trace.edges += machine.take_edges()
            trace.sent += machine.uart_transmitted()

    for stimulus in sorted(script):
        run_until(stimulus.cycle)
        _apply(machine, stimulus)
    run_until(cycles)
    assert machine.edges_dropped == 0
    return trace


def firmware_source(name: str) -> Path:
    """A source in the folder firmware/ beside this file."""
    return HERE / "firmware" / name
