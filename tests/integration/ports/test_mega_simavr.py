"""The shipped image of the Arduino Mega in simavr against the vectors of the protocol (HW-3, HW-8)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.ports.board_map import BoardMap, cases_for, names_of
from tests.integration.ports.chip_board import ChipBoard
from tests.integration.ports.mega_chip import MegaChip, build, missing_tools
from tests.integration.ports.vector_runner import run_case
from tests.unit.firmware.vectors import Case, PinState

pytestmark = pytest.mark.skipif(missing_tools() != "", reason=missing_tools())

GPIO = list(range(2, 70))
#: Pins that can listen to a second serial line: those of the pin change interrupts 0 and 2.
LISTENING = [10, 11, 12, 13, 50, 51, 52, 53, *range(62, 70)]
MEGA = BoardMap(
    # 9 and 10 of the Mega hang on timer 2, 6 and 7 on timer 4.
    pins={0: 0, 1: 1, 2: 26, 3: 9, 4: 22, 5: 2, 6: 11, 7: 23, 8: 24, 9: 6, 10: 7, 11: 10, 12: 25, 13: 13}
    | {14 + channel: 54 + channel for channel in range(6)},
    pin_count=70,
    channels={channel: channel for channel in range(6)},
    analog_pins={channel: 54 + channel for channel in range(6)},
    channel_count=16,
    adc_bits=10,
    firmware="zeroclaw-arduino",
    version="1.1.0",
    capabilities={
        "gpio": GPIO,
        "led_pin": 13,
        "adc": list(range(16)),
        "adc_bits": 10,
        "pwm": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 44, 45, 46],
        "servo": [2, 3, 5, 6, 7, 8, 11, 12, 44, 45, 46],
        "i2c": [20, 21],
        "spi": [50, 51, 52],
        "uart": LISTENING,
        "board": "arduino-mega",
        "watchdog_ms": 2000,
    },
    is_made=frozenset({"shared_servo_timer", "shared_tone_timer", "one_tone"}),
)


def not_for_here(case: Case) -> bool:
    """Cases that want devices on the buses, which simavr has not here, and motors: it is slow at PWM."""
    return case.file == "buses" or (case.file == "motors" and case.name != "a running motor is not reversed")


CASES = cases_for(MEGA, not_for_here)


class MegaBoard(ChipBoard):
    """Levels and directions come from simavr's registers."""

    def wires(self) -> dict[int, PinState]:
        """See VectorBoard."""
        assert isinstance(self.chip, MegaChip)
        return self.chip.seen()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the simavr host."""
    return build(tmp_path_factory.mktemp("simavr"))


@pytest.fixture
def board(program: Path, tmp_path: Path) -> Iterator[MegaBoard]:
    """Yield a board that has just started, its boot line read."""
    chip = MegaChip(program, tmp_path)
    started = MegaBoard(chip, MEGA)
    started.exchange(b"", 1)
    for pin in range(54, 60):
        chip.set_analog(pin, 0)
    yield started
    chip.close()


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_vector(board: MegaBoard, case: Case) -> None:
    run_case(board, case)


def test_every_pin_is_where_arduino_has_it(board: MegaBoard) -> None:
    for pin in GPIO:
        before = board.wires()
        board.ask("gpio_write", pin=pin, value=1)
        after = board.wires()
        assert [number for number in range(70) if before[number] != after[number]] == [pin]
        assert (after[pin].mode, after[pin].level) == ("o", 1)


def test_all_analog_channels(board: MegaBoard) -> None:
    """simavr has values for eight; for the others the multiplexer is looked at (data sheet, table 26-4)."""
    chip = board.chip
    assert isinstance(chip, MegaChip)
    for channel in range(8):
        chip.set_analog(54 + channel, 100 * channel + 5)
    for channel in range(16):
        value = board.ask("adc_read", channel=channel)
        assert channel > 7 or value == pytest.approx(100 * channel + 5, abs=1)
        control_b, multiplexer = chip.data(0x7B, 2)
        assert (multiplexer & 0x1F) + (0x20 if control_b & 8 else 0) == (
            channel if channel < 8 else 0x18 + channel
        )


#: Output: address of OCRnx, of TCCRnA with the mask of its COM bit, and of the timer's ICRn (data sheet,
#: section 33).
SERVO_REGISTERS = {
    **{2: (0x9A, 0x90, 0x20, 0x96), 3: (0x9C, 0x90, 0x08, 0x96), 5: (0x98, 0x90, 0x80, 0x96)},
    **{6: (0xA8, 0xA0, 0x80, 0xA6), 7: (0xAA, 0xA0, 0x20, 0xA6), 8: (0xAC, 0xA0, 0x08, 0xA6)},
    **{11: (0x88, 0x80, 0x80, 0x86), 12: (0x8A, 0x80, 0x20, 0x86)},
    **{46: (0x128, 0x120, 0x80, 0x126), 45: (0x12A, 0x120, 0x20, 0x126), 44: (0x12C, 0x120, 0x08, 0x126)},
}


@pytest.mark.parametrize("pin", sorted(SERVO_REGISTERS))
def test_servo_and_pwm_registers(board: MegaBoard, pin: int) -> None:
    """Fast PWM up to ICRn at clock / 8, 0.5 us a count (section 17.9.3); then 8 bits at clock / 64."""
    chip = board.chip
    assert isinstance(chip, MegaChip)
    compare, control, mask, top = SERVO_REGISTERS[pin]
    board.ask("servo_write", pin=pin, us=1500)
    assert int.from_bytes(chip.data(compare, 2), "little") == 2 * 1500 - 1
    assert int.from_bytes(chip.data(top, 2), "little") == 2 * 20_000 - 1
    control_a, control_b = chip.data(control, 2)
    assert (control_a & mask, control_a & 3, control_b & 0x1F) == (mask, 0b10, 0b11010)
    board.ask("pwm_write", pin=pin, duty=77)
    assert int.from_bytes(chip.data(compare, 2), "little") == 77
    control_a, control_b = chip.data(control, 2)
    assert (control_a & mask, control_a & 3, control_b & 0x1F) == (mask, 0b01, 0b00011)
    assert board.ask("stop_all") == {"stopped": 1}
    assert chip.data(control, 1)[0] & mask == 0


def test_spi_leaves_its_pins_as_the_specification_says(board: MegaBoard) -> None:
    board.ask("spi_transfer", cs=49, data=[1, 2])
    seen = board.wires()
    assert [(seen[pin].mode, seen[pin].level) for pin in (49, 51, 52)] == [("o", 1), ("o", 0), ("o", 0)]
    assert seen[50].mode == "i"
