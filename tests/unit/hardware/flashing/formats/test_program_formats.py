"""BIN, ELF, UF2 and Python programs: what is taken, what is refused and why (HW-6)."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.flash_boards import NUCLEO, PICO, RP2040_FAMILY, RP2350_FAMILY, esp_board
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError
from zeroclaw_desktop.hardware.flashing.formats.elf_file import read_elf
from zeroclaw_desktop.hardware.flashing.formats.uf2_file import read_uf2, to_uf2
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, image_from_file

UNO = board_catalog()["arduino-uno"]
ARM, AVR, XTENSA, RISCV = 40, 83, 94, 243
FLASH = 0x0800_0000


def read(tmp_path: Path, content: bytes, board: BoardProfile, name: str) -> FirmwareImage:
    path = tmp_path / name
    path.write_bytes(content)
    return image_from_file(path, board)


def reason(tmp_path: Path, content: bytes, board: BoardProfile, name: str) -> str:
    with pytest.raises(FlashError) as caught:
        read(tmp_path, content, board, name)
    assert caught.value.code == "image_unfit"
    return str(caught.value.details["reason"])


class TestBinary:
    def test_it_goes_to_the_start_of_the_flash(self, tmp_path: Path) -> None:
        code = b"\x0c\x94\x34\x00" * 4
        assert read(tmp_path, code, UNO, "x.bin").segments == {0: code}
        program = struct.pack("<II", 0x2001_8000, FLASH + 0x195) + bytes(100)
        assert read(tmp_path, program, NUCLEO, "x.BIN").segments == {FLASH: program}

    def test_the_boot_loader_is_never_overwritten(self, tmp_path: Path) -> None:
        assert "boot loader at 0x7E00" in reason(tmp_path, b"\x01" * 0x7E01, UNO, "x.bin")

    @pytest.mark.parametrize(
        ("stack", "entry", "words"),
        [
            (0x2002_0000, FLASH + 1, "first word, 0x20020000"),
            (0, FLASH + 1, "first word"),
            (0x2000_1000, 0x1000_0001, "second word, 0x10000001"),
            (0x2000_1000, FLASH, "second word"),
        ],
    )
    def test_a_program_for_another_arm_chip(self, tmp_path: Path, stack: int, entry: int, words: str) -> None:
        content = struct.pack("<II", stack, entry) + bytes(100)
        assert words in reason(tmp_path, content, NUCLEO, "x.bin")

    def test_too_short_or_nothing(self, tmp_path: Path) -> None:
        assert "too few" in reason(tmp_path, b"\x00\x01", NUCLEO, "x.bin")
        assert reason(tmp_path, b"", UNO, "x.bin") == "it is empty"


def elf(
    machine: int,
    *segments: tuple[int, int, bytes],
    bits: int = 1,
    order: int = 1,
    kind: int = 2,
    count: int | None = None,
) -> bytes:
    """A linked program of (virtual, physical address, content) for each segment."""
    table = 52
    place = table + 32 * len(segments)
    headers, contents = b"", b""
    for virtual, physical, data in segments:
        headers += struct.pack("<8I", 1, place + len(contents), virtual, physical, len(data), len(data), 5, 4)
        contents += data
    ident = b"\x7fELF" + bytes([bits, order, 1]) + bytes(9)
    number = len(segments) if count is None else count
    head = struct.pack("<16sHHIIIIIHHHHHH", ident, kind, machine, 1, 0, table, 0, 0, 52, 32, number, 40, 0, 0)
    return head + headers + contents


class TestElf:
    def test_segments_go_to_their_load_address(self, tmp_path: Path) -> None:
        """.data is linked to RAM and loaded from flash, right behind the code."""
        content = elf(ARM, (FLASH, FLASH, b"code"), (0x2000_0000, FLASH + 4, b"data"))
        image = read(tmp_path, content, NUCLEO, "x.elf")
        assert (image.kind, image.segments, image.original) == ("elf", {FLASH: b"codedata"}, content)

    def test_of_an_avr_program_only_flash_is_taken(self, tmp_path: Path) -> None:
        """avr-libc: EEPROM at 0x810000, fuses at 0x820000, lock bits at 0x830000; they are never written."""
        content = elf(
            AVR,
            (0, 0, b"code"),
            (0x81_0000, 0x81_0000, b"12"),
            (0x82_0000, 0x82_0000, b"fff"),
            (0x83_0000, 0x83_0000, b"l"),
        )
        image = read(tmp_path, content, UNO, "x.elf")
        assert image.segments == {0: b"code"}
        assert image.left_out == ("EEPROM (2 bytes)", "fuses (3 bytes)", "lock bits (1 bytes)")

    @pytest.mark.parametrize(
        ("machine", "board", "words"),
        [
            (ARM, UNO, "program for ARM, but the ATmega328P has AVR"),
            (AVR, NUCLEO, "program for AVR, but the STM32F401RE has ARM"),
            (62, NUCLEO, "x86-64"),
            (RISCV, esp_board("esp32"), "has Xtensa"),
            (XTENSA, esp_board("esp32c3"), "has RISC-V"),
            (7777, UNO, "processor number 7777"),
        ],
    )
    def test_a_program_for_another_processor(
        self, tmp_path: Path, machine: int, board: BoardProfile, words: str
    ) -> None:
        assert words in reason(tmp_path, elf(machine, (0, 0, b"code")), board, "x.elf")

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (elf(AVR, (0, 0, b"x"), bits=2), "64-bit"),
            (elf(AVR, (0, 0, b"x"), order=2), "big-endian"),
            (elf(AVR, (0, 0, b"x"), kind=1), "not a linked program"),
            (elf(AVR, (0, 0, b"x"), count=0xFFFF), "table of segments is damaged"),
            (elf(AVR, (0, 0, b"x"), count=9), "table of segments lies beyond"),
            (elf(AVR, (0, 0, b"x" * 9))[:-1], "segment 0 at 0x0 lies beyond its end"),
            (elf(AVR, (0, 0, b"xx"), (0, 1, b"xx")), "0x1 a second time"),
            (elf(AVR, (0xFFFF_FFFF, 0, b"xx")), "past the last address"),
            (elf(AVR, (0x80_0100, 0x80_0100, b"ram")), "nothing in it goes into the flash"),
            (elf(AVR), "damaged"),
            (elf(AVR)[:40], "ELF header is not complete"),
            (elf(AVR, (0x100, 0x100, b"x")), "starts at 0x100 instead of 0x0"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, content: bytes, words: str) -> None:
        assert words in reason(tmp_path, content, UNO, "x.elf")

    def test_segments_that_share_their_bytes_do_not_multiply_the_file(self) -> None:
        """512 segments of the same 4 MB would be 2 GB."""
        size = 4 << 20
        table = b"".join(
            struct.pack("<8I", 1, 0, 0, number * size, size, size, 5, 4) for number in range(512)
        )
        head = elf(AVR, count=512)
        content = (head + table).ljust(size, b"\0")
        with pytest.raises(FormatError, match="another segment takes too"):
            read_elf(content, UNO)

    def test_an_elf_header_in_front_of_the_flash_is_not_loaded(self) -> None:
        body = elf(ARM, (FLASH - 0x1000, FLASH - 0x1000, b"")).ljust(0x1000, b"\0") + b"code"
        content = bytearray(body)
        struct.pack_into("<8I", content, 52, 1, 0, FLASH - 0x1000, FLASH - 0x1000, 0x1004, 0x1004, 5, 4)
        assert read_elf(bytes(content), NUCLEO).segments == {FLASH: b"code"}

    def test_the_mark_decides_and_not_the_name(self, tmp_path: Path) -> None:
        """Rust gives programs no ending; an ELF file called .bin is no raw binary."""
        content = elf(AVR, (0, 0, b"code"))
        assert read(tmp_path, content, UNO, "program").kind == "elf"
        assert read(tmp_path, content, UNO, "x.bin").kind == "elf"

    @given(st.binary(max_size=300))
    def test_no_bytes_do_anything_but_refuse(self, content: bytes) -> None:
        with pytest.raises(FormatError):
            read_elf(b"\x7fELF" + content[:48], UNO)

    @given(st.integers(0, 115), st.binary(min_size=1, max_size=8))
    def test_damage_refuses_or_keeps_within_the_file(self, place: int, bytes_there: bytes) -> None:
        content = bytearray(elf(AVR, (0, 0, b"code"), (0x100, 0x100, b"more")))
        content[place : place + len(bytes_there)] = bytes_there
        try:
            segments = read_elf(bytes(content), UNO).segments
        except FormatError:
            return
        assert sum(map(len, segments.values())) <= len(content)


def block(
    number: int,
    total: int,
    address: int,
    payload: bytes,
    *,
    family: int | None = RP2040_FAMILY,
    flags: int = 0,
) -> bytes:
    """One block after Microsoft's description."""
    if family is not None:
        flags |= 0x2000
    head = struct.pack(
        "<8I", 0x0A324655, 0x9E5D5157, flags, address, len(payload), number, total, family or 0
    )
    return head + payload.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


