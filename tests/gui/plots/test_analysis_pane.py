"""HW-12: the analysis pane over a real telemetry store: what it shows, when it computes, what it writes."""

from __future__ import annotations

import csv
import json
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.plots.plot_world import BOARD, PlotWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.gui.plots.analysis.content import ChartFrame
from zeroclaw_desktop.gui.plots.analysis.pane import AnalysisPane
from zeroclaw_desktop.gui.plots.analysis.worker import AnalysisWorker
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.theme import Theme

RATE = 1000.0
SECONDS = 4.0


def series(label: str, unit: str = "V", color_index: int = 0) -> PlotSeries:
    return PlotSeries(SeriesId(BOARD, label), unit, color_index)


SINE, COSINE, TEMP = series("sine"), series("cosine", color_index=1), series("temp", "°C", 2)


@pytest.fixture
def world(dress: Theme) -> PlotWorld:
    """Four seconds of a sine of 2 V and 50 Hz, its cosine, and a slow temperature."""
    made = PlotWorld()
    times = np.arange(0, SECONDS, 1 / RATE)
    made.plots.feed("sine", times, 2 * np.sin(2 * np.pi * 50 * times), "V")
    made.plots.feed("cosine", times, 2 * np.cos(2 * np.pi * 50 * times), "V")
    made.plots.feed("temp", [0.5, 1.5, 2.5], [20.0, 21.0, np.nan], "°C")
    made.plots.time = SECONDS
    return made


@pytest.fixture
def pane(world: PlotWorld, qtbot: QtBot) -> AnalysisPane:
    """A pane of 900 x 420 over all of it, which ends what it computes with the test."""
    made = AnalysisPane(world.plots, world.plot_tools)  # type: ignore[arg-type]
    # Before it is closed: what is computed then would never be told.
    qtbot.addWidget(made, before_close_func=lambda pane: qtbot.waitUntil(lambda: not pane.busy()))
    made.resize(900, 420)
    made.set_span(0.0, SECONDS, True)
    with qtbot.waitExposed(made):
        made.show()
    made.set_series([SINE, COSINE, TEMP])
    show(made, qtbot)
    return made


def show(pane: AnalysisPane, qtbot: QtBot, **choices: Any) -> None:
    """Make choices and wait until what they ask for is shown."""
    if choices:
        pane.restore({**pane.state(), **choices})
    qtbot.waitUntil(lambda: not pane.busy())
    pane._next = 0.0
    pane.refresh()
    qtbot.waitUntil(lambda: not pane.busy())


def frame(pane: AnalysisPane) -> ChartFrame:
    shown = pane.chart.frame()
    assert shown is not None
    return shown


def inked(pane: AnalysisPane, color: QColor) -> np.ndarray:
    """Return (x, y) of the pixels of the chart's area in about the hue of ``color``, without its legend."""
    area = frame(pane).area.adjusted(1, 1, -1, -1)
    picture = pane.chart.grab().toImage()
    found = []
    for y in range(area.top() + 24, area.bottom()):
        for x in range(area.left(), area.right()):
            pixel = picture.pixelColor(x, y)
            near = abs((pixel.hue() - color.hue() + 180) % 360 - 180) <= 12
            if near and pixel.saturation() > 60:
                found.append((x, y))
    return np.array(found)


def rows(pane: AnalysisPane) -> dict[str, str]:
    """Return the rows of the list beside the chart."""
    lines = [line.partition("\t") for line in pane.figures.text().splitlines()]
    return {name: value for name, tab, value in lines if tab}


def test_a_sine_has_its_peak_at_its_frequency_and_amplitude(
    pane: AnalysisPane, qtbot: QtBot, dress: Theme
) -> None:
    assert rows(pane)["1  50.00 Hz"] == "2 V"
    assert rows(pane)["Sample rate"] == "1 kHz"
    assert rows(pane)["Resolution"] == "0.25 Hz"
    # A Hann window spreads a line over 1.5 lines (Harris 1978, table 1).
    assert rows(pane)["Noise bandwidth"] == "0.375 Hz"
    show(pane, qtbot, show_peaks=False)
    ink = inked(pane, dress.series_color(0))
    top = ink[np.argmin(ink[:, 1])]
    wanted = frame(pane).point(50.0, 2.0)
    assert top[0] == pytest.approx(wanted.x(), abs=2)
    assert top[1] == pytest.approx(wanted.y(), abs=2)
    assert frame(pane).axis.end == pytest.approx(RATE / 2)


