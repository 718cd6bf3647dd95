"""Boot loaders program the simulated chip: the real Optiboot, built from apt's arduino-core-avr, and our own.

Protocol: Atmel application note AVR061 "STK500 Communication Protocol" (version 1).
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.integration.avr import avr_firmware, avr_native
from tests.integration.avr.optiboot import build_optiboot
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, ResetCause

BOOT_START = 0x7E00
PAGE_BYTES = 128
IN_SYNC, OK, CRC_EOP = 0x14, 0x10, 0x20
MILLISECOND = 16_000


@pytest.fixture(scope="module")
def optiboot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Intel HEX text of Optiboot."""
    return build_optiboot(tmp_path_factory.mktemp("optiboot")).read_text()


@pytest.fixture(params=["optiboot", "shipped"])
def boot_loader(request: pytest.FixtureRequest) -> str:
    """Intel HEX text of each boot loader in turn."""
    if request.param == "optiboot":
        return str(request.getfixturevalue("optiboot"))
    shipped = avr_native.REPOSITORY / "firmware" / "prebuilt" / "bootloader-uno.hex"
    if not shipped.exists():
        pytest.skip("needs the shipped boot loader: python firmware/build.py")
    return shipped.read_text()


class Programmer:
    """The host's half of STK500 version 1, byte by byte."""

    def __init__(self, machine: AvrMachine) -> None:
        self.machine = machine

    def command(self, *message: int, answer_length: int = 0, timeout_ms: int = 200) -> bytes:
        """Send a command with its end mark and return the bytes between IN_SYNC and OK."""
        data = bytes([*message, CRC_EOP])
        assert self.machine.uart_receive(data) == len(data)
        received = b""
        for _ in range(timeout_ms):
            self.machine.run(MILLISECOND)
            received += self.machine.uart_transmitted()
            if len(received) == answer_length + 2:
                break
        assert (received[:1], received[-1:]) == (bytes([IN_SYNC]), bytes([OK])), received
        return received[1:-1]

    def write(self, image: bytes) -> None:
        for address in range(0, len(image), PAGE_BYTES):
            page = image[address : address + PAGE_BYTES]
            self.command(0x55, address // 2 & 0xFF, address // 2 >> 8)
            self.command(0x64, len(page) >> 8, len(page) & 0xFF, ord("F"), *page)

    def read(self, length: int) -> bytes:
        result = b""
        for address in range(0, length, PAGE_BYTES):
            count = min(PAGE_BYTES, length - address)
            self.command(0x55, address // 2 & 0xFF, address // 2 >> 8)
            result += self.command(0x74, count >> 8, count & 0xFF, ord("F"), answer_length=count)
        return result


def booted(boot_loader: str) -> AvrMachine:
    machine = AvrMachine(wasm_path=avr_native.WASM)
    machine.load_hex(boot_loader)
    machine.reset(ResetCause.EXTERNAL)
    machine.run(400 * MILLISECOND)  # the LED flashes come first
    return machine


def test_programs_reads_back_and_starts_a_firmware(boot_loader: str, tmp_path: Path) -> None:
    image = avr_firmware.compile_c(avr_firmware.firmware_source("polled.c"), tmp_path)
    machine = booted(boot_loader)
    assert machine.in_bootloader
    programmer = Programmer(machine)
    programmer.command(0x30)
    assert programmer.command(0x75, answer_length=3) == bytes([0x1E, 0x95, 0x0F])
    programmer.write(image)
    assert programmer.read(len(image)) == image
    assert machine.read_flash(0, len(image)) == image
    assert set(machine.read_flash(BOOT_START - PAGE_BYTES, PAGE_BYTES)) == {0xFF}
    programmer.command(0x51)
    machine.uart_transmitted()
    machine.run(100 * MILLISECOND)  # leaves by a 16 ms watchdog reset
    assert not machine.in_bootloader
    assert machine.uart_transmitted().endswith(b"done\n")


def test_optiboot_flashes_the_led_three_times(optiboot: str) -> None:
    flashes = [cycle for cycle, pin, _ in booted(optiboot).take_edges() if pin == 13]
    sixteenth_of_a_second = AvrMachine.CLOCK_HZ // 16  # optiboot.c: timer 1 counts F_CPU / (1024 * 16)
    assert len(flashes) == 6
    assert all(abs(b - a - sixteenth_of_a_second) < 1100 for a, b in itertools.pairwise(flashes))


def test_fills_the_whole_application_section(boot_loader: str) -> None:
    image = bytes((index * 7 + (index >> 8)) & 0xFF for index in range(BOOT_START))
    machine = booted(boot_loader)
    boot_section = machine.read_flash(BOOT_START, 0x200)
    programmer = Programmer(machine)
    programmer.command(0x30)
    programmer.write(image)
    assert machine.read_flash(0, BOOT_START) == image
    assert machine.read_flash(BOOT_START, 0x200) == boot_section


def test_an_erased_chip_comes_back_to_the_boot_loader(optiboot: str) -> None:
    machine = booted(optiboot)
    machine.run(3000 * MILLISECOND)
    resets = machine.reset_count
    machine.run(3000 * MILLISECOND)
    assert machine.reset_count > resets or machine.in_bootloader
    assert machine.undefined_instructions > 0
    programmer = Programmer(machine)
    machine.reset(ResetCause.EXTERNAL)
    machine.run(400 * MILLISECOND)
    programmer.command(0x30)
