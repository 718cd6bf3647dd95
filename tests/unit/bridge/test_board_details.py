"""UI-4: everything that is known of a board, as rows; names of pins by who gave them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from zeroclaw_desktop.bridge.board_details import details_of
from zeroclaw_desktop.bridge.board_views import board_view, pin_names_of, pin_views
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.boards import BoardInfo, NamedPin, PinState
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.discovery.plugged_ports import PluggedPorts
from zeroclaw_desktop.hardware.transport.discovery import PortInfo
from zeroclaw_desktop.runtime.runtime import DATASHEETS_NAME, Runtime

PORT = PortInfo("/dev/ttyACM9", "", 0x2341, 0x0043, "75330", "1-1.2:1.0", "")
CAPABILITIES = {"proto": 1, "commands": ["ping", "gpio_write", "adc_read"]}


@pytest.fixture
async def runtime(tmp_path: Path, own_state_folder: Path) -> Runtime:
    folder = own_state_folder / DATASHEETS_NAME
    folder.mkdir(parents=True)
    (folder / "arduino-uno.md").write_text("## Pin Aliases\nreading lamp: 12\nbell: 8\n")
    runtime = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)
    runtime.roster._plugged = PluggedPorts(lambda: (PORT,))
    await runtime.roster.scan_ports()
    await runtime.datasheets.refresh()
    return runtime


def board_of(runtime: Runtime) -> BoardInfo:
    (board,) = runtime.roster.boards()
    return board


async def test_identity_says_by_what_the_board_is_known_again(runtime: Runtime) -> None:
    identity = dict(details_of(runtime, board_of(runtime), "en").identity)
    assert identity["USB id"] == "2341:0043"
    assert identity["Serial number"] == "75330"
    assert identity["USB place"] == "1-1.2:1.0"
    assert identity["Known again by"] == "2341:0043:75330"


async def test_firmware_protocol_and_commands(runtime: Runtime) -> None:
    board = replace(board_of(runtime), firmware="zeroclaw-arduino 1.0.0", capabilities=CAPABILITIES)
    view = details_of(runtime, board, "en")
    assert dict(view.firmware)["Version"] == "1.0.0"
    assert dict(view.firmware)["Protocol"] == "1"
    assert view.capabilities == ("adc_read", "gpio_write", "ping")
    assert dict(details_of(runtime, board_of(runtime), "zh").firmware)["固件"] == "没有回应"


async def test_health_tells_the_last_answer_and_what_could_not_be_used(runtime: Runtime) -> None:
    board = board_of(runtime)
    assert dict(details_of(runtime, board, "en").health)["Last answer"] == "none in this connection"
    counted = replace(board, heard_at=time.monotonic() - 30.4, counters={"unreadable": 3, "replies": 12})
    health = dict(details_of(runtime, counted, "en").health)
    assert health["Last answer"] == "30 s ago"
    assert (health["Replies"], health["Unreadable lines"], health["Over-long lines"]) == ("12", "3", "0")


async def test_names_of_the_person_come_before_those_of_data_sheets(runtime: Runtime) -> None:
    board = replace(board_of(runtime), named_pins=(NamedPin("reading lamp", 5, "led"),))
    names = details_of(runtime, board, "en").names
    assert names == (("reading lamp", "5, LED"), ("bell", "8 (data sheet)"))


async def test_wiring_of_the_board_file(runtime: Runtime) -> None:
    wiring = dict(details_of(runtime, board_of(runtime), "en").wiring)
    assert wiring["LED"] == "13"
    assert "A4" in wiring["I2C"]
    spi = board_catalog()["arduino-uno"].wiring.spi
    assert spi is not None
    assert wiring["SPI"] == f"out {spi.out_pin}, in {spi.in_pin}, clock {spi.clock_pin}"


async def test_pins_carry_their_names_and_what_uses_them(runtime: Runtime) -> None:
    board_id = board_of(runtime).board_id
    runtime.roster.name_pin(board_id, 12, "door", "")
    pins = {pin.number: pin for pin in pin_views(runtime, board_id, "en")}
    assert pins[12].names == ("door", "reading lamp")
    assert pins[8].names == ("bell",)
    spi = board_catalog()["arduino-uno"].wiring.spi
    assert spi is not None
    assert pins[spi.out_pin].used_by.startswith("usable for SPI")
    assert pins[8].used_by == ""


async def test_a_pin_whose_group_is_active_has_to_stay_off(runtime: Runtime) -> None:
    """HW-14, EX-6: of the pins of a group one at most may be active."""
    uno = board_catalog()["arduino-uno"]
    group = {number: replace(uno.policy(number), exclusive="bridge") for number in (5, 6)}
    connection = runtime.roster.add("h", "H", replace(uno, policies={**uno.policies, **group}), "/dev/none")
    assert not any(pin.conflict for pin in pin_views(runtime, "h", "en"))
    states = {5: PinState(5, "output", 1), 7: PinState(7, "output", 1)}
    runtime.roster.pin_states = lambda _board_id: states  # type: ignore[method-assign]
    pins = {pin.number: pin for pin in pin_views(runtime, connection.board_id, "en")}
    assert "pin 5 of the group 'bridge' is active" in pins[6].conflict
    assert pins[5].conflict == pins[7].conflict == ""


async def test_a_pin_that_chooses_the_boot_mode_is_marked(runtime: Runtime) -> None:
    runtime.roster.add("esp", "ESP32", board_catalog()["esp32"], "/dev/none")
    pins = {pin.number: pin for pin in pin_views(runtime, "esp", "en")}
    assert pins[12].strapping
    assert pins[12].note
    assert not pins[13].strapping


async def test_a_name_that_no_pin_has_is_left_out(runtime: Runtime) -> None:
    assert pin_names_of(board_of(runtime), {"lamp": "99", "fan": "A0"}) == {14: ("fan",)}


async def test_a_newer_firmware_is_offered(runtime: Runtime) -> None:
    old = replace(board_of(runtime), firmware="zeroclaw-arduino 0.0.1")
    assert board_view(old, "en").update == runtime.firmware_for(old.board_id)[0].version
    assert board_view(board_of(runtime), "en").update == ""
