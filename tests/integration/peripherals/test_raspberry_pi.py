"""HW-5: the header of the Raspberry Pi that the app runs on; the kernel is a fake (fake_pi.py)."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.helpers.fake_pi import Bias, Direction, FakePi
from tests.integration.peripherals.bench import Bench
from tests.integration.peripherals.conftest import Join
from tests.integration.peripherals.promises import commands_come_and_go
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.peripherals import raspberry_driver

ON_BOARD = 17


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePi:
    pi = FakePi(tmp_path)
    monkeypatch.setattr(raspberry_driver, "load_libraries", lambda: pi.libraries)
    return pi


@pytest.fixture
async def bench(join: Join, pi: FakePi) -> Bench:
    return await join(f"gpio:{pi.chip}")


async def test_pins_are_inputs_and_outputs(bench: Bench, pi: FakePi) -> None:
    result = await bench.done("digital_write", pin=ON_BOARD, value=1)
    assert pi.level(ON_BOARD) == 1
    assert result.hardware_states["pin_17"]["level"] == 1
    pi.driven[4] = 1
    assert (await bench.done("digital_read", pin=4)).value["value"] == 1
    await bench.done("pin_mode", pin=4, mode="input_pullup")
    assert (pi.lines[4].direction, pi.lines[4].bias) == (Direction.INPUT, Bias.PULL_UP)
    # Pins that nobody asked for are left alone.
    assert set(pi.lines) == {4, ON_BOARD}


async def test_letting_go_makes_the_outputs_low_and_gives_the_lines_back(bench: Bench, pi: FakePi) -> None:
    await bench.done("digital_write", pin=ON_BOARD, value=1)
    report = await bench.runtime.stop_everything.trigger("test")
    assert [outcome.confirmed for outcome in report.outcomes] == [True]
    assert pi.level(ON_BOARD) == 0
    await bench.connection.disconnect()
    assert pi.lines == {}


async def test_a_pin_that_the_kernel_uses_is_refused_with_the_reason(bench: Bench, pi: FakePi) -> None:
    pi.kernel.add(22)
    result = await bench.do("digital_write", pin=22, value=1)
    assert "in use by the kernel" in result.faults[0].message
    assert bench.connection.state == "live"


async def test_pins_of_a_bus_that_is_switched_on_stay_with_it(bench: Bench, pi: FakePi) -> None:
    """Taking one as a plain pin would end the bus until a restart."""
    for pin in (2, 3, 7, 8, 9, 10, 11):
        assert "belongs to a bus" in (await bench.do("digital_read", pin=pin)).faults[0].message
    assert pi.lines == {}


async def test_hardware_pwm_and_servo(bench: Bench, pi: FakePi) -> None:
    await bench.done("pwm_write", pin=18, duty=0.5)
    period, duty, on = pi.wave()
    assert (period, on) == (1_000_000, "1")
    assert duty == pytest.approx(500_000, abs=2_000)
    await bench.done("servo_move", pin=18, angle=0)
    # 50 Hz, 544 us (SPEC.md, servo_write).
    assert pi.wave() == (20_000_000, 544_000, "1")
    await bench.runtime.stop_everything.trigger("test")
    assert pi.wave()[1] == 0
    assert 18 not in pi.lines


async def test_buses(bench: Bench, pi: FakePi) -> None:
    assert (await bench.done("i2c_scan")).value["found"] == [72]
    read = await bench.done("i2c_read", addr=72, count=2, reg=0)
    assert read.value["data"] == [0x16, 0x80]
    assert pi.written == [(72, b"\x00")]
    assert not (await bench.do("i2c_read", addr=80, count=1)).ok
    assert (await bench.done("spi_transfer", cs=8, data=[1, 2])).value["data"] == [1, 2]
    assert not (await bench.do("spi_transfer", cs=25, data=[1])).ok


async def test_the_boards_commands_come_and_go_with_it(bench: Bench) -> None:
    await commands_come_and_go(
        bench, "digital_write", "pwm_write", "i2c_scan", "spi_transfer", without=("analog_read", "uart_read")
    )


async def test_without_buses_and_pwm_their_commands_are_not_offered(join: Join, pi: FakePi) -> None:
    (pi.devices / "i2c-1").unlink()
    (pi.devices / "spidev0.0").unlink()
    (pi.pwm / "pwmchip0").rename(pi.pwm / "none")
    bench = await join(f"gpio:{pi.chip}")
    await commands_come_and_go(
        bench, "digital_write", without=("i2c_scan", "sensor_read", "spi_transfer", "pwm_write", "servo_move")
    )


async def test_the_outputs_become_safe_when_the_app_hangs(bench: Bench, pi: FakePi) -> None:
    """HW-8: the thread of the pins hears nothing from the app's loop."""
    assert bench.connection._heartbeat is not None
    bench.connection._heartbeat.cancel()
    session = bench.connection.session
    assert session is not None
    await bench.done("digital_write", pin=ON_BOARD, value=1)
    await session.request("watchdog_host", {"ms": 100})
    await bench.until(lambda: pi.level(ON_BOARD) == 0, "the safe state")


async def test_the_chip_of_the_header_is_found_on_a_pi_5(join: Join, pi: FakePi) -> None:
    """There /dev/gpiochip0 is another chip on some kernels."""
    pi.labels = {"gpiochip0": "gpio-brcmstb", "gpiochip4": "pinctrl-rp1"}
    (pi.devices / "gpiochip4").touch()
    bench = await join(f"gpio:{pi.chip}")
    assert (await bench.do("digital_write", pin=ON_BOARD, value=1)).ok


async def test_a_computer_without_the_chip_says_so(join: Join, pi: FakePi) -> None:
    bench = await join("gpio:/dev/no-such-chip", connect=False)
    with pytest.raises(ZeroClawError) as raised:
        await bench.connection.connect()
    assert raised.value.code == "port_missing"


async def test_without_the_library_it_says_what_to_install(
    join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    bench = await join("gpio:/dev/gpiochip0", connect=False)
    with pytest.raises(ZeroClawError) as raised:
        await bench.connection.connect()
    assert raised.value.code == "gpio_library"
    assert "raspberry-pi" in raised.value.hint


async def test_telemetry_of_a_pin(bench: Bench, pi: FakePi) -> None:
    await bench.done("plot_series", signals=["d4"], period=0.02)
    await bench.until(lambda: bench.runtime.store.series(bench.board_id), "a series")
    pi.driven[4] = 1
    await asyncio.sleep(0.1)
    pins = bench.connection.pins
    assert pins[4].level == 1
