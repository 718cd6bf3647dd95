"""AG-4, AG-5: what holds for every answer and every way it can be cut into pieces."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.toolcall_target import check_answer
from tests.helpers.agent_tools import TOOLS
from tests.helpers.toolcall_pieces import PIECES
from zeroclaw_desktop.agent.stream_guard.examples import AFTER_CHARS
from zeroclaw_desktop.agent.stream_guard.guard import StreamGuard, TextShown, gather, parse_answer
from zeroclaw_desktop.agent.stream_guard.scanner import Scanner
from zeroclaw_desktop.agent.toolcalls.limits import (
    MAX_BLOCK_CHARS,
    MAX_CALLS,
    MAX_DEPTH,
    MAX_TAG_CHARS,
    MAX_WHOLE_CHARS,
)

ANSWERS = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=14).map("".join)
SIZES = st.lists(st.integers(1, 30), max_size=60)
PROSE = st.text(string.ascii_lowercase + " .,;:!?()\n温度，。😀", max_size=60)
NAMES = st.sampled_from(sorted(TOOLS.specs))
CALL = '<tool_call>{"name":"stop","arguments":{}}</tool_call>'
PLAIN = st.characters(exclude_categories=["Cs"])


@settings(max_examples=400, deadline=None)
@given(ANSWERS, SIZES, st.booleans(), st.booleans())
def test_the_cutting_does_not_matter_and_nothing_is_lost(
    text: str, sizes: list[int], native: bool, cut_off: bool
) -> None:
    check_answer(text, sizes, native=native, cut_off=cut_off)
    check_answer(text, [1] * len(text), native=native, cut_off=cut_off)


@settings(deadline=None)
@given(st.lists(PROSE, max_size=20))
def test_ordinary_prose_is_shown_at_once(pieces: list[str]) -> None:
    guard = StreamGuard(TOOLS)
    for piece in pieces:
        shown = "".join(event.text for event in guard.feed(piece) if isinstance(event, TextShown))
        assert shown == piece
    assert guard.close() == []


@settings(deadline=None)
@given(st.text(PLAIN.filter(lambda sign: sign not in "<[{`~TI>｛［"), max_size=200))
def test_text_without_openers_is_unchanged(text: str) -> None:
    assert parse_answer(text, TOOLS).text == text


@settings(deadline=None)
@given(st.text(PLAIN, max_size=100).filter(lambda text: "```" not in text), st.sampled_from(["", "c", "xml"]))
def test_code_in_fences_is_unchanged(code: str, info: str) -> None:
    text = f"Code:\n```{info}\n{code}\n{CALL}\n```\nThat was it."
    answer = parse_answer(text, TOOLS)
    assert answer.text == text
    assert answer.calls == ()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(PLAIN, max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(PLAIN, max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(JSON_VALUES, st.text(PLAIN, max_size=40))
def test_a_good_call_is_read_as_it_was_meant(options: Any, city: str) -> None:
    """Whatever stands in the values, end tags and fences too, in JSON with and without escapes."""
    wanted = {"city": city, "options": options if options is not None else 0}
    for plain in (True, False):
        body = json.dumps({"name": "get_weather", "arguments": wanted}, ensure_ascii=plain)
        answer = parse_answer(f"Wait.\n<tool_call>\n{body}\n</tool_call>", TOOLS)
        assert [dict(parsed.call.arguments) for parsed in answer.calls] == [wanted]
        assert answer.text == "Wait.\n"


@settings(deadline=None)
@given(st.data())
def test_a_call_that_is_cut_anywhere_is_never_carried_out(data: st.DataObject) -> None:
    """C1 rows 7, 32, 39, 40."""
    body = '<tool_call>{"name":"gpio_write","arguments":{"pin":13,"value":1}}</tool_call>'
    end = data.draw(st.integers(0, len(body) - 1))
    answer = parse_answer(body[:end], TOOLS, cut_off=True)
    assert answer.calls == ()
    assert "gpio_write" not in answer.text


@settings(deadline=None)
@given(NAMES, st.text(PLAIN, max_size=30))
def test_prose_about_a_tool_calls_nothing(name: str, words: str) -> None:
    """C1 row 11: bare JSON within prose."""
    text = f'I could write {{"name": "{name}", "arguments": {{}}}} {words}'
    assert parse_answer(text, TOOLS).calls == ()


@pytest.mark.parametrize(
    ("opening", "unit", "bound"),
    [
        ("<tool_call>{", '"a":1,', MAX_BLOCK_CHARS),
        ('{"name": "x", ', '"a":1,', MAX_WHOLE_CHARS),
        ("[TOOL_CALLS]", "[1,", MAX_BLOCK_CHARS),
        ("<tool_call> ", "word ", 400),
        ("<invoke ", "a=1 ", 0),
        ("```", "tool", 0),
        ("`", "`", 0),
        ("<tool_result>", "text ", MAX_BLOCK_CHARS),
    ],
)
def test_what_is_held_back_is_bounded(opening: str, unit: str, bound: int) -> None:
    scanner = Scanner(whole_calls=True)
    most = bound + len(opening) + 2 * MAX_TAG_CHARS
    piece = unit * (max(1, most // len(unit) // 20))
    fed, given_out, widest = 0, 0, 0
    for text in [opening, *[piece] * 30]:
        fed += len(text)
        given_out += sum(len(segment.raw) for segment in scanner.feed(text))
        widest = max(widest, fed - given_out)
    assert 0 < widest <= most
    assert fed - given_out <= 2 * MAX_TAG_CHARS + len(piece)


def test_words_behind_a_call_are_held_back_for_one_line_at_most() -> None:
    guard = StreamGuard(TOOLS)
    guard.feed(CALL)
    events = guard.feed(" and" * (AFTER_CHARS // 4 + 1))
    assert len(gather(events).calls) == 1


def test_too_long_a_call_is_refused_and_its_end_is_found() -> None:
    text = (
        f'<tool_call>{{"name":"shell","arguments":{{"command":"{"x" * MAX_BLOCK_CHARS}"}}}}</tool_call>Done.'
    )
    answer = parse_answer(text, TOOLS)
    assert [fault.code for fault in answer.malformed] == ["too_large"]
    assert answer.text == "Done."


def test_too_many_calls_are_refused() -> None:
    answer = parse_answer(CALL * (MAX_CALLS + 5), TOOLS)
    assert len(answer.calls) == MAX_CALLS
    assert [fault.code for fault in answer.malformed] == ["too_many"]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 10, 2000, 40_000])
@pytest.mark.parametrize("bracket", ["[", '{"a":', "［"])
def test_deep_nesting_is_refused(depth: int, bracket: str) -> None:
    """B5 row 110: 2,000 levels end in a fault, not in a RecursionError."""
    text = f'<tool_call>{{"name":"get_weather","arguments":{{"options":{bracket * depth}'
    answer = parse_answer(text + "</tool_call>", TOOLS)
    assert answer.calls == ()
    assert [fault.code for fault in answer.malformed] == ["too_deep"] or bracket == "［"
    assert parse_answer("[f(a=" + "(" * depth + ")]", TOOLS).calls == ()


def test_half_characters_are_joined() -> None:
    guard = StreamGuard(TOOLS)
    events = [*guard.feed("a\ud83d"), *guard.feed("\ude00b\ud83d"), *guard.close()]
    assert gather(events).text == "a😀b\ufffd"


def test_no_log_line_carries_words_of_the_model() -> None:
    """C1 row 37."""
    answer = parse_answer('<tool_call>{"name":"evil\\nname","arguments":{}}</tool_call>', TOOLS)
    assert "evil" not in answer.malformed[0].log_line
    assert "\n" not in answer.malformed[0].reason
