"""Why a firmware cannot be flashed, in Chinese (UI-9)."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import zeroclaw_desktop
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.reason_text import chinese_reason
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError

PACKAGE = Path(zeroclaw_desktop.__file__).parent
SOURCES = [
    *sorted((PACKAGE / "hardware/flashing").rglob("*.py")),
    PACKAGE / "hardware/simulator/intel_hex.py",
]
REFUSALS = {"FormatError", "unfit", "IntelHexError"}
ROWS = tomllib.loads(resource_path("errors/reasons_zh.toml").read_text("utf-8"))["rows"]
SAMPLE = "X7"


def said(node: ast.expr) -> str | None:
    """The text of a literal with a sample for each value; None for what is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else SAMPLE for part in node.values)
    return None


def reasons() -> Iterator[str]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in REFUSALS:
                text = said(node.args[-1])
                if text is not None and re.search("[a-z]{2}", text):  # else it hands on another reason
                    yield text


@pytest.mark.parametrize("reason", sorted(set(reasons())))
def test_every_reason_has_a_chinese_sentence(reason: str) -> None:
    chinese = chinese_reason(reason)
    assert chinese is not None
    assert re.search("[\u4e00-\u9fff]", chinese)
    assert chinese.count(SAMPLE) == reason.count(SAMPLE)


@pytest.mark.parametrize(("english", "chinese"), ROWS)
def test_both_languages_name_the_same_values(english: str, chinese: str) -> None:
    names = sorted(re.findall(r"\{(\w+)\}", english))
    assert sorted(re.findall(r"\{(\w+)\}", chinese)) == names


@pytest.mark.parametrize(
    ("reason", "chinese"),
    [
        ("line 12 has a wrong checksum", "第 12 行的校验和不正确"),
        ("the app at 0x10000 is damaged: its checksum is wrong", "0x10000 处的应用程序已损坏：校验和不正确"),
        ("block 3 runs past the last address", "第 3 块超出了最后的地址"),
        ("its part boot.bin: it is empty", "它的部件 boot.bin：文件是空的"),
        (
            "it reaches to 0x500000, but the flash of this module has 4 MB",
            "它写到 0x500000，但此模块的闪存只有 4 MB",
        ),
    ],
)
def test_parts_within_a_reason_are_translated_too(reason: str, chinese: str) -> None:
    assert chinese_reason(reason) == chinese


def test_braces_in_a_name_do_no_harm() -> None:
    assert chinese_reason("'{name}{0}' was not found") == "没有找到“{name}{0}”"


def test_the_error_of_the_window_tells_it() -> None:
    view = error_view_of(FormatError("it is empty"), "zh")
    assert view.title == "该固件不能烧录：文件是空的"


def test_a_reason_without_a_row_is_told_as_it_is() -> None:
    view = error_view_of(FormatError("so it goes"), "zh")
    assert view.title == "该固件不能烧录：so it goes"
