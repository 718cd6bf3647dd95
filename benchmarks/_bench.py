"""What several benchmarks share: a runtime with the simulated Uno, rows, sums that must add up."""

from __future__ import annotations

import contextlib
import statistics
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.runtime.runtime import Runtime


@contextlib.asynccontextmanager
async def simulated_runtime() -> AsyncIterator[Runtime]:
    """A started runtime with a live simulated Uno."""
    with tempfile.TemporaryDirectory() as folder:
        config = ConfigStore(Path(folder) / "config.toml")
        config.set("flashing.save_first", False)
        runtime = Runtime(config, with_person=False, watch_ports=False)
        await runtime.start()
        await runtime.simulators.start()
        try:
            yield runtime
        finally:
            await runtime.stop()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of all lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def row(
    number: str, name: str, values: Sequence[float], unit: str, *, ratio: float | None = None, note: str = ""
) -> dict[str, Any]:
    """One line of the table."""
    return {
        "id": number,
        "name": name,
        "median": round(statistics.median(values), 4),
        "p99": round(percentile(values, 0.99), 4),
        "ratio": None if ratio is None else round(ratio, 3),
        "unit": unit,
        "note": note,
    }


def add_up(expected: int, **counters: int) -> str:
    """Compare the counters of all hops with what went in; the words for the table.

    Raises:
        RuntimeError: something was lost or came twice.
    """
    told = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counters.items())
    if any(count != expected for count in counters.values()):
        raise RuntimeError(f"the counters do not add up to {expected:,}: {told}")
    return f"sums: {told}"
