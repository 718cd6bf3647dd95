"""HW-12: looks, limits and layouts of the plots are there again at the next start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold
from zeroclaw_desktop.runtime.plot_service import PlotService
from zeroclaw_desktop.runtime.plot_views import FILE_NAME, PlotViews

KEY = SeriesKey("uno", "adc")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where they are kept."""
    return tmp_path / FILE_NAME


def start(file: Path | None) -> tuple[PlotViews, TelemetryStore, PlotService]:
    """Begin a run of the program."""
    store = TelemetryStore(clock=lambda: 0.0)
    service = PlotService(store, EventBus())
    return PlotViews(file, store, service), store, service


def test_everything_is_there_at_the_next_start(file: Path) -> None:
    views, _, _ = start(file)
    look = SeriesLook(color=3, unit="°C", factor=0.5, offset=-50, panel="left", visible=False)
    views.set_looks({KEY: look})
    views.add_threshold(Threshold("warm", *KEY, limit=30.0, above=False, hysteresis=1.5))
    views.save_layout("Greenhouse", {"window": 10})
    again, store, service = start(file)
    assert again.look(KEY) == look
    store.append(*KEY, [0.0], [100.0])
    assert store.series()[0].last_value == 0.0
    assert service.watch.thresholds == [Threshold("warm", *KEY, limit=30.0, above=False, hysteresis=1.5)]
    assert again.layouts() == ["Greenhouse"]
    assert again.layout("Greenhouse") == {"window": 10}


def test_what_is_taken_away_stays_away(file: Path) -> None:
    views, _, _ = start(file)
    views.set_looks({KEY: SeriesLook(unit="V")})
    views.add_threshold(Threshold("warm", *KEY, limit=30.0))
    views.save_layout("a", {})
    views.set_looks({KEY: SeriesLook()})
    views.remove_threshold("warm")
    views.remove_layout("a")
    again, _, service = start(file)
    assert (again.looks(), service.watch.thresholds, again.layouts()) == ({}, [], [])


def test_a_scale_that_cannot_be_changes_nothing(file: Path) -> None:
    views, _store, _ = start(file)
    with pytest.raises(ZeroClawError):
        views.set_looks({KEY: SeriesLook(unit="V"), SeriesKey("uno", "b"): SeriesLook(factor=0)})
    assert views.look(KEY) == SeriesLook()
    assert not file.exists()


def test_keys_of_a_later_version_are_kept(file: Path) -> None:
    file.write_text(json.dumps({"version": 9, "colours of the sky": [1], "layouts": {"a": {"x": 1}}}))
    views, _, _ = start(file)
    views.save_layout("b", {})
    kept = json.loads(file.read_text())
    assert kept["colours of the sky"] == [1]
    assert kept["layouts"] == {"a": {"x": 1}, "b": {}}


@pytest.mark.parametrize("text", ["{", "[]", '"x"', "\x00", "[" * 100_000])
def test_a_file_that_cannot_be_read_is_set_aside(file: Path, text: str) -> None:
    file.write_text(text)
    views, _, _ = start(file)
    assert views.set_aside is not None
    assert views.set_aside.read_text() == text
    views.save_layout("a", {})
    assert start(file)[0].layouts() == ["a"]


def test_rows_with_mistakes_are_left_out_and_the_others_hold(file: Path) -> None:
    good = {"source": "uno", "label": "adc", "unit": "V"}
    rows = [good, 5, {"label": "no source"}, {**good, "label": "zero", "factor": 0}, {**good, "factor": "x"}]
    limits = [{"name": "n"}, {"name": "w", "source_id": "uno", "label": "adc", "limit": 1}]
    file.write_text(json.dumps({"series": rows, "thresholds": limits, "layouts": [1]}))
    views, _, service = start(file)
    assert views.looks() == {KEY: SeriesLook(unit="V")}
    assert [limit.name for limit in service.watch.thresholds] == ["w"]
    assert views.layouts() == []


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_layout_needs_a_name(file: Path, name: str) -> None:
    with pytest.raises(ZeroClawError, match="1 to 60"):
        start(file)[0].save_layout(name, {})


def test_a_replay_shows_the_same_figures(file: Path) -> None:
    views, _, _ = start(file)
    views.set_looks({KEY: SeriesLook(factor=2.0)})
    replay = TelemetryStore(clock=lambda: 0.0)
    views.dress(replay)
    replay.append(*KEY, [0.0], [4.0])
    assert replay.series()[0].last_value == 8.0
