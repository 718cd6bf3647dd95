"""Texts are cut into passages at their own joints (HW-11)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.datasheets.passages import (
    PASSAGE_CHARACTERS,
    passages_of_pages,
    passages_of_text,
)

SHEET = """# Reading lamp board
Bought in 2024.

## Power
Takes 5 V.
```
# not a heading
```

### Limits
20 mA a pin.

## Pins
Lamp on 12.
"""


def test_headings_cut_and_are_kept_as_the_path() -> None:
    found = [(passage.heading, passage.place) for passage in passages_of_text(SHEET)]
    assert found == [
        ("Reading lamp board", "line 2"),
        ("Reading lamp board > Power", "line 5"),
        ("Reading lamp board > Power > Limits", "line 11"),
        ("Reading lamp board > Pins", "line 14"),
    ]


def test_a_sign_in_code_is_no_heading() -> None:
    power = passages_of_text(SHEET)[1]
    assert "# not a heading" in power.text


def test_long_text_is_cut_at_an_empty_line() -> None:
    paragraphs = ["word " * 100, "other " * 100, "third " * 100, "last " * 100]
    found = passages_of_text("\n\n".join(paragraphs))
    assert len(found) > 1
    assert all(passage.text.split()[0] in ("word", "other", "third", "last") for passage in found)


def test_pages_are_named() -> None:
    found = passages_of_pages(["Absolute maximum ratings", "", "Pin configuration"])
    assert [(passage.text, passage.place) for passage in found] == [
        ("Absolute maximum ratings", "page 1"),
        ("Pin configuration", "page 3"),
    ]


@given(st.text(st.sampled_from("ab \n#`|"), max_size=6_000))
def test_no_sign_is_lost_and_no_passage_is_too_long(text: str) -> None:
    passages = passages_of_text(text)
    assert all(0 < len(passage.text) <= PASSAGE_CHARACTERS for passage in passages)
    kept = "".join(passage.heading + passage.text for passage in passages)
    for sign in "ab":
        assert kept.count(sign) >= sum(line.count(sign) for line in text.splitlines() if "#" not in line)
