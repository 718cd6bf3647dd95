"""Images for Espressif chips: where a file belongs, and what must never be written (HW-6, AC30, AC31)."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.esp_images import esp_image, merged_image, partition_table
from tests.helpers.flash_boards import esp_board
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError
from zeroclaw_desktop.hardware.flashing.formats.esp_image import CHIP_IDS, read_image
from zeroclaw_desktop.hardware.flashing.formats.esp_layout import whole_sectors
from zeroclaw_desktop.hardware.flashing.formats.esp_partitions import (
    first_app,
    read_partitions,
    update_data,
)
from zeroclaw_desktop.hardware.flashing.formats.machines import machines_of
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, image_from_file
from zeroclaw_desktop.hardware.simulator.intel_hex import to_intel_hex

ESP32 = esp_board("esp32")
CHIPS = ["esp32", "esp32s2", "esp32s3", "esp32c3", "esp32c6", "esp8266"]


def read(tmp_path: Path, content: bytes, board: BoardProfile = ESP32, name: str = "x.bin") -> FirmwareImage:
    path = tmp_path / name
    path.write_bytes(content)
    return image_from_file(path, board)


def reason(tmp_path: Path, content: bytes, board: BoardProfile = ESP32, name: str = "x.bin") -> str:
    with pytest.raises(FlashError) as caught:
        read(tmp_path, content, board, name)
    assert caught.value.code == "image_unfit"
    return str(caught.value.details["reason"])


class TestPlace:
    @pytest.mark.parametrize("chip", CHIPS)
    def test_an_app_goes_to_the_offset_of_the_chip(self, tmp_path: Path, chip: str) -> None:
        app = esp_image(chip)
        image = read(tmp_path, app, esp_board(chip))
        assert (image.kind, image.segments) == ("bin", {0 if chip == "esp8266" else 0x10000: app})

    @pytest.mark.parametrize("chip", [chip for chip in CHIPS if chip != "esp8266"])
    def test_a_merged_image_goes_to_the_start(self, tmp_path: Path, chip: str) -> None:
        merged = merged_image(chip)
        assert read(tmp_path, merged, esp_board(chip)).segments == {0: merged}

    def test_a_merged_image_that_begins_with_the_boot_loader(self, tmp_path: Path) -> None:
        """As MicroPython's files for the ESP32 are, which are to be written to 0x1000."""
        merged = merged_image("esp32", base=0x1000)
        assert read(tmp_path, merged).segments == {0x1000: merged}

    def test_a_merged_hex_file(self, tmp_path: Path) -> None:
        parts = {0x1000: esp_image(data=b"boot"), 0x8000: partition_table(), 0x10000: esp_image()}
        image = read(tmp_path, to_intel_hex(parts).encode(), name="x.hex")
        assert (image.kind, image.segments) == ("hex", parts)

    @given(
        st.dictionaries(
            st.integers(0, 0x6000), st.binary(min_size=1, max_size=0x1800), min_size=1, max_size=5
        )
    )
    def test_whole_sectors_hold_the_same_bytes_and_share_no_sector(self, segments: dict[int, bytes]) -> None:
        end = -1
        apart = {}
        for start, data in sorted(segments.items()):
            if start > end:
                apart[start] = data
                end = start + len(data)
        written = whole_sectors(apart)
        sectors = [
            number
            for start, data in written.items()
            for number in range(start // 0x1000, (start + len(data) - 1) // 0x1000 + 1)
        ]
        assert len(sectors) == len(set(sectors))
        assert all(start % 0x1000 == 0 for start in written)
        flash = bytearray(b"\xff" * 0x9000)
        for start, data in written.items():
            flash[start : start + len(data)] = data
        expected = bytearray(b"\xff" * 0x9000)
        for start, data in apart.items():
            expected[start : start + len(data)] = data
        assert flash == expected


class TestRefused:
    def test_an_image_of_another_chip(self, tmp_path: Path) -> None:
        words = reason(tmp_path, esp_image("esp32s3"))
        assert "for the ESP32-S3, but this is an ESP32" in words
        assert "ESP32-C3" in reason(tmp_path, merged_image("esp32", app=esp_image("esp32c3")))

    @pytest.mark.parametrize("chip", ["esp8266", "esp32c3"])
    def test_every_byte_matters(self, tmp_path: Path, chip: str) -> None:
        """A flipped bit anywhere in code or checksum is found."""
        whole = esp_image(chip, bytes(range(40)), hashed=False)
        data = whole.index(bytes(range(40)))
        for place in [*range(data, data + 40), len(whole) - 1]:
            damaged = bytearray(whole)
            damaged[place] ^= 1
            assert "checksum is wrong" in reason(tmp_path, bytes(damaged), esp_board(chip))

    def test_the_hash_covers_the_header(self, tmp_path: Path) -> None:
        damaged = bytearray(esp_image())
        damaged[4] ^= 1
        assert "hash is wrong" in reason(tmp_path, bytes(damaged))

    @pytest.mark.parametrize("length", [0, 1, 7, 8, 23, 24, 31, 33, 47, 48, 79])
    def test_a_file_that_is_cut_short(self, tmp_path: Path, length: int) -> None:
        whole = esp_image()
        assert len(whole) == 80
        words = reason(tmp_path, whole[:length])
        assert "cut short" in words or words == "it is empty"

    def test_a_file_system_or_another_binary(self, tmp_path: Path) -> None:
        assert "begins with 0x0C instead of 0xE9" in reason(tmp_path, b"\x0c\x94" * 40)
        assert "erased flash" in reason(tmp_path, b"\xff" * 5000)

    def test_a_merged_image_without_a_program(self, tmp_path: Path) -> None:
        assert "no app in any" in reason(tmp_path, merged_image(app=b"\xff" * 64))

    def test_a_damaged_partition_table(self, tmp_path: Path) -> None:
        image = bytearray(merged_image())
        image[0x8004] ^= 1
        assert "partition table at 0x8000 is damaged" in reason(tmp_path, bytes(image))

    def test_an_app_larger_than_its_partition(self, tmp_path: Path) -> None:
        image = bytearray(merged_image(app=esp_image(data=bytes(0x2000))))
        image[0x8000:0x8C00] = partition_table(("app", 0, 0, 0x10000, 0x1000))
        assert "larger than its partition" in reason(tmp_path, bytes(image))

    def test_a_hex_file_without_an_app(self, tmp_path: Path) -> None:
        text = to_intel_hex({0x290000: b"files"}).encode()
        assert "no app at 0x10000" in reason(tmp_path, text, name="x.hex")
        text = to_intel_hex({0x1000: esp_image(), 0x10000: esp_image()}).encode()
        assert "no partition table at 0x8000" in reason(tmp_path, text, name="x.hex")

    @example(struct.pack("<BBBBI", 0xE9, 255, 0, 0, 0))
    @given(st.binary(max_size=400))
    def test_no_bytes_do_anything_but_refuse(self, content: bytes) -> None:
        """Random bytes have no right hash, so none is an image."""
        with pytest.raises(FormatError):
            read_image(b"\xe9" + content, "esp32", "it")

    @given(st.integers(0, 79), st.integers(1, 255))
    def test_a_changed_byte_never_gives_another_program(self, place: int, change: int) -> None:
        """Only what the chip does not look at may differ: the byte that says whether there is a hash."""
        whole = bytearray(esp_image())
        whole[place] ^= change
        try:
            read_image(bytes(whole), "esp32", "it")
        except FormatError:
            return
        assert place == 23


class TestPartitions:
    def test_the_first_slot_starts_when_there_is_no_factory_app(self) -> None:
        table = read_partitions(partition_table(), "it")
        assert [one.name for one in table] == ["nvs", "otadata", "app0", "app1"]
        app, data = first_app(table), update_data(table)
        assert app is not None
        assert data is not None
        assert (app.offset, app.size, data.offset, data.size) == (0x10000, 0x140000, 0xE000, 0x2000)

    def test_the_factory_app_comes_first(self) -> None:
        table = partition_table(("ota_0", 0, 0x10, 0x110000, 1 << 20), ("factory", 0, 0, 0x10000, 1 << 20))
        app = first_app(read_partitions(table, "it"))
        assert app is not None
        assert app.name == "factory"

    @given(st.binary(max_size=3200))
    def test_no_bytes_do_anything_but_refuse_or_give_entries(self, content: bytes) -> None:
        try:
            found = read_partitions(content, "it")
        except FormatError:
            return
        assert found
        assert content.startswith(b"\xaa\x50")


def write_parts(folder: Path) -> dict[int, bytes]:
    parts = {0x1000: esp_image(data=b"boot"), 0x8000: partition_table(), 0x10000: esp_image()}
    for offset, data in parts.items():
        (folder / f"{offset:x}.bin").write_bytes(data)
    return parts


class TestLists:
    def test_esp_web_tools(self, tmp_path: Path) -> None:
        parts = write_parts(tmp_path)
        rows = [{"path": f"{offset:x}.bin", "offset": offset} for offset in parts]
        other = {"chipFamily": "ESP32-S3", "parts": [{"path": "s3.bin", "offset": 0}]}
        table = {"name": "x", "builds": [other, {"chipFamily": "ESP32", "parts": rows}]}
        image = read(tmp_path, json.dumps(table).encode(), name="manifest.json")
        assert (image.kind, image.segments) == ("bin", parts)
        words = reason(tmp_path, json.dumps(table).encode(), esp_board("esp32c6"), "manifest.json")
        assert "ESP32-S3, ESP32, but not for the ESP32-C6" in words

    def test_esp_idf(self, tmp_path: Path) -> None:
        parts = write_parts(tmp_path)
        table = {
            "flash_files": {hex(offset): f"{offset:x}.bin" for offset in parts},
            "extra_esptool_args": {"chip": "esp32"},
        }
        content = json.dumps(table).encode()
        assert read(tmp_path, content, name="flasher_args.json").segments == parts
        assert "built for the ESP32," in reason(tmp_path, content, esp_board("esp32s3"), "x.json")

    @pytest.mark.parametrize(
        "path", ["../x.bin", "/etc/passwd", "a/../../x.bin", "https://x/y.bin", "C:\\x.bin", "x\0.bin", ""]
    )
    def test_parts_stay_in_the_folder(self, tmp_path: Path, path: str) -> None:
        table = {"builds": [{"chipFamily": "ESP32", "parts": [{"path": path, "offset": 0}]}]}
        assert "part" in reason(tmp_path, json.dumps(table).encode(), name="x.json")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("{", "not JSON"),
            ("[" * 100_000, "not JSON"),
            ("[]", "no list"),
            ("{}", "'builds' is missing"),
            ('{"builds": [{"chipFamily": "ESP32", "parts": []}]}', "lists 0 parts"),
            ('{"builds": [{"chipFamily": "ESP32", "parts": [{"path": "x", "offset": -1}]}]}', "no offset"),
            ('{"builds": [{"chipFamily": "ESP32", "parts": [{"path": "x", "offset": true}]}]}', "no offset"),
            ('{"builds": [{"chipFamily": "ESP32", "parts": [{"path": "gone.bin", "offset": 0}]}]}', "gone"),
            ('{"flash_files": {"0x10": "a", "zz": "b"}}', "'zz' is no offset"),
            ('{"flash_files": []}', "no table"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, text: str, words: str) -> None:
        assert words in reason(tmp_path, text.encode(), name="x.json")

    def test_parts_that_overlap(self, tmp_path: Path) -> None:
        (tmp_path / "a.bin").write_bytes(esp_image())
        table = {"flash_files": {"0x10000": "a.bin", "0x10010": "a.bin"}}
        assert "0x10010 a second time" in reason(tmp_path, json.dumps(table).encode(), name="x.json")


class TestBoardFiles:
    """The shipped board files against a table of its own: what we check by must be what chips do."""

    # esptool documentation, "Flash layout" of each chip: where the ROM looks for the boot loader.
    BOOT_LOADERS: ClassVar = {
        "esp8266": 0x0,
        "esp32": 0x1000,
        "esp32s2": 0x1000,
        "esp32s3": 0x0,
        "esp32c3": 0x0,
        "esp32c6": 0x0,
    }

    def test_every_espressif_board_is_known_to_the_formats(self) -> None:
        found = {
            options.chip: options.bootloader_offset
            for board in board_catalog().values()
            for options in board.flash.options.values()
            if isinstance(options, EsptoolOptions)
        }
        assert found == self.BOOT_LOADERS
        assert set(found) - {"esp8266"} <= set(CHIP_IDS)

    def test_the_processor_of_every_board_that_can_be_flashed_is_known(self) -> None:
        flashed = [board for board in board_catalog().values() if board.flash.methods]
        assert [board.key for board in flashed if not machines_of(board.chip)] == []
