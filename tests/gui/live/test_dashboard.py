"""UI-6 on the real core: tiles show and switch the simulated Uno, through the door, as the board confirms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.dashboard_document import Dashboard, Place, Tile
from zeroclaw_desktop.bridge.tile_commands_bridge import Order
from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.gui.dashboard.act_tiles import ButtonTile, SliderTile, SwitchTile
from zeroclaw_desktop.gui.dashboard.page import DashboardPage
from zeroclaw_desktop.gui.dashboard.show_tiles import GaugeTile, LedTile, NumberTile
from zeroclaw_desktop.gui.dashboard.tile_frame import TileFrame
from zeroclaw_desktop.gui.plots.small_plot import SmallPlot
from zeroclaw_desktop.gui.theme import install_theme
from zeroclaw_desktop.runtime.simulators import UNO_ID

LED = 13


@pytest.fixture
def page(live: Live) -> Iterator[DashboardPage]:
    """The page on the real bridge."""
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    install_theme(application, "light")
    dashboards = live.bridge.dashboards
    page = DashboardPage(live.bridge, lambda: SmallPlot(dashboards.live))
    page.resize(1200, 700)
    page.show()
    yield page
    page.close()
    page.deleteLater()


def starter(live: Live, page: DashboardPage) -> Dashboard:
    """The dashboard that the one button makes, without any board before."""
    page.empty.button.click()
    live.until(lambda: live.bridge.dashboards.book().shown() is not None, "a dashboard")
    shown = live.bridge.dashboards.book().shown()
    assert shown is not None
    return shown


def tile_of(page: DashboardPage, kind: type[TileFrame]) -> TileFrame:
    return next(widget for widget in page.grid.widgets.values() if isinstance(widget, kind))


def put(page: DashboardPage, kind: str, settings: dict[str, object]) -> TileFrame:
    page.put_tile(Tile(f"tile-{kind}", kind, Place(0, 0, 4, 4), "", settings))
    return page.grid.widgets[f"tile-{kind}"]


def command(name: str, **params: object) -> dict[str, object]:
    return {"board": UNO_ID, "command": name, "params": params}


def state(live: Live, tile: TileFrame) -> str:
    return live.bridge.dashboards.orders.request(tile.tile.tile_id).state


def test_one_button_makes_a_dashboard_that_lives_without_hardware(live: Live, page: DashboardPage) -> None:
    shown = starter(live, page)
    kinds = [tile.kind for tile in shown.tiles]
    assert {"plot", "gauge", "number", "led", "switch", "button", "slider", "text"} <= set(kinds)
    gauge = tile_of(page, GaugeTile)
    assert isinstance(gauge, GaugeTile)
    live.until(lambda: gauge.reading().fresh, "a value for the gauge")
    number = tile_of(page, NumberTile)
    assert isinstance(number, NumberTile)
    live.until(lambda: number.reading().value is not None, "a value for the number")


def test_a_switch_moves_the_pin_and_shows_what_the_board_confirmed(live: Live, page: DashboardPage) -> None:
    starter(live, page)
    switch, lamp = tile_of(page, SwitchTile), tile_of(page, LedTile)
    assert isinstance(switch, SwitchTile)
    assert isinstance(lamp, LedTile)
    live.until(lambda: switch.on is not None, "the state of the LED", 5)
    before = switch.on
    switch.switch.click()
    assert switch.on is before, "a click alone proves nothing"
    live.until(lambda: state(live, switch) == "done" and switch.on is True, "the switch")
    assert live.level(LED) == 1
    live.until(lambda: lamp.is_on(lamp.reading()) is True, "the lamp")
    switch.switch.click()
    live.until(lambda: switch.on is False, "the switch")
    assert live.level(LED) == 0


def test_a_switch_follows_what_others_did(live: Live, page: DashboardPage) -> None:
    starter(live, page)
    switch = tile_of(page, SwitchTile)
    assert isinstance(switch, SwitchTile)
    live.bridge.devices.run_command(UNO_ID, "led_set", {"state": 1})
    live.until(lambda: switch.on is True, "the switch")
    assert switch.switch.isChecked()


def test_a_button_blinks_the_led(live: Live, page: DashboardPage) -> None:
    live.start_board()
    button = put(page, "button", {"command": command("led_blink", count=2, interval=0.05)})
    assert isinstance(button, ButtonTile)
    assert live.bridge.core.runtime is not None
    process = live.bridge.core.runtime.simulators.process(UNO_ID)
    before = len(process.rising_edges(LED))
    button.button.click()
    live.until(lambda: state(live, button) == "done", "the blink")
    live.run(process.query())
    assert len(process.rising_edges(LED)) - before == 2


def test_what_the_door_refuses_is_told_on_the_tile(live: Live, page: DashboardPage) -> None:
    live.start_board()
    button = put(page, "button", {"command": command("digital_write", pin=0, value=1)})
    assert isinstance(button, ButtonTile)
    button.button.click()
    live.until(lambda: state(live, button) == "refused", "the refusal")
    assert button.badge.text() == "refused"
    error = live.bridge.dashboards.orders.request(button.tile.tile_id).error
    assert error is not None
    assert error.title in button.note.text()


def test_a_question_is_shown_on_the_tile_until_it_is_answered(live: Live, page: DashboardPage) -> None:
    live.start_board()
    runtime = live.bridge.core.runtime
    assert runtime is not None
    runtime.executor.ceilings["manual"] = Permission.SKILL
    questions: list[str] = []
    live.bridge.chat.approval_requested.connect(lambda approval: questions.append(approval.approval_id))
    button = put(page, "button", {"command": command("digital_write", pin=7, value=1)})
    assert isinstance(button, ButtonTile)
    button.button.click()
    live.until(lambda: state(live, button) == "waiting" and bool(questions), "the question")
    assert button.badge.text() == "waits for you"
    assert live.level(7) == 0
    live.bridge.chat.answer_approval(questions[0], "once")
    live.until(lambda: state(live, button) == "done", "the end")
    assert live.level(7) == 1


def test_the_stop_greys_what_acts_and_the_switch_tells_the_truth(live: Live, page: DashboardPage) -> None:
    starter(live, page)
    switch, button = tile_of(page, SwitchTile), tile_of(page, ButtonTile)
    assert isinstance(switch, SwitchTile)
    assert isinstance(button, ButtonTile)
    switch.switch.click()
    live.until(lambda: switch.on is True, "the switch")
    live.bridge.safety.stop_everything("key")
    live.until(lambda: not button.button.isEnabled(), "the stop")
    assert not switch.switch.isEnabled()
    assert button.badge.text() == "stopped"
    assert live.level(LED) == 0
    live.until(lambda: switch.on is False, "what the stop did")
    live.bridge.safety.release()
    live.until(lambda: button.button.isEnabled(), "the release")


def test_a_slider_sends_the_latest_and_stands_where_the_board_is(live: Live, page: DashboardPage) -> None:
    live.start_board()
    slider = put(page, "slider", {"command": command("pwm_write", pin=9), "parameter": "duty"})
    assert isinstance(slider, SliderTile)
    live.until(lambda: slider.slider.isEnabled(), "the slider")
    for value in (100, 500, 750):
        slider.slider.setValue(value)
        slider.send()
    live.until(lambda: state(live, slider) == "done" and slider.confirmed is not None, "the order")
    live.until(lambda: abs((slider.confirmed or 0) - 0.75) < 0.01, "the latest value")
    orders = live.bridge.dashboards.orders
    assert orders.request(slider.tile.tile_id).number == 2, "the one in the middle was dropped"
    assert slider.slider.value() == pytest.approx(750, abs=8)


def test_a_board_that_is_away_disables_its_tiles_until_it_is_back(live: Live, page: DashboardPage) -> None:
    starter(live, page)
    switch, gauge = tile_of(page, SwitchTile), tile_of(page, GaugeTile)
    assert isinstance(switch, SwitchTile)
    assert isinstance(gauge, GaugeTile)
    live.until(lambda: gauge.reading().fresh, "a value")
    live.bridge.devices.disconnect_board(UNO_ID)
    live.until(lambda: not switch.switch.isEnabled(), "the end of the board")
    assert switch.badge.text() == "board away"
    assert gauge.reading().state == "away"
    assert switch.on is None
    live.bridge.devices.connect_board(UNO_ID)
    live.until(lambda: switch.switch.isEnabled(), "the board again")


def test_the_range_of_a_slider_has_the_limits_of_the_pin(live: Live) -> None:
    live.start_board()
    orders = live.bridge.dashboards.orders
    assert orders.range_of(Order(UNO_ID, "servo_move", {"pin": 9}), "angle") == (0.0, 180.0)
    assert orders.range_of(Order(UNO_ID, "pwm_write", {"pin": 9}), "duty") == (0.0, 1.0)
    assert orders.problems(Order(UNO_ID, "pwm_write", {"pin": 9, "duty": 2.0}))
    assert orders.problems(Order(UNO_ID, "pwm_write", {"pin": 9, "duty": 0.5})) == []


def test_a_board_that_fell_silent_reports_again_by_one_button(live: Live, page: DashboardPage) -> None:
    shown = starter(live, page)
    gauge = tile_of(page, GaugeTile)
    assert isinstance(gauge, GaugeTile)
    live.until(lambda: gauge.reading().fresh, "a value")
    live.bridge.devices.run_command(UNO_ID, "telemetry_stop", {})
    live.until(lambda: gauge.reading().state == "stale", "silence")

    def both_told() -> bool:
        page.silent.look(shown)
        return page.silent.text().endswith("a0, a1")

    live.until(both_told, "the notice")
    page.silent.button.click()
    live.until(lambda: gauge.reading().fresh, "a value again")
