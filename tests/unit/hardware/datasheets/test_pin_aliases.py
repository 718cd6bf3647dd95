"""Names of pins from data sheets (HW-11), in the forms of upstream's files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.datasheets.pin_aliases import pin_aliases


@pytest.mark.parametrize(
    ("line", "name", "pin"),
    [
        ("reading lamp: 12", "reading lamp", "12"),
        ("reading lamp = 12", "reading lamp", "12"),
        ("- reading lamp = pin 12", "reading lamp", "12"),
        ("* **pump**: GPIO5", "pump", "5"),
        ("`soil`: A0  # the grey probe", "soil", "A0"),
        ("fan: pa5 (through a transistor)", "fan", "PA5"),
        ("| reading lamp | 12 |", "reading lamp", "12"),
        ("| heater | `D7` | 2 A relay |", "heater", "D7"),
        ("阅读灯：12", "阅读灯", "12"),
        ("阅读灯 = 引脚 12", "阅读灯", "12"),
    ],
)
def test_forms(line: str, name: str, pin: str) -> None:
    assert pin_aliases(f"# Board\n\n## Pin Aliases\n{line}\n") == {name: pin}


@pytest.mark.parametrize(
    "heading", ["## Pin Aliases", "## Pin Alias", "## Pins", "### pin aliases ##", "## 引脚别名"]
)
def test_headings(heading: str) -> None:
    assert pin_aliases(f"{heading}\nlamp: 3") == {"lamp": "3"}


@pytest.mark.parametrize(
    "line",
    ["| alias | pin |", "|---|---|", "Use pin 12 for the lamp.", "lamp: on", ": 3", "x: 12345"],
)
def test_other_lines_name_nothing(line: str) -> None:
    assert pin_aliases(f"## Pins\n{line}\n") == {}


def test_the_section_ends_at_the_next_heading_and_the_first_entry_counts() -> None:
    text = "lamp: 1\n## Pins\nlamp: 2\nlamp: 3\n## Notes\nfan: 4\n"
    assert pin_aliases(text) == {"lamp": "2"}


@given(st.text(max_size=500))
def test_no_text_is_too_odd(text: str) -> None:
    found = pin_aliases("## Pins\n" + text)
    assert all(name and pin for name, pin in found.items())


def test_a_line_without_end_takes_no_time() -> None:
    assert pin_aliases("## Pins\n" + "a" * 200_000 + "\n" + "| " * 50_000) == {}
