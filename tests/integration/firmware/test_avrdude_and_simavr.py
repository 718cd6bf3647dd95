"""The real avrdude against the bootloader, and the firmware in simavr: neither is a part of this project."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tests.integration.firmware.simavr_board import SimavrBoard, build, missing_tools
from tests.integration.firmware.simulated_uno import PREBUILT
from tests.unit.firmware.vectors import Case, check_replies, load_cases
from zeroclaw_desktop.hardware.simulator.intel_hex import to_intel_hex

pytestmark = pytest.mark.skipif(missing_tools() != "", reason=missing_tools())

LOADER = PREBUILT / "bootloader-uno.hex"
FIRMWARE = PREBUILT / "zeroclaw-arduino-uno.hex"
DEMO = PREBUILT / "zeroclaw-demo-uno.hex"
CASES = [case for case in load_cases() if case.file in ("upstream", "requests", "errors")]


@pytest.fixture(scope="module")
def simavr_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled simavr host."""
    return build(tmp_path_factory.mktemp("simavr"))


@pytest.fixture
def boot_board(simavr_program: Path) -> Iterator[SimavrBoard]:
    """Yield a board with the bootloader alone."""
    board = SimavrBoard(simavr_program, LOADER, boot=True)
    yield board
    board.close()


def avrdude(board: SimavrBoard, operation: str) -> subprocess.CompletedProcess[str]:
    """Run avrdude as the program and Arduino tools do."""
    command = [
        "avrdude",
        "-c",
        "arduino",
        "-p",
        "m328p",
        "-b",
        "115200",
        "-P",
        board.port,
        "-D",
        "-U",
        operation,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def read_lines(port: serial.Serial, count: int) -> list[bytes]:
    """Read whole lines; the first after opening may be a half one, as on a real board."""
    return [port.readline() for _ in range(count)]


def firmware_after_reset(board: SimavrBoard) -> str:
    """Open the port, which resets the board, and return the name in the boot line."""
    with serial.Serial(board.port, 115200, timeout=3) as port:
        for _ in range(10):  # on a busy machine simavr is slower than its chip
            line = port.readline()
            if b'{"evt":"boot"' in line:
                return str(json.loads(line[line.index(b'{"evt"') :])["fw"])
    raise AssertionError("no boot line")


def test_avrdude_changes_the_firmware(boot_board: SimavrBoard) -> None:
    for image, name in ((DEMO, "zeroclaw-demo"), (FIRMWARE, "zeroclaw-arduino")):
        result = avrdude(boot_board, f"flash:w:{image}:i")
        assert result.returncode == 0, result.stderr
        assert "bytes of flash verified" in result.stderr
        assert firmware_after_reset(boot_board) == name
    result = avrdude(boot_board, f"flash:v:{DEMO}:i")
    assert result.returncode != 0
    assert "verification mismatch" in result.stderr


def test_avrdude_fills_the_application_section(boot_board: SimavrBoard, tmp_path: Path) -> None:
    content = b"\xff\xcf" + random.Random(7).randbytes(
        30_000
    )  # first: rjmp to itself, so that it can be started
    image = tmp_path / "large.hex"
    image.write_text(to_intel_hex({0: content}))
    result = avrdude(boot_board, f"flash:w:{image}:i")
    assert result.returncode == 0, result.stderr
    assert f"{len(content)} bytes of flash verified" in result.stderr


def test_vectors_in_simavr(simavr_program: Path) -> None:
    board = SimavrBoard(simavr_program, FIRMWARE, boot=False)
    with serial.Serial(board.port, 115200, timeout=2) as port:
        read_lines(port, 1)
        for case in CASES:
            exchange_case(port, case)
    board.close()


def exchange_case(port: serial.Serial, case: Case) -> None:
    """Send the lines of a case that are answered, and compare the answers."""
    port.write(b'\n{"id":"reset","cmd":"board_reset"}\n')
    assert b"reset" in read_lines(port, 2)[1]
    for number, step in enumerate(case.steps):
        answers = len(step.get("replies", step.get("lines", [0])))
        if "send" in step and answers == 1:
            port.write(f"{step['send']}\n".encode())
            check_replies(
                step, [line.rstrip(b"\n") for line in read_lines(port, 1)], f"{case.name}, step {number}"
            )


def test_pins_and_adc_in_simavr(simavr_program: Path) -> None:
    """Tone and servo are on different ports: a write to a port makes simavr forget its compare outputs."""
    board = SimavrBoard(simavr_program, FIRMWARE, boot=False)
    board.order("adc 0 2500")
    with serial.Serial(board.port, 115200, timeout=2) as port:
        read_lines(port, 1)
        requests = [
            b'{"id":1,"cmd":"adc_read","args":{"channel":0}}\n',
            b'{"id":2,"cmd":"servo_write","args":{"pin":9,"us":1500}}\n',
            b'{"id":3,"cmd":"tone","args":{"pin":4,"hz":1000,"ms":100}}\n',
        ]
        results = []
        for request in requests:
            port.write(request)
            results.append(json.loads(port.readline())["result"])
        port.timeout = 0.3
        port.readline()
    board.close()
    assert results[0] in (511, 512)
    servo = [(level, cycle) for pin, level, cycle in board.edges if pin == 9]
    widths = {end - start for (up, start), (down, end) in itertools.pairwise(servo) if (up, down) == (1, 0)}
    assert widths
    assert all(width == pytest.approx(1500 * 16, abs=40) for width in widths), widths
    tone = [cycle for pin, level, cycle in board.edges if pin == 4 and level == 1]
    assert len(tone) in (99, 100, 101)
    assert (tone[-1] - tone[0]) / (len(tone) - 1) == pytest.approx(16_000, rel=0.01)
