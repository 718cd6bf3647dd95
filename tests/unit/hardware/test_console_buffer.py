"""How the last lines of a port are shown (HW-13)."""

from __future__ import annotations

import time

import pytest

from zeroclaw_desktop.hardware.console_buffer import MAX_HEX_BYTES, MAX_LINES, ConsoleBuffer, hexadecimal


def shown(*lines: bytes, colours: bool = False, encoding: str = "utf-8", as_hex: bool = False) -> list[str]:
    console = ConsoleBuffer()
    console.encoding, console.hexadecimal = encoding, as_hex
    console.append(lines)
    return console.since(0, colours=colours)[1]


def test_colours_stay_for_who_can_show_them() -> None:
    line = b"\x1b[0;32mI (31) boot\x1b[0m"
    assert shown(line) == ["I (31) boot"]
    assert shown(line, colours=True) == [line.decode()]


@pytest.mark.parametrize(("line", "text"), [(b"a\x00b\x07", "a·b·"), (b"a\tb", "a\tb"), (b"\xff", "\ufffd")])
def test_what_cannot_be_shown_is_marked(line: bytes, text: str) -> None:
    expected = text if text != "\ufffd" else shown(line)[0]
    assert shown(line) == [expected]
    assert shown(line)[0].replace("\t", "").replace("·", "").replace("\ufffd", "").isprintable()


def test_encodings() -> None:
    assert shown("温度".encode("gbk"), encoding="gbk") == ["温度"]


def test_bytes_in_hexadecimal() -> None:
    assert hexadecimal(b"Hi\x00\xff") == "48 69 00 ff  Hi.."
    assert shown(b"A\x1b[0m", as_hex=True, colours=True) == ["41 1b 5b 30 6d  A.[0m"]
    assert hexadecimal(b"x" * (MAX_HEX_BYTES + 1)).count("78") == MAX_HEX_BYTES
    assert f"({MAX_HEX_BYTES + 1} bytes)" in hexadecimal(b"x" * (MAX_HEX_BYTES + 1))


def test_it_is_bounded_and_counts_all() -> None:
    console = ConsoleBuffer()
    for _ in range(3):
        console.append([b"x"] * MAX_LINES)
    total, lines = console.since(0)
    assert (total, len(lines)) == (3 * MAX_LINES, MAX_LINES)


def test_only_the_newest_are_made_into_text_where_that_is_enough() -> None:
    console = ConsoleBuffer()
    console.append([b"%d" % number for number in range(100)])
    assert console.since(0, most=3) == (100, ["97", "98", "99"])
    assert console.since(98, most=3) == (100, ["98", "99"])


def test_what_is_kept_comes_with_its_times() -> None:
    console = ConsoleBuffer()
    begin = time.time()
    console.append([b"a", b"b"])
    console.append([b"\x1b[31mc"])
    total, lines = console.kept()
    assert total == 3
    assert [text for _, text in lines] == ["a", "b", "\x1b[31mc"]
    assert begin <= lines[0][0] <= lines[2][0] <= time.time()


def test_noise_is_not_looked_for_in_every_font() -> None:
    assert shown(b"\xff\xfe\x80\xd9\xa0ok") == ["····ok"]
    assert shown("température 21".encode("latin-1")) == ["temp\ufffdrature 21"]


def test_the_end_of_a_line_that_goes_on() -> None:
    console = ConsoleBuffer()
    assert console.unfinished_text(b"", 0) == ""
    assert console.unfinished_text(b"Password: ", 10) == "Password: "
    assert console.unfinished_text(b"UUU", 1_234_567) == "… UUU (1,234,567 bytes)"