@pytest.mark.parametrize(
    ("scaling", "height", "name"),
    [
        ("rms", "1.414 V", "RMS value in V"),
        ("decibel", "6.02 dB", "Amplitude in dB re 1 V"),
        # A power of 2 V² in the noise bandwidth of 0.375 Hz.
        ("density", "5.333 V²/Hz", "Power density in V²/Hz"),
    ],
)
def test_the_height_means_what_was_chosen(
    pane: AnalysisPane, qtbot: QtBot, scaling: str, height: str, name: str
) -> None:
    show(pane, qtbot, scaling=scaling)
    assert rows(pane)["1  50.00 Hz"] == height
    content = pane.chart.content()
    assert content is not None
    assert content.names() == ("Frequency in Hz", name)


def test_the_frequency_axis_counts_in_powers_of_ten(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, log_frequency=True)
    tens = [frame(pane).point(10.0**power, 1.0).x() for power in (0, 1, 2)]
    assert tens[2] - tens[1] == pytest.approx(tens[1] - tens[0])


def test_the_crosshair_reads_the_highest_line_near_it(pane: AnalysisPane, qtbot: QtBot) -> None:
    content = pane.chart.content()
    assert content is not None
    at = frame(pane).point(50.0, 1.0) + QPointF(2, 0)
    (reading,) = content.readings(frame(pane), at)
    assert reading.text == "50.00 Hz  2 V"
    assert reading.at == frame(pane).point(50.0, 2.0)


def test_sine_against_cosine_is_a_circle_on_the_screen(
    pane: AnalysisPane, qtbot: QtBot, dress: Theme
) -> None:
    show(pane, qtbot, kind="xy", x=[BOARD, "sine"], ys=[[BOARD, "cosine"]], equal=True, trail=False)
    ink = inked(pane, dress.series_color(1))
    middle = frame(pane).point(0.0, 0.0)
    radius = np.hypot(ink[:, 0] - middle.x(), ink[:, 1] - middle.y())
    wanted = frame(pane).point(2.0, 0.0).x() - middle.x()
    newest = frame(pane).point(2 * np.sin(-0.1 * np.pi), 2 * np.cos(0.1 * np.pi))
    aside = np.hypot(ink[:, 0] - newest.x(), ink[:, 1] - newest.y()) > 10
    assert np.abs(radius[aside] - wanted).max() < 3
    angles = np.degrees(np.arctan2(ink[:, 1] - middle.y(), ink[:, 0] - middle.x()))
    # 20 samples a turn, all of them on the screen.
    assert len({round(angle / 18) % 20 for angle in angles[aside]}) >= 19


def test_without_equal_axes_the_circle_fills_the_room(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, kind="xy", x=[BOARD, "sine"], ys=[[BOARD, "cosine"]])
    area = frame(pane).area
    across = frame(pane).point(2.0, 0.0).x() - frame(pane).point(-2.0, 0.0).x()
    down = frame(pane).point(0.0, -2.0).y() - frame(pane).point(0.0, 2.0).y()
    assert across > 0.6 * area.width()
    assert down > 0.6 * area.height()


def test_older_points_fade_and_the_newest_is_marked(
    world: PlotWorld, pane: AnalysisPane, qtbot: QtBot
) -> None:
    times = np.linspace(0, 3.9, 200)
    world.plots.feed("x", times, times, "V")
    world.plots.feed("y", times, np.zeros(200), "V")
    x, y = series("x"), series("y")
    pane.set_series([x, y])
    show(pane, qtbot, kind="xy", lines=True)
    picture = pane.chart.grab().toImage()

    def ink_at(value: float) -> int:
        at = frame(pane).point(value, 0.0)
        column = [picture.pixelColor(round(at.x()), round(at.y()) + down) for down in (-1, 0, 1)]
        return max(pixel.saturation() for pixel in column)

    assert ink_at(0.2) < ink_at(2.0) < ink_at(3.5)
    newest = frame(pane).point(3.9, 0.0)
    ring = picture.pixelColor(round(newest.x()), round(newest.y()) - 6)
    assert ring.saturation() > 100


