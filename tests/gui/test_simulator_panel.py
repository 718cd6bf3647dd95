"""HW-10, UI-4: the panel of a simulated board: parts, wires by drag and by a list, faults, several boards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import SIMULATOR, DemoBridge, simulated_board
from tests.gui.demo_simulator import DemoSimulator
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import ErrorView, PinView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.board_card import BoardCard
from zeroclaw_desktop.gui.devices.simulator_panel import SimulatorPanel
from zeroclaw_desktop.gui.devices.terminal_line import TerminalDot
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton


class Scene:
    """A page with one simulated Uno."""

    def __init__(self, qtbot: QtBot) -> None:
        self.bridge = DemoBridge(simulated_board())
        self.page = DevicesPage(self.bridge.devices)  # type: ignore[arg-type]
        qtbot.addWidget(self.page)
        self.page.resize(1240, 900)
        with qtbot.waitExposed(self.page):
            self.page.show()

    @property
    def card(self) -> BoardCard:
        return self.page.cards[SIMULATOR]

    @property
    def panel(self) -> SimulatorPanel:
        assert self.card.parts is not None
        return self.card.parts

    @property
    def simulator(self) -> DemoSimulator:
        return self.bridge.devices.simulator

    def wires(self) -> dict[tuple[str, str], int]:
        """(part, terminal) -> pin of every wire that is drawn."""
        assert self.panel.wires is not None
        return {(wire.dot.part_id, wire.dot.terminal): wire.pin for wire in self.panel.wires.wires()}

    def drag(self, dot: TerminalDot, pin: int, *, let_go: bool = True) -> None:
        """Drag a dot to a pin of the picture."""
        self.drag_to(
            dot, self.card.picture.mapTo(self.page, self.card.picture.pin_place(pin).toPoint()), let_go
        )

    def drag_to(self, dot: TerminalDot, place: QPoint, let_go: bool = True) -> None:
        """Drag a dot to a place on the page."""
        QTest.mousePress(dot, LEFT)
        for step in (1, 2, 3):
            target = dot.mapFrom(self.page, place)
            start = dot.center().toPoint()
            QTest.mouseMove(dot, start + (target - start) * step / 3)
        if let_go:
            QTest.mouseRelease(dot, LEFT, pos=dot.mapFrom(self.page, place))

    def calls(self, name: str) -> list[tuple[object, ...]]:
        return [call for call in self.bridge.devices.calls if call[0] == name]


@pytest.fixture
def scene(qtbot: QtBot, dress: Theme) -> Scene:
    return Scene(qtbot)


def entries(menu: QMenu) -> dict[str, object]:
    return {action.text(): action for action in menu.actions() if not action.isSeparator()}


def choose(menu: QMenu, *path: str) -> None:
    """Trigger an entry of a menu, through menus below."""
    for word in path[:-1]:
        below = next(action for action in menu.actions() if action.text() == word).menu()
        assert isinstance(below, QMenu)
        menu = below
    next(action for action in menu.actions() if action.text() == path[-1]).trigger()


# -- parts ------------------------------------------------------------------------------------------------
def test_a_new_board_shows_its_parts_and_their_wires(scene: Scene) -> None:
    assert list(scene.panel.rows) == ["button-1", "potentiometer-1", "tmp36-1", "led-1"]
    assert scene.wires() == {
        ("button-1", "contact"): 2,
        ("potentiometer-1", "slider"): 14,
        ("tmp36-1", "output"): 15,
        ("led-1", "anode"): 13,
    }
    assert not scene.panel.empty.isVisible()
    assert not scene.panel.undo_button.isEnabled()


def test_the_led_of_the_panel_follows_its_pin(scene: Scene) -> None:
    row = scene.panel.rows["led-1"]
    assert row.value_text() == "off"
    scene.bridge.devices.set_pin(SIMULATOR, PinView(13, "13", "output", 1))
    assert row.value_text() == "on"
    scene.bridge.devices.set_pin(SIMULATOR, PinView(13, "13", "pwm", duty=0.35))
    assert row.value_text() == "35 %"


def test_a_button_is_pressed_held_and_let_go(scene: Scene) -> None:
    control = scene.panel.rows["button-1"].control
    assert control.push_button is not None
    assert control.keep_button is not None
    QTest.mousePress(control.push_button, LEFT)
    assert scene.panel.rows["button-1"].value_text() == "pressed"
    QTest.mouseRelease(control.push_button, LEFT)
    assert scene.panel.rows["button-1"].value_text() == "released"
    QTest.mouseClick(control.keep_button, LEFT)
    assert scene.panel.rows["button-1"].value_text() == "pressed"
    QTest.mouseClick(control.push_button, LEFT)
    assert not control.keep_button.isChecked()
    closed = [call[2] for call in scene.calls("close_contact")]
    assert closed == [True, False, True, True, False]


def test_knob_and_thermometer_are_turned_with_keys(scene: Scene) -> None:
    knob = scene.panel.rows["potentiometer-1"].control.slider
    warm = scene.panel.rows["tmp36-1"].control.slider
    assert knob is not None
    assert warm is not None
    QTest.keyClick(knob, Qt.Key.Key_End)
    QTest.keyClick(warm, Qt.Key.Key_Right)
    assert scene.calls("turn") == [("turn", "potentiometer-1", 1.0), ("turn", "tmp36-1", 23.0)]
    assert scene.panel.rows["potentiometer-1"].value_text() == "5.00 V"
    assert scene.panel.rows["tmp36-1"].value_text() == "23.0 °C"


def test_what_a_servo_a_motor_and_a_buzzer_show(scene: Scene) -> None:
    for kind in ("servo", "motor", "buzzer"):
        scene.simulator.add_part(SIMULATOR, kind)
    scene.simulator.wire(SIMULATOR, "servo-1", "signal", 10)
    scene.simulator.wire(SIMULATOR, "motor-1", "speed", 9)
    scene.simulator.wire(SIMULATOR, "buzzer-1", "signal", 8)
    scene.simulator.waves = {10: (50.0, 1472e-6 * 50), 9: (490.2, 0.5), 8: (440.0, 0.5)}
    for pin in (10, 9, 8):
        scene.bridge.devices.set_pin(SIMULATOR, PinView(pin, str(pin), "output", 0))
    rows = scene.panel.rows
    texts = [rows[part].value_text() for part in ("servo-1", "motor-1", "buzzer-1")]
    assert texts == ["90°", "125 rpm", "440 Hz"]
    block = rows["motor-1"].control.push_button
    assert block is not None
    QTest.mouseClick(block, LEFT)
    assert rows["motor-1"].value_text() == "0 rpm"


def test_parts_are_added_and_removed_and_the_change_is_taken_back(scene: Scene) -> None:
    scene.panel.fill_add_menu()
    assert list(entries(scene.panel.add_menu))[:2] == ["LED", "RGB LED"]
    choose(scene.panel.add_menu, "RGB LED")
    assert list(scene.panel.rows)[-1] == "rgb_led-1"
    assert list(scene.panel.rows["rgb_led-1"].dots) == ["red", "green", "blue"]
    row = scene.panel.rows["led-1"]
    row.fill_menu()
    choose(row.menu, "Remove")
    assert "led-1" not in scene.panel.rows
    assert ("led-1", "anode") not in scene.wires()
    QTest.mouseClick(scene.panel.undo_button, LEFT)
    assert scene.wires()["led-1", "anode"] == 13
    QTest.mouseClick(scene.panel.undo_button, LEFT)
    assert "rgb_led-1" not in scene.panel.rows
    assert not scene.panel.undo_button.isEnabled()


def test_a_bench_without_parts_says_what_to_do(scene: Scene) -> None:
    for part in list(scene.panel.rows):
        scene.simulator.remove_part(SIMULATOR, part)
    assert scene.panel.empty.isVisible()
    assert "Add a button" in scene.panel.empty.text()
    assert scene.wires() == {}


def test_a_setting_is_chosen_in_the_menu_of_its_part(scene: Scene) -> None:
    row = scene.panel.rows["led-1"]
    row.fill_menu()
    choose(row.menu, "Colour", "green")
    assert row.part().setting("colour") == "green"


def test_the_electrical_model_is_told_in_words_with_its_source(scene: Scene) -> None:
    row = scene.panel.rows["tmp36-1"]
    row.fill_menu()
    choose(row.menu, "How it is modelled")
    assert "0.5 V at 0 °C and 10 mV" in scene.panel.notice.text()
    assert "TMP36 data sheet" in scene.panel.notice.text()
    choose(row.menu, "How it is modelled")
    assert not scene.panel.notice.isVisible()


# -- wires ------------------------------------------------------------------------------------------------
def test_a_dot_is_dragged_to_a_pin(scene: Scene) -> None:
    scene.drag(scene.panel.rows["led-1"].dots["anode"], 9)
    assert scene.wires()["led-1", "anode"] == 9
    assert scene.panel.rows["led-1"].pin_buttons["anode"].text() == "pin 9"
    assert not scene.panel.notice.isVisible()


def test_a_wire_that_may_not_be_is_refused_with_the_reason(scene: Scene) -> None:
    scene.drag(scene.panel.rows["potentiometer-1"].dots["slider"], 7)
    assert scene.wires()["potentiometer-1", "slider"] == 14
    assert scene.panel.notice.text() == "Pin 7 cannot measure a voltage. Use one of A0, A1, A2, A3, A4, A5."
    scene.drag(scene.panel.rows["led-1"].dots["anode"], 2)
    assert "would short pin 2 to ground" in scene.panel.notice.text()
    scene.drag(scene.panel.rows["led-1"].dots["anode"], 9)
    assert not scene.panel.notice.isVisible()


def test_what_to_know_about_an_allowed_pin_is_told(scene: Scene) -> None:
    scene.drag(scene.panel.rows["led-1"].dots["anode"], 12)
    assert scene.wires()["led-1", "anode"] == 12
    assert scene.panel.notice.text() == "Pin 12 has no PWM: only on and off."


def test_while_it_is_dragged_the_pins_that_may_be_are_marked(scene: Scene) -> None:
    dot = scene.panel.rows["potentiometer-1"].dots["slider"]
    scene.drag(dot, 16, let_go=False)
    assert scene.card.picture.highlighted_pins() == {14, 16, 17, 18, 19}
    assert scene.panel.wires is not None
    assert scene.panel.wires.words() == "Pin A2"
    QTest.keyClick(dot, Qt.Key.Key_Escape)
    assert scene.card.picture.highlighted_pins() == set()
    QTest.mouseRelease(dot, LEFT)
    assert scene.wires()["potentiometer-1", "slider"] == 14


def test_a_wire_dropped_beside_the_pins_stays_where_it_was(scene: Scene) -> None:
    scene.drag_to(scene.panel.rows["led-1"].dots["anode"], QPoint(20, 20))
    assert scene.wires()["led-1", "anode"] == 13
    assert not scene.panel.undo_button.isEnabled()


def test_a_click_on_a_dot_changes_nothing(scene: Scene) -> None:
    QTest.mouseClick(scene.panel.rows["led-1"].dots["anode"], LEFT)
    assert scene.wires()["led-1", "anode"] == 13


def test_wiring_works_without_a_mouse(scene: Scene) -> None:
    button = scene.panel.rows["led-1"].pin_buttons["anode"]
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    button.fill()
    choose(button.menu_of_pins, "9")
    assert scene.wires()["led-1", "anode"] == 9
    button.fill()
    choose(button.menu_of_pins, "Not possible", "A0")
    assert scene.wires()["led-1", "anode"] == 9
    assert "Knob drives pin A0 already" in scene.panel.notice.text()
    button.fill()
    choose(button.menu_of_pins, "Take the wire off")
    assert ("led-1", "anode") not in scene.wires()
    assert button.text() == "not wired"


def test_the_overlay_takes_no_click_from_the_board(scene: Scene) -> None:
    chosen: list[int] = []
    scene.card.picture.pin_clicked.connect(chosen.append)
    QTest.mouseClick(scene.card.picture, LEFT, pos=scene.card.picture.pin_place(13).toPoint())
    assert chosen == [13]
    overlay = scene.panel.wires
    assert overlay is not None
    assert overlay.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert overlay.size() == scene.card.size()


# -- faults -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["unplug", "garbage", "slow", "brown_out"])
def test_a_fault_that_lasts_is_shown_and_ended_with_one_click(scene: Scene, kind: str) -> None:
    scene.panel.fault_menu.entries[kind].trigger()
    (line,) = scene.panel.fault_lines.lines
    assert line.isVisible()
    assert not scene.panel.fault_menu.entries[kind].isEnabled()
    QTest.mouseClick(line.button, LEFT)
    assert scene.panel.fault_lines.lines == []
    assert scene.calls("set_fault") == [("set_fault", kind, True), ("set_fault", kind, False)]


def test_a_pin_is_stuck_and_freed(scene: Scene) -> None:
    below = scene.panel.fault_menu.fill_pins(1)
    assert "Pin 1" not in entries(below)
    choose(below, "Pin 13")
    assert scene.panel.fault_lines.lines[0].text() == "Pin 13 is stuck high."
    QTest.mouseClick(scene.panel.fault_lines.lines[0].button, LEFT)
    assert scene.calls("set_stuck") == [("set_stuck", 13, 1), ("set_stuck", 13, None)]


def test_a_fault_of_a_moment_leaves_no_line(scene: Scene) -> None:
    scene.panel.fault_menu.entries["long_line"].trigger()
    assert scene.calls("inject_fault") == [("inject_fault", "long_line")]
    assert scene.panel.fault_lines.lines == []


# -- several boards ---------------------------------------------------------------------------------------
def test_a_board_of_another_kind_is_added(scene: Scene) -> None:
    menu = scene.page.simulators.button.kinds()
    assert menu.families() == ["Arduino", "Espressif", "Your own boards"]
    menu.entries["esp32-c3"].trigger()
    assert scene.calls("add_board") == [("add_board", "esp32-c3")]


def test_a_board_that_could_not_be_added_is_told_on_the_page(scene: Scene) -> None:
    scene.simulator.add_failed.emit(ErrorView("There are 32 simulated boards already."))
    assert scene.page.simulators.error.isVisible()


# -- words ------------------------------------------------------------------------------------------------
def test_every_word_of_the_panel_is_there_in_chinese(
    scene: Scene, chinese: TsTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DemoSimulator, "language", "zh")
    QCoreApplication.installTranslator(chinese)
    try:
        QApplication.processEvents()
        row = scene.panel.rows["led-1"]
        assert scene.panel.add_button.text() == "添加元件"
        assert row.value_text() == "灭"
        assert row.pin_buttons["anode"].text() == "引脚 13"
        assert scene.page.simulators.button.text() == "添加模拟开发板"
        scene.panel.fault_menu.entries["slow"].trigger()
        assert scene.panel.fault_lines.lines[0].text() == "每条回复都晚一秒到达。"
    finally:
        QCoreApplication.removeTranslator(chinese)
        QApplication.processEvents()


def test_each_control_has_a_name_for_screen_readers(scene: Scene) -> None:
    for row in scene.panel.rows.values():
        assert row.more_button.accessibleName()
        for button in row.pin_buttons.values():
            assert button.accessibleName()
        for control in (row.control.slider, row.control.push_button, row.control.keep_button):
            assert control is None or control.accessibleName()
    assert scene.panel.undo_button.accessibleName()


def test_a_wire_to_the_led_of_a_board_without_a_hole_for_its_pin_ends_at_the_led(
    scene: Scene,
) -> None:
    """Pin 25 of a Pico is not on its edge; a pin that the drawing does not show at all has no wire."""
    picture = scene.card.picture
    assert picture.wire_place(13) == picture.pin_place(13)
    assert picture.wire_place(99) is None
    picture.set_board("raspberry-pi-pico", "Pico", simulated=True, powered=True)
    picture.set_pins([PinView(25, "25", "output", 1, role="led")])
    place = picture.wire_place(25)
    assert place is not None
    assert picture.rect().contains(place.toPoint())
