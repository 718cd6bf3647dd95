"""The flow around the ways of writing: which way is taken, and boards without a port (HW-6)."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from tests.helpers.flash_bench import Notes
from tests.unit.hardware.far_end import QUICK_UNO, FarEnd
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import FlashProfile
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.errors import FlashError, PortMissingError
from zeroclaw_desktop.hardware.flashing.flasher import Flasher
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.methods import METHODS
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.flashing.tools import Tool
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.sandbox.process import ChildProcesses

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the far end is a pseudo terminal")
MakeFarEnd = Callable[..., FarEnd]


class Way:
    """A way of writing that does what a test says."""

    image_kinds = frozenset({"hex"})
    needs_port = False
    verifies = False

    def __init__(
        self,
        key: str,
        *,
        tool: str = "",
        unfit: str = "",
        fault: str = "",
        then: Callable[[], None] = lambda: None,
    ) -> None:
        self.key = key
        self.jobs: list[FlashJob] = []
        self._tool = tool
        self._unfit = unfit
        self._fault = fault
        self._then = then

    def find_tool(self) -> Tool:
        if self._tool:
            raise FlashError(f"{self.key} has no tool", code=self._tool)
        return Tool(self.key, (self.key,))

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        if self._unfit:
            raise FlashError(f"{self.key} does not take it", code=self._unfit)

    async def write(self, job: FlashJob) -> float:
        self.jobs.append(job)
        if self._fault:
            raise FlashError(f"{self.key} found nothing", code=self._fault)
        self._then()
        return 0.5


class Bench:
    """A board on a pseudo terminal whose file names the ways of a test."""

    def __init__(self, end: FarEnd, monkeypatch: pytest.MonkeyPatch) -> None:
        self.end = end
        self.notes = Notes()
        self.plugged = True
        self._path = str(end.path)
        self._monkeypatch = monkeypatch
        self._connections: list[BoardConnection] = []

    def connection(self, *ways: Way) -> BoardConnection:
        for way in ways:
            self._monkeypatch.setitem(METHODS, way.key, way)
        profile = replace(QUICK_UNO, flash=FlashProfile(tuple(way.key for way in ways), 512))
        made = BoardConnection(
            "uno", "Uno", profile, str(self.end.path),
            store=TelemetryStore(), changed=lambda: None, pins_changed=lambda: None, locate=self._locate,
        )  # fmt: skip
        self._connections.append(made)
        return made

    async def _locate(self) -> str:
        if not self.plugged:
            raise PortMissingError("it is not plugged in")
        return self._path

    def vanish(self) -> None:
        """The board stays known, but its port is gone when a tool would open it."""
        self._path = f"{self.end.path}-gone"

    def plug_in(self) -> None:
        self.plugged = True

    def flasher(self) -> Flasher:
        return Flasher(ChildProcesses(), surroundings=Surroundings(lambda: [], lambda: []))

    async def flash(self, *ways: Way, wanted: str = "") -> str:
        request = FlashRequest(method=wanted)
        report = await self.flasher().flash(self.connection(*ways), request, self.notes)
        return report.method

    async def refused(self, *ways: Way) -> str:
        with pytest.raises(FlashError) as caught:
            await self.flash(*ways)
        return caught.value.code

    async def shut_down(self) -> None:
        for connection in self._connections:
            await connection.shut_down()


@pytest.fixture
async def bench(far_end: MakeFarEnd, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    made = Bench(far_end(), monkeypatch)
    yield made
    await made.shut_down()


class TestWays:
    async def test_the_first_of_the_board_file_that_works_is_taken(self, bench: Bench) -> None:
        one, two = Way("one"), Way("two")
        assert await bench.flash(one, two) == "one"
        assert two.jobs == []

    async def test_a_wish_is_obeyed(self, bench: Bench) -> None:
        assert await bench.flash(Way("one"), Way("two"), wanted="two") == "two"

    async def test_without_its_tool_the_next_is_taken(self, bench: Bench) -> None:
        assert await bench.flash(Way("one", tool="tool_missing"), Way("two")) == "two"

    async def test_a_way_that_does_not_take_the_image_is_passed_over(self, bench: Bench) -> None:
        one = Way("one", unfit="image_unfit")
        assert await bench.flash(one, Way("two")) == "two"
        assert one.jobs == []

    @pytest.mark.parametrize("fault", ["volume_missing", "probe_missing", "dfu_missing"])
    async def test_where_the_far_end_is_not_there_the_next_is_taken(self, bench: Bench, fault: str) -> None:
        one = Way("one", fault=fault)
        assert await bench.flash(one, Way("two")) == "two"
        assert len(one.jobs) == 1
        assert "one: one found nothing" in bench.notes.lines

    async def test_after_any_other_fault_no_other_way_touches_the_board(self, bench: Bench) -> None:
        two = Way("two")
        assert await bench.refused(Way("one", fault="verify_failed"), two) == "verify_failed"
        assert two.jobs == []

    async def test_when_none_works_the_best_ones_reason_is_told(self, bench: Bench) -> None:
        assert (
            await bench.refused(Way("one", fault="probe_missing"), Way("two", fault="dfu_missing"))
            == "probe_missing"
        )
        assert await bench.refused(Way("one", unfit="image_unfit")) == "image_unfit"
        assert (
            await bench.refused(Way("one", unfit="image_unfit"), Way("two", tool="tool_missing"))
            == "tool_missing"
        )
        assert await bench.refused() == "flash_unsupported"

    async def test_where_the_port_is_not_there_the_next_way_is_taken(self, bench: Bench) -> None:
        one, two = Way("one"), Way("two")
        one.needs_port = True
        bench.vanish()
        assert await bench.flash(one, two) == "two"
        assert one.jobs == []

    async def test_no_tool_is_started_for_a_port_that_is_not_there(self, bench: Bench) -> None:
        one = Way("one")
        one.needs_port = True
        bench.vanish()
        with pytest.raises(PortMissingError, match="There is no port"):
            await bench.flash(one)
        assert one.jobs == []

    async def test_whether_it_was_compared_is_told(self, bench: Bench) -> None:
        report = await bench.flasher().flash(bench.connection(Way("one")), FlashRequest(), bench.notes)
        assert not report.verified


class TestWithoutPort:
    """A board in its boot mode may have no port; the ways that need none work all the same."""

    async def test_a_way_that_needs_none_is_taken(self, bench: Bench) -> None:
        bench.plugged = False
        way = Way("one", then=bench.plug_in)
        report = await bench.flasher().flash(bench.connection(way), FlashRequest(), bench.notes)
        assert way.jobs[0].port == ""
        assert report.firmware.startswith("zeroclaw-arduino")

    async def test_a_way_that_needs_one_is_not_begun(self, bench: Bench) -> None:
        bench.plugged = False
        way = Way("one")
        way.needs_port = True
        connection = bench.connection(way)
        with pytest.raises(PortMissingError):
            await bench.flasher().flash(connection, FlashRequest(), bench.notes)
        assert way.jobs == []
        assert connection.state == "failed"
