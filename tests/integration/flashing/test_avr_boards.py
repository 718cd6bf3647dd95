"""The real avrdude and boot loaders of Nano, Mega and Leonardo (HW-6, HW-7; AC5, AC7, AC9, AC10, AC37)."""

from __future__ import annotations

import asyncio
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.helpers.avr_loaders import M2560, Avr109Loader, Stk500Loader
from tests.helpers.flash_bench import assert_real_progress, avr_board, image_of, job_for, usb_port
from tests.helpers.serial_double import SerialDouble
from tests.integration.firmware.simavr_board import SimavrBoard, build, missing_tools
from zeroclaw_desktop.hardware.errors import FlashError, PortError
from zeroclaw_desktop.hardware.flashing import boot_port
from zeroclaw_desktop.hardware.flashing.methods import avrdude as avrdude_method
from zeroclaw_desktop.hardware.flashing.methods.avrdude import Avrdude
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.transport.discovery import PortInfo
from zeroclaw_desktop.hardware.transport.open_errors import port_holders

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("avrdude") is None,
    reason="needs pseudo terminals and avrdude (Debian: apt install avrdude)",
)
NANO = avr_board("Nano", "arduino", "m328p", 115_200)
OLD_NANO = avr_board("Nano (old boot loader)", "arduino", "m328p", 57_600)
MEGA = avr_board("Mega", "wiring", "m2560", 115_200, 256)
LEONARDO = avr_board("Leonardo", "avr109", "m32u4", 57_600, touch_1200=True)
MEGA_LOADER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/stk500v2/stk500boot_v2_mega2560.hex")
PROGRAM = random.Random(1).randbytes(3_000)
NOISE = b"\xe0"
IMAGE = image_of({0: PROGRAM})


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent board is given up after its first answer is due."""
    monkeypatch.setattr(avrdude_method, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(avrdude_method, "ATTEMPTS_AT_A_RATE", 1)


class TestRates:
    @pytest.mark.parametrize(("board", "rate"), [(NANO, 115_200), (OLD_NANO, 57_600)])
    async def test_each_nano_at_its_own_rate(self, tmp_path: Path, board: object, rate: int) -> None:
        with Stk500Loader(rate) as loader:
            job, notes = job_for(Avrdude(), board, IMAGE, tmp_path, loader.path)  # type: ignore[arg-type]
            await Avrdude().write(job)
            assert loader.flash[: len(PROGRAM)] == PROGRAM
            assert loader.left
            assert notes.phases == ["write", "verify"]
            assert_real_progress(notes, "write", 10)
            assert_real_progress(notes, "verify", 10)
            assert not any("is tried once" in line for line in notes.lines)
            assert port_holders(loader.path) == []

    async def test_the_other_boot_loader_is_found_and_named(
        self, tmp_path: Path, short_patience: None
    ) -> None:
        """The board file says 115200, the board on the desk has the old boot loader."""
        with Stk500Loader(57_600, noise=NOISE) as loader:
            job, notes = job_for(Avrdude(), NANO, IMAGE, tmp_path, loader.path)
            await Avrdude().write(job)
            assert loader.flash[: len(PROGRAM)] == PROGRAM
            assert loader.rates[-2:] == [115_200, 57_600]
            assert any("speaks at 57600 baud" in line for line in notes.lines)

    async def test_a_silent_board_is_tried_at_both_rates_and_nothing_is_written(
        self, tmp_path: Path, short_patience: None
    ) -> None:
        with Stk500Loader(9_600) as loader:
            job, notes = job_for(Avrdude(), OLD_NANO, IMAGE, tmp_path, loader.path)
            with pytest.raises(FlashError) as caught:
                await Avrdude().write(job)
        assert caught.value.code == "not_in_sync"
        assert "57600, 115200" in caught.value.message
        assert "Nothing was written" in caught.value.message
        assert OLD_NANO.name in caught.value.hint
        assert "write" not in notes.phases

    async def test_a_fault_at_the_other_rate_is_the_one_that_is_told(
        self, tmp_path: Path, short_patience: None
    ) -> None:
        with Stk500Loader(57_600, noise=NOISE, signature=M2560) as loader:
            job, _ = job_for(Avrdude(), NANO, IMAGE, tmp_path, loader.path)
            with pytest.raises(FlashError) as caught:
                await Avrdude().write(job)
            assert caught.value.code == "wrong_chip"
            assert set(loader.flash) == {0xFF}

    async def test_a_sketch_that_prints_is_told_as_such(self, tmp_path: Path, short_patience: None) -> None:
        """AC37: the answers are letters."""
        with Stk500Loader(chatter=b"temperature: 21.5\r\n") as loader:
            job, _ = job_for(Avrdude(), NANO, IMAGE, tmp_path, loader.path)
            with pytest.raises(FlashError) as caught:
                await Avrdude().write(job)
        assert caught.value.code == "sketch_prints"
        assert "runs another program" in caught.value.message
        assert "Nothing was written" in caught.value.message

    async def test_a_damaged_cell_is_told_with_what_it_means(self, tmp_path: Path) -> None:
        with Stk500Loader(damaged=1_000) as loader:
            job, _ = job_for(Avrdude(), NANO, IMAGE, tmp_path, loader.path)
            with pytest.raises(FlashError) as caught:
                await Avrdude().write(job)
        assert caught.value.code == "verify_failed"
        assert caught.value.details["wrote"] is True
        assert "no working firmware" in caught.value.message


@pytest.fixture(scope="module")
def simavr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled simulator; skipped where it or Arduino's boot loader is missing."""
    reason = missing_tools() or ("" if MEGA_LOADER.exists() else "apt install arduino-core-avr")
    if reason:
        pytest.skip(reason)
    return build(tmp_path_factory.mktemp("simavr"))