START = 0x1000_0000
TWO = block(0, 2, START, b"a" * 256) + block(1, 2, START + 256, b"b" * 256)


class TestUf2:
    def test_blocks_are_joined(self, tmp_path: Path) -> None:
        image = read(tmp_path, TWO, PICO, "x.uf2")
        assert (image.kind, image.size, image.original) == ("uf2", 512, TWO)
        assert image.segments == {START: b"a" * 256 + b"b" * 256}

    def test_of_several_chips_ours_is_taken(self, tmp_path: Path) -> None:
        other = block(0, 1, START, b"c" * 256, family=RP2350_FAMILY)
        for content in (TWO + other, other + TWO):
            image = read(tmp_path, content, PICO, "x.uf2")
            assert image.segments == {START: b"a" * 256 + b"b" * 256}
            assert image.left_out == ("part for RP2350 (ARM, secure)",)

    def test_numbers_may_run_through_the_whole_file(self, tmp_path: Path) -> None:
        content = block(0, 2, START, b"c", family=RP2350_FAMILY) + block(1, 2, START, b"a")
        assert read(tmp_path, content, PICO, "x.uf2").segments == {START: b"a"}

    def test_blocks_that_are_not_for_the_flash_are_passed_over(self, tmp_path: Path) -> None:
        content = block(0, 1, START, b"a") + block(0, 1, 0, b"note", flags=1)
        assert read(tmp_path, content, PICO, "x.uf2").segments == {START: b"a"}

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (
                block(0, 1, START, b"a", family=RP2350_FAMILY),
                "for RP2350 (ARM, secure), but the Pico takes RP2040",
            ),
            (block(0, 1, START, b"a", family=None), "for no chip in particular"),
            (block(0, 1, START, b"a", family=0x12345678), "family 0x12345678"),
            (TWO[:-1], "whole blocks"),
            (TWO[:512], "block number 1 of 2 is missing"),
            (TWO[:512] * 2, "block number 0 is there twice"),
            (TWO[:512] + block(1, 3, START + 256, b"b"), "do not agree"),
            (TWO[:512] + block(1, 2, START + 255, b"b"), "0x100000FF a second time"),
            (block(1, 1, START, b"a"), "number 1 of 1"),
            (block(0, 1, START, b""), "states 0 bytes"),
            (block(0, 1, 0xFFFF_FFFF, b"ab"), "past the last address"),
            (TWO[:512] + b"x" * 512, "block 1 does not have the marks"),
            (block(0, 1, 0x2000_0000, b"ram"), "reaches to 0x20000003"),
            (block(0, 0xFFFF_FFFF, START, b"a"), "block number 1 of 4294967295 is missing"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, content: bytes, words: str) -> None:
        assert words in reason(tmp_path, content, PICO, "x.uf2")

    def test_a_sparse_file_of_four_gigabytes_is_not_read(self, tmp_path: Path) -> None:
        path = tmp_path / "x.uf2"
        with path.open("wb") as file:
            file.write(TWO)
            file.truncate(4 << 30)
        with pytest.raises(FlashError, match="larger than 64 MB"):
            image_from_file(path, PICO)

    @given(
        st.dictionaries(
            st.integers(0, 50).map(lambda page: START + page * 0x1000),
            st.binary(min_size=1, max_size=0x900),
            min_size=1,
            max_size=6,
        )
    )
    def test_writing_and_reading_give_the_same(self, segments: dict[int, bytes]) -> None:
        written = to_uf2(segments, RP2040_FAMILY)
        assert read_uf2(written, PICO).segments == dict(sorted(segments.items()))

    @given(st.lists(st.tuples(st.integers(0, 1023), st.integers(0, 255)), min_size=1, max_size=4))
    def test_damage_refuses_or_keeps_the_size(self, changes: list[tuple[int, int]]) -> None:
        content = bytearray(TWO)
        for place, value in changes:
            content[place] = value
        try:
            segments = read_uf2(bytes(content), PICO).segments
        except FormatError:
            return
        assert sum(map(len, segments.values())) <= 2 * 476


