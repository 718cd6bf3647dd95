"""The serial console: filter, times, colours, hexadecimal, line ends, history, following, saving (HW-13)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from zeroclaw_desktop.gui.devices.console_entry import MOST_KEPT, ConsoleEntry
from zeroclaw_desktop.gui.devices.console_screen import MAXIMUM_LINES
from zeroclaw_desktop.gui.devices.console_text import Run, plain, runs_of
from zeroclaw_desktop.gui.devices.console_tools import ENCODINGS
from zeroclaw_desktop.gui.devices.console_view import ConsoleView
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.theme.contrast import contrast_ratio
from zeroclaw_desktop.hardware.telemetry.line_parser import ENCODINGS as READABLE

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def console(qtbot: QtBot, dress: Theme) -> ConsoleView:
    view = ConsoleView()
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    return view


def receive(qtbot: QtBot, console: ConsoleView, text: str) -> None:
    console.add_text(text)
    qtbot.waitUntil(console.view.settled)


def shown(console: ConsoleView) -> list[str]:
    return console.view.toPlainText().splitlines()


class TestColours:
    def test_each_run_has_its_look(self) -> None:
        assert runs_of("a\x1b[31mred\x1b[1mbold\x1b[0mb") == [
            Run("a", "", False),
            Run("red", "danger_ink", False),
            Run("bold", "danger_ink", True),
            Run("b", "", False),
        ]

    @pytest.mark.parametrize(
        "line", ["\x1b[2J\x1b[Hx", "\x1b[?25lx", "x\x1b", "\x1b[x", "\x1b[999999999999mx", "\x1b[;;mx"]
    )
    def test_other_sequences_show_nothing_and_do_no_harm(self, line: str) -> None:
        assert "\x1b" not in plain(line)
        assert "".join(run.text for run in runs_of(line)) == plain(line)

    @pytest.mark.parametrize("mode", ["light", "dark"])
    def test_every_colour_can_be_read(self, dress: Theme, mode: str) -> None:
        dress.set_mode(mode)  # type: ignore[arg-type]
        for code in (*range(30, 38), *range(90, 98)):
            (run,) = runs_of(f"\x1b[{code}mx")
            assert contrast_ratio(dress.hex(run.role), dress.hex("sunken")) >= 4.5

    def test_the_text_has_the_colour(self, qtbot: QtBot, console: ConsoleView, dress: Theme) -> None:
        receive(qtbot, console, "I (31) boot: \x1b[31mE (40) no sdcard\x1b[0m")
        assert shown(console) == ["I (31) boot: E (40) no sdcard"]
        cursor = QTextCursor(console.view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        assert cursor.charFormat().foreground().color() == dress.color("danger_ink")


def test_only_lines_with_the_filters_words_are_shown(qtbot: QtBot, console: ConsoleView) -> None:
    receive(qtbot, console, "temp:1\nHum:2\ntemp:3")
    console.tools.filter_field.setText("hum")
    assert shown(console) == ["Hum:2"]
    receive(qtbot, console, "temp:4\nhum:5")
    assert shown(console) == ["Hum:2", "hum:5"]
    console.tools.filter_field.clear()
    assert shown(console) == ["temp:1", "Hum:2", "temp:3", "temp:4", "hum:5"]


def test_times_stand_before_the_lines(qtbot: QtBot, console: ConsoleView) -> None:
    receive(qtbot, console, "a\nb")
    console.tools.times_button.click()
    assert all(re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3}  [ab]", line) for line in shown(console))
    console.tools.times_button.click()
    assert shown(console) == ["a", "b"]


def test_another_encoding_shows_the_lines_anew_with_their_times(qtbot: QtBot, console: ConsoleView) -> None:
    receive(qtbot, console, "??\nb")
    with qtbot.waitSignal(console.tools.encoding_chosen) as chosen:
        console.tools.encoding_list.setCurrentIndex(ENCODINGS.index("gbk"))
        console.tools.encoding_list.activated.emit(ENCODINGS.index("gbk"))
    assert chosen.args == ["gbk"]
    console.set_lines(["earlier", "温度", "b"])
    assert shown(console) == ["earlier", "温度", "b"]
    console.tools.times_button.click()
    assert re.fullmatch(r" {14}earlier", shown(console)[0])
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3}  温度", shown(console)[1])


def test_the_encodings_are_those_that_can_be_read() -> None:
    assert ENCODINGS == READABLE


def test_who_reads_further_up_stays_there(qtbot: QtBot, console: ConsoleView) -> None:
    receive(qtbot, console, "\n".join(map(str, range(500))))
    bar = console.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert not console.tools.follow_button.isVisible()
    bar.setValue(100)
    receive(qtbot, console, "later")
    assert bar.value() == 100
    qtbot.mouseClick(console.tools.follow_button, LEFT)
    assert bar.value() == bar.maximum()
    assert not console.tools.follow_button.isVisible()


class TestFlood:
    def test_only_the_newest_are_shown_until_it_is_calm(self, qtbot: QtBot, console: ConsoleView) -> None:
        kept = [(float(number), f"line {number}") for number in range(3_000)]
        console.kept_wanted.connect(lambda: console.set_kept(kept))
        console.hurry()
        console.add_text("line 2998\nline 2999")
        assert console.limit.isVisible()
        qtbot.waitUntil(lambda: shown(console)[-1:] == ["line 2999"])
        qtbot.waitUntil(lambda: len(shown(console)) == 3_000 and console.view.settled())
        assert shown(console) == [text for _, text in kept]
        assert not console.limit.isVisible()
        assert console.view.follows()

    def test_who_reads_further_up_keeps_it_in_a_flood(self, qtbot: QtBot, console: ConsoleView) -> None:
        receive(qtbot, console, "\n".join(map(str, range(500))))
        console.view.verticalScrollBar().setValue(100)
        console.add_text("\n".join(f"flood {number}" for number in range(4_800)))
        qtbot.waitUntil(console.view.settled)
        assert shown(console) == [str(number) for number in range(500)]
        assert console.view.verticalScrollBar().value() == 100
        qtbot.mouseClick(console.tools.follow_button, LEFT)
        qtbot.waitUntil(lambda: len(shown(console)) == MAXIMUM_LINES and console.view.settled())
        assert shown(console)[-1] == "flood 4799"
        assert shown(console)[0] == "300"

    def test_coloured_lines_come_in_order_too(self, qtbot: QtBot, console: ConsoleView) -> None:
        console.add_text("\n".join(f"\x1b[3{n % 8}m{n}\x1b[0m" for n in range(1_000)))
        qtbot.waitUntil(lambda: len(shown(console)) == 1_000 and console.view.settled())
        assert shown(console) == list(map(str, range(1_000)))

    def test_the_limit_is_told(self, qtbot: QtBot, console: ConsoleView) -> None:
        assert not console.limit.isVisible()
        receive(qtbot, console, "\n".join(map(str, range(MAXIMUM_LINES + 1))))
        assert console.limit.whole_text() == "The last 5,000 lines are kept."
        assert shown(console) == list(map(str, range(1, MAXIMUM_LINES + 1)))

    def test_what_was_cleared_does_not_come_back(self, qtbot: QtBot, console: ConsoleView) -> None:
        console.kept_wanted.connect(lambda: console.set_kept([(1.0, "old")]))
        console.hurry()
        console.clear()
        console.hurry()
        qtbot.waitUntil(console.view.settled)
        assert shown(console) == []

    def test_a_hidden_console_is_filled_when_it_is_shown(self, qtbot: QtBot, console: ConsoleView) -> None:
        console.hide()
        receive(qtbot, console, "a\nb")
        assert shown(console) == []
        console.show()
        assert shown(console) == ["a", "b"]

    def test_a_line_without_its_end_stands_below(self, qtbot: QtBot, console: ConsoleView) -> None:
        console.set_unfinished("Password: ")
        assert console.unfinished.isVisible()
        assert console.unfinished.whole_text() == "Password: "
        console.set_unfinished("")
        assert not console.unfinished.isVisible()


class TestSending:
    @pytest.mark.parametrize(("place", "end"), [(0, ""), (1, "none"), (2, "lf"), (3, "cr"), (4, "crlf")])
    def test_each_line_end(self, qtbot: QtBot, console: ConsoleView, place: int, end: str) -> None:
        console.end_list.setCurrentIndex(place)
        console.entry.setText("AT")
        with qtbot.waitSignal(console.line_sent) as sent:
            qtbot.keyClick(console.entry, Qt.Key.Key_Return)
        assert sent.args == ["AT", end]

    def test_history_keeps_what_was_begun(self, qtbot: QtBot, console: ConsoleView) -> None:
        for text in ("one", "two", "two"):
            console.entry.setText(text)
            qtbot.keyClick(console.entry, Qt.Key.Key_Return)
        console.entry.setText("beg")
        seen = []
        for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
            qtbot.keyClick(console.entry, key)
            seen.append(console.entry.text())
        assert seen == ["two", "one", "one", "two", "beg"]

    def test_history_is_bounded(self, qtbot: QtBot, dress: Theme) -> None:
        entry = ConsoleEntry()
        qtbot.addWidget(entry)
        for number in range(MOST_KEPT + 50):
            entry.keep(str(number))
        for _ in range(MOST_KEPT + 100):
            qtbot.keyClick(entry, Qt.Key.Key_Up)
        assert entry.text() == "50"


class TestSaving:
    def test_what_is_shown_is_saved(self, qtbot: QtBot, console: ConsoleView, tmp_path: Path) -> None:
        receive(qtbot, console, "\x1b[32mok 温度\x1b[0m\nnoise")
        console.tools.filter_field.setText("ok")
        console.save(str(tmp_path / "console.log"))
        assert (tmp_path / "console.log").read_text("utf-8") == "ok 温度\n"
        assert not console.error_card.isVisible()

    def test_a_folder_that_is_not_there_is_told(
        self, qtbot: QtBot, console: ConsoleView, tmp_path: Path
    ) -> None:
        receive(qtbot, console, "x")
        console.save(str(tmp_path / "none" / "console.log"))
        assert console.error_card.isVisible()