class TestMega:
    async def test_its_own_boot_loader_takes_both_halves_of_the_flash(
        self, tmp_path: Path, simavr: Path
    ) -> None:
        """Arduino's own STK500 version 2 loader for the ATmega2560, run in simavr."""
        board = SimavrBoard(simavr, MEGA_LOADER, boot=True, mega=True)
        try:
            image = image_of({0: b"\xff\xcf" + PROGRAM, 0x1_FF00: PROGRAM})
            job, notes = job_for(Avrdude(), MEGA, image, tmp_path, board.port)
            await Avrdude().write(job)
        finally:
            board.close()
        assert any("6002 bytes of flash verified" in line for line in notes.lines)
        assert_real_progress(notes, "write", 10)


class LeonardoBench:
    """A sketch's port that turns into a boot loader's after the touch, as the operating system shows it.

    Args:
        shown_again: what comes up after the sketch's port has left.
    """

    def __init__(self, shown_again: Sequence[PortInfo], *, leaves: bool = True) -> None:
        self.sketch = QuietDouble()
        self.home = usb_port(self.sketch.path, location="1-2:1.0")
        self.other = usb_port("/dev/ttyACM-other", location="1-3:1.0")
        self.looks_after_touch = -1
        self._shown_again = shown_again
        self._leaves = leaves
        self.around = Surroundings(self.find_ports, lambda: [], self.touch)

    def touch(self, port: str) -> None:
        assert port == self.sketch.path
        self.looks_after_touch = 0

    def find_ports(self) -> list[PortInfo]:
        if self.looks_after_touch < 0 or not self._leaves:
            return [self.other, self.home]
        self.looks_after_touch += 1
        if self.looks_after_touch == 1:
            raise PortError("a device vanished while it was looked at")
        return [self.other] if self.looks_after_touch < 3 else [self.other, *self._shown_again]


class QuietDouble(SerialDouble):
    """A board whose sketch says nothing."""

    def take(self, data: bytes) -> None:
        pass


