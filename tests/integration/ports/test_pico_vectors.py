"""The shipped image of the Pico in rp2040py: vectors over UART0, and the port on USB (HW-3, HW-8)."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.ports.board_map import cases_for, names_of
from tests.integration.ports.chip_board import ChipBoard
from tests.integration.ports.pico import (
    DRIVEN,
    GPIO,
    INPUT_ONLY,
    LED,
    PICO,
    PICO_IMAGE,
    PICO_ON_USB,
    pico_wires,
)
from tests.integration.ports.pico_chip import PicoChip
from tests.integration.ports.vector_runner import run_case
from tests.unit.firmware.vectors import FIRMWARE, Case


def not_for_here(case: Case) -> bool:
    """What does not reach the board layer is left to test_stm32_vectors.py: lines are slow here."""
    is_ramp = case.name == "a ramp up and down"
    return (
        case.file in ("errors", "requests")
        or case.name.startswith("arguments of")
        or (case.file == "motors" and not is_ramp)
    )


CASES = cases_for(PICO, not_for_here)
FAMILY_RP2040 = 0xE48BFF56
FLASH = 0x10000000


@pytest.fixture(scope="module", autouse=True)
def quiet_emulator() -> Iterator[None]:
    """The emulator logs each register that it only stores, the PLLs' among them."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def shared_board() -> ChipBoard:
    """Return one board; each test restarts it."""
    return ChipBoard(PicoChip(PICO_IMAGE, pico_wires()), PICO)


@pytest.fixture
def board(shared_board: ChipBoard) -> ChipBoard:
    """Return a board that has just started, its boot line read."""
    chip = shared_board.chip
    assert isinstance(chip, PicoChip)
    chip.restart()
    shared_board.attach_devices()
    for pin in (26, 27, 28):
        chip.set_analog(pin, 0)
    (boot,) = shared_board.exchange(b"", 1)
    assert json.loads(boot)["evt"] == "boot"
    return shared_board


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_vector(board: ChipBoard, case: Case) -> None:
    run_case(board, case)


def test_the_led(board: ChipBoard) -> None:
    for level in (1, 0, 1):
        board.ask("gpio_write", pin=LED, value=level)
        assert (board.wires()[LED].mode, board.wires()[LED].level) == ("o", level)


def pulse(board: ChipBoard, pin: int) -> tuple[float, float]:
    """(high time, period) in microseconds at a pin that a slice drives."""
    assert isinstance(board.chip, PicoChip)
    found = board.chip.pulse(pin)
    assert found is not None
    return found


@pytest.mark.parametrize("pin", [DRIVEN[0], 15, 16, LED, DRIVEN[-1]])
def test_pwm_servo_and_tone_at_the_pin(board: ChipBoard, pin: int) -> None:
    board.ask("pwm_write", pin=pin, duty=64)
    high, period = pulse(board, pin)
    assert (high / period, 1e6 / period) == (pytest.approx(64 / 255), pytest.approx(1000, rel=0.01))
    board.ask("servo_write", pin=pin, angle=180)
    assert pulse(board, pin) == (pytest.approx(2400), pytest.approx(20_000))
    board.ask("tone", pin=pin, hz=440)
    high, period = pulse(board, pin)
    assert (high / period, 1e6 / period) == (pytest.approx(0.5, abs=0.01), pytest.approx(440, rel=0.001))


@pytest.mark.parametrize(("duty", "share"), [(0, 0.0), (1, 1 / 255), (255, 1.0)])
def test_pwm_ends_are_plain_levels(board: ChipBoard, duty: int, share: float) -> None:
    board.ask("pwm_write", pin=3, duty=duty)
    high, period = pulse(board, 3)
    assert high / period == pytest.approx(share)


def test_pins_16_apart_do_not_share_a_channel(board: ChipBoard) -> None:
    board.ask("pwm_write", pin=2, duty=10)
    (reply,) = board.exchange(b'{"id":1,"cmd":"pwm_write","args":{"pin":18,"duty":10}}\n', 1)
    assert json.loads(reply)["code"] == "conflict"
    board.ask("pwm_write", pin=19, duty=10)  # the other channel of the slice


@pytest.mark.parametrize("pin", sorted(INPUT_ONLY))
def test_what_the_board_drives_is_for_reading_only(board: ChipBoard, pin: int) -> None:
    for command, arguments in [
        ("gpio_write", '"value":1'),
        ("pin_mode", '"mode":"output"'),
        ("pin_mode", '"mode":"input_pullup"'),
        ("pwm_write", '"duty":1'),
        ("tone", '"hz":440'),
    ]:
        request = f'{{"id":1,"cmd":"{command}","args":{{"pin":{pin},{arguments}}}}}\n'
        (reply,) = board.exchange(request.encode(), 1)
        assert json.loads(reply)["code"] == "unsupported", command
    board.drive(pin, 1)
    assert board.ask("gpio_read", pin=pin) == "1"


@pytest.fixture
def usb_board() -> ChipBoard:
    """Return a board on whose port on USB a program is."""
    board = ChipBoard(PicoChip(PICO_IMAGE, pico_wires(), "usb"), PICO)
    board.attach_devices()
    for _ in range(100):
        board.advance(1)
        assert isinstance(board.chip, PicoChip)
        assert board.chip.usb is not None
        if board.chip.usb.dtr:
            break
    board.advance(5)
    return board


