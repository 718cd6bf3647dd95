"""Simulated boards: the Uno's speed against real time, and sixteen boards at once (B14: gaps 16 ms, max 60).

Sixteen boards are four Unos with the real firmware and twelve models of other kinds, each a process of its
own. Measured are the processor time of an idle board, the round trip of a command while all boards are asked
at once, and the gaps of the app's event loop meanwhile, with telemetry from every board.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks._bench import row
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.protocol import encode_request
from zeroclaw_desktop.hardware.session import BoardSession
from zeroclaw_desktop.hardware.simulator.avr_board import AvrBoard
from zeroclaw_desktop.runtime.runtime import Runtime

KINDS = ("arduino-uno", "esp32", "raspberry-pi-pico", "nucleo-f401re") * 4
SLICE_SECONDS = 0.010
SIMULATED_SECONDS = 3.0
ROUNDS = 5
IDLE_SECONDS = 5.0
REQUESTS = 60
PERIOD_MS = 50
TICK_SECONDS = 0.001


def _uno() -> AvrBoard:
    images = [
        firmware_path("prebuilt/zeroclaw-arduino-uno.hex"),
        firmware_path("prebuilt/bootloader-uno.hex"),
    ]
    board = AvrBoard(firmware_path("prebuilt/avr.wasm"), images)
    board.advance(2.0)
    board.transmitted()
    return board


def _speeds(board: AvrBoard, request: bytes) -> list[float]:
    """Simulated seconds for each second of the wall clock; with a request, one after the other is served."""
    speeds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(round(SIMULATED_SECONDS / SLICE_SECONDS)):
            if request:
                board.receive(request)
            board.advance(SLICE_SECONDS)
            board.transmitted()
        speeds.append(SIMULATED_SECONDS / (time.perf_counter() - started))
    return speeds


def _uno_rows() -> list[dict[str, Any]]:
    board = _uno()
    request = encode_request("1", "gpio_write", {"pin": 13, "value": 1})
    rows = []
    for number, name, sent in (
        ("SIM-idle", "idle", b""),
        ("SIM-busy", "serving a command each 10 ms", request),
    ):
        speeds = _speeds(board, sent)
        rows.append(row(number, f"simulated Uno, {name}", speeds, "x real time", note="10 ms slices"))
    return rows


def _processor_seconds(pid: int) -> float:
    """Processor time of a process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pid(runtime: Runtime, board_id: str) -> int:
    child = runtime.simulators.process(board_id)._child
    assert child is not None
    return child.pid


def _session(runtime: Runtime, board_id: str) -> BoardSession:
    session = runtime.roster.connection(board_id).session
    if session is None:
        raise RuntimeError(f"{board_id} is not live")
    return session


async def _idle_rows(runtime: Runtime, ids: list[str]) -> list[dict[str, Any]]:
    if not sys.platform.startswith("linux"):
        return []
    before = {board_id: _processor_seconds(_pid(runtime, board_id)) for board_id in ids}
    await asyncio.sleep(IDLE_SECONDS)
    shares = {
        board_id: (_processor_seconds(_pid(runtime, board_id)) - before[board_id]) / IDLE_SECONDS * 100
        for board_id in ids
    }
    unos = [share for board_id, share in shares.items() if board_id.startswith("sim-uno")]
    others = [share for board_id, share in shares.items() if not board_id.startswith("sim-uno")]
    note = f"all {len(ids)} together {sum(shares.values()):.0f} %"
    return [
        row("SIM-16-cpu-uno", "idle Uno with the real firmware, of a core", unos, "%", note=note),
        row("SIM-16-cpu", "idle model of another board, of a core", others, "%", note=note),
    ]


async def _ask(session: BoardSession, times: list[float]) -> None:
    for _ in range(REQUESTS):
        started = time.perf_counter()
        await session.request("ping", {})
        times.append((time.perf_counter() - started) * 1000)


async def _watch_gaps(gaps: list[float]) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(TICK_SECONDS)
        now = time.perf_counter()
        gaps.append((now - last) * 1000)
        last = now


async def _busy_rows(runtime: Runtime, ids: list[str]) -> list[dict[str, Any]]:
    alone: dict[str, list[float]] = {"uno": [], "other": []}
    await _ask(_session(runtime, ids[0]), alone["uno"])
    await _ask(_session(runtime, ids[1]), alone["other"])
    for board_id in ids:
        await _session(runtime, board_id).request("subscribe", {"signal": "uptime", "period_ms": PERIOD_MS})
    unos: list[float] = []
    others: list[float] = []
    gaps: list[float] = []
    watch = asyncio.create_task(_watch_gaps(gaps))
    await asyncio.gather(
        *(
            _ask(_session(runtime, board_id), unos if board_id.startswith("sim-uno") else others)
            for board_id in ids
        )
    )
    watch.cancel()
    await asyncio.wait({watch})
    each = f"{len(ids)} boards asked at once, each with telemetry every {PERIOD_MS} ms"
    return [
        row("SIM-1-rtt-uno", "ping of one Uno alone", alone["uno"], "ms"),
        row("SIM-1-rtt", "ping of one other board alone", alone["other"], "ms"),
        row("SIM-16-rtt-uno", "ping of an Uno among sixteen boards", unos, "ms", note=each),
        row("SIM-16-rtt", "ping of another board among sixteen", others, "ms", note=each),
        row(
            "B14-gaps",
            "event-loop gap with sixteen boards",
            gaps,
            "ms",
            note=f"worst {max(gaps):.1f} ms; budget p99 16, max 60",
        ),
    ]


async def _sixteen() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        runtime = Runtime(ConfigStore(Path(folder) / "config.toml"), with_person=False, watch_ports=False)
        await runtime.start()
        try:
            started = time.perf_counter()
            ids = list(await asyncio.gather(*(runtime.simulators.add(kind) for kind in KINDS)))
            seconds = time.perf_counter() - started
            rows = [row("SIM-16-start", "starting sixteen boards", [seconds], "s")]
            return [*rows, *await _idle_rows(runtime, ids), *await _busy_rows(runtime, ids)]
        finally:
            await runtime.stop()


def run() -> list[dict[str, Any]]:
    """Return the rows of the simulated boards."""
    return [*_uno_rows(), *asyncio.run(_sixteen())]
