"""Scenes of the Plots page for ``tests/gui/screenshots.py``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from tests.gui.demo_bridge import simulated_board
from tests.gui.plots.plot_world import BOARD, PlotWorld, fill_workbench
from tests.gui.staging import Scene, Staged, settle, window_with
from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.hardware.errors import PortMissingError
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.runtime.plot_habits import PortWish


def point(page: PlotsPage, fraction: float, height: float) -> None:
    """Put the crosshair somewhere over the plot."""
    canvas = page.canvas
    _hover(canvas, QPointF(canvas.axis().left + fraction * canvas.axis().width, height * canvas.height()))


def _hover(widget: QWidget, at: QPointF) -> None:
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        widget.mapToGlobal(at),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QCoreApplication.sendEvent(widget, move)


def plots_empty(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """No series yet."""
    return lambda page: None


def plots_live(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Following, panels by unit."""
    fill_workbench(world.plots)
    return lambda page: None


def plots_stacked(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """One panel for each series, crosshair."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.set_mode("stack")
        point(page, 0.55, 0.4)
        page.controls.show()

    return act


def plots_held(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Paused while samples go on, crosshair, a hidden series."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.toggle_pause()
        later = np.arange(60, 75, 0.05)
        world.plots.time = 75.0
        world.plots.feed("a0", later, np.sin(later))
        page.model.toggle(3)
        page.refresh_series()
        point(page, 0.4, 0.3)

    return act


def plots_many(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Forty dense series, stacked."""
    times = np.arange(0, 40, 0.001)
    for number in range(40):
        values = np.sin(times * (number + 1) / 3) * (number + 1) + np.sin(times * 90)
        world.plots.feed(f"channel_{number:02d}", times, values, "mV")
    world.plots.time = 40.0
    return lambda page: page.set_mode("stack")


def plots_dense(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Eight series of 10,000 samples a second in one panel."""
    times = np.arange(0, 31, 0.0001)
    noise = np.random.default_rng(3)
    for number in range(8):
        values = number * 1.4 + np.sin(times * (number + 2)) + noise.normal(0, 0.15, len(times))
        world.plots.feed(f"s{number}", times, values, "V")
    world.plots.time = 31.0
    return lambda page: None


def plots_instruments(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Cursors, figures and two limits, one of them an alarm."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        world.plot_tools.add_threshold("supply low", BOARD, "a1", 4.8, above=False)
        world.plot_tools.add_threshold("too warm", BOARD, "temp", 31.0, hysteresis=0.5)
        world.plots.feed("temp", [60.0], [32.5])
        world.runtime.plots.look_at_thresholds()
        page.toggle_pause()
        page.instruments.show_cursors(True)

    return act


def plots_trigger(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """A trigger that has fired."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.canvas.set_window(4.0)
        page.instruments.show_trigger(True, SeriesId(BOARD, "a0"))
        page.instruments.trigger_bar.move_level(2.5)
        later = np.arange(60, 75, 0.05)
        world.plots.time = 75.0
        world.plots.feed("a0", later, 2.5 + 1.5 * np.sin(later))
        page.instruments.advance()
        page.instruments.trigger_bar.show_state()

    return act


def plots_series_sheet(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Colour, unit and scale of a series."""
    fill_workbench(world.plots)
    return lambda page: page.instruments.open_series(SeriesId(BOARD, "light"))


def plots_limits_sheet(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Two limits and the form."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        world.plot_tools.add_threshold("supply low", BOARD, "a1", 4.8, above=False)
        world.plot_tools.add_threshold("too warm", BOARD, "temp", 31.0, hysteresis=0.5)
        page.instruments.open_limits(SeriesId(BOARD, "temp"))

    return act


def plots_view_menu(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """What can be seen, locked and kept."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        world.plot_views.save_layout("Greenhouse", {})
        page.view_menu.popup(
            page.toolbar.view_button.mapToGlobal(page.toolbar.view_button.rect().bottomLeft())
        )

    return act


def _vibration(world: PlotWorld) -> None:
    """Put ten seconds of a shaking motor into the store: two axes of 1,000 samples a second."""
    times = np.arange(0, 10, 0.001)
    noise = np.random.default_rng(11)
    turning = np.sin(2 * np.pi * 49.6 * times)
    ax = 1.8 * turning + 0.5 * np.sin(2 * np.pi * 148.8 * times) + noise.normal(0, 0.25, len(times))
    ay = 1.2 * np.cos(2 * np.pi * 49.6 * times) + noise.normal(0, 0.15, len(times))
    world.plots.feed("ax", times, ax, "m/s²")
    world.plots.feed("ay", times, ay, "m/s²")
    world.plots.feed("temp", times[::500], 24 + times[::500] / 20, "°C")
    world.plots.time = 10.0


def _analyse(page: PlotsPage, kind: str, **choices: Any) -> None:
    page.canvas.set_window(10.0)
    page.plots_side.open_pane(kind)
    page.plots_side.pane().restore({"kind": kind, **choices})
    _settle_analysis(page)


def _settle_analysis(page: PlotsPage) -> None:
    """Wait until the analysis shows what is visible now."""
    for _ in range(100):
        page._advance()
        settle(50)
        if not page.plots_side.pane().busy() and page.plots_side.pane()._asked is not None:
            break


BOTH = [[BOARD, "ax"], [BOARD, "ay"]]


def analysis_spectrum(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """The spectra of a shaking motor, with the crosshair on its turning frequency."""
    _vibration(world)

    def act(page: PlotsPage) -> None:
        _analyse(page, "spectrum", chosen=BOTH)
        point_chart(page, 0.3, 0.5)

    return act


def analysis_density(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Power density over a logarithmic axis, without the list of series."""
    _vibration(world)

    def act(page: PlotsPage) -> None:
        _analyse(page, "spectrum", scaling="density", log_frequency=True)
        page.toolbar.list_button.setChecked(False)

    return act


def analysis_histogram(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """How often the values of two axes occur, crosshair."""
    _vibration(world)

    def act(page: PlotsPage) -> None:
        _analyse(page, "histogram", chosen=BOTH)
        point_chart(page, 0.4, 0.4)

    return act


def analysis_xy(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """One axis against the other, to the same scale."""
    _vibration(world)

    def act(page: PlotsPage) -> None:
        _analyse(page, "xy", equal=True)
        point_chart(page, 0.6, 0.5)

    return act


def analysis_xy_lines(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """A slow curve of two voltages, connected and fading."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.canvas.set_window(30.0)
        page.plots_side.open_pane("xy")
        page.plots_side.pane().restore(
            {"kind": "xy", "lines": True, "x": [BOARD, "a0"], "ys": [[BOARD, "light"]]}
        )
        _settle_analysis(page)

    return act


def analysis_impossible(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """A spectrum of too few samples."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.canvas.set_window(0.1)
        page.plots_side.open_pane("spectrum")
        _settle_analysis(page)

    return act


def point_chart(page: PlotsPage, across: float, down: float) -> None:
    """Put the crosshair somewhere over the analysis."""
    chart = page.plots_side.pane().chart
    frame = chart.frame()
    assert frame is not None
    area = frame.area
    at = QPointF(area.left() + across * area.width(), area.top() + down * area.height())
    _hover(chart, at)


def record_counter(world: PlotWorld, path: Path, lines: int = 900) -> None:
    """Make a recording of a board that sends two values ten times a second."""
    world.plots.time = 0.0
    assert world.plot_tools.start_recording(str(path)) is None
    ingest = TelemetryIngest("/dev/ttyUSB0", world.plots.store)
    ingest.feed(b"\n", world.plots.store.started)
    for number in range(lines):
        world.plots.time = number / 10
        text = f"temp:{20 + 5 * np.sin(number / 60):.2f}°C volt:{3.3 + 0.2 * np.sin(number / 9):.3f}V\n"
        ingest.feed(text.encode(), world.plots.store.started + number / 10)


def plots_recording(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """A recording goes on."""
    fill_workbench(world.plots)
    assert world.plot_tools.start_recording(str(home_folder() / "greenhouse 2026-03-01.zcrec")) is None
    TelemetryIngest("/dev/ttyUSB0", world.plots.store).feed(b"x" * 250_000, 0.0)

    def act(page: PlotsPage) -> None:
        page.recordings.look()
        world.runtime.plots.recording.stop()

    return act


def plots_replay(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """A recording is replayed."""
    path = home_folder() / "greenhouse 2026-03-01.zcrec"
    record_counter(world, path)
    world.plot_tools.stop_recording(lambda _fault: None)

    def act(page: PlotsPage) -> None:
        page.recordings.open(str(path))
        world.plot_tools.pause()
        page.recordings.bar.sought.emit(62.0)
        while world.plot_tools.replay().reaching is not None:
            world.plot_tools._tick()
        page.refresh_series()

    return act


def plots_sources(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """The sheet of sources: a port that is away, a UDP sender, lines without a value."""
    fill_workbench(world.plots)
    config = world.runtime.config
    config.set("plots.udp_port", 47_269)
    ports = world.runtime.plot_sources.ports
    wish = PortWish("/dev/ttyUSB0", 115_200)
    ports._wishes[wish.port] = wish
    ports.faults[wish.port] = PortMissingError("There is no port '/dev/ttyUSB0'.", hint="Plug it in.")
    messages = world.runtime.plot_sources._message_ingest()
    messages.feed(b"hello\n" * 12 + b"no numbers here\n", 0.0)

    def act(page: PlotsPage) -> None:
        page.open_sources()

    return act


def plots_csv_form(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """The sheet for the form of CSV."""
    fill_workbench(world.plots)
    return lambda page: page.exports.ask_form()


def plots_export_news(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """An export goes on; a notice with two deeds stands above."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.recordings._ended("/home/kim/greenhouse.zcrec", None)
        page.news.show_work(page.exports.tr("Writing {0}").format("plot.csv"), 42.0)

    return act


def _stage(scene: Callable[[PlotWorld], Callable[[PlotsPage], None]]) -> Staged:
    world = PlotWorld(simulated_board())
    act = scene(world)
    page = PlotsPage(world)  # type: ignore[arg-type]
    return Staged(window_with(world, "plots", page), lambda: act(page))


SCENES: dict[str, Scene] = {
    scene.__name__: lambda scene=scene: _stage(scene)  # type: ignore[misc]
    for scene in (
        plots_empty,
        plots_live,
        plots_stacked,
        plots_held,
        plots_many,
        plots_dense,
        plots_instruments,
        plots_trigger,
        plots_series_sheet,
        plots_limits_sheet,
        plots_view_menu,
        analysis_spectrum,
        analysis_density,
        analysis_histogram,
        analysis_xy,
        analysis_xy_lines,
        analysis_impossible,
        plots_recording,
        plots_replay,
        plots_sources,
        plots_csv_form,
        plots_export_news,
    )
}
