"""What the plots make of the bytes of a serial line (``zeroclaw plot parse``, HW-12), without a port."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from zeroclaw_desktop.hardware.telemetry.line_parser import TelemetryParser
from zeroclaw_desktop.hardware.telemetry.lines import LineSplitter


def parse_plot_bytes(data: bytes) -> dict[str, Any]:
    """Read a recording from its first to its last byte; an unfinished last line counts as a line.

    Args:
        data: as a board sent it.

    Returns:
        ``series`` (values by label in order, None for a gap), ``units`` (of the series that have one),
        ``console`` (lines that are only shown), ``counters`` (see ``LineCounters``).
    """
    splitter, parser = LineSplitter(drop_partial=False), TelemetryParser()
    counters = splitter.counters
    series: dict[str, list[float | None]] = {}
    units: dict[str, str] = {}
    console: list[str] = []
    batch = splitter.feed(data)
    lines = list(batch.lines)
    if splitter.pending:
        last = splitter.pending
        lines.append(last)
        counters.lines += 1
        counters.line_bytes += len(last)
    for number, line in enumerate(lines):
        parsed = None if number in batch.cut else parser.feed_line(line)
        if parsed is None:
            counters.text_lines += 1
            console.append(line.decode(parser.encoding, errors="replace"))
            continue
        if parsed.is_protocol:
            counters.protocol_lines += 1
        else:
            counters.telemetry_lines += 1
        for sample in parsed.samples:
            counters.samples += 1
            value = sample.value if math.isfinite(sample.value) else None
            series.setdefault(sample.label, []).append(value)
            if sample.unit:
                units[sample.label] = sample.unit
    counters.non_utf8 = parser.non_text_lines
    return {"series": series, "units": units, "console": console, "counters": asdict(counters)}
