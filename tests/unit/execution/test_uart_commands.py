"""The second serial line (EX-18) through the door, on both simulated boards."""

from __future__ import annotations

import asyncio

from tests.helpers.firmware_bench import Bench
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.hardware.simulator.avr_board import AvrBoard


def frames_at(edges: list[tuple[float, int, int]], pin: int) -> bytes:
    """Decode 9600 baud 8N1 from the level changes of a pin: sampled in the middle of each bit."""
    changes = [(when, level) for when, edge_pin, level in edges if edge_pin == pin]

    def level_at(when: float) -> int:
        return next((level for at, level in reversed(changes) if at <= when), 1)

    received, at = bytearray(), 0.0
    for when, level in changes:
        if level == 0 and when >= at:
            bits = [level_at(when + (index + 1.5) / 9600) for index in range(9)]
            assert bits[8] == 1, "no stop bit"
            received.append(sum(bit << index for index, bit in enumerate(bits[:8])))
            at = when + 9.5 / 9600
    return bytes(received)


async def test_uart_write_sends_frames_of_9600_baud(bench: Bench) -> None:
    """EX-18 uart_write: the bytes are decoded from the edges at the pin."""
    bench.boards.board.take_edges()
    result = await bench.do("uart_write", tx=8, text="Hé\n")
    assert result.value == {"tx": 8, "bytes": 4}
    assert result.hardware_states == {"pin_8": {"mode": "output", "level": 1}}
    bench.boards.board.advance(0.05)  # the simplified board answers before the bytes are out
    edges, _ = bench.boards.board.take_edges()
    assert frames_at(edges, 8) == "Hé\n".encode()


def send_frames(board: AvrBoard, pin: int, data: bytes) -> None:
    """Drive a pin as a device does that sends at 9600 baud 8N1."""
    board.drive_pin(pin, 1)
    board.advance(0.003)
    for byte in data:
        for bit in (0, *((byte >> index) & 1 for index in range(8)), 1):
            board.drive_pin(pin, bit)
            board.advance(1 / 9600)
    board.advance(0.003)


async def test_uart_read_takes_what_came_since_it_listens(bench: Bench) -> None:
    """EX-18 uart_read: the first call begins listening, later calls take the bytes in order."""
    assert await bench.done("uart_read", rx=7) == {"rx": 7, "data": [], "hex": "", "text": "", "lost": 0}
    send_frames(bench.boards.board, 7, b"OK \x00\xff\x55")
    assert (await bench.done("uart_read", rx=7, count=3))["text"] == "OK "
    assert (await bench.done("uart_read", rx=7, wait=0.05))["data"] == [0, 0xFF, 0x55]
    assert (await bench.pin(7))["mode"] == "input"


async def test_uart_read_waits_until_enough_has_come(bench: Bench) -> None:
    """EX-8: waiting is made of cancel points; the bytes that come meanwhile are put together."""
    await bench.done("uart_read", rx=7)
    reading = asyncio.create_task(bench.done("uart_read", rx=7, count=4, wait=5.0))
    await asyncio.sleep(0.1)
    send_frames(bench.boards.board, 7, b"ab")
    await asyncio.sleep(0.1)
    send_frames(bench.boards.board, 7, b"cd")
    assert (await reading)["text"] == "abcd"


def test_faults_of_the_second_serial_line(bench: Bench) -> None:
    """EX-5, EX-6."""
    assert bench.faults("uart_write", tx=8) == [(Code.MISSING_PARAMETER, "data")]
    assert bench.faults("uart_write", tx=1, data=[1]) == [(Code.ILLEGAL_PIN, "tx")]
    assert bench.faults("uart_write", tx=8, rx=8, data=[1]) == [(Code.BAD_FORMAT, "rx")]
    assert bench.faults("uart_write", tx=8, text="é" * 17) == [(Code.OUT_OF_RANGE, "text")]  # 34 bytes
    assert bench.faults("uart_read", rx=0) == [(Code.ILLEGAL_PIN, "rx")]