class TestLeonardo:
    async def test_the_boot_loader_is_found_by_its_place_whatever_its_path(self, tmp_path: Path) -> None:
        with Avr109Loader() as loader:
            stranger = usb_port("/dev/ttyACM-stranger", (0x2341, 0x0036), "1-7:1.0")
            boot = usb_port(loader.path, (0x2341, 0x0036), "1-2:1.0")
            bench = LeonardoBench([stranger, boot])
            with bench.sketch:
                job, notes = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
                await Avrdude().write(job)
            assert loader.flash[: len(PROGRAM)] == PROGRAM
            assert loader.left
        assert any(loader.path in line for line in notes.lines if line.startswith("The boot loader"))
        assert_real_progress(notes, "write", 10)

    async def test_one_new_port_is_taken_when_the_place_is_not_known(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boot_port, "SETTLE_SECONDS", 0.2)
        with Avr109Loader() as loader:
            bench = LeonardoBench([usb_port(loader.path, (0x2341, 0x0036), "")])
            with bench.sketch:
                job, _ = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
                await Avrdude().write(job)
            assert loader.flash[: len(PROGRAM)] == PROGRAM

    async def test_two_new_ports_in_strange_places_are_refused_by_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boot_port, "SETTLE_SECONDS", 0.2)
        bench = LeonardoBench([usb_port(f"/dev/ttyACM{n}", (0x2341, 0x0036), f"1-{n}:1.0") for n in (7, 8)])
        with bench.sketch:
            job, _ = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
            with pytest.raises(FlashError, match=r"ttyACM7, /dev/ttyACM8") as caught:
                await Avrdude().write(job)
        assert caught.value.code == "boot_port_missing"

    async def test_a_board_that_does_not_come_back_is_told_with_what_to_press(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boot_port, "WAIT_SECONDS", 0.6)
        bench = LeonardoBench([])
        with bench.sketch:
            job, _ = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
            with pytest.raises(FlashError, match="Nothing was written") as caught:
                await Avrdude().write(job)
        assert caught.value.code == "boot_port_missing"
        assert "twice" in caught.value.hint

    async def test_the_same_path_after_it_had_left_is_the_boot_loader(self, tmp_path: Path) -> None:
        """Clones whose boot loader has the sketch's ids come back under the same name."""
        bench = LeonardoBench([])
        bench._shown_again = [bench.home]
        with bench.sketch:
            job, _ = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
            assert await boot_port.start_boot_loader(job) == bench.sketch.path
        assert bench.looks_after_touch >= 3

    async def test_a_port_that_stays_may_be_the_boot_loader_already(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boot_port, "STAY_SECONDS", 0.3)
        bench = LeonardoBench([], leaves=False)
        with bench.sketch:
            job, notes = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
            assert await boot_port.start_boot_loader(job) == bench.sketch.path
        assert any("may be running already" in line for line in notes.lines)

    async def test_a_board_that_is_still_restarting_is_waited_for(self, tmp_path: Path) -> None:
        """After its flash was read for a restore point, it restarts before it is written."""
        bench = LeonardoBench([usb_port("/dev/ttyACM9", (0x2341, 0x0036), "1-2:1.0")])
        looks = 0

        def find_ports() -> list[PortInfo]:
            nonlocal looks
            looks += 1
            if bench.looks_after_touch < 0:
                return [bench.other] if looks < 4 else [bench.other, bench.home]
            return bench.find_ports()

        around = Surroundings(find_ports, lambda: [], bench.touch)
        bench.home = usb_port("/dev/ttyACM-not-yet", location="1-2:1.0")
        with bench.sketch:
            bench.sketch.path = bench.home.path
            job, _ = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.home.path, around)
            assert await boot_port.start_boot_loader(job) == "/dev/ttyACM9"
        assert looks >= 4

    async def test_reading_back_goes_through_the_boot_loader_too(self, tmp_path: Path) -> None:
        with Avr109Loader() as loader:
            loader.flash[: len(PROGRAM)] = PROGRAM
            bench = LeonardoBench([usb_port(loader.path, (0x2341, 0x0036), "1-2:1.0")])
            with bench.sketch:
                job, notes = job_for(Avrdude(), LEONARDO, IMAGE, tmp_path, bench.sketch.path, bench.around)
                await Avrdude().read_back(job, tmp_path / "kept.bin")
        assert (tmp_path / "kept.bin").read_bytes()[: len(PROGRAM)] == PROGRAM
        assert_real_progress(notes, "backup", 10)
        assert notes.phases == ["backup"]

    async def test_the_touch_sets_1200_baud_and_lets_go(self, tmp_path: Path) -> None:
        with QuietDouble() as sketch:
            await asyncio.to_thread(Surroundings().touch, sketch.path)
            async with asyncio.timeout(5):
                while 1_200 not in sketch.rates:
                    await asyncio.sleep(0.02)
            assert port_holders(sketch.path) == []

    async def test_a_port_that_is_not_there_is_told_as_such(self) -> None:
        with pytest.raises(PortError) as caught:
            await asyncio.to_thread(Surroundings().touch, "/dev/ttyACM-none")
        assert caught.value.code == "port_missing"
