"""Boards and ports of the machine, hot plug, and the way of the execution layer to them (HW-2, EX-16)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from tests.unit.hardware.discovery.ports import CH340, port
from tests.unit.hardware.far_end import QUICK_UNO, FarEnd, until
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.contracts.events import BoardsChanged, PortsChanged
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoards
from zeroclaw_desktop.hardware.errors import BoardNotLiveError, PortError, PortMissingError, UnknownBoardError
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.discovery import PortInfo


class Machine:
    """A machine whose ports the test plugs in and out."""

    def __init__(self) -> None:
        self.ports: tuple[PortInfo, ...] = ()
        self.fault: Exception | None = None
        self.looks = 0
        self.bus = EventBus()
        self.news: list[object] = []
        self.bus.subscribe(BoardsChanged, self.news.append)
        self.bus.subscribe(PortsChanged, self.news.append)
        self.known = KnownBoards(None)
        self.roster = BoardRoster(self.bus, TelemetryStore(), self._find, self.known, lambda: None)

    def _find(self) -> tuple[PortInfo, ...]:
        self.looks += 1
        if self.fault is not None:
            raise self.fault
        return self.ports

    async def plug(self, *ports: PortInfo) -> None:
        self.ports = ports
        await self.roster.scan_ports()

    def boards(self) -> dict[str, str]:
        return {board.board_id: board.port for board in self.roster.boards()}


@pytest.fixture
async def machine() -> AsyncIterator[Machine]:
    machine = Machine()
    yield machine
    await machine.roster.shut_down()


async def test_a_genuine_board_appears_as_a_board(machine: Machine) -> None:
    await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
    assert machine.boards() == {"arduino-uno-75330": "/dev/ttyACM0"}
    assert machine.roster.free_ports() == []
    assert machine.roster.boards()[0].state == "offline"
    assert machine.news == [BoardsChanged("arduino-uno-75330"), PortsChanged()]


async def test_a_bridge_chip_is_asked_about_and_not_guessed(machine: Machine) -> None:
    clone = port("/dev/ttyUSB0", CH340)
    await machine.plug(clone)
    assert machine.boards() == {}
    assert machine.roster.free_ports() == [clone]
    machine.roster.add("mine", "My clone", QUICK_UNO, clone.path)
    assert machine.roster.free_ports() == []


async def test_nothing_new_is_no_news(machine: Machine) -> None:
    await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
    machine.news.clear()
    await machine.roster.scan_ports()
    assert machine.news == []


async def test_a_board_that_vanishes_keeps_its_card(machine: Machine) -> None:
    await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
    await machine.plug()
    assert machine.boards() == {"arduino-uno-75330": "/dev/ttyACM0"}
    assert not machine.roster.port_present("/dev/ttyACM0")
    assert machine.news[-1] == PortsChanged()


async def test_a_renamed_port_is_followed(machine: Machine) -> None:
    """After a reset Linux may give the same board another name."""
    await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
    await machine.plug()
    await machine.plug(port("/dev/ttyACM3", serial_number="75330"))
    assert machine.boards() == {"arduino-uno-75330": "/dev/ttyACM3"}
    assert machine.roster.boards()[0].system_path == "/dev/ttyACM3"
    assert machine.roster.free_ports() == []


async def test_two_boards_without_serial_numbers_are_two_boards(machine: Machine) -> None:
    """Linux names the place as bus, port and interface: 1-1.2:1.0; all end alike."""
    await machine.plug(port("/dev/ttyACM0", location="1-1.2:1.0"), port("/dev/ttyACM1", location="1-1.3:1.0"))
    assert sorted(machine.boards().values()) == ["/dev/ttyACM0", "/dev/ttyACM1"]


async def test_ports_are_watched_and_appear_within_two_seconds(machine: Machine) -> None:
    watching = asyncio.create_task(machine.roster.watch_ports())
    await until(lambda: machine.looks, "the first look")
    machine.ports = (port("/dev/ttyACM0", serial_number="75330"),)
    await until(lambda: machine.boards(), "the board", seconds=2.0)
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching


async def test_a_look_that_fails_does_not_end_the_watching(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zeroclaw_desktop.hardware.discovery.port_watch.POLL_SECONDS", 0.01)
    machine.fault = PortError("a device vanished while it was looked at")
    watching = asyncio.create_task(machine.roster.watch_ports())
    await until(lambda: machine.looks >= 2, "a second look")
    machine.ports, machine.fault = (port("/dev/ttyACM0", serial_number="75330"),), None
    await until(lambda: machine.boards(), "the board")
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching


async def test_adding_twice_and_removing(machine: Machine) -> None:
    first = machine.roster.add("uno", "Uno", QUICK_UNO, "/dev/none")
    assert machine.roster.add("uno", "Other", QUICK_UNO, "/dev/other") is first
    await machine.roster.remove("uno")
    await machine.roster.remove("uno")
    assert machine.boards() == {}
    with pytest.raises(UnknownBoardError):
        machine.roster.connection("uno")


async def test_an_unknown_board_is_told_with_the_known_ones(machine: Machine) -> None:
    machine.roster.add("left", "Left", QUICK_UNO, "/dev/none")
    with pytest.raises(UnknownBoardError) as caught:
        machine.roster.link("right", Grant("t"))
    assert caught.value.details == {"device": "right", "allowed": "left"}
    with pytest.raises(BoardNotLiveError):
        machine.roster.link("left", Grant("t"))
    assert machine.roster.pin_states("right") == {}


async def test_the_stop_reaches_every_live_board_at_once(
    machine: Machine, far_end: Callable[..., FarEnd]
) -> None:
    ends = [far_end(), far_end()]
    for number, end in enumerate(ends):
        await machine.roster.add(f"uno{number}", f"Uno {number}", QUICK_UNO, str(end.path)).connect()
    machine.roster.add("never", "Never connected", QUICK_UNO, "/dev/none")
    outcomes = await machine.roster.stop_all(asyncio.get_running_loop().time())
    assert [(outcome.board_id, outcome.confirmed) for outcome in outcomes] == [("uno0", True), ("uno1", True)]
    assert all(outcome.wire_ms is not None and outcome.wire_ms >= 0 for outcome in outcomes)
    assert all("stop_all" in end.commands() for end in ends)


async def test_a_board_that_cannot_be_told_to_stop_is_named(
    machine: Machine, far_end: Callable[..., FarEnd]
) -> None:
    end = far_end()
    connection = machine.roster.add("uno", "Uno", QUICK_UNO, str(end.path))
    await connection.connect()
    end.unplug()
    await until(lambda: connection.state == "lost", "the loss")
    (outcome,) = await machine.roster.stop_all(0.0)
    assert (outcome.board_id, outcome.wire_ms, outcome.confirmed) == ("uno", None, False)
    assert "lost" in outcome.note


class TestWhatThePersonSays:
    clone = port("/dev/ttyUSB0", CH340, location="1-1.2:1.0")

    async def test_a_choice_is_remembered_for_the_device(self, machine: Machine) -> None:
        await machine.plug(self.clone)
        machine.roster.adopt("/dev/ttyUSB0", QUICK_UNO)
        assert machine.boards() == {"arduino-uno-1-1.2": "/dev/ttyUSB0"}
        again = Machine()
        again.known.remember("1a86:7523@1-1.2", kind="arduino-uno")
        await again.plug(self.clone)
        assert again.boards() == machine.boards()

    async def test_another_device_at_the_same_path_is_asked_about(self, machine: Machine) -> None:
        await machine.plug(self.clone)
        machine.roster.adopt("/dev/ttyUSB0", QUICK_UNO)
        other = port("/dev/ttyUSB0", (0x10C4, 0xEA60), serial_number="77", location="1-1.2:1.0")
        await machine.plug(other)
        connection = machine.roster.connection("arduino-uno-1-1.2")
        assert not connection.plugged
        with pytest.raises(PortMissingError):
            await connection.connect()

    async def test_what_was_said_can_be_taken_back(self, machine: Machine) -> None:
        await machine.plug(self.clone)
        machine.roster.adopt("/dev/ttyUSB0", QUICK_UNO)
        await machine.roster.forget("arduino-uno-1-1.2")
        assert machine.boards() == {}
        assert machine.roster.free_ports() == [self.clone]
        assert machine.known.find("1a86:7523@1-1.2") is None

    async def test_boards_have_names_of_the_person(self, machine: Machine) -> None:
        await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
        machine.roster.rename("arduino-uno-75330", "  Reading \n lamp ")
        assert [board.name for board in machine.roster.boards()] == ["Reading lamp"]
        again = Machine()
        again.known.remember("2341:0043:75330", name="Reading lamp")
        await again.plug(port("/dev/ttyACM4", serial_number="75330"))
        assert [board.name for board in again.roster.boards()] == ["Reading lamp"]
        again.roster.rename("arduino-uno-75330", "")
        assert [board.name for board in again.roster.boards()] == ["Arduino Uno"]

    async def test_boards_of_one_kind_are_told_apart_by_a_number(self, machine: Machine) -> None:
        await machine.plug(
            port("/dev/ttyACM0", serial_number="75330"), port("/dev/ttyACM1", serial_number="75331")
        )
        assert [board.name for board in machine.roster.boards()] == ["Arduino Uno", "Arduino Uno 2"]


async def test_a_board_that_is_unplugged_says_so_and_comes_back(machine: Machine) -> None:
    uno = port("/dev/ttyACM0", serial_number="75330")
    await machine.plug(uno)
    await machine.plug()
    assert [board.plugged for board in machine.roster.boards()] == [False]
    await machine.plug(uno)
    assert [board.plugged for board in machine.roster.boards()] == [True]


async def test_the_port_is_found_anew_at_the_moment_of_opening(
    machine: Machine, far_end: Callable[..., FarEnd]
) -> None:
    """The board got another path and another device has the old one: never open 'some other port'."""
    await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
    path = str(far_end().path)
    machine.ports = (
        port("/dev/ttyACM0", (0x10C4, 0xEA60), serial_number="5"),
        port(path, serial_number="75330"),
    )
    connection = machine.roster.connection("arduino-uno-75330")
    await connection.connect()
    assert (connection.state, connection.port) == ("live", path)


class TestNativeUsb:
    """Boards with USB of their own are away for a while after flashing, and may come back elsewhere."""

    async def test_the_board_is_waited_for_and_followed(
        self, machine: Machine, far_end: Callable[..., FarEnd]
    ) -> None:
        before = far_end()
        await machine.plug(port(str(before.path), serial_number="75330"))
        connection = machine.roster.connection("arduino-uno-75330")
        await connection.connect()
        async with connection.lend_port() as path:
            assert path == str(before.path)
            machine.ports = ()
            before.unplug()
            after = far_end()
            asyncio.get_running_loop().call_later(
                0.5, setattr, machine, "ports", (port(str(after.path), serial_number="75330"),)
            )
        assert (connection.state, connection.port) == ("live", str(after.path))

    async def test_one_that_stays_away_is_told(
        self, machine: Machine, far_end: Callable[..., FarEnd], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("zeroclaw_desktop.hardware.connection.BACK_SECONDS", 0.3)
        end = far_end()
        await machine.plug(port(str(end.path), serial_number="75330"))
        connection = machine.roster.connection("arduino-uno-75330")
        async with connection.lend_port():
            machine.ports = ()
        assert (connection.state, connection.info.fault_code) == ("failed", "port_missing")

    async def test_nothing_is_lent_when_the_board_is_not_there(self, machine: Machine) -> None:
        await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
        machine.ports = (port("/dev/ttyACM0", (0x10C4, 0xEA60), serial_number="5"),)
        connection = machine.roster.connection("arduino-uno-75330")
        with pytest.raises(PortMissingError):
            async with connection.lend_port():
                pytest.fail("a port of another device was lent")
        assert connection.state == "failed"


class TestNamedPins:
    uno = port("/dev/ttyACM0", serial_number="75330")

    async def test_names_and_roles_are_kept_for_the_device(self, machine: Machine) -> None:
        await machine.plug(self.uno)
        machine.roster.name_pin("arduino-uno-75330", 5, " Reading  lamp ", "dimmer")
        machine.roster.name_pin("arduino-uno-75330", 7, "door")
        wanted = (NamedPin("Reading lamp", 5, "dimmer"), NamedPin("door", 7, ""))
        assert machine.roster.boards()[0].named_pins == wanted
        known = machine.known.find("2341:0043:75330")
        assert known is not None
        assert known.pins == wanted

    async def test_a_pin_has_one_name_and_a_name_one_pin(self, machine: Machine) -> None:
        await machine.plug(self.uno)
        machine.roster.name_pin("arduino-uno-75330", 5, "lamp", "led")
        machine.roster.name_pin("arduino-uno-75330", 6, "Lamp", "led")
        machine.roster.name_pin("arduino-uno-75330", 6, "fan", "dimmer")
        assert machine.roster.boards()[0].named_pins == (NamedPin("fan", 6, "dimmer"),)
        machine.roster.name_pin("arduino-uno-75330", 6, "")
        assert machine.roster.boards()[0].named_pins == ()

    async def test_a_board_that_comes_has_its_names(self, machine: Machine) -> None:
        machine.known.remember("2341:0043:75330", pins=(NamedPin("fan", 6, "dimmer"),))
        machine.known.remember("board:sim-uno", pins=(NamedPin("lamp", 9, "led"),), name="Test bench")
        await machine.plug(self.uno)
        machine.roster.add("sim-uno", "Simulated Arduino Uno", QUICK_UNO, "sim://sim-uno", simulated=True)
        names = {board.name: board.named_pins for board in machine.roster.boards()}
        assert names == {
            "Arduino Uno": (NamedPin("fan", 6, "dimmer"),),
            "Test bench": (NamedPin("lamp", 9, "led"),),
        }


class TestAway:
    """Boards that the person has named and that are not plugged in (HW-2)."""

    async def test_only_named_boards_that_are_not_here_are_away(self, machine: Machine) -> None:
        machine.known.remember("2341:0043:75330", name="Reading lamp")
        machine.known.remember("1a86:7523:0A51", kind="arduino-nano", pins=(NamedPin("fan", 6),))
        machine.known.remember("1a86:7523:0A52", kind="arduino-nano")
        machine.known.remember("board:sim-uno", name="Test bench")
        assert [board.identity for board in machine.roster.away()] == ["2341:0043:75330", "1a86:7523:0A51"]
        await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
        assert [board.identity for board in machine.roster.away()] == ["1a86:7523:0A51"]

    async def test_one_that_is_pulled_out_keeps_its_card_and_is_not_listed_twice(
        self, machine: Machine
    ) -> None:
        machine.known.remember("2341:0043:75330", name="Reading lamp")
        await machine.plug(port("/dev/ttyACM0", serial_number="75330"))
        await machine.plug()
        assert machine.roster.away() == []
        assert [board.plugged for board in machine.roster.boards()] == [False]

    async def test_it_can_be_forgotten(self, machine: Machine) -> None:
        machine.known.remember("2341:0043:75330", name="Reading lamp")
        machine.roster.forget_away("2341:0043:75330")
        assert machine.roster.away() == []
        assert PortsChanged() in machine.news


async def test_a_port_that_was_chosen_for_a_board_is_no_loose_port_any_more(machine: Machine) -> None:
    await machine.plug(port("/dev/ttyUSB0", CH340, location="1-1.2:1.0"))
    machine.news.clear()
    machine.roster.adopt("/dev/ttyUSB0", board_catalog()["arduino-uno"])
    assert machine.roster.free_ports() == []
    assert PortsChanged() in machine.news
