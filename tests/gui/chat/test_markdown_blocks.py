"""Fences as CommonMark 0.31 says (section 4.5); the numbers are those of its examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.gui.chat.markdown_blocks import Block, markdown_blocks
from zeroclaw_desktop.gui.widgets.code_colors import code_pattern


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        pytest.param("```\n<\n >\n```", [Block("<\n >", True)], id="119"),
        pytest.param("~~~\n<\n >\n~~~", [Block("<\n >", True)], id="120"),
        pytest.param("``\nfoo\n``", [Block("``\nfoo\n``")], id="121: two are no fence"),
        pytest.param("```\naaa\n~~~\n```", [Block("aaa\n~~~", True)], id="122"),
        pytest.param("````\naaa\n```\n``````", [Block("aaa\n```", True)], id="124"),
        pytest.param("`````\n\n```\naaa", [Block("\n```\naaa", True)], id="127: never closed"),
        pytest.param("```\n```", [Block("", True)], id="130: empty"),
        pytest.param("    ```\n    aaa\n    ```", [Block("    ```\n    aaa\n    ```")], id="134: indented"),
        pytest.param("```\naaa\n    ```", [Block("aaa\n    ```", True)], id="137: indented close"),
        pytest.param("``` ```\naaa", [Block("``` ```\naaa")], id="138: backticks in the info"),
        pytest.param("foo\n```\nbar\n```\nbaz", [Block("foo"), Block("bar", True), Block("baz")], id="140"),
        pytest.param("```ruby startline=3\ndef\n```", [Block("def", True, "ruby")], id="143"),
        pytest.param("", [], id="nothing"),
        pytest.param("\n\n", [], id="blank"),
    ],
)
def test_fences_split_a_message(text: str, blocks: list[Block]) -> None:
    assert markdown_blocks(text) == blocks


@given(
    before=st.text(alphabet="ab \u95ea\n", max_size=30),
    code=st.text(alphabet="{} ab\u95ea\n~`", max_size=60),
    after=st.text(alphabet="ab \u95ea\n", max_size=30),
)
def test_code_comes_out_as_it_was_written(before: str, code: str, after: str) -> None:
    fence = "`" * (max((len(run) for run in code.replace("~", " ").split()), default=0) + 3)
    blocks = markdown_blocks(f"{before}\n{fence}cpp\n{code}\n{fence}\n{after}")
    assert [block for block in blocks if block.is_code] == [Block(code, True, "cpp")]
    prose = "".join(block.text for block in blocks if not block.is_code)
    assert prose.replace("\n", "").strip() == (before + after).replace("\n", "").strip()


@pytest.mark.parametrize(
    ("language", "line", "kinds"),
    [
        ("cpp", 'int x = 0x1F; // "no"', ["keyword", "number", "comment"]),
        ("python", "for i in range(3):  # go", ["keyword", "keyword", "number", "comment"]),
        ("json", '{"pin": 13, "on": true}', ["string", "number", "string", "keyword"]),
        ("cpp", 'print("// no comment");', ["string"]),
    ],
)
def test_words_of_code_are_told_apart(language: str, line: str, kinds: list[str]) -> None:
    pattern = code_pattern(language)
    assert pattern is not None
    assert [found.lastgroup for found in pattern.finditer(line)] == kinds


def test_an_unknown_language_is_left_uncoloured() -> None:
    assert code_pattern("brainfuck") is None
