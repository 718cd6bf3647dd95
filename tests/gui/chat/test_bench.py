"""The bench: current board, live pins, marks of running commands, small plot, room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.chat.conftest import PageMaker
from tests.gui.chat.demo_chat import SIMULATOR, ChatWorld, blink_call
from zeroclaw_desktop.bridge.views import PinView, SeriesView
from zeroclaw_desktop.gui.chat.page import BENCH_FROM_WIDTH, ChatPage
from zeroclaw_desktop.gui.chat.sparkline import by_preference


def test_the_led_of_the_picture_follows_the_pin(page: ChatPage, world: ChatWorld) -> None:
    assert page.bench.picture.led_brightness() == 0.0
    world.devices.set_pin(SIMULATOR, PinView(13, "13", "output", 1, role="led"))
    assert page.bench.picture.led_brightness() == 1.0


def test_pins_and_card_light_up_together(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    world.chat.tool_call_changed.emit(blink_call("running"))
    qtbot.waitUntil(lambda: page.view.widget_of(0) is not None)
    card = page.view.widget_of(0)
    assert card is not None
    assert card.property("selected") is True
    assert page.bench.picture._highlighted == {13}
    world.chat.tool_call_changed.emit(blink_call("completed"))
    assert card.property("selected") is False
    qtbot.waitUntil(lambda: page.bench.picture._highlighted == set(), timeout=3000)


def test_without_a_board_one_button_starts_the_simulator(qtbot: QtBot, make_page: PageMaker) -> None:
    world = ChatWorld()
    page = make_page(world)
    assert page.bench.board() is None
    assert page.bench.empty.button.text() == "Start the simulator"
    qtbot.mouseClick(page.bench.empty.button, Qt.MouseButton.LeftButton)
    assert world.devices.calls == [("start_simulator",)]
    assert page.bench.board() is not None
    assert page.bench.picture.isVisible()


def test_a_narrow_page_hides_the_bench_and_offers_the_simulator_in_the_middle(
    qtbot: QtBot, make_page: PageMaker
) -> None:
    world = ChatWorld()
    page = make_page(world, width=BENCH_FROM_WIDTH - 1)
    assert not page.bench.isVisible()
    assert page.empty.notice.isVisible()
    qtbot.mouseClick(page.empty.notice.button, Qt.MouseButton.LeftButton)
    assert world.devices.calls == [("start_simulator",)]
    assert not page.empty.notice.isVisible()
    page.resize(BENCH_FROM_WIDTH, page.height())
    assert page.bench.isVisible()


def test_the_bench_can_be_hidden_and_shown(qtbot: QtBot, page: ChatPage) -> None:
    qtbot.mouseClick(page.bench.hide_button, Qt.MouseButton.LeftButton)
    assert not page.bench.isVisible()
    page.resize(page.width() + 40, page.height())
    assert not page.bench.isVisible()
    qtbot.mouseClick(page.bench_button, Qt.MouseButton.LeftButton)
    assert page.bench.isVisible()
    assert not page.bench_button.isVisible()


def test_the_small_plot_follows_the_telemetry(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    qtbot.waitUntil(lambda: page.bench.spark is not None)
    spark = page.bench.spark
    assert spark is not None
    qtbot.mouseClick(spark.start_button, Qt.MouseButton.LeftButton)
    assert world.plots.calls == [("start_demo_signals",)]
    assert [line.label.text() for line in spark.rows] == ["a0", "a1"]
    assert spark.rows[0].value.text() == "2.486 V"
    newest = spark.rows[0].line.points()[-1][0]
    world.plots.time += 2.0
    qtbot.waitUntil(lambda: spark.rows[0].line.points()[-1][0] == newest + 2.0)


def test_a0_and_a1_come_first_else_the_newest_series() -> None:
    series = [SeriesView("s", name) for name in ("temp", "a0", "hum", "a1", "light")]
    assert [one.label for one in by_preference(series)] == ["a0", "a1", "light", "hum", "temp"]
    assert by_preference([]) == []


def test_a_series_of_firmware_that_no_longer_runs_leaves_the_bench(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    qtbot.waitUntil(lambda: page.bench.spark is not None)
    spark = page.bench.spark
    assert spark is not None
    world.plots.add_demo_series()
    world.plots.known.append(SeriesView(SIMULATOR, "temp", "°C", 22.0, 40, 5.0))
    world.plots.silent_since = {"a0": world.plots.time - 6.0}
    spark.refresh()
    assert [line.label.text() for line in spark.rows if line.isVisible()] == ["a1", "temp"]
    world.plots.silent_since |= {"a1": world.plots.time - 6.0, "temp": world.plots.time - 6.0}
    qtbot.waitUntil(lambda: not any(line.isVisible() for line in spark.rows))
    assert spark.start_button.isVisible()


def test_the_chat_page_loads_no_plot_library() -> None:
    import subprocess
    import sys

    code = (
        "import sys, zeroclaw_desktop.gui.chat.page; "
        "print([name for name in ('numpy', 'pyqtgraph') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_call_that_names_the_led_but_no_pin_marks_the_boards_led(page: ChatPage, world: ChatWorld) -> None:
    world.chat.tool_call_changed.emit(blink_call("running", arguments={"count": 3}))
    assert page.bench.picture._highlighted == {13}
