"""Serial output as it really looks, with the series and console text that must come out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

DATA = Path(__file__).parents[3] / "data" / "serial"
GAP = float("nan")


class Recording:
    """A file fed through the ingest, with everything that came out."""

    def __init__(self, data: bytes, *, encoding: str = "utf-8", piece: int = 7) -> None:
        self.store = TelemetryStore()
        self.console: list[bytes] = []
        self.ingest = TelemetryIngest("port", self.store, self._show, encoding=encoding)
        self.protocol: list[bytes] = []
        for start in range(0, len(data), piece):
            self.protocol += self.ingest.feed(data[start : start + piece], 1.0 + start / 10_000)

    def _show(self, lines: Sequence[bytes], host_time: float) -> None:
        assert host_time >= 1.0
        self.console += lines

    def values(self) -> dict[str, list[float]]:
        return {info.key.label: self.store.snapshot(info.key).value.tolist() for info in self.store.series()}

    def units(self) -> dict[str, str]:
        return {info.key.label: info.unit for info in self.store.series()}

    def expect(self, values: dict[str, list[float]]) -> None:
        found = self.values()
        assert list(found) == list(values)
        for label, expected in values.items():
            np.testing.assert_array_equal(found[label], expected, err_msg=label)


def recording(name: str, *, encoding: str = "utf-8") -> Recording:
    return Recording((DATA / name).read_bytes(), encoding=encoding)


def test_noise_of_a_wrong_baud_rate_gives_no_series() -> None:
    heard = recording("boot-garbage.bin")
    heard.expect({"temp": [21.5, 21.6]})
    assert heard.ingest.counters.partial_dropped == 1
    assert b"WiFi connected" in heard.console


def test_gbk_text_is_shown_but_not_plotted_as_utf8() -> None:
    heard = recording("gbk-text.bin")
    heard.expect({"light": [512]})
    assert heard.ingest.counters.non_utf8 == 3
    assert "传感器错误".encode("gbk") in heard.console


def test_gbk_text_is_read_when_chosen() -> None:
    heard = recording("gbk-text.bin", encoding="gbk")
    heard.expect({"温度": [23.5, 23.6], "湿度": [40, 41], "light": [512]})
    assert heard.units() == {"温度": "℃", "湿度": "%", "light": ""}
    assert heard.ingest.counters.non_utf8 == 0


def test_all_line_endings_mean_the_same() -> None:
    heard = recording("mixed-endings.bin")
    heard.expect({"a": [1, 2, 3, 4, 5, 6, 7]})
    assert heard.console == [b"ial", *(b"a:%d" % number for number in range(1, 8))]


def test_half_lines_are_text() -> None:
    heard = recording("half-lines.bin")
    heard.expect({"a": [1, 4, 8], "b": [2, 5, 9]})
    assert heard.console == [b"1.5,b:2", b"a:1,b:2", b"a:3,b:", b"a:4,b:5", b"a", b":6,b:7", b"a:8,b:9"]
    assert heard.ingest.pending == b"a:10"


def test_label_changes_make_new_series_and_keep_old_ones() -> None:
    recording("label-changes.bin").expect(
        {
            "temp": [20, 21, 22, 23],
            "hum": [40, 41, 42, 43],
            "lux": [300, 301],
            "value 1": [24, 25],
            "value 2": [44, 45],
            "x": [1, 2],
            "y": [3, 4],
        }
    )


def test_units_are_kept_and_gaps_are_gaps() -> None:
    heard = recording("units.bin")
    heard.expect(
        {
            "T": [23.5, GAP, GAP, GAP],
            "H": [40],
            "angle": [30.1, 31.5],
            "value 1": [23.5],
            "value 2": [40],
            "Humidity": [40],
            "Temperature": [23.5],
            "Temperature °F": [74.3],
            "P": [1013.25],
            "温度": [23.5],
            "湿度": [40],
        }
    )
    assert heard.units() == {
        "T": "C",
        "H": "%",
        "angle": "°",
        "value 1": "°C",
        "value 2": "%",
        "Humidity": "%",
        "Temperature": "°C",
        "Temperature °F": "°F",
        "P": "hPa",
        "温度": "℃",
        "湿度": "%",
    }


def test_prose_is_never_plotted() -> None:
    heard = recording("prose.bin")
    heard.expect({})
    assert heard.ingest.counters.text_lines == heard.ingest.counters.lines == len(heard.console)


@pytest.mark.parametrize("piece", [997, 65_536])
def test_a_line_of_a_megabyte_is_cut_and_the_next_line_is_fine(piece: int) -> None:
    heard = Recording(b"\na:1\n" + b"b:" + b"7" * 1_000_000 + b"\na:2\n", piece=piece)
    heard.expect({"a": [1, 2]})
    counters = heard.ingest.counters
    assert (counters.overlong, counters.lines, counters.bytes) == (1, 3, 1_000_012)
    assert [len(line) for line in heard.console] == [3, 4096, 3]
    assert counters.discarded_bytes == 1_000_002 - 4096


def test_no_line_end_at_all_keeps_memory_flat() -> None:
    heard = Recording(b"\n" + b"U" * 300_000, piece=4096)
    assert len(heard.ingest.pending) <= 4096
    assert [len(line) for line in heard.console] == [4096]