@pytest.mark.parametrize("share", [False, True])
def test_the_bars_of_a_histogram_hold_every_sample_once(
    pane: AnalysisPane, qtbot: QtBot, share: bool
) -> None:
    show(pane, qtbot, kind="histogram", share=share, chosen=[[BOARD, "sine"], [BOARD, "temp"]])
    content = pane.chart.content()
    assert content is not None
    table = content.table(frame(pane))
    sums = [float(column.sum()) for column in table.columns[2:]]
    assert sums == ([pytest.approx(100), pytest.approx(100)] if share else [4000, 2])
    assert pane.figures.text().splitlines()[:4] == [
        "sine",
        "Samples\t4,000",
        *pane.figures.text().splitlines()[2:4],
    ]
    assert rows(pane)["Mean"] == "20.5 °C"
    assert rows(pane)["Deviation σ"] == "0.5 °C"


def test_the_number_of_bins_can_be_chosen(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, kind="histogram", bins=20)
    assert rows(pane)["Bins"] == "20"
    assert rows(pane)["Bin width"] == "0.2 V"
    show(pane, qtbot, bins=37)
    assert pane.controls.bins_box.currentText() == "37 bins"


def test_what_cannot_be_analysed_says_why(world: PlotWorld, pane: AnalysisPane, qtbot: QtBot) -> None:
    pane.set_series([TEMP])
    show(pane, qtbot)
    assert "at least four samples" in pane.message.text()
    assert "Show a longer window" in pane.message.text()
    assert pane.message.isVisible()
    show(pane, qtbot, kind="xy")
    assert pane.message.text().startswith("X-Y needs two visible series")
    pane.set_series([])
    show(pane, qtbot, kind="histogram")
    assert pane.message.text().startswith("No series is visible")
    pane.set_series([SINE, COSINE])
    pane.set_span(100.0, 101.0, False)
    show(pane, qtbot)
    assert pane.message.text() == "There are no samples in this stretch of time."
    show(pane, qtbot, kind="xy")
    assert "no pair of values" in pane.message.text()


def test_the_reason_is_in_the_language_of_the_window(
    world: PlotWorld, pane: AnalysisPane, qtbot: QtBot, chinese: TsTranslator
) -> None:
    pane.set_series([TEMP])
    show(pane, qtbot)
    world.core.language = "zh"
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: not pane.busy())
    assert pane.message.text() == "temp: 频谱至少需要四个不同时刻的样本。 请显示更长的时间窗口。"
    assert pane.controls.kind._buttons["histogram"].text() == "直方图"
    assert pane.controls.window_box.currentText() == "Hann"
    pane.set_series([])
    show(pane, qtbot)
    assert pane.message.text().startswith("没有显示的数据系列")


def test_the_chart_changes_its_language_at_once(
    pane: AnalysisPane, qtbot: QtBot, chinese: TsTranslator
) -> None:
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: not pane.busy())
    content = pane.chart.content()
    assert content is not None
    assert content.names() == ("频率 (Hz)", "幅值 (V)")
    assert "采样率" in pane.figures.text()
    assert pane.controls.menu.actions()[0].text() == "复制为图片"


def test_a_series_that_does_not_change_has_no_lines(
    world: PlotWorld, pane: AnalysisPane, qtbot: QtBot
) -> None:
    # The mean of equal values is off by rounding, which must not be shown as a signal.
    world.plots.feed("flat", np.arange(0, 4, 0.01), np.full(400, 0.1), "V")
    pane.set_series([series("flat")])
    for scaling in ("amplitude", "decibel", "density"):
        show(pane, qtbot, scaling=scaling)
        assert pane.notes.whole_text() == "flat does not change in this stretch."
        assert "No line stands out" in pane.figures.text()
    show(pane, qtbot, scaling="amplitude")
    assert (frame(pane).panel.range.low, frame(pane).panel.range.high >= 1) == (0.0, True)


def test_one_unusable_series_does_not_hide_the_others(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, chosen=[[BOARD, "sine"], [BOARD, "temp"]])
    assert pane.chart.isVisible()
    assert pane.notes.whole_text().startswith("temp: A spectrum needs at least four samples")


def test_gaps_and_uneven_steps_are_told(world: PlotWorld, pane: AnalysisPane, qtbot: QtBot) -> None:
    times = np.arange(0, 4, 0.01)
    values = np.where((times > 1) & (times < 1.5), np.nan, np.sin(times * 9))
    world.plots.feed("holes", times, values, "V")
    pane.set_series([series("holes")])
    show(pane, qtbot)
    assert pane.notes.whole_text().startswith("holes: ")
    assert "put on an even grid" in pane.notes.whole_text()


