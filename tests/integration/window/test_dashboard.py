"""UI-6 on a real screen: from no board and no dashboard to a switch that moves a pin, by mouse."""

from __future__ import annotations

import json
import time

from tests.helpers.desk import Desk, needs_a_screen

pytestmark = needs_a_screen
WIDTH, HEIGHT = 1200, 700
MAKE = (628, 467)
"""The button in the middle of the empty page, at this size of the window."""


def click(desk: Desk, window: str, at: tuple[int, int]) -> None:
    desk.do("mousemove", "--window", window, str(at[0]), str(at[1]))
    desk.do("click", "1")


def switch_place(desk: Desk) -> tuple[int, int]:
    """Where the knob of the LED's switch is, from its place in the file and the arithmetic of the grid."""
    content = json.loads((desk.home / "dashboards.json").read_text(encoding="utf-8"))
    column, row, _, rows = next(
        tile["place"] for tile in content["dashboards"][0]["tiles"] if tile["kind"] == "switch"
    )
    gap, left, top, bar = 10, 56 + 16, 56 + 12 + 34 + 12, 0
    cell = (WIDTH - left - 16 - bar + gap) / 12 - gap
    high = max(56, min(96, cell * 0.62))
    middle = top + row * (high + gap) + (rows * (high + gap) - gap) / 2
    return round(left + column * (cell + gap) + 36), round(middle + 8)


def test_a_dashboard_is_made_and_switches_the_led_by_mouse(desk: Desk) -> None:
    desk.start()
    desk.until(lambda: (desk.home / "control.json").exists(), "the core")
    window = desk.windows()[0]
    desk.until(lambda: desk.activated(window), "a window that the window manager knows")
    desk.do("windowsize", "--sync", window, str(WIDTH), str(HEIGHT))
    desk.do("key", "ctrl+4")
    time.sleep(1.5)
    click(desk, window, MAKE)
    desk.until(lambda: desk.said("plot_series", "COMPLETED"), "the signals of the board")
    desk.until(lambda: (desk.home / "dashboards.json").exists(), "the file")
    time.sleep(1.0)
    click(desk, window, switch_place(desk))
    desk.until(lambda: desk.said("led_set", "COMPLETED"), "the switch")
    assert desk.end() == 0
