"""HW-14: drawings of the boards; every header pin has its place, in order and distance of the real board."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.unit.hardware.boards.data_sheets import SHEETS, numbers
from zeroclaw_desktop.bridge.views import PinView
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.widgets.board_drawing import BoardDrawing
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

BOARDS = board_catalog()
EACH = pytest.mark.parametrize("key", SHEETS)
UNITS_PER_MM = 10 / 2.54

# Rows of the headers from the left to the right of the drawing (USB at the left), from the sources of
# data_sheets.py; "-" is a place without a pin of the chip. Espressif counts from the antenna, which is at the
# right.
UNO_TOP = "13 12 11 10 9 8"
ROWS = {
    "arduino-uno": [UNO_TOP, "7 6 5 4 3 2 1 0", "14 15 16 17 18 19"],
    "arduino-leonardo": [UNO_TOP, "7 6 5 4 3 2 1 0", "18 19 20 21 22 23"],
    "arduino-uno-q": [f"21 20 - - {UNO_TOP}", "7 6 5 4 3 2 1 0", "14 15 16 17 18 19"],
    "arduino-mega": [
        UNO_TOP,
        "7 6 5 4 3 2 1 0",
        "14 15 16 17 18 19 20 21",
        "54 55 56 57 58 59 60 61",
        "62 63 64 65 66 67 68 69",
    ],
    "arduino-nano": ["12 11 10 9 8 7 6 5 4 3 2 - - 0 1", "13 - - 14 15 16 17 18 19 20 21"],
    "raspberry-pi-pico": [
        "28 - 27 26 - 22 - 21 20 19 18 - 17 16",
        "0 1 - 2 3 4 5 - 6 7 8 9 - 10 11 12 13 - 14 15",
    ],
    "esp32": [
        "11 10 9 13 - 12 14 27 26 25 33 32 35 34 39 36",
        "6 7 8 15 2 0 4 16 17 5 18 19 - 21 3 1 22 23",
    ],
    "esp32-s2": [
        "17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0",
        "18 19 20 21 26 33 34 35 36 37 38 39 40 41 42 43 44 45 46",
    ],
    "esp32-s3": [
        "14 13 12 11 10 9 46 3 8 18 17 16 15 7 6 5 4",
        "19 20 21 47 48 45 0 35 36 37 38 39 40 41 42 2 1 44 43",
    ],
    "esp32-c3": ["10 1 0 - - - 3 2", "19 18 - 4 5 6 7 - 8 9 - 20 21"],
    "esp32-c6": ["3 2 11 10 8 1 0 7 6 5 4", "12 13 - 9 18 19 20 21 22 23 15 17 16"],
    "esp8266": ["6 7 11 8 9 10 - - 17", "1 3 15 13 12 14 - - 2 0 4 5 16"],
    # CN5, CN9, CN8; then the outer rows of CN10 and CN7.
    "nucleo-f401re": [
        "24 25 - - 5 6 7 22 39 9",
        "8 26 20 21 19 10 2 3",
        "0 1 4 16 33 32",
        "40 38 37 - - 12 11 28 - - 18 17 31 30 29 - 36",
        "42 44 - - - - 13 14 15 - 23 45 46 47 - - - 34 35",
    ],
    "raspberry-pi": [
        "2 3 4 - 17 27 22 - 10 9 11 - 0 5 6 13 19 26",
        "14 15 18 - 23 24 - 25 8 7 1 - 12 - 16 20 21",
    ],
}  # fmt: skip
SAME_AS = {
    "arduino-nano-old": "arduino-nano",
    "raspberry-pi-pico-w": "raspberry-pi-pico",
    "raspberry-pi-pico-2": "raspberry-pi-pico",
    "nucleo-f411re": "nucleo-f401re",
    "nucleo-f103rb": "nucleo-f401re",
}


def drawing_of(key: str) -> BoardDrawing:
    return BoardDrawing(BOARDS[key].picture)


@EACH
def test_every_pin_that_is_on_a_header_has_its_place(dress: Theme, key: str) -> None:
    sheet = SHEETS[key]
    assert set(drawing_of(key).pins) == set(numbers(sheet.pins)) - set(numbers(sheet.off_header))


@EACH
def test_headers_stand_in_their_order_100_mil_apart(dress: Theme, key: str) -> None:
    pins = drawing_of(key).pins
    for row in ROWS[SAME_AS.get(key, key)]:
        places = [pins[int(word)] if word != "-" else None for word in row.split()]
        known = [(index, place) for index, place in enumerate(places) if place is not None]
        for (before, left), (after, right) in pairwise(known):
            assert right.x() - left.x() == pytest.approx(10 * (after - before), abs=0.1), row
            assert right.y() == pytest.approx(left.y(), abs=0.1), row


@pytest.mark.parametrize(
    ("key", "one", "other", "millimetres"),
    [
        ("arduino-uno", 13, 14, 48.26),
        ("arduino-mega", 13, 54, 48.26),
        ("arduino-leonardo", 13, 18, 48.26),
        ("arduino-uno-q", 13, 14, 48.26),
        ("arduino-nano", 12, 13, 15.24),
        ("raspberry-pi-pico", 16, 15, 17.78),
        ("esp32", 23, 36, 25.4),
        ("esp32-s2", 0, 46, 22.86),
        ("esp32-s3", 4, 43, 22.86),
        ("esp32-c3", 2, 21, 22.86),
        ("esp32-c6", 4, 16, 22.86),
        ("esp8266", 17, 16, 22.86),
        ("nucleo-f401re", 5, 0, 48.26),
        ("nucleo-f401re", 40, 42, 66.04),
        ("raspberry-pi", 2, 14, 2.54),
    ],
)
def test_rows_are_as_far_apart_as_on_the_board(
    dress: Theme, key: str, one: int, other: int, millimetres: float
) -> None:
    pins = drawing_of(key).pins
    apart = abs(pins[one].y() - pins[other].y()) / UNITS_PER_MM
    assert apart == pytest.approx(millimetres, abs=0.05)


def test_the_double_row_of_the_mega(dress: Theme) -> None:
    pins = drawing_of("arduino-mega").pins
    for even in range(22, 54, 2):
        assert pins[even + 1] - pins[even] == QPointF(10, 0)
        assert even == 22 or pins[even] - pins[even - 2] == QPointF(0, 10)


@EACH
def test_lamps_are_there_for_the_leds_that_a_level_lights(dress: Theme, key: str) -> None:
    assert ("led-l" in drawing_of(key).leds) == (SHEETS[key].led is not None)


@EACH
def test_all_is_inside_the_picture_and_no_two_pins_share_a_place(dress: Theme, key: str) -> None:
    drawing = drawing_of(key)
    for place in (*drawing.pins.values(), *(lamp.center() for lamp in drawing.leds.values())):
        assert drawing.view.contains(place)
    places = sorted(drawing.pins.values(), key=lambda place: (round(place.x()), place.y()))
    for one, other in pairwise(places):
        assert (one - other).manhattanLength() > 9


@EACH
def test_the_board_itself_is_drawn(dress: Theme, key: str) -> None:
    """Something opaque is under every pin, and the corners of the picture are free."""
    drawing = drawing_of(key)
    image = drawing.pixmap(drawing.view.width(), 1.0).toImage()
    assert image.pixelColor(0, 0).alpha() == 0
    for place in drawing.pins.values():
        spot = (place - drawing.view.topLeft()).toPoint()
        assert image.pixelColor(spot).alpha() == 255


@pytest.mark.parametrize("path", sorted(Path(resource_path("boards")).glob("*.svg")), ids=lambda p: p.stem)
def test_each_drawing_is_used_and_stands_alone(path: Path) -> None:
    used = {Path(board.picture).stem for board in BOARDS.values()} | {"generic"}
    text = path.read_text("utf-8")
    assert path.stem in used
    assert "href" not in text
    assert "<image" not in text


class TestPictureOfAnotherBoard:
    @pytest.fixture
    def picture(self, qtbot: QtBot, dress: Theme) -> BoardPicture:
        picture = BoardPicture("boards/esp8266.svg")
        qtbot.addWidget(picture)
        picture.set_board("boards/esp8266.svg", "NodeMCU", simulated=False, powered=True)
        picture.resize(600, 400)
        return picture

    @pytest.mark.parametrize(("level", "brightness"), [(0, 1.0), (1, 0.0)])
    def test_an_led_that_shines_while_low(self, picture: BoardPicture, level: int, brightness: float) -> None:
        picture.set_pins([PinView(2, "2", "output", level, role="led", active_low=True)])
        assert picture.led_brightness() == brightness

    def test_a_dimmed_one(self, picture: BoardPicture) -> None:
        picture.set_pins([PinView(2, "2", "pwm", duty=0.25, role="led", active_low=True)])
        assert picture.led_brightness() == 0.75

    def test_a_reserved_pin_is_crossed_out(self, picture: BoardPicture) -> None:
        picture.set_pins([PinView(6, "6", "unknown")])
        before = picture.grab().toImage()
        picture.set_pins([PinView(6, "6", "reserved", note="the flash chip")])
        assert picture.grab().toImage() != before

    def test_an_analog_mark_is_full_at_the_voltage_of_its_board(self, picture: BoardPicture) -> None:
        def shown(volts: float, full: float) -> QImage:
            picture.set_pins([PinView(17, "A0", "analog", volts=volts, full_volts=full)])
            place = picture.pin_place(17).toPoint()
            return picture.grab().toImage().copy(place.x() - 12, place.y() - 12, 24, 24)

        assert shown(3.2, 3.2) == shown(5.0, 5.0) != shown(3.2, 5.0)


def test_a_drawing_of_the_persons_own(dress: Theme, tmp_path: Path) -> None:
    own = tmp_path / "teapot.svg"
    own.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">'
        '<rect width="100" height="50" fill="#444"/><circle id="pin-7" cx="30" cy="10" r="3"/></svg>'
    )
    assert set(BoardDrawing(str(own)).pins) == {7}


@pytest.mark.parametrize(
    "content", [b"no drawing", b"\xff\xfe", b'<svg xmlns="http://www.w3.org/2000/svg"/>']
)
def test_what_is_no_drawing_gets_the_generic_one(dress: Theme, tmp_path: Path, content: bytes) -> None:
    own = tmp_path / "broken.svg"
    own.write_bytes(content)
    generic = BoardDrawing("generic")
    for picture in (str(own), str(tmp_path / "missing.svg"), str(tmp_path)):
        assert BoardDrawing(picture).view == generic.view
