"""B2: a JSON command and its answer on the simulated Uno, against the same bytes written and read raw.

Both sides use the same ``sim://`` line of the same board, in turns of a hundred, so that they see the same
machine. The raw side writes the request and reads until the line end; the product's side is a request through
the session, and the whole path through the door.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

import serial

from benchmarks._bench import percentile, row, simulated_runtime
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.hardware.protocol import encode_request
from zeroclaw_desktop.hardware.transport import port_handle  # noqa: F401 - registers sim:// with pyserial
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import UNO_ID

ROUNDS = 5
TURNS = 100
WIRE_BAUD = 115_200
ARGS = {"pin": 13, "value": 1}


async def _session_times(runtime: Runtime) -> list[float]:
    session = runtime.roster.connection(UNO_ID).session
    assert session is not None
    times = []
    for _ in range(TURNS):
        started = time.perf_counter()
        await session.request("gpio_write", ARGS)
        times.append((time.perf_counter() - started) * 1000)
    return times


async def _door_times(runtime: Runtime) -> list[float]:
    times = []
    for _ in range(TURNS):
        payload = make_payload("digital_read", {"pin": 13}, source="manual", device_id=UNO_ID)
        started = time.perf_counter()
        result = await runtime.executor.submit(payload)
        times.append((time.perf_counter() - started) * 1000)
        if not result.ok:
            raise RuntimeError(result.faults[0].message)
    return times


def _raw_times() -> list[float]:
    request = encode_request("1", "gpio_write", ARGS)
    times = []
    port = serial.serial_for_url(f"sim://{UNO_ID}", do_not_open=True)
    port.dtr = False
    port.timeout = 2
    port.open()
    try:
        for _ in range(TURNS):
            started = time.perf_counter()
            port.write(request)
            line = b""
            while not line.endswith(b"\n"):
                piece = port.read(256)
                if not piece:
                    raise RuntimeError("the board did not answer the raw request")
                line += piece
            times.append((time.perf_counter() - started) * 1000)
    finally:
        port.close()
    return times


async def _measure() -> list[dict[str, Any]]:
    raw: list[float] = []
    session: list[float] = []
    door: list[float] = []
    async with simulated_runtime() as runtime:
        connection = runtime.roster.connection(UNO_ID)
        for _ in range(ROUNDS):
            session += await _session_times(runtime)
            door += await _door_times(runtime)
            async with connection.lend_port():
                raw += await asyncio.to_thread(_raw_times)
    request = encode_request("1", "gpio_write", ARGS)
    wire = (len(request) + len(b'{"id":"1","ok":true,"result":"done"}\n')) * 10_000 / WIRE_BAUD
    base = statistics.median(raw)
    over = statistics.median(session) - base
    over99 = percentile(session, 0.99) - percentile(raw, 0.99)
    return [
        row("B2-raw", "the same bytes raw", raw, "ms", ratio=1.0, note=f"the wire alone takes {wire:.2f} ms"),
        row(
            "B2",
            "JSON command round trip",
            session,
            "ms",
            ratio=statistics.median(session) / base,
            note=f"overhead {over:+.2f} ms median, {over99:+.2f} ms p99; budget 0.5 and 2",
        ),
        row(
            "B2-door", "digital_read through the whole door", door, "ms", ratio=statistics.median(door) / base
        ),
    ]


def run() -> list[dict[str, Any]]:
    """Return the rows of B2."""
    return asyncio.run(_measure())
