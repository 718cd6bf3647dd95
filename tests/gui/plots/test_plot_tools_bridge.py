"""HW-12: what the window calls: measuring, recording, replay, limits; over a real core."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.plot_analysis import MAX_ANALYSED
from zeroclaw_desktop.bridge.plot_sources_bridge import PlotSourcesBridge
from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.events import ThresholdCrossed
from zeroclaw_desktop.hardware.errors import PortError
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.runtime.runtime import Runtime


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Any:
    """The bridges over a runtime that was not started: nothing runs by itself."""
    config = ConfigStore(tmp_path / "config.toml")
    runtime = Runtime(config, with_person=False, watch_ports=False)
    core = CoreAccess(config, "en")
    plots = PlotsBridge(core, SimpleNamespace())  # type: ignore[arg-type]  # not used here
    tools = PlotToolsBridge(core, plots)
    core.set_runtime(runtime)
    yield SimpleNamespace(
        runtime=runtime,
        plots=plots,
        tools=tools,
        sources=PlotSourcesBridge(core),
        folder=tmp_path,
    )
    for timer in (*plots.findChildren(QTimer), *tools.findChildren(QTimer)):
        timer.stop()


def feed_sine(bench: Any) -> None:
    times = np.arange(1000) / 1000
    bench.runtime.store.append("uno", "s", times, 2 * np.sin(2 * np.pi * 50 * times), "V")


def test_measuring(bench: Any) -> None:
    feed_sine(bench)
    assert bench.tools.cursors("uno", "s", 0.1, 0.3).time_difference == pytest.approx(0.2)
    assert bench.plots.statistics("uno", "s", 0, 1)["rms"] == pytest.approx(np.sqrt(2), rel=1e-3)
    trigger = bench.tools.trigger(kind="rising", level=1.0, hysteresis=0.5)
    samples = bench.plots.samples_since("uno", "s", 0)
    assert len(trigger.feed(samples.time, samples.value)) == 50
    assert bench.sources.memory().used == bench.runtime.store.memory_bytes()


def test_another_bound_of_the_memory_holds_at_once(bench: Any) -> None:
    bench.runtime.config.set("plots.memory_mb", 100)
    assert bench.sources.memory().limit == 100 * 1024 * 1024


def test_analysing(bench: Any) -> None:
    feed_sine(bench)
    sine, gone, analysis = ("uno", "s"), ("uno", "gone"), bench.tools.analysis
    found, missing = analysis.spectra([sine, gone], 0, 1, window="hann", scaling="amplitude")
    assert found.frequency[np.argmax(found.magnitude)] == pytest.approx(50)
    assert found.peaks == (pytest.approx((50, 2), rel=1e-3),)
    assert (found.samples, found.filled, found.left_out) == (1000, 0, 0)
    assert missing.code == "telemetry_unknown_series"
    short = analysis.spectra([sine], 0, 0.002, window="hann", scaling="rms")[0]
    assert short.title == "A spectrum needs at least four samples at different times."
    counted, missing = analysis.histograms([sine, gone], 0, 1)
    assert (counted.samples, counted.counts.sum()) == (1000, 1000)
    assert (counted.mean, counted.deviation) == pytest.approx((0, np.sqrt(2)), abs=1e-9)
    assert isinstance(missing, ErrorView)
    pairs, missing = analysis.pairs(sine, [sine, gone], 0, 1, most=400)
    assert pairs.x.tolist() == pairs.y.tolist()
    assert (len(pairs.x), pairs.left_out) == (400, 600)
    assert isinstance(missing, ErrorView)


def test_of_a_very_long_window_the_newest_samples_are_analysed(bench: Any) -> None:
    more = MAX_ANALYSED + 1000
    bench.runtime.store.max_samples = 2 * MAX_ANALYSED
    bench.runtime.store.append("uno", "long", np.arange(more) / 1e5, np.tile([1.0, -1.0], more // 2))
    found = bench.tools.analysis.spectra([("uno", "long")], 0, 100, window="hann", scaling="rms")[0]
    assert (found.samples, found.left_out) == (MAX_ANALYSED, 1000)


def test_a_constant_has_no_peaks(bench: Any) -> None:
    bench.runtime.store.append("uno", "flat", np.arange(100) / 10, np.full(100, 0.1), "V")
    found = bench.tools.analysis.spectra([("uno", "flat")], 0, 10, window="hann", scaling="amplitude")[0]
    assert found.peaks == ()
    assert found.magnitude.max() < 1e-12


def test_a_source_that_does_not_work_says_why(bench: Any) -> None:
    assert bench.sources.faults() == {}
    bench.runtime.plot_sources.faults["plots.udp"] = PortError(
        "UDP port 5 cannot be used.", code="port_failed", details={"port": "UDP 5", "reason": "in use"}
    )
    assert bench.sources.faults()["plots.udp"].title == "UDP port 5 cannot be used."


def test_limits_are_told(bench: Any, qtbot: QtBot) -> None:
    assert bench.tools.add_threshold("hot", "uno", "t", 30.0, hysteresis=1.0) is None
    assert isinstance(bench.tools.add_threshold("bad", "uno", "t", float("nan")), ErrorView)
    bench.runtime.store.append("uno", "t", [1.0], [31.0])
    with qtbot.waitSignal(bench.tools.threshold_crossed) as told:
        bench.runtime.plots.look_at_thresholds()
    assert told.args == [ThresholdCrossed("hot", "uno", "t", True, 31.0, 30.0, "", 1.0)]
    assert [(view.name, view.alarm) for view in bench.tools.thresholds()] == [("hot", True)]
    bench.tools.remove_threshold("hot")
    assert bench.tools.thresholds() == []


def test_a_recording_is_shown_instead_of_what_comes_now(bench: Any, qtbot: QtBot) -> None:
    path = bench.folder / "a.zcrec"
    assert bench.tools.start_recording(str(path)) is None
    ingest = TelemetryIngest("uno", bench.runtime.store)
    now = bench.runtime.store.started
    for number in range(10):
        ingest.feed(b"\nn:%d" % number + b"\n", now + number)
    view = bench.tools.recording()
    assert (view.path, view.dropped, view.fault) == (str(path), 0, None)
    assert view.bytes == ingest.counters.bytes
    bench.runtime.plots.recording.stop()
    assert isinstance(bench.tools.open_replay(str(bench.folder / "none")), ErrorView)
    assert bench.tools.replay() is None
    assert bench.tools.open_replay(str(path)) is None
    assert bench.tools.seek(5.5) is None
    assert bench.plots.raw("uno", "n", 0, 100)[1].tolist() == [0, 1, 2, 3, 4, 5]
    assert bench.plots.now() == bench.tools.replay().position == pytest.approx(5.5)
    assert isinstance(bench.tools.set_speed(0.0), ErrorView)
    assert bench.tools.set_speed(1000.0) is None
    bench.tools.play()
    qtbot.waitUntil(lambda: bench.tools.replay().at_end, timeout=5000)
    assert len(bench.plots.raw("uno", "n", 0, 100)[1]) == 10
    bench.tools.close_replay()
    assert bench.tools.replay() is None
    assert bench.plots.store is bench.runtime.store