class TestPython:
    def test_one_program(self, tmp_path: Path) -> None:
        image = read(tmp_path, "print('你好')\n".encode(), PICO, "blink.py")
        assert (image.kind, image.size) == ("python", 16)
        assert image.files == {"blink.py": "print('你好')\n".encode()}

    def test_a_folder_with_modules(self, tmp_path: Path) -> None:
        (tmp_path / "lib" / ".cache").mkdir(parents=True)
        (tmp_path / "__pycache__").mkdir()
        (tmp_path / "main.py").write_text("import lib.servo\n")
        (tmp_path / "lib" / "servo.py").write_text("x = 1\n")
        (tmp_path / "lib" / "fast.mpy").write_bytes(b"M\x06\x00")
        for left in ("readme.md", ".hidden.py", "__pycache__/old.py", "lib/.cache/x.py"):
            (tmp_path / left).write_text("")
        image = image_from_file(tmp_path, PICO)
        assert sorted(image.files) == ["lib/fast.mpy", "lib/servo.py", "main.py"]

    @pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows; run on POSIX")
    def test_links_out_of_the_folder_are_not_followed(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.py"
        secret.write_text("KEY = 1\n")
        folder = tmp_path / "program"
        folder.mkdir()
        (folder / "main.py").write_text("pass\n")
        (folder / "link.py").symlink_to(secret)
        (folder / "up").symlink_to(tmp_path)
        os.mkfifo(folder / "pipe.txt")
        assert sorted(image_from_file(folder, PICO).files) == ["main.py"]

    @pytest.mark.parametrize(
        ("content", "name", "words"),
        [
            (b"x = 1\ny = '\xff'\n", "x.py", "x.py, line 2, is not UTF-8"),
            (b"x = 1\n\0\n", "x.py", "line 2, has a zero byte"),
            (b"xyz", "x.mpy", "MicroPython bytecode"),
            (b"", "x.py", "it is empty"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, content: bytes, name: str, words: str) -> None:
        assert words in reason(tmp_path, content, PICO, name)

    def test_an_empty_folder_and_one_that_is_too_large(self, tmp_path: Path) -> None:
        with pytest.raises(FlashError, match=r"no \.py file"):
            image_from_file(tmp_path, PICO)
        for number in range(201):
            (tmp_path / f"m{number}.py").write_text("pass")
        with pytest.raises(FlashError, match="more than 200 programs"):
            image_from_file(tmp_path, PICO)

    def test_more_than_the_flash_holds(self, tmp_path: Path) -> None:
        for number in range(3):
            (tmp_path / f"m{number}.py").write_text("#" * 1_000_000)
        with pytest.raises(FlashError, match="more than the RP2040 has"):
            image_from_file(tmp_path, PICO)
