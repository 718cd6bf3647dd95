"""HW-12: no numbers and times that a board can send keep the analysis from being computed and painted.

Every warning of numpy is an error in the tests, so that an overflow that is passed over fails here.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from tests.gui.plots.plot_world import BOARD, PlotWorld
from zeroclaw_desktop.gui.plots.analysis.chart import Chart
from zeroclaw_desktop.gui.plots.analysis.options import AnalysisOptions, select
from zeroclaw_desktop.gui.plots.analysis.request import AnalysisRequest, Outcome, compute
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.theme import Theme

NUMBER = np.arange(120)
LARGEST = np.finfo(np.float64).max
VALUES = {
    "largest": np.where(NUMBER % 2, LARGEST, -LARGEST),
    "one of the largest": np.where(NUMBER == 60, LARGEST, 0.0),
    "constant and largest": np.full(120, LARGEST),
    "smallest": NUMBER * 5e-324,
    "small": np.sin(NUMBER) * 1e-310,
    "of any size": np.where(NUMBER % 3 == 0, 1e200 * np.sin(NUMBER), np.sin(NUMBER)),
    "little change of a large number": 1e15 + np.sin(NUMBER),
    "only gaps": np.full(120, np.nan),
    "one number": np.where(NUMBER == 5, 1.0, np.nan),
    "minus zero": np.full(120, -0.0),
}
TIMES = {
    "even": NUMBER / 10,
    "all at once": np.full(120, 3.0),
    "uneven": np.cumsum(np.random.default_rng(0).exponential(1, 120)),
    "with a day between": np.where(NUMBER < 60, NUMBER / 10, 86_400 + NUMBER / 10),
    "nanoseconds apart": NUMBER * 1e-9,
}
CHOICES: list[dict[str, Any]] = [
    *({"kind": "spectrum", "scaling": scaling} for scaling in ("amplitude", "rms", "decibel", "density")),
    {"kind": "spectrum", "scaling": "density", "log_frequency": True},
    {"kind": "histogram", "bins": 0},
    {"kind": "histogram", "bins": 50, "share": True},
    {"kind": "xy", "equal": True},
    {"kind": "xy", "lines": True},
]


def analysed(world: PlotWorld, chosen: list[str], choices: dict[str, Any]) -> Outcome:
    series = [PlotSeries(SeriesId(BOARD, label), "V", number) for number, label in enumerate(VALUES)]
    ids = [SeriesId(BOARD, label) for label in chosen]
    options = AnalysisOptions(chosen=ids, ys=ids, **choices)
    request = AnalysisRequest.make(options, select(options, series), -1.0, 1e6)
    return compute(world.plot_tools.analysis, request)


@pytest.mark.parametrize("times", TIMES)
def test_any_numbers_at_any_times_can_be_looked_at(dress: Theme, qtbot: QtBot, times: str) -> None:
    world = PlotWorld()
    for label, values in VALUES.items():
        world.plots.feed(label, TIMES[times], values, "V")
    chart = Chart()
    qtbot.addWidget(chart)
    chart.resize(500, 240)
    for chosen, choices in itertools.product([*([label] for label in VALUES), list(VALUES)], CHOICES):
        content = analysed(world, chosen, choices).content
        chart.set_content(content)
        frame = chart.frame()
        assert (frame is None) == (content is None)
        if content is None or frame is None:
            continue
        assert np.isfinite([frame.axis.start, frame.axis.end]).all()
        assert frame.axis.start < frame.axis.end
        assert frame.panel.range.low < frame.panel.range.high
        chart.grab()
        content.readings(frame, QPointF(frame.area.center()))
        content.figures()
        content.table(frame)
        chart.zoom(0.3)
        chart.grab()


@pytest.mark.parametrize("label", VALUES)
@pytest.mark.parametrize("bins", [0, 1, 50, 1000])
def test_every_number_is_counted_once(dress: Theme, label: str, bins: int) -> None:
    world = PlotWorld()
    world.plots.feed(label, TIMES["even"], VALUES[label])
    (found,) = world.plot_tools.analysis.histograms([(BOARD, label)], -1.0, 1e6, bins or None)
    assert found.counts.sum() == found.samples == np.isfinite(VALUES[label]).sum()
    assert (np.diff(found.edges) > 0).all()
