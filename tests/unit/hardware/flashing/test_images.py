"""Firmware images are checked for the board before all else (HW-6: never bricks)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.images import find_image, image_from_file, shipped_images

UNO = board_catalog()["arduino-uno"]
END = ":00000001FF\n"


def record(address: int, data: bytes, kind: int = 0) -> str:
    """One Intel HEX record (Intel Hexadecimal Object File Format, 1988)."""
    body = bytes([len(data), address >> 8, address & 0xFF, kind]) + data
    return f":{body.hex().upper()}{-sum(body) & 0xFF:02X}\n"


def hex_file(tmp_path: Path, *records: str, name: str = "x.hex") -> Path:
    path = tmp_path / name
    path.write_text("".join(records) + END)
    return path


def reason(path: Path) -> str:
    with pytest.raises(FlashError) as caught:
        image_from_file(path, UNO)
    assert caught.value.code == "image_unfit"
    assert path.name in caught.value.message
    return caught.value.message


class TestFiles:
    def test_a_good_file(self, tmp_path: Path) -> None:
        path = hex_file(tmp_path, record(0, b"\x0c\x94\x34\x00"), record(0x10, b"\xff" * 16))
        image = image_from_file(path, UNO)
        assert (image.size, image.path, image.key) == (20, path, str(path))
        assert find_image(str(path), UNO) == image

    def test_the_last_byte_before_the_boot_loader_is_allowed(self, tmp_path: Path) -> None:
        image_from_file(hex_file(tmp_path, record(0, b"\x00"), record(0x7DFF, b"\x00")), UNO)

    def test_the_boot_loader_is_never_overwritten(self, tmp_path: Path) -> None:
        path = hex_file(tmp_path, record(0, b"\x00"), record(0x7E00, b"\x00"))
        assert "boot loader at 0x7E00" in reason(path)

    def test_more_than_the_chip_has(self, tmp_path: Path) -> None:
        assert "0x8000" in reason(hex_file(tmp_path, record(0, b"\x00"), record(0x7FFF, b"\x00\x00")))

    def test_a_program_for_another_chip_starts_elsewhere(self, tmp_path: Path) -> None:
        assert "starts at 0x100" in reason(hex_file(tmp_path, record(0x100, b"\x00")))

    @pytest.mark.parametrize(
        ("built_for", "board"),
        [
            ("arduino-mega", "arduino-uno"),
            ("arduino-mega", "arduino-leonardo"),
            ("arduino-uno", "arduino-mega"),
            ("arduino-nano", "arduino-leonardo"),
        ],
    )
    def test_a_program_for_another_avr_chip_is_known_by_its_vectors(self, built_for: str, board: str) -> None:
        (image, *_) = shipped_images(board_catalog()[built_for])
        with pytest.raises(FlashError, match=board_catalog()[built_for].chip):
            image_from_file(image.path, board_catalog()[board])

    def test_boards_with_one_chip_take_each_others_programs(self) -> None:
        (image, *_) = shipped_images(board_catalog()["arduino-nano"])
        assert image_from_file(image.path, UNO).size == image.size

    def test_an_empty_file(self, tmp_path: Path) -> None:
        assert "it holds no data" in reason(hex_file(tmp_path))

    def test_a_damaged_record_is_named_by_its_line(self, tmp_path: Path) -> None:
        good = record(0, b"\x0c\x94")
        damaged = record(2, b"\x11\x22")[:-3] + "00\n"
        assert "line 2" in reason(hex_file(tmp_path, good, damaged))

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("x.bin", "give it the ending .hex"),
            ("x.uf2", "whole blocks"),
            ("x", "'no ending' is no kind"),
            ("x.exe", "'.exe' is no kind"),
            ("x.elf", "mark of an ELF file"),
            ("x.json", "Espressif"),
        ],
    )
    def test_hex_text_under_another_name_is_refused(self, tmp_path: Path, name: str, words: str) -> None:
        assert words in reason(hex_file(tmp_path, record(0, b"\x00"), name=name))

    def test_a_folder_is_for_boards_that_run_micropython(self, tmp_path: Path) -> None:
        (tmp_path / "main.py").write_text("print(1)")
        assert "does not run MicroPython" in reason(tmp_path)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "x.hex"
        path.write_bytes(b"\xff\xfe\x00")
        assert "not text" in reason(path)

    def test_a_file_that_is_much_too_large(self, tmp_path: Path) -> None:
        path = tmp_path / "x.hex"
        with path.open("wb") as file:
            file.truncate(17 << 20)
        assert "larger than 16 MB" in reason(path)


class TestByName:
    def test_every_shipped_image_fits_and_is_whole(self) -> None:
        images = shipped_images(UNO)
        assert images
        for image in images:
            found = find_image(image.key, UNO)
            assert image_from_file(found.path, UNO).size == found.size
            assert image.title["en"]
            assert image.title["zh"]
        assert find_image("default", UNO) == images[0]

    def test_a_board_without_shipped_images(self) -> None:
        other = replace(UNO, key="teapot", name="Teapot")
        assert shipped_images(other) == []
        with pytest.raises(FlashError, match="no firmware 'default' for the Teapot"):
            find_image("default", other)

    @pytest.mark.parametrize(
        "key", ["", "blnk", "/no/x.hex", "x" * 5000, "~nobody-here/x.hex", "nul\0.hex", "/"]
    )
    def test_what_is_not_there_is_told_with_what_is(self, key: str) -> None:
        with pytest.raises(FlashError) as caught:
            find_image(key, UNO)
        assert caught.value.code == "image_unfit"
        assert shipped_images(UNO)[0].key in caught.value.hint
