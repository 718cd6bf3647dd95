"""The real avrdude against the simulated board's boot loader: progress, verify, cancel, faults, hand-over."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.actions import ActionState
from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.hardware.simulator.intel_hex import to_intel_hex


def record(bench: Bench) -> list[FlashProgressed]:
    events: list[FlashProgressed] = []
    bench.runtime.bus.subscribe(FlashProgressed, events.append)
    return events


def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program in the place of avrdude."""
    path = tmp_path / "avrdude-stand-in"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("ZEROCLAW_AVRDUDE", str(path))


async def test_a_flash_goes_through_its_phases_and_the_new_firmware_greets(bench: Bench) -> None:
    events, log = record(bench), []
    bench.runtime.bus.subscribe(FlashLogged, lambda event: log.append(event.line))
    result = await bench.do("flash_firmware", firmware="zeroclaw-demo")
    assert result.ok, result.faults
    phases = list(dict.fromkeys(event.phase for event in events))
    assert phases == ["check", "prepare", "write", "verify", "reset", "handshake", "done"]
    for phase in ("write", "verify"):
        percents = [event.percent for event in events if event.phase == phase]
        assert percents == sorted(percents)
        assert percents[-1] == 100.0
        assert len(percents) > 20
    assert events[-1].firmware.startswith("zeroclaw-demo")
    assert bench.connection.state == "live"
    assert any("bytes of flash verified" in line for line in log)
    # The other firmware really runs: it blinks pin 13 by itself.
    blinks = len(bench.process.rising_edges(13))
    await bench.until(lambda: len(bench.process.rising_edges(13)) > blinks + 1, "the demo's blinking")


async def test_telemetry_lets_go_of_the_port_and_comes_back(bench: Bench) -> None:
    await bench.do("plot_series", signals=["a0"], period=0.02)
    assert (await bench.do("flash_firmware", firmware="default")).ok
    before = sum(info.count for info in bench.runtime.store.series())
    await bench.until(
        lambda: sum(info.count for info in bench.runtime.store.series()) > before + 5, "new samples"
    )


async def test_cancelling_kills_the_tool_and_frees_the_port(bench: Bench) -> None:
    events = record(bench)
    work = bench.start("flash_firmware", firmware="default")
    await bench.until(lambda: any((event.percent or 0) >= 30 for event in events), "30 % written")
    task_id = bench.runtime.executor.queue_entries()[0].holder
    assert bench.runtime.executor.cancel(task_id)
    result = await asyncio.wait_for(work, 10)
    assert result.state is ActionState.CANCELLED
    assert events[-1].phase == "cancelled"
    again = await bench.do("flash_firmware", firmware="default")
    assert again.ok, again.faults
    assert bench.connection.state == "live"


async def test_a_tool_killed_at_half_is_told_with_what_it_means_for_the_board(bench: Bench) -> None:
    events = record(bench)
    work = bench.start("flash_firmware", firmware="default")
    await bench.until(lambda: any((event.percent or 0) >= 50 for event in events), "50 % written")
    killed = await asyncio.create_subprocess_exec("pkill", "-KILL", "-f", bench.process.system_path)
    await killed.wait()
    result = await asyncio.wait_for(work, 15)
    assert result.error_code == Code.FLASH_FAILED
    assert "flash again" in result.faults[0].message
    assert events[-1].phase == "failed"
    assert (await bench.do("flash_firmware", firmware="default")).ok


async def test_a_missing_tool_is_told_with_the_command_that_installs_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZEROCLAW_AVRDUDE", "/nowhere/avrdude")
    result = await bench.do("flash_firmware", firmware="default")
    assert result.error_code == Code.TOOL_MISSING
    assert "install" in str(result.faults[0].details["hint"]).lower()
    assert bench.connection.state == "live"
    assert (await bench.do("led_set", state=1)).ok


