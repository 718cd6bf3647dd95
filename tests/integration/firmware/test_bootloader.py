"""The STK500v1 bootloader on the simulated chip, byte by byte, as application note AVR061 has it."""

from __future__ import annotations

import json
import random

import pytest

from tests.integration.firmware.simulated_uno import SimulatedUno
from zeroclaw_desktop.hardware.simulator.avr_machine import ResetCause

LOADER = "bootloader-uno.hex"
APPLICATION = "zeroclaw-arduino-uno.hex"
LOADER_START = 0x7E00
PAGE = 128
OK, FAILED, IN_SYNC, NO_SYNC, END = b"\x10", b"\x11", b"\x14", b"\x15", b"\x20"
SYNC = b"\x30" + END


class Programmer:
    """The host side of STK500v1 on a simulated board."""

    def __init__(self, *images: str) -> None:
        self.uno = SimulatedUno(LOADER, *images, boot_reset=True)
        self.machine = self.uno.machine
        self.machine.run(16_000)  # the loader takes note of the power-on reset
        self.machine.reset(ResetCause.EXTERNAL)
        self.machine.run(16_000)

    def send(self, data: bytes, milliseconds: int = 40) -> bytes:
        """Send bytes, let time pass, return what came back."""
        assert self.machine.uart_receive(data) == len(data)
        self.machine.run(milliseconds * 16_000)
        return self.machine.uart_transmitted()

    def load_address(self, byte_address: int) -> None:
        """Set the address for the next page."""
        assert self.send(b"\x55" + (byte_address // 2).to_bytes(2, "little") + END) == IN_SYNC + OK

    def write(self, byte_address: int, data: bytes, memory: bytes = b"F") -> bytes:
        """Write one page; returns the answer."""
        self.load_address(byte_address)
        limit = 60 if memory == b"F" else 60 + 4 * len(data)
        return self.send(b"\x64" + len(data).to_bytes(2, "big") + memory + data + END, limit)

    def read(self, byte_address: int, length: int, memory: bytes = b"F") -> bytes:
        """Read memory back."""
        self.load_address(byte_address)
        answer = self.send(b"\x74" + length.to_bytes(2, "big") + memory + END, 20 + length // 8)
        assert answer[:1] == IN_SYNC
        assert answer[-1:] == OK
        return answer[1:-1]


@pytest.fixture
def programmer() -> Programmer:
    """Return a board with the loader and empty flash."""
    return Programmer()


def test_sync_parameters_and_signature(programmer: Programmer) -> None:
    assert programmer.send(SYNC) == IN_SYNC + OK
    assert programmer.send(b"\x41\x81" + END) == IN_SYNC + b"\x01" + OK
    assert programmer.send(b"\x41\x82" + END) == IN_SYNC + b"\x00" + OK
    assert programmer.send(b"\x40\x80\x01" + END) == IN_SYNC + OK
    assert programmer.send(b"\x42" + bytes(20) + END) == IN_SYNC + OK
    assert programmer.send(b"\x45\x05\x04\xd7\xc2\x00" + END) == IN_SYNC + OK
    assert programmer.send(b"\x50" + END) == IN_SYNC + OK
    assert programmer.send(b"\x56\xac\x80\x00\x00" + END) == IN_SYNC + b"\x00" + OK
    assert programmer.send(b"\x75" + END) == IN_SYNC + b"\x1e\x95\x0f" + OK  # data sheet table 27-6


def test_whole_application_section_can_be_written_and_read(programmer: Programmer) -> None:
    content = random.Random(328).randbytes(LOADER_START)
    loader = programmer.machine.read_flash(LOADER_START, 512)
    for address in range(0, LOADER_START, PAGE):
        assert programmer.write(address, content[address : address + PAGE]) == IN_SYNC + OK
    assert programmer.machine.read_flash(0, LOADER_START) == content
    assert programmer.machine.read_flash(LOADER_START, 512) == loader
    for address in (0, 0x1F80, 0x7000, LOADER_START - PAGE):
        assert programmer.read(address, PAGE) == content[address : address + PAGE]


def test_a_page_can_be_written_again(programmer: Programmer) -> None:
    for content in (bytes(PAGE), b"\xff" * PAGE, bytes(range(PAGE))):
        assert programmer.write(0x400, content) == IN_SYNC + OK
        assert programmer.read(0x400, PAGE) == content


@pytest.mark.parametrize("length", [1, 2, 63, 64])
def test_short_page_leaves_the_rest_erased(programmer: Programmer, length: int) -> None:
    assert programmer.write(0x200, b"\x55" * length) == IN_SYNC + OK
    expected = (b"\x55" * length).ljust(PAGE, b"\xff")
    found = programmer.machine.read_flash(0x200, PAGE)
    assert found[:length] == expected[:length]
    assert found[length + length % 2 :] == expected[length + length % 2 :]


@pytest.mark.parametrize("address", [LOADER_START, LOADER_START + PAGE, 0x7F80, 0x102])
def test_writing_over_the_loader_or_across_pages_is_refused(programmer: Programmer, address: int) -> None:
    flash = programmer.machine.read_flash(0, 0x8000)
    assert programmer.write(address, bytes(PAGE)) == IN_SYNC + FAILED
    assert programmer.machine.read_flash(0, 0x8000) == flash
    assert programmer.send(SYNC) == IN_SYNC + OK


def test_oversized_page_is_refused(programmer: Programmer) -> None:
    flash = programmer.machine.read_flash(0, 0x8000)
    assert programmer.send(b"\x64\x01\x00F").startswith(FAILED)
    assert programmer.machine.read_flash(0, 0x8000) == flash
    assert programmer.send(SYNC) == IN_SYNC + OK


def test_eeprom(programmer: Programmer) -> None:
    content = bytes(range(100, 180))
    assert programmer.write(0x40, content, b"E") == IN_SYNC + OK
    assert programmer.machine.eeprom[0x40 : 0x40 + len(content)] == content
    assert programmer.read(0x40, len(content), b"E") == content
    assert programmer.machine.read_flash(0, 0x100) == b"\xff" * 0x100


def test_out_of_step_bytes_are_answered_and_overcome(programmer: Programmer) -> None:
    assert programmer.send(b"\x30\x30") == NO_SYNC
    assert programmer.send(SYNC) == IN_SYNC + OK
    for length in range(1, 6):
        programmer.send(bytes(range(33, 33 + length)))
        answers = [programmer.send(SYNC) for _ in range(2)]  # a host repeats it until the answer fits
        assert answers[-1] == IN_SYNC + OK


def test_leaving_starts_the_new_program_at_once(programmer: Programmer) -> None:
    image = SimulatedUno(APPLICATION).machine.read_flash(0, 0x6000)
    for address in range(0, len(image), PAGE):
        assert programmer.write(address, image[address : address + PAGE]) == IN_SYNC + OK
    answer = programmer.send(b"\x51" + END, 20)
    assert answer.startswith(IN_SYNC + OK)
    assert json.loads(answer[2:])["reset"] == "external"


def test_program_starts_after_a_second_without_command() -> None:
    programmer = Programmer(APPLICATION)
    assert programmer.send(b"", 900) == b""
    assert programmer.machine.in_bootloader
    assert json.loads(programmer.send(b"", 200))["reset"] == "external"


def test_a_command_starts_the_second_anew_and_noise_does_not() -> None:
    programmer = Programmer(APPLICATION)
    assert programmer.send(SYNC, 900) == IN_SYNC + OK
    programmer.send(SYNC, 900)
    assert programmer.machine.in_bootloader
    for _ in range(4):
        programmer.send(b"\xf0\xf1", 100)
    assert not programmer.machine.in_bootloader


@pytest.mark.parametrize(
    ("cause", "waits"),
    [
        (ResetCause.POWER_ON, True),
        (ResetCause.EXTERNAL, True),
        (ResetCause.BROWN_OUT, True),
        (ResetCause.WATCHDOG, False),
    ],
)
def test_only_a_watchdog_reset_skips_the_wait(cause: ResetCause, waits: bool) -> None:
    programmer = Programmer(APPLICATION)
    programmer.machine.reset(cause)
    answer = programmer.send(b"", 100)
    assert (answer == b"") == waits
    boot = json.loads(answer or programmer.send(b"", 1000))
    names = {ResetCause.POWER_ON: "power", ResetCause.EXTERNAL: "external", ResetCause.BROWN_OUT: "brownout"}
    assert boot["reset"] == names.get(cause, "watchdog")


def test_watchdog_of_the_program_does_not_loop_in_the_loader() -> None:
    programmer = Programmer(APPLICATION)
    programmer.send(b"", 1200)
    answer = programmer.send(b'{"id":1,"cmd":"board_reset"}\n', 100)
    reply, boot = answer.splitlines()
    assert json.loads(reply)["ok"]
    assert json.loads(boot)["reset"] == "command"
    resets = programmer.machine.reset_count
    programmer.send(b"", 5000)
    assert programmer.machine.reset_count == resets


def test_empty_flash_is_never_started(programmer: Programmer) -> None:
    programmer.send(b"", 5000)
    assert programmer.machine.in_bootloader
    assert programmer.machine.undefined_instructions == 0
    assert programmer.send(b"\x51" + END) == IN_SYNC + OK
    assert programmer.machine.in_bootloader
    assert programmer.send(SYNC) == IN_SYNC + OK


def test_program_finds_the_peripherals_as_after_a_reset() -> None:
    """Registers of data sheet section 30 at the program's first instruction, beside those of a plain reset.

    MCUSR (0x54) is the exception: the loader clears it and hands its value over in r2.
    """
    programmer = Programmer(APPLICATION)
    programmer.send(b"", 990)
    while programmer.machine.in_bootloader:
        programmer.machine.step()
    assert programmer.machine.program_counter == 0
    assert programmer.machine.registers[2] == ResetCause.EXTERNAL
    plain = SimulatedUno(APPLICATION)
    for start, end in ((0x23, 0x54), (0x55, 0x5B), (0x60, 0xC6)):
        assert programmer.machine.read_data(start, end - start) == plain.machine.read_data(start, end - start)