def test_the_line_on_usb(usb_board: ChipBoard) -> None:
    """Long lines both ways, many requests at a time: what goes in and out in several packets."""
    found = json.loads(usb_board.ask("capabilities"))
    assert {key: found[key] for key in PICO_ON_USB.capabilities} == dict(PICO_ON_USB.capabilities)
    long = b'{"id":"' + b"x" * 180 + b'","cmd":"ping"}\n'
    assert json.loads(usb_board.exchange(long, 1)[0])["id"] == "x" * 180
    window = found["window"]
    assert window > 8
    requests = b"".join(
        b'{"id":%d,"cmd":"gpio_write","args":{"pin":25,"value":%d}}\n' % (n, n % 2) for n in range(8)
    )
    assert [json.loads(line)["id"] for line in usb_board.exchange(requests, 8)] == list(range(8))
    assert usb_board.wires()[LED].level == 1


def test_the_serial_pins_are_free_while_usb_is_the_line(usb_board: ChipBoard) -> None:
    for pin in (0, 1):
        usb_board.ask("gpio_write", pin=pin, value=1)
        assert (usb_board.pins()[pin].mode, usb_board.pins()[pin].level) == ("o", 1)
    assert usb_board.ask("stop_all") == {"stopped": 2}


def test_a_port_that_is_closed_and_opened_again_goes_on(usb_board: ChipBoard) -> None:
    chip = usb_board.chip
    assert isinstance(chip, PicoChip)
    assert chip.usb is not None
    usb_board.ask("subscribe", signal="uptime", period_ms=5)
    usb_board.ask("watchdog_host", ms=200)
    usb_board.ask("gpio_write", pin=LED, value=1)
    chip.usb.set_control_lines(dtr=False, rts=False)
    usb_board.advance(400)
    assert usb_board.wires()[LED].level == 0  # nobody is there: the host watchdog has made the board safe
    chip.usb.set_control_lines(dtr=True, rts=True)
    usb_board.advance(5)
    usb_board.exchange_for(b'\n{"id":1,"cmd":"unsubscribe"}\n', 20)
    assert usb_board.ask("ping") == "pong"


def test_the_touch_with_1200_baud_asks_for_the_boot_loader(usb_board: ChipBoard) -> None:
    chip = usb_board.chip
    assert isinstance(chip, PicoChip)
    assert chip.usb is not None
    usb_board.ask("gpio_write", pin=LED, value=1)
    chip.usb.set_line_coding(1200)
    for _ in range(300):
        usb_board.advance(1)
        if chip.is_in_rom():
            break
    assert chip.is_in_rom()
    assert usb_board.wires()[LED].level == 0


def test_the_image_is_a_uf2_with_a_valid_boot_stage() -> None:
    """UF2 as its specification says; the CRC by another formula than pico_image.py has."""
    for name in ("zeroclaw-raspberry-pi-pico.uf2", "zeroclaw-raspberry-pi-pico-w.uf2"):
        blocks = (FIRMWARE / "prebuilt" / name).read_bytes()
        assert len(blocks) % 512 == 0
        program = b""
        for number in range(len(blocks) // 512):
            block = blocks[number * 512 : number * 512 + 512]
            first, second, flags, address, size, place, count, family = struct.unpack("<8I", block[:32])
            assert (first, second, block[-4:]) == (0x0A324655, 0x9E5D5157, bytes.fromhex("306fb10a"))
            assert (flags, size, family) == (0x2000, 256, FAMILY_RP2040)
            assert (address, place, count) == (FLASH + number * 256, number, len(blocks) // 512)
            program += block[32 : 32 + size]
        assert crc_by_division(program[:252]) == int.from_bytes(program[252:256], "little")
        stack, start = struct.unpack("<2I", program[256:264])
        assert 0x20000000 < stack <= 0x20042000
        assert FLASH < start < FLASH + len(program)
        assert start % 2 == 1


def crc_by_division(data: bytes) -> int:
    """The remainder of the polynomial division that CRC-32/MPEG-2 is, begun with ones."""
    dividend = (int.from_bytes(data, "big") ^ 0xFFFFFFFF << 8 * (len(data) - 4)) << 32
    divisor = 0x104C11DB7
    while dividend.bit_length() > 32:
        dividend ^= divisor << dividend.bit_length() - divisor.bit_length()
    return dividend


def test_the_pico_w_keeps_away_from_its_radio(tmp_path: Path) -> None:
    board = ChipBoard(
        PicoChip(FIRMWARE / "prebuilt" / "zeroclaw-raspberry-pi-pico-w.uf2", pico_wires()), PICO
    )
    board.attach_devices()
    board.exchange(b"", 1)
    found = json.loads(board.ask("capabilities"))
    assert (found["board"], found["led_pin"]) == ("raspberry-pi-pico-w", -1)
    assert set(found["gpio"]) == set(GPIO) - {LED} - INPUT_ONLY
    (reply,) = board.exchange(b'{"id":1,"cmd":"gpio_write","args":{"pin":25,"value":1}}\n', 1)
    assert json.loads(reply)["error"] == "Invalid pin 25: radio"
