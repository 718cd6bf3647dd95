"""The Logs page: filters, search, following, pause, copy, save, bounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QItemSelectionModel, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.logs.log_world import START, LogWorld, records
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import LogRecordView
from zeroclaw_desktop.gui.logs.log_filter import LogFilter, line_of, rank
from zeroclaw_desktop.gui.logs.log_model import CAPACITY, LogModel
from zeroclaw_desktop.gui.logs.page import LogsPage
from zeroclaw_desktop.gui.theme import Theme


@pytest.fixture
def world(dress: Theme) -> LogWorld:
    """A world whose log has 80 records, ten of each sample."""
    made = LogWorld()
    made.logs.kept = records(80)
    return made


@pytest.fixture
def page(world: LogWorld, qtbot: QtBot) -> LogsPage:
    """The page over ``world`` at 1000x500."""
    made = LogsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(1000, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


def messages(page: LogsPage) -> list[str]:
    return [record.message for record in page.model.shown()]


def at_bottom(page: LogsPage) -> bool:
    bar = page.view.verticalScrollBar()
    return bar.value() == bar.maximum()


def record(number: int, level: str = "INFO", subsystem: str = "agent", message: str = "x") -> LogRecordView:
    return LogRecordView(number, START, level, subsystem, message)


@pytest.mark.parametrize(
    ("chosen", "subject", "accepted"),
    [
        (LogFilter(), record(1, "DEBUG"), True),
        (LogFilter("WARNING"), record(1, "INFO"), False),
        (LogFilter("WARNING"), record(1, "CRITICAL"), True),
        (LogFilter(subsystem="hardware"), record(1, subsystem="hardware.session"), True),
        (LogFilter(subsystem="hardware"), record(1, subsystem="hardware_old"), False),
        (LogFilter(text="PIN 13"), record(1, message="set pin 13"), True),
        (LogFilter(text="a.c"), record(1, message="abc"), False),
        (LogFilter(text="舵机"), record(1, message="移动舵机到 90 度"), True),
        (LogFilter(text="session"), record(1, subsystem="hardware.session"), True),
    ],
)
def test_filter(chosen: LogFilter, subject: LogRecordView, accepted: bool) -> None:
    assert chosen.accepts(subject) is accepted


def test_search_hits_have_their_place() -> None:
    assert LogFilter(text="uno").hits("Uno and UNO") == [(0, 3), (8, 3)]
    assert LogFilter().hits("Uno") == []


def test_an_unknown_level_counts_as_information() -> None:
    assert rank("NOTICE") == rank("INFO")


def test_a_line_carries_date_level_and_part() -> None:
    line = line_of(record(1, "ERROR", "hardware.flashing", "no answer"))
    assert line.endswith("ERROR    hardware.flashing  no answer")
    assert line[4] == line[7] == "-"
    assert ".250 " in line


def test_the_model_is_bounded_and_keeps_the_newest(qtbot: QtBot) -> None:
    model = LogModel()
    for start in range(1, 3 * CAPACITY, 1000):
        model.add(records(1000, start))
    assert CAPACITY <= model.held() <= CAPACITY * 1.1
    assert model.shown()[-1].number == 3 * CAPACITY
    assert model.rowCount() == model.held()


def test_a_record_is_not_shown_twice(qtbot: QtBot) -> None:
    model = LogModel()
    model.add(records(10))
    model.add(records(12))
    assert [one.number for one in model.shown()] == list(range(1, 13))


def test_what_was_written_before_the_page_opened_is_there(page: LogsPage) -> None:
    assert page.model.rowCount() == 80
    assert page.count.text() == "80"
    assert at_bottom(page)


def test_new_records_keep_the_view_at_the_bottom(page: LogsPage, world: LogWorld, qtbot: QtBot) -> None:
    world.logs.write(*records(50, 81))
    qtbot.waitUntil(lambda: at_bottom(page))
    assert page.view.follows()
    assert not page.view.jump_button.isVisible()


def test_a_view_that_was_scrolled_up_stays_and_offers_the_way_down(
    page: LogsPage, world: LogWorld, qtbot: QtBot
) -> None:
    page.view.verticalScrollBar().setValue(200)
    world.logs.write(*records(50, 81))
    QTest.qWait(30)
    assert page.view.verticalScrollBar().value() == 200
    assert page.view.jump_button.text() == "50 new"
    QTest.mouseClick(page.view.jump_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: at_bottom(page))
    assert not page.view.jump_button.isVisible()


def test_scrolling_back_to_the_bottom_follows_again(page: LogsPage) -> None:
    bar = page.view.verticalScrollBar()
    bar.setValue(0)
    assert not page.view.follows()
    bar.setValue(bar.maximum())
    assert page.view.follows()


def test_level_buttons_set_the_lowest_level(page: LogsPage) -> None:
    page.level.chosen.emit("WARNING")
    page.level.set_current("WARNING")
    page.level.chosen.emit("WARNING")
    assert {one.level for one in page.model.shown()} == {"WARNING", "ERROR"}
    assert page.count.text() == "20 of 80"


def test_part_filter_offers_what_was_seen(page: LogsPage) -> None:
    offered = [page.part.itemData(at) for at in range(page.part.count())]
    assert offered == [
        "",
        "agent",
        "execution",
        "hardware.flashing",
        "hardware.session",
        "hardware.telemetry",
        "store",
    ]
    page.part.setCurrentIndex(offered.index("agent"))
    page.part.activated.emit(offered.index("agent"))
    assert {one.subsystem for one in page.model.shown()} == {"agent"}


def test_a_new_part_keeps_the_choice(page: LogsPage, world: LogWorld) -> None:
    page.set_filter(LogFilter(subsystem="store"))
    world.logs.write(record(81, subsystem="aaa.first"))
    assert page.part.currentData() == "store"
    assert {one.subsystem for one in page.model.shown()} == {"store"}


def test_search_as_you_type(page: LogsPage, qtbot: QtBot) -> None:
    QTest.keyClicks(page.search, "AVRDUDE")
    qtbot.waitUntil(lambda: page.model.rowCount() == 10)
    assert all("avrdude" in text for text in messages(page))


def test_a_search_hit_is_marked(page: LogsPage, dress: Theme) -> None:
    mark = dress.color("warn_soft")

    def marked() -> int:
        picture = page.view.grab().toImage()
        pixels = ((x, y) for x in range(0, picture.width(), 2) for y in range(0, picture.height(), 2))
        return sum(picture.pixelColor(x, y) == mark for x, y in pixels)

    assert marked() == 0
    page.set_filter(LogFilter(text="Uno"))
    assert marked() > 100


def test_filters_that_hide_everything_offer_the_way_back(page: LogsPage) -> None:
    page.set_filter(LogFilter(text="nothing like this"))
    assert page.empty.isVisible()
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert page.model.rowCount() == 80
    assert page.search.text() == ""


def test_pause_holds_new_records_and_loses_none(page: LogsPage, world: LogWorld) -> None:
    QTest.mouseClick(page.pause_button, Qt.MouseButton.LeftButton)
    world.logs.write(*records(14, 81))
    assert page.model.rowCount() == 80
    assert page.pause_button.text() == "Resume (14)"
    QTest.mouseClick(page.pause_button, Qt.MouseButton.LeftButton)
    assert [one.number for one in page.model.shown()] == list(range(1, 95))


def test_copy_takes_the_selected_lines(page: LogsPage) -> None:
    for row in (0, 2):
        page.view.selectionModel().select(page.model.index(row), QItemSelectionModel.SelectionFlag.Select)
    QTest.keyClick(page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied == [line_of(records(1)[0]), line_of(records(1, 3)[0])]


def test_copy_without_a_selection_takes_all(page: LogsPage) -> None:
    QTest.mouseClick(page.copy_button, Qt.MouseButton.LeftButton)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 80
    assert page.notice.text() == "Copied lines: 80"


def test_a_record_of_many_lines_shows_its_whole_text_when_chosen(page: LogsPage, world: LogWorld) -> None:
    world.logs.write(record(81, "ERROR", "agent", "It failed\n  at step 2\n  舵机"))
    page.view.setCurrentIndex(page.model.index(80))
    assert page.details.isVisible()
    assert page.details.toPlainText().endswith("It failed\n  at step 2\n  舵机")
    page.view.setCurrentIndex(page.model.index(5))
    assert not page.details.isVisible()


def test_save_writes_what_is_shown(page: LogsPage, tmp_path: Path, qtbot: QtBot) -> None:
    page.set_filter(LogFilter("ERROR"))
    page.activateWindow()
    QTest.keySequence(page, QKeySequence("Ctrl+S"))
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "errors.log"))
    lines = (tmp_path / "errors.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 10
    assert all(" ERROR " in line for line in lines)
    dialog.reject()
    qtbot.waitUntil(lambda: page.findChild(QFileDialog) is None)


def test_a_failed_save_is_told_in_place(page: LogsPage, tmp_path: Path) -> None:
    page.save(str(tmp_path / "missing" / "x.log"))
    assert page.error.isVisible()
    assert page.error.accessibleName() == "The lines could not be saved."


def test_the_log_folder_is_opened_by_the_system(page: LogsPage, world: LogWorld, tmp_path: Path) -> None:
    class Opener(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.opened: list[str] = []

        @Slot(QUrl)
        def take(self, url: QUrl) -> None:
            self.opened.append(url.toLocalFile())

    opener = Opener()
    world.logs.place = str(tmp_path)
    QDesktopServices.setUrlHandler("file", opener, "take")
    try:
        QTest.mouseClick(page.folder_button, Qt.MouseButton.LeftButton)
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opener.opened == [str(tmp_path)]


def test_clear_empties_the_list_and_the_ring(page: LogsPage, world: LogWorld) -> None:
    QTest.mouseClick(page.clear_button, Qt.MouseButton.LeftButton)
    assert world.logs.calls == [("clear",)]
    assert page.model.held() == 0
    assert page.empty.isVisible()
    world.logs.write(record(200))
    assert page.view.isVisible()


def test_old_records_that_go_do_not_move_a_view_that_was_scrolled_up(page: LogsPage, world: LogWorld) -> None:
    world.logs.write(*records(CAPACITY, 81))
    page.view.verticalScrollBar().setValue(page.view.verticalScrollBar().maximum() // 2)
    seen = page.view.indexAt(page.view.viewport().rect().center()).row()
    number = page.model.shown()[seen].number
    world.logs.write(*records(CAPACITY // 10, CAPACITY + 81))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    seen = page.view.indexAt(page.view.viewport().rect().center()).row()
    assert abs(page.model.shown()[seen].number - number) <= 1


def test_language_and_accessible_names(page: LogsPage, chinese: TsTranslator) -> None:
    assert page.folder_button.accessibleName() == "Open the log folder"
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    assert page.folder_button.accessibleName() == "打开日志文件夹"
    assert page.count.text() == "80"
