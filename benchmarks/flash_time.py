"""B5: flashing the simulated Uno, write and verify, against avrdude started alone on the same board.

Beside it what a restore point costs: reading the whole flash, once for each board.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._bench import row, simulated_runtime
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.flashing.methods.avrdude import AVRDUDE, avrdude_arguments, reading_arguments
from zeroclaw_desktop.hardware.flashing.tools import find_tool
from zeroclaw_desktop.runtime.simulators import UNO_ID

ROUNDS = 5
KEY, FILE = "zeroclaw-demo", "prebuilt/zeroclaw-demo-uno.hex"


async def _measure() -> list[dict[str, Any]]:
    alone, ours, whole, kept = [], [], [], []
    async with simulated_runtime() as runtime:
        connection = runtime.roster.connection(UNO_ID)
        for _ in range(ROUNDS):
            async with connection.lend_port() as port:
                tool, image = find_tool(AVRDUDE), firmware_path(FILE)
                arguments = avrdude_arguments(tool, connection.profile, port, image)
                ended = await runtime.children.run(arguments, timeout=60)
                if ended.returncode:
                    raise RuntimeError(ended.tail)
                alone.append(ended.seconds)
            payload = make_payload("flash_firmware", {"firmware": KEY}, source="manual", device_id=UNO_ID)
            result = await runtime.executor.submit(payload)
            if not result.ok:
                raise RuntimeError(result.faults[0].message)
            ours.append(float(result.value["tool_seconds"]))
            whole.append(float(result.value["seconds"]))
            async with connection.lend_port() as port:
                with tempfile.TemporaryDirectory() as folder:
                    command = reading_arguments(
                        find_tool(AVRDUDE), connection.profile, port, Path(folder, "flash.bin")
                    )
                    ended = await runtime.children.run(command, timeout=60)
                    if ended.returncode:
                        raise RuntimeError(ended.tail)
                    kept.append(ended.seconds)
    base = statistics.median(alone)
    size = firmware_path(FILE).stat().st_size
    return [
        row("B5-alone", "avrdude alone", alone, "s", ratio=1.0, note=f"{FILE}, {size} bytes of HEX"),
        row(
            "B5",
            "flash, write and verify",
            ours,
            "s",
            ratio=statistics.median(ours) / base,
            note="budget 1.05",
        ),
        row("B5-save", "restore point: read all 32 KiB, once for each board", kept, "s"),
        row("B5-click", "click to the new greeting", whole, "s", ratio=statistics.median(whole) / base),
    ]


def run() -> list[dict[str, Any]]:
    """Return the rows of B5."""
    return asyncio.run(_measure())
