"""The shipped image of the Nucleo against the vectors, on the chip of stm32_chip.py (HW-3, HW-8)."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from tests.integration.ports.board_map import cases_for, names_of
from tests.integration.ports.chip_board import ChipBoard
from tests.integration.ports.nucleo import ANALOG_PINS, NUCLEO, NUCLEO_IMAGE, nucleo_wires
from tests.integration.ports.stm32_chip import Stm32Chip
from tests.integration.ports.vector_runner import run_case
from tests.unit.firmware.vectors import Case

CASES = cases_for(NUCLEO)
TIM11 = 0x14800


@pytest.fixture(scope="module")
def shared_board() -> ChipBoard:
    """Return one board; each test restarts it."""
    return ChipBoard(Stm32Chip(NUCLEO_IMAGE, nucleo_wires()), NUCLEO)


@pytest.fixture
def board(shared_board: ChipBoard) -> ChipBoard:
    """Return a board that has just started, its boot line read."""
    restart(shared_board, "external")
    return shared_board


def restart(board: ChipBoard, cause: str) -> str:
    """Restart; returns the cause that the boot line gives."""
    board.chip.reset(cause)  # type: ignore[attr-defined]
    board.attach_devices()
    for pin in ANALOG_PINS.values():
        board.chip.set_analog(pin, 0)
    (boot,) = board.exchange(b"", 1)
    return str(json.loads(boot)["reset"])


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_vector(board: ChipBoard, case: Case) -> None:
    run_case(board, case)


@pytest.mark.parametrize("cause", ["power", "external", "brownout"])
def test_boot_line_gives_the_reset_cause(shared_board: ChipBoard, cause: str) -> None:
    assert restart(shared_board, cause) == cause


def test_pwm_at_the_pin(board: ChipBoard) -> None:
    for pin in NUCLEO.capabilities["pwm"]:
        board.ask("pwm_write", pin=pin, duty=64)
        pulse = board.chip.pulse(pin)  # type: ignore[attr-defined]
        assert pulse is not None
        assert pulse[0] / pulse[1] == pytest.approx(64 / 255)
        assert 1e6 / pulse[1] == pytest.approx(1000, rel=0.01)
        board.ask("stop_all")
        assert board.chip.pulse(pin) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(("duty", "share"), [(0, 0.0), (1, 1 / 255), (254, 254 / 255), (255, 1.0)])
def test_pwm_ends_are_plain_levels(board: ChipBoard, duty: int, share: float) -> None:
    board.ask("pwm_write", pin=20, duty=duty)
    high, period = board.chip.pulse(20)  # type: ignore[attr-defined]
    assert high / period == pytest.approx(share)


def test_servo_pulses(board: ChipBoard) -> None:
    for pin in NUCLEO.capabilities["servo"]:
        for arguments, microseconds in [({"angle": 0}, 544), ({"angle": 180}, 2400), ({"us": 1500}, 1500)]:
            board.ask("servo_write", pin=pin, **arguments)
            high, period = board.chip.pulse(pin)  # type: ignore[attr-defined]
            assert (high, period) == (pytest.approx(microseconds), pytest.approx(20_000))
        board.ask("servo_detach", pin=pin)


def test_two_pins_of_one_timer_channel_do_not_share_it(board: ChipBoard) -> None:
    board.ask("pwm_write", pin=20, duty=10)  # PB4: timer 3, channel 1, as PA6
    (reply,) = board.exchange(b'{"id":1,"cmd":"pwm_write","args":{"pin":6,"duty":10}}\n', 1)
    assert json.loads(reply)["code"] == "conflict"
    board.ask("pwm_write", pin=21, duty=10)  # PB5: channel 2 of the same timer


@pytest.mark.parametrize(
    ("pin", "reason"), [(2, "serial line"), (13, "debug port"), (46, "crystal"), (49, "not on this chip")]
)
def test_pins_that_are_not_for_use(board: ChipBoard, pin: int, reason: str) -> None:
    (reply,) = board.exchange(f'{{"id":1,"cmd":"gpio_read","args":{{"pin":{pin}}}}}\n'.encode(), 1)
    assert json.loads(reply)["error"] == f"Invalid pin {pin}: {reason}"


def test_all_analog_channels(board: ChipBoard) -> None:
    pins = [0, 1, 4, 16, 33, 32, 5, 6, 7, 17, 34, 35, 36, 37]
    for channel, pin in enumerate(pins):
        board.chip.set_analog(pin, 100 + channel)
        assert board.ask("adc_read", channel=channel) == 100 + channel
        assert board.ask("adc_read", pin=pin) == 100 + channel
        board.chip.set_analog(pin, 0)


def chip_of(board: ChipBoard) -> Stm32Chip:
    """The chip that the board is on."""
    assert isinstance(board.chip, Stm32Chip)
    return board.chip


@pytest.mark.parametrize("hertz", [31, 440, 1000, 20_000])
def test_tone(board: ChipBoard, hertz: int) -> None:
    """Timer 11 runs from 0 to ARR at 84 MHz / (PSC + 1); each time round its interrupt turns the pin."""
    chip = chip_of(board)
    board.ask("tone", pin=43, hz=hertz)
    prescaler, top = (chip.registers[TIM11 + at] + 1 for at in (0x28, 0x2C))
    assert 84e6 / prescaler / top / 2 == pytest.approx(hertz, rel=0.002)
    assert (chip.registers[TIM11] & 1, chip.registers[TIM11 + 0x0C] & 1) == (1, 1)
    levels = []
    for _ in range(4):
        chip.interrupt(26)
        levels.append(chip.wires.level(43))
    assert levels in ([1, 0, 1, 0], [0, 1, 0, 1])
    board.ask("no_tone", pin=43)
    assert chip.registers[TIM11] & 1 == 0
    assert chip.wires.level(43) == 0


@pytest.mark.parametrize("pin", [0, 19, 24, 42, 50])
def test_the_second_serial_line_hears(board: ChipBoard, pin: int) -> None:
    """9600 baud, 8N1: a frame is a start bit, eight bits from the lowest, a stop bit, of 104 us each."""
    chip = chip_of(board)
    chip.edge(pin, 1)
    board.ask("uart_read", rx=pin)
    for byte in b"Hi\x00\xff":
        for bit in (0, *(byte >> place & 1 for place in range(8)), 1):
            chip.edge(pin, bit)
            chip.micros += 104
    board.advance(3)
    assert board.ask("uart_read", rx=pin) == {"data": b"Hi\x00\xff".hex(), "lost": 0}
    chip.edge(pin, 0)  # a break: no stop bit
    board.advance(3)
    assert board.ask("uart_read", rx=pin) == {"data": "", "lost": 1}


def test_the_second_serial_line_speaks(board: ChipBoard) -> None:
    chip = chip_of(board)
    board.ask("uart_write", tx=43, data="00")  # the line is idle high from here on
    chip.changes.clear()
    board.ask("uart_write", tx=43, data="a5")
    edges = [(when, level) for when, pin, level in chip.changes if pin == 43]
    # 0xA5 from the lowest bit: start 0, then 1 0 1 0 0 1 0 1, stop 1
    assert [level for _, level in edges] == [0, 1, 0, 1, 0, 1, 0, 1]
    lengths = [(later[0] - earlier[0]) / 104.17 for earlier, later in pairwise(edges)]
    assert lengths == pytest.approx([1, 1, 1, 1, 2, 1, 1], abs=0.1)


def test_a_full_window_of_requests_is_answered_in_order(board: ChipBoard) -> None:
    window = json.loads(board.ask("capabilities"))["window"]
    data = b"".join(b'{"id":%d,"cmd":"ping"}'.ljust(59) % n + b"\n" for n in range(window))
    assert [json.loads(line)["id"] for line in board.exchange(data, window)] == list(range(window))


def test_a_crash_restarts_the_board_with_its_pins_free(board: ChipBoard) -> None:
    board.ask("gpio_write", pin=5, value=1)
    board.chip.crash()  # type: ignore[attr-defined]
    (boot,) = board.exchange(b"", 1)
    assert json.loads(boot)["reset"] == "watchdog"
    assert board.wires()[5].mode == "i"
