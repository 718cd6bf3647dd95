"""The real esptool against a double of the chips' loaders: places, retries, faults (HW-6, AC25 to AC34)."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers import esptool_with_lines
from tests.helpers.esp_images import esp_image, merged_image, partition_table
from tests.helpers.esp_loader import DEFL_BEGIN, ERASE_FLASH, ERASE_REGION, FLASH_BEGIN, MAC, LoaderDouble
from tests.helpers.flash_boards import esp_board
from tests.integration.flashing.conftest import MakeLoader
from tests.integration.flashing.esp_bench import EspBench
from tests.unit.hardware.far_end import until
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.transport.open_errors import port_holders

CHIPS = ["esp32", "esp32s2", "esp32s3", "esp32c3", "esp32c6", "esp8266"]
MAC_TEXT = ":".join(f"{byte:02x}" for byte in MAC)


def bench_of(double: LoaderDouble, tmp_path: Path, **options: object) -> EspBench:
    return EspBench(double, esp_board(double.chip.name, **options), tmp_path)


async def failure(bench: EspBench, content: bytes, **options: bool) -> FlashError:
    with pytest.raises(FlashError) as caught:
        await bench.flash(content, **options)
    return caught.value


def untouched(double: LoaderDouble) -> bool:
    writes = {FLASH_BEGIN, DEFL_BEGIN, ERASE_FLASH, ERASE_REGION}
    # Attaching the flash of an ESP8266 is a write of nothing.
    return not double.seen.erased and not (writes - {FLASH_BEGIN}) & set(double.seen.commands)


class TestChips:
    @pytest.mark.parametrize("chip", CHIPS)
    async def test_each_chip_is_found_written_and_verified(
        self, loader: MakeLoader, tmp_path: Path, chip: str
    ) -> None:
        double = loader(chip)
        bench = bench_of(double, tmp_path)
        app = esp_image(chip, os.urandom(50_000))
        identity = await bench.flash(app)
        offset = 0 if chip == "esp8266" else 0x10000
        assert identity.chip.lower().replace("-", "") == chip
        assert identity.unique == MAC_TEXT
        assert double.flash[offset : offset + len(app)] == app
        assert double.seen.bauds == [921_600]
        assert double.seen.whole_erases == 0

    @pytest.mark.parametrize("chip", ["esp32", "esp32c3"])
    async def test_a_merged_image_is_written_from_its_start(
        self, loader: MakeLoader, tmp_path: Path, chip: str
    ) -> None:
        double = loader(chip, blank=True)
        merged = merged_image(chip, app=esp_image(chip, os.urandom(20_000)))
        identity = await bench_of(double, tmp_path).flash(merged)
        assert identity.flash_bytes == 4 << 20
        assert double.flash[: len(merged)] == merged

    async def test_another_chip_is_refused_before_anything_is_written(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        double = loader("esp32s3")
        error = await failure(EspBench(double, esp_board("esp32"), tmp_path), esp_image("esp32"))
        assert error.code == "wrong_chip"
        assert "ESP32-S3, but the ESP32 board has an ESP32. Nothing was written" in error.message
        assert untouched(double)

    async def test_progress_is_percent_of_all_parts_together(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        bench = bench_of(loader(), tmp_path)
        await bench.flash(esp_image(data=os.urandom(300_000)))
        write, verify = bench.heard.percents("write"), bench.heard.percents("verify")
        assert write == sorted(write)
        assert write[0] == 0.0
        assert write[-1] == 100.0
        assert len(write) > 15
        assert verify == [0.0, 100.0]
        assert not any("%" in line for line in bench.heard.lines)
        assert "Hash of data verified." in bench.heard.lines


class TestPlace:
    async def test_an_app_goes_where_the_boards_own_table_says(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        """AC31: the place comes from the chip; what it remembers of updates is cleared."""
        double = loader(blank=True)
        double.flash[0x8000:0x8C00] = partition_table(
            ("otadata", 1, 0, 0xE000, 0x2000), ("ota_0", 0, 0x10, 0x20000, 1 << 20)
        )
        double.flash[0xE000:0x10000] = b"\x01" * 0x2000
        double.flash[0x9000:0xE000] = b"settings" * (0x5000 // 8)
        bench = bench_of(double, tmp_path)
        app = esp_image(data=b"new program.")
        await bench.flash(app)
        assert double.flash[0x20000 : 0x20000 + len(app)] == app
        assert double.flash[0xE000:0x10000] == b"\xff" * 0x2000
        assert double.flash[0x9000:0xE000] == b"settings" * (0x5000 // 8)
        assert any("0x20000" in line for line in bench.heard.lines)

    async def test_an_app_alone_is_refused_on_an_empty_board(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        """It would restart for ever with 'invalid header: 0xffffffff'."""
        double = loader(blank=True)
        error = await failure(bench_of(double, tmp_path), esp_image())
        assert error.code == "no_boot_loader"
        assert "merged" in error.hint
        assert untouched(double)

    async def test_an_app_larger_than_its_partition(self, loader: MakeLoader, tmp_path: Path) -> None:
        double = loader(blank=True)
        double.flash[0x8000:0x8C00] = partition_table(("app", 0, 0, 0x10000, 0x1000))
        error = await failure(bench_of(double, tmp_path), esp_image(data=bytes(0x1000)))
        assert error.code == "image_unfit"
        assert "partition" in error.message
        assert untouched(double)

    async def test_more_than_the_module_has(self, loader: MakeLoader, tmp_path: Path) -> None:
        double = loader("esp32c3", blank=True, flash_bytes=1 << 20)
        too_long = merged_image("esp32c3", app=esp_image("esp32c3", bytes(1 << 20)), megabytes=1)
        bench = bench_of(double, tmp_path)
        assert "this module has 1 MB" in (await failure(bench, too_long)).message
        for_four = merged_image("esp32c3", megabytes=4)
        assert "built for 4 MB of flash, but" in (await failure(bench, for_four)).message
        assert untouched(double)


class TestLadder:
    async def test_noise_at_the_highest_rate_leads_to_the_next(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        """AC27: no hand is needed, and the log says what happens."""
        double = loader()
        double.faults.noisy_above = 460_800
        bench = bench_of(double, tmp_path)
        app = esp_image(data=os.urandom(20_000))
        await bench.flash(app)
        assert double.flash[0x10000 : 0x10000 + len(app)] == app
        assert double.seen.bauds == [921_600, 460_800]
        assert any("trying again at 460800 baud" in line for line in bench.heard.lines)

    async def test_noise_at_every_rate_is_told_after_the_last(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        double = loader()
        double.faults.noisy_above = 115_200
        bench = bench_of(double, tmp_path, bauds=(460_800, 230_400))
        error = await failure(bench, esp_image())
        assert error.code == "serial_noise"
        assert error.retryable
        assert double.seen.bauds == [460_800, 230_400]

    async def test_one_bad_block_is_sent_again_by_esptool_itself(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        double = loader()
        double.faults.refuse_block = 1
        app = esp_image(data=os.urandom(60_000))
        await bench_of(double, tmp_path).flash(app)
        assert double.flash[0x10000 : 0x10000 + len(app)] == app
        assert double.seen.bauds == [921_600]


class TestFaults:
    async def test_a_board_that_stops_answering_while_it_is_written(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        double = loader()
        double.faults.silent_after_blocks = 2
        bench = bench_of(double, tmp_path, bauds=(115_200,))
        error = await failure(bench, esp_image(data=os.urandom(100_000)))
        assert error.code == "serial_noise"
        assert "no working firmware now; flash again" in error.message
        assert "No more data" in str(error.details["output"])

    async def test_what_was_written_differs(self, loader: MakeLoader, tmp_path: Path) -> None:
        double = loader()
        double.faults.wrong_md5 = True
        error = await failure(bench_of(double, tmp_path), esp_image())
        assert error.code == "verify_failed"
        assert double.seen.bauds == [921_600]

    async def test_a_board_that_sends_nothing(self, loader: MakeLoader, tmp_path: Path) -> None:
        """AC26: a list of what to look at."""
        double = loader()
        double.faults.dead = True
        error = await failure(bench_of(double, tmp_path), esp_image())
        assert error.code == "no_serial_data"
        for word in ("cable", "power", "right port", "BOOT"):
            assert word in error.hint
        assert "no working firmware" not in error.message

    async def test_a_chip_that_its_maker_has_locked(self, loader: MakeLoader, tmp_path: Path) -> None:
        double = loader("esp32c3")
        double.faults.locked = True
        error = await failure(bench_of(double, tmp_path), esp_image("esp32c3"))
        assert error.code == "flash_protected"
        assert untouched(double)

    async def test_a_port_that_is_not_there(self, loader: MakeLoader, tmp_path: Path) -> None:
        double = loader()
        bench = bench_of(double, tmp_path)
        job = replace(bench.job(esp_image()), port=str(tmp_path / "gone"))
        with pytest.raises(FlashError) as caught:
            await bench.method.identify(job)
        assert caught.value.code == "port_missing"

    async def test_cancelling_ends_the_tool_and_frees_the_port(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        """AC49, AC6: within two seconds; the next flash works."""
        double = loader()
        double.faults.seconds_a_block = 0.2
        bench = bench_of(double, tmp_path)
        app = esp_image(data=os.urandom(200_000))
        work = asyncio.create_task(bench.flash(app))
        async with asyncio.timeout(20):
            while not any(percent > 0 for percent in bench.heard.percents("write")):
                await asyncio.sleep(0.01)
        work.cancel()
        async with asyncio.timeout(2):
            await asyncio.wait([work])
        assert work.cancelled()
        assert port_holders(str(double.path)) == []
        double.faults.seconds_a_block = 0.0
        await bench.flash(app)
        assert double.flash[0x10000 : 0x10000 + len(app)] == app


class TestBootMode:
    """With reset lines: esptool's own sequences drive the double's EN and GPIO0."""

    @pytest.fixture
    def lines(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ZEROCLAW_ESPTOOL", str(esptool_with_lines.program(tmp_path)))

    @pytest.mark.usefixtures("lines")
    async def test_the_lines_put_it_into_the_loader_and_start_the_program(
        self, loader: MakeLoader, tmp_path: Path
    ) -> None:
        double = loader(with_lines=True)
        app = esp_image(data=os.urandom(5_000))
        await bench_of(double, tmp_path).flash(app)
        assert double.flash[0x10000 : 0x10000 + len(app)] == app
        await until(lambda: not double.in_loader, "the start of the program")

    @pytest.mark.usefixtures("lines")
    async def test_wrong_boot_mode_then_by_hand(self, loader: MakeLoader, tmp_path: Path) -> None:
        """AC25: the error says which buttons; afterwards nobody pulls the board out of its loader."""
        double = loader(with_lines=True)
        double.faults.boot_wire_missing = True
        bench = bench_of(double, tmp_path)
        app = esp_image(data=os.urandom(5_000))
        error = await failure(bench, app)
        assert error.code == "wrong_boot_mode"
        assert "Hold the BOOT button, press and release EN" in error.hint
        assert untouched(double)
        resets = double.seen.resets
        double.press_boot_and_reset()
        await bench.flash(app, by_hand=True)
        assert double.flash[0x10000 : 0x10000 + len(app)] == app
        assert double.seen.bauds == []
        assert double.seen.resets == resets
        assert "--before no-reset" in " ".join(line for line in bench.heard.lines if line.startswith("$"))

    @pytest.mark.usefixtures("lines")
    async def test_a_loader_that_does_not_hear(self, loader: MakeLoader, tmp_path: Path) -> None:
        double = loader(with_lines=True)
        double.faults.deaf = True
        error = await failure(bench_of(double, tmp_path), esp_image())
        assert error.code == "loader_deaf"
        assert "TX" in error.hint


async def test_reading_back_gives_the_whole_flash(loader: MakeLoader, tmp_path: Path) -> None:
    double = loader("esp32c3", flash_bytes=1 << 20)
    double.flash[:] = os.urandom(1 << 20)
    double.flash[0x8000:0x8C00] = partition_table()
    bench = bench_of(double, tmp_path)
    job = bench.job(merged_image("esp32c3", megabytes=1))
    job = replace(job, identity=await bench.method.identify(job))
    await bench.method.read_back(job, tmp_path / "kept.bin")
    assert (tmp_path / "kept.bin").read_bytes() == double.flash
    percents = bench.heard.percents("backup")
    assert percents == sorted(percents)
    assert percents[-1] == 100.0
    assert untouched(double)
