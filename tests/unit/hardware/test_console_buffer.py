"""HW-13: the console of a port is bounded, made into text when it is read, in the encoding of that moment."""

from __future__ import annotations

from zeroclaw_desktop.hardware.console_buffer import MAX_SHOWN_BYTES, ConsoleBuffer
from zeroclaw_desktop.hardware.telemetry.lines import LineBlock


def test_lines_come_once_each_in_order_from_any_pieces() -> None:
    console = ConsoleBuffer()
    console.append([b"a", b"b"])
    total, lines = console.since(0)
    assert (total, lines) == (2, ["a", "b"])
    console.append(LineBlock(b"c\nd\n", 2))
    console.append_text(["e"])
    assert console.since(total) == (5, ["c", "d", "e"])
    assert console.since(4) == (5, ["e"])
    assert console.since(5) == (5, [])


def test_only_the_last_lines_are_kept() -> None:
    console = ConsoleBuffer(10)
    for number in range(100):
        console.append([b"%d" % number])
    assert console.since(0) == (100, [str(number) for number in range(90, 100)])
    console.append(LineBlock(b"".join(b"%d\n" % number for number in range(1000)), 1000))
    assert console.since(0) == (1100, [str(number) for number in range(990, 1000)])
    assert sum(len(piece) for piece in console._pieces) == 1000


def test_the_encoding_may_be_chosen_afterwards() -> None:
    console = ConsoleBuffer()
    console.append(["温度".encode("gbk")])
    assert console.since(0)[1] != ["温度"]
    console.encoding = "gbk"
    assert console.since(0)[1] == ["温度"]


def test_control_characters_and_long_lines_are_tamed() -> None:
    console = ConsoleBuffer()
    console.append([b"a\x1b[2Jb\tc", b"x" * (MAX_SHOWN_BYTES + 5)])
    first, second = console.since(0)[1]
    assert first == "a·[2Jb\tc"
    assert second.endswith(f" … ({MAX_SHOWN_BYTES + 5} bytes)")
