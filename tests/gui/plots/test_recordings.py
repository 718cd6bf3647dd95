"""HW-12: record, replay and open recordings on the plots page."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.plots.plot_world import PlotWorld
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.recording.replay_bar import AT_ONCE, ReplayBar
from zeroclaw_desktop.gui.plots.recording.words import size_text, span_text
from zeroclaw_desktop.hardware.telemetry.errors import RecordingError
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.replay import Replay


def send(world: PlotWorld, seconds: int) -> TelemetryIngest:
    """Let a board send a line a second."""
    ingest = TelemetryIngest("/dev/ttyUSB0", world.plots.own_store)
    started = world.plots.time
    for number in range(seconds):
        world.plots.time = started + number
        ingest.feed(b"\nn:%d\n" % number, world.plots.own_store.started + world.plots.time)
    return ingest


@pytest.fixture
def recorded(world: PlotWorld, tmp_path: Path) -> Path:
    """Twenty seconds of a board."""
    path = tmp_path / "a.zcrec"
    assert world.plot_tools.start_recording(str(path)) is None
    send(world, 20)
    world.plot_tools.stop_recording(lambda _fault: None)
    return path


def test_record_shows_how_it_goes_and_offers_the_file(
    page: PlotsPage, world: PlotWorld, tmp_path: Path, qtbot: QtBot
) -> None:
    QTest.mouseClick(page.toolbar.record_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith(".zcrec")
    dialog.fileSelected.emit(str(tmp_path / "run.zcrec"))
    dialog.reject()
    strip = page.recordings.strip
    assert strip.isVisible()
    assert page.toolbar.record_button.accessibleName() == "Stop recording"
    ingest = send(world, 5)
    page.recordings.look()
    assert strip.file.whole_text() == "run.zcrec"
    assert not strip.lost.isVisible()
    QTest.mouseClick(strip.stop_button, Qt.MouseButton.LeftButton)
    assert not strip.isVisible()
    assert "run.zcrec" in page.notice.text()
    replay = Replay(tmp_path / "run.zcrec")
    replay.advance_to(replay.end)
    assert replay.recorded["recorded_bytes"] == ingest.counters.bytes
    QTest.mouseClick(page.notice.button, Qt.MouseButton.LeftButton)
    assert page.recordings.bar.isVisible()
    assert world.plot_sources.folder("recording") == str(tmp_path)


def test_dropped_bytes_are_told(page: PlotsPage, world: PlotWorld, tmp_path: Path) -> None:
    page.recordings.start(str(tmp_path / "a.zcrec"))
    world.runtime.plots.recording.counters.dropped_bytes = 12_345
    page.recordings.look()
    assert page.recordings.strip.lost.isVisible()
    assert "12,345" in page.recordings.strip.lost.text()
    page.recordings.stop()


def test_a_full_disk_is_told_in_place(page: PlotsPage, world: PlotWorld, tmp_path: Path) -> None:
    page.recordings.start(str(tmp_path / "a.zcrec"))
    recorder = world.runtime.plots.recording
    recorder.fault = RecordingError(
        "The recording a.zcrec could not be written: No space left on device.", hint="Free some space."
    )
    page.recordings.look()
    assert page.error.isVisible()
    assert "No space left" in page.error.accessibleName()
    assert not page.recordings.strip.isVisible()
    assert world.plot_tools.recording() is None


def test_a_file_that_is_there_is_never_overwritten(page: PlotsPage, tmp_path: Path) -> None:
    (tmp_path / "a.zcrec").write_bytes(b"precious")
    page.recordings.start(str(tmp_path / "a.zcrec"))
    assert page.error.isVisible()
    assert (tmp_path / "a.zcrec").read_bytes() == b"precious"


def test_a_replay_is_marked_and_works_like_the_present(
    page: PlotsPage, world: PlotWorld, recorded: Path, qtbot: QtBot
) -> None:
    page.recordings.open(str(recorded))
    bar = page.recordings.bar
    assert bar.isVisible()
    assert (bar.badge.text(), bar.badge.kind()) == ("Replay", "simulated")
    assert page.toolbar.state.text() == "Replay"
    bar.speed_chosen.emit(AT_ONCE)
    qtbot.waitUntil(lambda: world.plot_tools.replay().at_end)
    page.refresh_series()
    assert [row.view.label for row in page.model.rows()] == ["n"]
    assert page.model.rows()[0].view.count == 20
    page.canvas.refresh()
    assert page.canvas.axis().end == pytest.approx(world.plot_tools.replay().end, abs=0.1)
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert page.toolbar.state.text() == "Live"
    page.refresh_series()
    assert "a0" in [row.view.label for row in page.model.rows()]


def test_the_transport_seeks_steps_and_plays_again(
    page: PlotsPage, world: PlotWorld, recorded: Path, qtbot: QtBot
) -> None:
    page.recordings.open(str(recorded))
    bar, tools = page.recordings.bar, world.plot_tools
    QTest.mouseClick(bar.play_button, Qt.MouseButton.LeftButton)
    assert not tools.replay().playing
    start, end = tools.replay().start, tools.replay().end
    bar.slider.sliderMoved.emit(bar.slider.maximum() // 2)
    qtbot.waitUntil(lambda: tools.replay().reaching is None)
    middle = tools.replay().position
    assert middle == pytest.approx((start + end) / 2, abs=1.01)
    QTest.mouseClick(bar.back_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tools.replay().reaching is None)
    assert tools.replay().position < middle
    bar.sought.emit(end)
    qtbot.waitUntil(lambda: tools.replay().at_end)
    QTest.mouseClick(bar.play_button, Qt.MouseButton.LeftButton)
    assert tools.replay().playing
    assert tools.replay().position < end


def test_damaged_bytes_are_told(page: PlotsPage, world: PlotWorld, recorded: Path, qtbot: QtBot) -> None:
    with recorded.open("ab") as file:
        file.write(os.urandom(2_000))
    page.recordings.open(str(recorded))
    page.recordings.bar.speed_chosen.emit(AT_ONCE)
    qtbot.waitUntil(lambda: world.plot_tools.replay().at_end)
    page.recordings._show_replay()
    assert page.recordings.bar.damage.isVisible()
    assert page.recordings.bar.damage.text().startswith("2.0 kB")


def test_a_file_that_is_no_recording_is_refused(page: PlotsPage, tmp_path: Path) -> None:
    (tmp_path / "a.zcrec").write_text("temp:23.5")
    page.recordings.open(str(tmp_path / "a.zcrec"))
    assert "no recording" in page.error.accessibleName()
    assert not page.recordings.bar.isVisible()
    assert page.toolbar.state.text() == "Live"


def test_everything_of_a_replay_is_exported_though_it_stands_at_its_beginning(
    page: PlotsPage, world: PlotWorld, recorded: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    page.recordings.open(str(recorded))
    world.plot_tools.pause()
    page.exports.export_csv(str(tmp_path / "a.csv"))
    qtbot.waitUntil((tmp_path / "a.csv").exists)
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 1 + 20


def test_recent_recordings_are_in_the_menu(page: PlotsPage, recorded: Path) -> None:
    page.recordings.fill_menu()
    named = {action.text(): action for action in page.recordings.menu.actions()}
    named["a.zcrec"].trigger()
    assert page.recordings.bar.isVisible()


def drop_events(path: str) -> tuple[QMimeData, Any]:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    return data, (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)


def test_a_recording_can_be_dropped_on_the_page_and_firmware_goes_on(page: PlotsPage, recorded: Path) -> None:
    keep, (action, data, button, modifier) = drop_events(str(recorded))
    enter = QDragEnterEvent(QPointF(50, 50).toPoint(), action, data, button, modifier)
    QCoreApplication.sendEvent(page, enter)
    assert enter.isAccepted()
    QCoreApplication.sendEvent(page, QDropEvent(QPointF(50, 50), action, data, button, modifier))
    assert page.recordings.bar.isVisible()
    other, (action, data, button, modifier) = drop_events("/tmp/blink.hex")
    enter = QDragEnterEvent(QPointF(50, 50).toPoint(), action, data, button, modifier)
    QCoreApplication.sendEvent(page, enter)
    assert not enter.isAccepted()
    assert keep is not other


def test_a_recording_can_be_opened_while_nothing_comes(make_page: Any, dress: Any, tmp_path: Path) -> None:
    world = PlotWorld()
    path = tmp_path / "a.zcrec"
    world.plot_tools.start_recording(str(path))
    send(world, 3)
    world.plot_tools.stop_recording(lambda _fault: None)
    world.plots.own_store.clear()
    page = make_page(world)
    assert page.empty.isVisible()
    assert page.toolbar.files_button.isEnabled()
    page.recordings.open(str(path))
    assert not page.empty.isVisible()
    world.plot_tools.close_replay()
    assert page.empty.isVisible()


def test_a_step_is_a_tenth_of_a_second_or_a_hundredth_of_the_whole(
    qtbot: QtBot, world: PlotWorld, recorded: Path
) -> None:
    bar = ReplayBar()
    qtbot.addWidget(bar)
    world.plot_tools.open_replay(str(recorded))
    view = world.plot_tools.replay()
    assert view is not None
    sought: list[float] = []
    bar.sought.connect(sought.append)
    for length, step in ((5.0, 0.1), (500.0, 5.0)):
        bar.show_replay(dataclasses.replace(view, end=view.start + length, position=view.start + 1.0))
        bar.step(1)
        assert sought.pop() == pytest.approx(view.start + 1.0 + step)
    bar.step(-1)
    assert sought.pop() == view.start


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1_234, "1.2 kB"), (5_600_000, "5.6 MB"), (2 * 10**12, "2.0 TB")],
)
def test_sizes(size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00.0"), (7.34, "0:07.3"), (59.96, "1:00.0"), (3723, "1:02:03.0")]
)
def test_spans(seconds: float, text: str) -> None:
    assert span_text(seconds) == text
