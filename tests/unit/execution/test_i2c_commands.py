"""i2c_scan, i2c_read and i2c_write (EX-18) through the door, on both simulated boards."""

from __future__ import annotations

import pytest

from tests.helpers.firmware_bench import Bench
from zeroclaw_desktop.contracts.actions import ActionState, Constraints
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.handlers.bus_requests import BUS_STUCK, NO_DEVICE
from zeroclaw_desktop.execution.payloads import make_payload


async def test_i2c_scan_lists_the_devices(bench: Bench) -> None:
    """EX-18 i2c_scan."""
    assert await bench.done("i2c_scan") == {"found": [0x48, 0x50], "addresses": ["0x48", "0x50"]}


async def test_i2c_read_gives_bytes_and_tells_where_they_are_from(bench: Bench) -> None:
    """EX-18 i2c_read, EX-12: what was read. 22.5 degrees are 45 steps of 0.5, 7 bits up."""
    result = await bench.do("i2c_read", addr=0x48, reg=0, count=2)
    assert result.value == {"addr": 0x48, "data": [0x16, 0x80], "hex": "1680"}
    assert result.hardware_states == {"i2c_0x48": {"reg": 0, "data": "1680"}}
    assert (await bench.pin(18))["mode"] == "input"


async def test_i2c_write_to_a_memory_is_read_back_although_it_is_busy_for_5_ms(bench: Bench) -> None:
    """EX-18 i2c_write. A memory acknowledges nothing in its write cycle (Atmel 0336), so reading waits."""
    assert await bench.done("i2c_write", addr=0x50, data=[0x01, 0x20, 1, 2, 3]) == {"addr": 0x50, "bytes": 5}
    read = await bench.done("i2c_read", addr=0x50, reg=0x0120, reg_bytes=2, count=4)
    assert read["data"] == [1, 2, 3, 0xFF]
    assert await bench.done("i2c_write", addr=0x50, hex="01215A") == {"addr": 0x50, "bytes": 3}
    assert (await bench.done("i2c_read", addr=0x50, reg=0x0120, reg_bytes=2, count=3))["hex"] == "015a03"


async def test_a_missing_device_is_a_bus_fault_after_a_few_tries(bench: Bench) -> None:
    """EX-10: segment 0x40. The address is tried again for a while, since a memory may be busy."""
    result = await bench.do("i2c_read", addr=0x21)
    assert (result.state, result.error_code) == (ActionState.FAILED, NO_DEVICE)
    assert result.faults[0].symbol == "NO_DEVICE"
    assert "0x21" in result.faults[0].message
    assert 1 < len(bench.boards.requests("i2c_read")) <= 5


async def test_an_idempotent_read_is_retried_when_asked_for(bench: Bench) -> None:
    """EX-10: bus errors get a bounded retry when the command is idempotent."""
    payload = make_payload("i2c_read", {"addr": 0x21}, source="manual", constraints=Constraints(retries=1))
    assert (await bench.executor.submit(payload)).error_code == NO_DEVICE
    single = len(bench.boards.requests("i2c_read"))
    await bench.do("i2c_read", addr=0x21)
    assert single == 2 * (len(bench.boards.requests("i2c_read")) - single)


@pytest.mark.parametrize("line", [18, 19])
async def test_a_held_line_is_told_at_once_and_hangs_nothing(bench: Bench, line: int) -> None:
    """EX-18: a stuck SDA or SCL must not hang; EX-10: code of the bus segment."""
    bench.boards.board.drive_pin(line, 0)
    result = await bench.do("i2c_scan")
    assert result.error_code == BUS_STUCK
    assert (await bench.do("digital_read", pin=7)).ok
    bench.boards.board.drive_pin(line, None)
    assert (await bench.do("i2c_scan")).ok


async def test_an_output_on_the_bus_is_refused_and_stays(bench: Bench) -> None:
    """EX-6: reading a bus never changes somebody's output."""
    await bench.done("digital_write", pin=18, value=1)
    result = await bench.do("i2c_scan")
    assert result.error_code == Code.DEVICE_REFUSED
    assert await bench.pin(18) == {"mode": "output", "level": 1}


def test_faults_of_i2c_parameters(bench: Bench) -> None:
    """EX-5: ranges, forms and the register that does not fit."""
    assert bench.faults("i2c_read", addr=0x07) == [(Code.OUT_OF_RANGE, "addr")]
    assert bench.faults("i2c_read", addr=0x48, count=33) == [(Code.OUT_OF_RANGE, "count")]
    assert bench.faults("i2c_read", addr=0x48, reg=256) == [(Code.OUT_OF_RANGE, "reg")]
    assert bench.faults("i2c_write", addr=0x48) == [(Code.MISSING_PARAMETER, "data")]
    assert bench.faults("i2c_write", addr=0x48, data=[1], hex="01") == [(Code.BAD_FORMAT, "hex")]
    assert bench.faults("i2c_write", addr=0x48, data=[]) == [(Code.OUT_OF_RANGE, "data")]
    assert bench.faults("i2c_write", addr=0x48, data=[0, 256]) == [(Code.OUT_OF_RANGE, "data[1]")]
    assert bench.faults("i2c_write", addr=0x48, hex="123") == [(Code.BAD_FORMAT, "hex")]
    assert bench.faults("i2c_write", addr=0x48, hex="00" * 33) == [(Code.BAD_FORMAT, "hex")]


def test_devices_on_one_bus_are_separate_resources_and_a_scan_takes_the_bus(bench: Bench) -> None:
    """EX-11: `<device>/i2c:0@0x48`; disjoint devices run in parallel, a scan runs alone."""
    thermometer = dict(bench.prepare("i2c_read", addr=0x48).resources)
    memory = dict(bench.prepare("i2c_read", addr=0x50).resources)
    scan = dict(bench.prepare("i2c_scan").resources)
    assert thermometer["uno/i2c:0@0x48"] == "write"
    shared = set(thermometer) & set(memory)
    assert shared == {"uno/i2c:0", "uno/gpio:18", "uno/gpio:19", "uno/serial"}
    assert {thermometer[name] for name in shared} | {memory[name] for name in shared} == {"read"}
    assert scan["uno/i2c:0"] == "write"
    assert dict(bench.prepare("digital_write", pin=18, value=0).resources)["uno/gpio:18"] == "write"
