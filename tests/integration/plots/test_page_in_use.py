"""HW-12, UI-9: the running Plots page, used while 80,000 samples/s come: nothing is lost.

``python -m benchmarks.plot_show --seconds 600`` is the same for ten minutes.
"""

from __future__ import annotations

import re
import sys

import pytest

from benchmarks.plot_show import LABELS, RATE, SERIES, show

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo terminals")


def test_pauses_zooms_exports_and_recordings_lose_nothing() -> None:
    """``show`` raises where a sum does not add up, or where an export or recording misses a number."""
    row = show(13.0)
    assert len(LABELS) == SERIES
    assert f"read {13 * RATE:,}" in row["note"]
    assert f"stored {13 * RATE * SERIES:,}" in row["note"]
    for deed in ("pauses", "zooms", "boxes", "exports", "pictures", "recordings"):
        # How many of each fit into the time is the machine's business; none may be missing.
        done = re.search(rf"(\d+) {deed}", row["note"])
        assert done is not None, row["note"]
        assert int(done[1]) >= 1, row["note"]