def test_of_many_pairs_the_newest_are_shown_and_that_is_told(
    world: PlotWorld, pane: AnalysisPane, qtbot: QtBot
) -> None:
    times = np.arange(0, 4, 1 / 40_000)
    for label in ("fast", "faster"):
        world.plots.feed(label, times, np.sin(times), "V")
    pane.set_series([series("fast"), series("faster")])
    show(pane, qtbot, kind="xy")
    assert rows(pane)["Pairs"] == "100,000"
    assert pane.notes.whole_text() == "faster: only the newest 100,000 pairs of this stretch are shown."
    show(pane, qtbot, lines=True)
    assert rows(pane)["Pairs"] == "10,000"


class CountingAnalysis:
    """Counts what is computed, and how many computations run at once; may hold them up."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.calls, self.running, self.most = 0, 0, 0
        self.gate = threading.Event()
        self.gate.set()

    def spectra(self, *arguments: Any, **options: Any) -> Any:
        self.calls += 1
        self.running += 1
        self.most = max(self.most, self.running)
        assert self.gate.wait(10)
        self.running -= 1
        return self.real.spectra(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@pytest.fixture
def counting(world: PlotWorld) -> Iterator[CountingAnalysis]:
    """Stands before the analysis of the world; asked for before ``pane``."""
    made = CountingAnalysis(world.plot_tools.analysis)
    world.plot_tools.analysis = made
    yield made
    made.gate.set()


def test_it_computes_only_when_something_changed(
    counting: CountingAnalysis, world: PlotWorld, pane: AnalysisPane, qtbot: QtBot
) -> None:
    before = counting.calls
    for _ in range(5):
        show(pane, qtbot)
    assert counting.calls == before
    world.plots.feed("sine", [4.0], [0.0], "V")
    show(pane, qtbot)
    assert counting.calls == before + 1
    pane.set_span(0.0, 2.0, False)
    show(pane, qtbot)
    assert counting.calls == before + 2


def test_a_stretch_that_is_over_is_not_computed_again_by_what_comes_now(
    counting: CountingAnalysis, world: PlotWorld, pane: AnalysisPane, qtbot: QtBot
) -> None:
    pane.set_span(0.0, 2.0, False)
    show(pane, qtbot)
    before = counting.calls
    world.plots.feed("sine", [4.0], [0.0], "V")
    show(pane, qtbot)
    assert counting.calls == before


def test_nothing_is_computed_while_nobody_sees_it(
    counting: CountingAnalysis, world: PlotWorld, pane: AnalysisPane, qtbot: QtBot
) -> None:
    pane.hide()
    before = counting.calls
    pane.set_span(0.0, 1.0, True)
    pane.set_series([COSINE])
    show(pane, qtbot)
    assert counting.calls == before
    assert pane.chart.content() is None
    pane.show()
    qtbot.waitUntil(lambda: pane.chart.content() is not None)
    assert counting.calls == before + 1


def test_never_two_at_once_and_what_was_chosen_meanwhile_comes_next(
    counting: CountingAnalysis, pane: AnalysisPane, qtbot: QtBot
) -> None:
    counting.gate.clear()
    pane.set_span(0.0, 3.0, True)
    pane._next = 0.0
    pane.refresh()
    qtbot.waitUntil(lambda: counting.running == 1)
    for number in range(20):
        pane.set_span(0.0, 3.0 - number / 100, True)
        pane._next = 0.0
        pane.refresh()
    assert counting.calls - counting.running >= 0
    assert counting.running == 1
    pane.set_kind("histogram")
    counting.gate.set()
    qtbot.waitUntil(lambda: not pane.busy() and "Bins" in rows(pane))
    assert counting.most == 1


def test_the_window_goes_on_while_something_is_computed(
    counting: CountingAnalysis, pane: AnalysisPane, qtbot: QtBot
) -> None:
    counting.gate.clear()
    pane.set_span(0.0, 3.0, True)
    pane._next = 0.0
    pane.refresh()
    assert pane.busy()
    pane.chart.zoom(0.5)
    assert pane.chart.zoomed()
    counting.gate.set()


def test_a_worker_leaves_no_thread_behind(qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    owner = QObject()
    worker = AnalysisWorker(owner)
    with qtbot.waitSignal(worker.finished) as told:
        assert worker.start(lambda: 6 * 7)
        assert not worker.start(lambda: 0)
    assert told.args == [42]
    assert not worker.busy
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before)


def test_a_thread_outlives_its_window_and_ends(
    counting: CountingAnalysis, world: PlotWorld, qtbot: QtBot
) -> None:
    before = set(threading.enumerate())
    pane = AnalysisPane(world.plots, world.plot_tools)  # type: ignore[arg-type]
    pane.resize(900, 420)
    pane.set_span(0.0, SECONDS, True)
    pane.show()
    counting.gate.clear()
    pane.set_series([SINE])
    qtbot.waitUntil(lambda: counting.running == 1)
    gone = []
    pane.destroyed.connect(lambda: gone.append(True))
    pane.deleteLater()
    del pane
    qtbot.waitUntil(lambda: bool(gone))
    counting.gate.set()
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before)


def wheel(pane: AnalysisPane, at: QPointF, notches: int) -> None:
    event = QWheelEvent(
        at,
        pane.chart.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QCoreApplication.sendEvent(pane.chart, event)


def test_the_wheel_zooms_around_the_pointer_and_a_double_click_shows_all_again(
    pane: AnalysisPane, world: PlotWorld, qtbot: QtBot
) -> None:
    before = frame(pane).axis
    at = frame(pane).point(100.0, 1.0)
    pointed = before.moment(at.x())
    wheel(pane, at, 2)
    axis = frame(pane).axis
    assert axis.end - axis.start == pytest.approx(0.64 * (before.end - before.start))
    assert axis.moment(at.x()) == pytest.approx(pointed)
    world.plots.feed("sine", [4.0], [0.0], "V")
    show(pane, qtbot)
    assert (frame(pane).axis.start, frame(pane).axis.end) == (axis.start, axis.end)
    QTest.mouseDClick(pane.chart, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert not pane.chart.zoomed()
    assert frame(pane).axis.end == pytest.approx(before.end, rel=0.02)


def test_a_box_shows_what_lies_in_it(pane: AnalysisPane) -> None:
    area, axis = frame(pane).area, frame(pane).axis
    first, last = area.topLeft() + QPoint(40, 30), area.topLeft() + QPoint(140, 120)
    wanted = axis.moment(first.x()), axis.moment(last.x())
    values = frame(pane).panel.value(last.y()), frame(pane).panel.value(first.y())
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(pane.chart, Qt.MouseButton.LeftButton, shift, first)
    QTest.mouseMove(pane.chart, first + QPoint(50, 40))
    QTest.mouseMove(pane.chart, last)
    QTest.mouseRelease(pane.chart, Qt.MouseButton.LeftButton, shift, last)
    assert (frame(pane).axis.start, frame(pane).axis.end) == pytest.approx(wanted)
    assert (frame(pane).panel.range.low, frame(pane).panel.range.high) == pytest.approx(values)


def test_equal_axes_stay_equal_while_zooming_and_dragging(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, kind="xy", x=[BOARD, "sine"], ys=[[BOARD, "cosine"]], equal=True)

    def stretch() -> float:
        origin, right, up = (frame(pane).point(*place) for place in ((0, 0), (1, 0), (0, 1)))
        return (right.x() - origin.x()) / (origin.y() - up.y())

    assert stretch() == pytest.approx(1, abs=0.01)
    middle = frame(pane).area.center()
    wheel(pane, QPointF(middle + QPoint(30, 20)), 3)
    assert stretch() == pytest.approx(1, abs=0.01)
    before = frame(pane).point(0.0, 0.0)
    none = Qt.KeyboardModifier.NoModifier
    QTest.mousePress(pane.chart, Qt.MouseButton.LeftButton, none, middle)
    QTest.mouseMove(pane.chart, middle + QPoint(20, 10))
    QTest.mouseMove(pane.chart, middle + QPoint(40, 30))
    QTest.mouseRelease(pane.chart, Qt.MouseButton.LeftButton, none, middle + QPoint(40, 30))
    moved = frame(pane).point(0.0, 0.0) - before
    assert (moved.x(), moved.y()) == pytest.approx((40, 30), abs=1)
    assert stretch() == pytest.approx(1, abs=0.01)


def test_keys_zoom_move_and_fit(pane: AnalysisPane) -> None:
    before = frame(pane).axis
    QTest.keyClick(pane.chart, Qt.Key.Key_Plus)
    assert frame(pane).axis.end - frame(pane).axis.start == pytest.approx((before.end - before.start) / 2)
    QTest.keyClick(pane.chart, Qt.Key.Key_Right)
    assert frame(pane).axis.start > before.start
    QTest.keyClick(pane.chart, Qt.Key.Key_F)
    assert not pane.chart.zoomed()


def test_csv_holds_what_is_shown(pane: AnalysisPane, qtbot: QtBot, tmp_path: Path) -> None:
    pane.chart.zoom(0.02, 50.0)
    target = tmp_path / "spectrum.csv"
    with qtbot.waitSignal(pane.saved) as told:
        pane.export_csv(str(target))
    assert told.args == [str(target)]
    with target.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert head == ["sine frequency [Hz]", "sine [V]"]
    numbers = np.array(lines, dtype=float)
    assert numbers[:, 0].min() >= frame(pane).axis.start - 0.25
    assert numbers[:, 0].max() <= frame(pane).axis.end + 0.25
    assert numbers[np.argmax(numbers[:, 1])] == pytest.approx([50, 2])


def test_columns_of_different_length_stand_beside_each_other(
    pane: AnalysisPane, qtbot: QtBot, tmp_path: Path
) -> None:
    show(pane, qtbot, kind="xy", x=[BOARD, "sine"], ys=[[BOARD, "cosine"], [BOARD, "temp"]])
    with qtbot.waitSignal(pane.saved):
        pane.export_csv(str(tmp_path / "xy.csv"))
    with (tmp_path / "xy.csv").open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert head == ["sine [V]", "cosine [V]", "sine [V]", "temp [°C]"]
    assert len(lines) == 4000
    assert [line[3] for line in lines[:3]] == ["20", "21", ""]


def test_pictures_are_written_and_copied(pane: AnalysisPane, tmp_path: Path) -> None:
    pane.export_png(str(tmp_path / "chart.png"))
    assert QImage(str(tmp_path / "chart.png")).width() == 2 * pane.chart.width()
    pane.export_svg(str(tmp_path / "chart.svg"))
    drawing = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert drawing.get("viewBox") == f"0 0 {pane.chart.width()} {pane.chart.height()}"
    texts = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {"Frequency in Hz", "Amplitude in V", "sine"} <= texts
    pane.copy_image()
    assert QGuiApplication.clipboard().image().width() == 2 * pane.chart.width()
    pane.copy_figures()
    assert "1  50.00 Hz\t2 V" in QGuiApplication.clipboard().text()


@pytest.mark.parametrize("write", ["export_png", "export_svg", "export_csv"])
def test_a_file_that_cannot_be_written_is_told(
    pane: AnalysisPane, qtbot: QtBot, tmp_path: Path, write: str
) -> None:
    with qtbot.waitSignal(pane.failed) as told:
        getattr(pane, write)(str(tmp_path / "missing" / "file"))
    assert told.args[0].title
    assert told.args[0].next_step


@pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
def test_a_right_click_opens_the_menu_which_asks_for_a_file(
    pane: AnalysisPane, qtbot: QtBot, tmp_path: Path
) -> None:
    QTest.mouseClick(pane.chart, Qt.MouseButton.RightButton, pos=pane.chart.rect().center())
    menu: QMenu = pane.controls.menu
    qtbot.waitUntil(menu.isVisible)
    menu.actions()[-1].trigger()
    menu.close()
    dialog = pane.findChild(QFileDialog)
    assert dialog is not None
    with qtbot.waitSignal(pane.saved):
        dialog.fileSelected.emit(str(tmp_path / "all.csv"))
    dialog.reject()
    assert (tmp_path / "all.csv").exists()


def test_series_are_chosen_in_the_menu_and_one_always_stays(pane: AnalysisPane, qtbot: QtBot) -> None:
    button = pane.controls.series_button
    entries = button.series_menu.actions()
    assert [entry.isChecked() for entry in entries] == [True, False, False]
    entries[1].trigger()
    qtbot.waitUntil(lambda: not pane.busy())
    assert button.text() == "sine +1"
    assert [one.series.series_id.label for one in pane.figures._rows.figures] == ["sine", "cosine"]
    entries[0].trigger()
    entries[1].trigger()
    assert button.text() == "cosine"
    assert pane.state()["chosen"] == [[BOARD, "cosine"]]


@pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
def test_the_menu_stays_open_while_entries_are_checked(pane: AnalysisPane, qtbot: QtBot) -> None:
    menu = pane.controls.series_button.series_menu
    QTest.mouseClick(pane.controls.series_button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[1]).center())
    assert menu.isVisible()
    assert menu.actions()[1].isChecked()
    menu.close()


def test_x_is_chosen_of_all_and_y_of_the_others(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, kind="xy")
    assert [pane.controls.x_box.itemText(number) for number in range(3)] == [
        "X: sine",
        "X: cosine",
        "X: temp",
    ]
    pane.controls.x_box.setCurrentIndex(1)
    pane.controls.x_box.activated.emit(1)
    qtbot.waitUntil(lambda: not pane.busy())
    content = pane.chart.content()
    assert content is not None
    assert content.names() == ("cosine in V", "sine in V")
    assert [entry.text() for entry in pane.controls.series_button.series_menu.actions()] == ["sine", "temp"]


def test_each_control_is_shown_for_its_kind_only(pane: AnalysisPane, qtbot: QtBot) -> None:
    controls = pane.controls
    seen = {}
    for kind in ("spectrum", "histogram", "xy"):
        controls.kind._buttons[kind].click()
        boxes = {
            "window": controls.window_box,
            "bins": controls.bins_box,
            "x": controls.x_box,
            **controls.flags,
        }
        seen[kind] = {name for name, box in boxes.items() if box.isVisible()}
    assert seen == {
        "spectrum": {"window", "log_frequency", "show_peaks"},
        "histogram": {"bins", "share", "show_mean"},
        "xy": {"x", "equal", "trail", "lines"},
    }


def test_the_strip_breaks_into_two_rows_when_narrow(pane: AnalysisPane, qtbot: QtBot) -> None:
    assert pane.controls._choices.y() == pane.controls._head.y()
    pane.resize(480, 420)
    qtbot.waitUntil(lambda: pane.controls._choices.y() > pane.controls._head.y())
    assert not pane.figures.isVisible()
    pane.resize(900, 420)
    qtbot.waitUntil(lambda: pane.controls._choices.y() == pane.controls._head.y())


def test_choices_are_kept_as_plain_json(pane: AnalysisPane, qtbot: QtBot) -> None:
    show(pane, qtbot, kind="xy", equal=True, x=[BOARD, "cosine"])
    kept = json.loads(json.dumps(pane.state()))
    pane.restore({})
    assert pane.options.kind == "spectrum"
    pane.restore(kept)
    assert pane.state() == kept
    assert pane.controls.flags["equal"].isChecked()


def test_the_theme_changes_the_chart_at_once(pane: AnalysisPane, dress: Theme) -> None:
    light = pane.chart.grab().toImage().pixelColor(2, 2)
    dress.set_mode("dark")
    dark = pane.chart.grab().toImage().pixelColor(2, 2)
    assert dark == dress.color("window") != light


def test_every_text_of_the_analysis_has_chinese(
    chinese: TsTranslator, written_texts: Callable[[], Any]
) -> None:
    missing = [pair for pair in written_texts() if pair not in chinese.texts]
    assert missing == []


@pytest.fixture
def written_texts() -> Callable[[], list[tuple[str, str]]]:
    """Returns (context, text) of each text in the source of the analysis."""
    import ast

    import zeroclaw_desktop.gui.plots.analysis as package

    def read() -> list[tuple[str, str]]:
        found = []
        for path in Path(package.__path__[0]).glob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            shared = [
                node.args[0].value
                for node in ast.walk(tree)
                if isinstance(node, ast.Call)
                and ast.unparse(node.func) == "QCoreApplication.translate"
                and isinstance(node.args[0], ast.Constant)
            ]
            for owner in tree.body:
                for node in ast.walk(owner):
                    if not (
                        isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
                    ):
                        continue
                    if ast.unparse(node.func) == "self.tr" and isinstance(owner, ast.ClassDef):
                        found.append((owner.name, node.args[0].value))
                    elif ast.unparse(node.func) == "_tr":
                        found.append((shared[0], node.args[0].value))
        assert len(found) > 60
        return found

    return read