# What avrdude 7.1 prints, from its documentation and source: (output, exit code, kind).
OUTPUTS = [
    (
        "avrdude stk500_recv() error: programmer is not responding\\n"
        "avrdude stk500_getsync() warning: attempt 1 of 10: not in sync: resp=0x00",
        "not_in_sync",
    ),
    (
        "Writing | ################################################## | 100% 0.40s\\n"
        "avrdude verification mismatch\\n        device 0x00 != input 0x0c at addr 0x0000 (error)\\n"
        "avrdude error: verification mismatch",
        "verify_failed",
    ),
    (
        "avrdude ser_open() OS error: cannot open port /dev/ttyACM0: Permission denied",
        "port_permission",
    ),
    (
        "avrdude ser_open() OS error: cannot open port /dev/ttyACM0: Device or resource busy",
        "port_busy",
    ),
    (
        "avrdude: device signature = 0x1e9514 (probably m328)\\n"
        "avrdude error: expected signature for ATmega328P is 1E 95 0F",
        "wrong_chip",
    ),
    ("something that nobody expected", "flash_failed"),
]


@pytest.mark.parametrize(("output", "kind"), OUTPUTS, ids=[kind for _, kind in OUTPUTS])
async def test_what_the_tool_says_is_told_in_plain_words(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, kind: str
) -> None:
    tool(tmp_path, monkeypatch, f"printf '{output}\\n' >&2; exit 1")
    events = record(bench)
    result = await bench.do("flash_firmware", firmware="default")
    assert not result.ok
    assert events[-1].fault_code == kind
    assert events[-1].fault_hint
    assert bench.connection.state == "live"


async def test_success_needs_the_tools_exit_code_and_not_its_words(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(tmp_path, monkeypatch, "echo 'avrdude done. Thank you.'; exit 3")
    result = await bench.do("flash_firmware", firmware="default")
    assert result.error_code == Code.FLASH_FAILED


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.hex", ":00000001FF\n", "empty"),
        ("broken.hex", ":10000000FFFF\n", "line 1"),
        ("big.hex", to_intel_hex({0: bytes(32_768 + 16)}), "ends at"),
        ("overlap.hex", to_intel_hex({0: bytes(16), 0x7E00: bytes(16)}), "boot loader"),
        ("high.hex", to_intel_hex({0x1000: bytes(16)}), "instead of 0"),
        ("program.elf", "x", "mark of an ELF file"),
        ("program.uf2", "x" * 512, "marks of a UF2 block"),
        ("binary.hex", "\x00\xff", "Intel HEX"),
    ],
)
async def test_an_unfit_image_is_refused_before_anything_is_touched(
    bench: Bench, tmp_path: Path, name: str, content: str, words: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    before = bench.connection.session
    result = await bench.do("flash_firmware", firmware=str(path))
    assert result.error_code == Code.FLASH_FAILED
    assert words in result.faults[0].message
    assert bench.connection.session is before


async def test_the_stop_cancels_a_flash(bench: Bench) -> None:
    events = record(bench)
    work = bench.start("flash_firmware", firmware="default")
    await bench.until(lambda: any(event.phase == "write" for event in events), "writing")
    report = await bench.runtime.stop_everything.trigger("test")
    result = await asyncio.wait_for(work, 10)
    assert result.state is ActionState.CANCELLED
    assert [outcome.confirmed for outcome in report.outcomes] == [False]
    assert "flashing" in report.outcomes[0].note
    bench.runtime.stop_everything.release("test")


async def test_commands_wait_while_the_board_is_flashed(bench: Bench) -> None:
    flash = bench.start("flash_firmware", firmware="default")
    await bench.until(lambda: bench.connection.state == "flashing", "flashing")
    refused = await bench.do("led_set", state=1)
    assert refused.error_code == Code.DEVICE_NOT_CONNECTED
    assert (await flash).ok
    assert os.environ.get("ZEROCLAW_AVRDUDE") is None
