"""Parts: board picture, error card, badges, labels, segmented control, notices."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import idle_pins
from zeroclaw_desktop.bridge.views import ErrorView, PinView
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.board_drawing import BoardDrawing
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.buttons import Button, FoldButton, SegmentedControl
from zeroclaw_desktop.gui.widgets.feedback import EmptyState, ErrorCard, Notice, PhaseProgress
from zeroclaw_desktop.gui.widgets.labels import ElidedText, KeyValueList
from zeroclaw_desktop.gui.widgets.layout import column
from zeroclaw_desktop.gui.widgets.pin_marks import Callout, arranged, pin_sentence, value_text
from zeroclaw_desktop.gui.widgets.surfaces import Sheet


@pytest.fixture
def picture(qtbot: QtBot, dress: Theme) -> BoardPicture:
    board = BoardPicture("arduino-uno")
    qtbot.addWidget(board)
    board.set_board("arduino-uno", "Arduino Uno", simulated=False, powered=True)
    board.set_pins(idle_pins().values())
    board.resize(600, 500)
    with qtbot.waitExposed(board):
        board.show()
    return board


def test_uno_drawing_has_its_twenty_pins_in_board_order(dress: Theme) -> None:
    drawing = BoardDrawing("arduino-uno")
    assert set(drawing.pins) == set(range(20))
    top = [drawing.pins[number] for number in range(13, -1, -1)]
    assert [p.x() for p in top] == sorted(p.x() for p in top)
    assert len({round(p.y(), 3) for p in top}) == 1
    bottom = [drawing.pins[number] for number in range(14, 20)]
    assert [p.x() for p in bottom] == sorted(p.x() for p in bottom)
    # 100 mil pitch; between pin 8 and pin 7 the Uno's well-known 160 mil gap. 10 units are 100 mil.
    assert drawing.pins[7].x() - drawing.pins[8].x() == pytest.approx(16, abs=0.1)
    assert drawing.pins[6].x() - drawing.pins[7].x() == pytest.approx(10, abs=0.1)


def test_unknown_board_gets_a_generic_drawing(dress: Theme) -> None:
    assert BoardDrawing("no-such-board").pins == {}
    assert BoardDrawing("../../etc/passwd").pins == {}


@pytest.mark.parametrize("number", range(20))
def test_pin_is_found_where_it_is_drawn(picture: BoardPicture, number: int) -> None:
    assert picture.pin_at(picture.pin_place(number)) == number


def test_middle_of_the_board_is_no_pin(picture: BoardPicture) -> None:
    assert picture.pin_at(QPointF(picture.rect().center())) is None


def test_click_tells_the_pin(qtbot: QtBot, picture: BoardPicture) -> None:
    place = picture.pin_place(9).toPoint()
    with qtbot.waitSignal(picture.pin_clicked) as caught:
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=place)
    assert caught.args == [9]


def test_keyboard_walks_over_the_pins(qtbot: QtBot, picture: BoardPicture) -> None:
    picture.setFocus()
    qtbot.keyClick(picture, Qt.Key.Key_Right)
    assert picture.accessibleDescription().startswith("Pin 13 (led): output, low")
    qtbot.keyClick(picture, Qt.Key.Key_Right)
    assert picture.accessibleDescription().startswith("Pin 12")
    qtbot.keyClick(picture, Qt.Key.Key_Down)
    assert picture.accessibleDescription().startswith("Pin A0")
    qtbot.keyClick(picture, Qt.Key.Key_Up)
    qtbot.keyClick(picture, Qt.Key.Key_Left)
    with qtbot.waitSignal(picture.pin_clicked) as caught:
        qtbot.keyClick(picture, Qt.Key.Key_Return)
    assert isinstance(caught.args, list)
    assert 0 <= caught.args[0] <= 13


@pytest.mark.parametrize(
    ("pin", "brightness"),
    [
        (PinView(13, "13", "output", 1, role="led"), 1.0),
        (PinView(13, "13", "output", 0, role="led"), 0.0),
        (PinView(13, "13", "input_pullup", 1, role="led"), 0.0),
        (PinView(13, "13", "pwm", duty=0.25, role="led"), 0.25),
    ],
)
def test_led_shines_as_the_pin_says(picture: BoardPicture, pin: PinView, brightness: float) -> None:
    picture.set_pins([pin])
    assert picture.led_brightness() == brightness


def test_lit_led_is_seen_on_the_picture(picture: BoardPicture) -> None:
    picture.set_pins([PinView(13, "13", "output", 0, role="led")])
    dark = picture.grab().toImage()
    picture.set_pins([PinView(13, "13", "output", 1, role="led")])
    lit = picture.grab().toImage()
    lamp = picture._placed(picture._drawing.leds["led-l"].center()).toPoint() * picture.devicePixelRatio()
    assert lit.pixelColor(lamp).lightness() > dark.pixelColor(lamp).lightness() + 60


def test_board_without_power_shows_no_led(picture: BoardPicture) -> None:
    picture.set_pins([PinView(13, "13", "output", 1, role="led")])
    picture.set_board("arduino-uno", "Arduino Uno", simulated=False, powered=False)
    assert picture.led_brightness() == 0.0


@pytest.mark.parametrize(
    ("pin", "text"),
    [
        (PinView(9, "9", "pwm", duty=0.5), "50 %"),
        (PinView(14, "A0", "analog", volts=2.5), "2.50 V"),
        (PinView(7, "7", "output", 1), "high"),
        (PinView(7, "7", "input", 0), "low"),
        (PinView(7, "7", "unknown"), ""),
    ],
)
def test_value_has_its_unit(dress: Theme, pin: PinView, text: str) -> None:
    assert value_text(pin) == text
    assert pin_sentence(pin).startswith(f"Pin {pin.name}")


def test_a_pin_is_told_with_all_its_names_and_its_warning(dress: Theme) -> None:
    pin = PinView(5, "PA5", "output", 1, role="led", other_names=("D13", "SCK"), note="the LED is here")
    assert pin_sentence(pin) == "Pin PA5 (D13, SCK, led): output, high · the LED is here"
    flash = PinView(6, "6", "reserved", note="the flash chip")
    assert pin_sentence(flash) == "Pin 6: reserved · the flash chip"


@given(
    st.lists(st.tuples(st.floats(0, 600), st.floats(20, 120)), max_size=20),
    st.floats(100, 600),
)
def test_labels_stay_apart_and_inside(labels: list[tuple[float, float]], right: float) -> None:
    callouts = [
        Callout(PinView(n, str(n), "output", 1), "high", QPointF(x, 0), QRectF(0, 0, width, 20))
        for n, (x, width) in enumerate(labels)
    ]
    placed = arranged(callouts, 0.0, right, 4.0)
    for first, second in itertools.pairwise(placed):
        assert second.rect.left() - first.rect.right() >= 4.0 - 1e-6
    for callout in placed:
        assert callout.rect.left() >= -1e-6
        assert callout.rect.right() <= right + 1e-6


def test_error_card_says_all_and_offers_the_next_step(qtbot: QtBot, dress: Theme) -> None:
    error = ErrorView(
        title="The port is in use.",
        not_done="The LED was not set.",
        next_step="Close the other program.",
        action="retry",
        raw="OSError: [Errno 16]",
        code="port_busy",
    )
    card = ErrorCard(error, dismissible=True)
    qtbot.addWidget(card)
    card.show()
    texts = [label.text() for label in card.findChildren(QLabel) if label.isVisible()]
    assert {"The port is in use.", "The LED was not set.", "Close the other program."} <= set(texts)
    raw = next(label for label in card.findChildren(QLabel) if "Errno" in label.text())
    assert not raw.isVisible()
    card.fold.click()
    assert raw.isVisible()
    with qtbot.waitSignal(card.action_requested) as caught:
        card.action_button.click()
    assert caught.args == ["retry"]
    with qtbot.waitSignal(card.dismissed):
        card.close_button.click()


def test_parts_never_show_themselves_as_windows(qtbot: QtBot, dress: Theme) -> None:
    before = {w for w in QApplication.topLevelWidgets() if w.isVisible()}
    made: list[QWidget] = [
        Notice("text", "warning", "do"),
        EmptyState("devices", "sentence", "do", "hint"),
        ErrorCard(ErrorView("t", "n", "s", "retry", "raw", "c"), dismissible=True),
        FoldButton("log", QLabel("body"), opened=True),
    ]
    for widget in made:
        qtbot.addWidget(widget)
    assert {w for w in QApplication.topLevelWidgets() if w.isVisible()} == before


def test_elided_text_keeps_the_whole_text(qtbot: QtBot, dress: Theme) -> None:
    label = ElidedText("/dev/serial/by-id/usb-Arduino_LLC_Arduino_Uno_75833353035351B0E170-if00", middle=True)
    qtbot.addWidget(label)
    label.resize(120, 20)
    label.show()
    assert "…" in label.text()
    assert label.toolTip() == label.whole_text()
    label.resize(2000, 20)
    assert label.text() == label.whole_text()
    assert label.toolTip() == ""


def test_key_values_change_in_place(qtbot: QtBot, dress: Theme) -> None:
    rows = KeyValueList([("Port", "COM3"), ("Chip", "CH340")])
    qtbot.addWidget(rows)
    label = next(w for w in rows.findChildren(ElidedText) if w.whole_text() == "COM3")
    rows.set_rows([("Port", "COM4"), ("Chip", "CH340")])
    assert label.whole_text() == "COM4"
    rows.set_rows([("Port", "COM4")])
    assert rows.rows() == [("Port", "COM4")]


def test_badge_tells_by_shape_too(qtbot: QtBot, dress: Theme) -> None:
    pictures = []
    for kind in ("live", "off", "busy", "waits", "failed", "simulated"):
        badge = Badge("state", kind)
        qtbot.addWidget(badge)
        badge.resize(badge.sizeHint())
        image = badge.grab().toImage()
        mark = image.copy(0, 0, round(18 * image.devicePixelRatio()), image.height())
        ground = mark.pixelColor(mark.width() - 1, mark.height() // 2)
        inked = [
            (x, y)
            for x in range(mark.width() // 3, mark.width())
            for y in range(mark.height() // 4, mark.height() * 3 // 4)
            if mark.pixelColor(x, y) != ground
        ]
        pictures.append(tuple(inked))
    assert len(set(pictures)) == len(pictures)
    with pytest.raises(KeyError):
        Badge().set_state("x", "sparkling")


def test_segmented_control_tells_the_choice_of_a_person_only(qtbot: QtBot, dress: Theme) -> None:
    control = SegmentedControl([("light", "Light"), ("dark", "Dark")])
    qtbot.addWidget(control)
    with qtbot.assertNotEmitted(control.chosen):
        control.set_current("dark")
    assert control.current() == "dark"
    with qtbot.waitSignal(control.chosen) as caught:
        control._buttons["light"].click()
    assert caught.args == ["light"]


def test_progress_knows_when_nobody_knows(qtbot: QtBot, dress: Theme) -> None:
    progress = PhaseProgress()
    qtbot.addWidget(progress)
    progress.set_progress("Writing", 42.4, 3.0)
    assert progress.percent() == 42
    progress.set_progress("Preparing", None)
    assert progress.percent() == -1


def test_a_sheet_gives_the_keyboard_back(qtbot: QtBot, dress: Theme) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    button = Button("Open")
    column(button, parent=host)
    sheet = Sheet(host, "A sheet")
    with qtbot.waitExposed(host):
        host.show()
    button.setFocus()
    sheet.open_sheet()
    assert sheet.hasFocus()
    sheet.close_sheet()
    assert button.hasFocus()
