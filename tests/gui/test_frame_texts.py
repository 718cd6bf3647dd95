"""Every text of the frame, the shared widgets and the pages of FOLDERS is there in Chinese."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.gui.ts_translator import TsTranslator

GUI = Path(__file__).resolve().parents[2] / "zeroclaw_desktop" / "gui"
FOLDERS = ("widgets", "main_window", "devices", "activity", "dashboard")
PAGES = ("Chat", "Devices", "Plots", "Dashboard", "Activity", "Logs", "Settings")
MODULE_CONTEXT = "PinMarks"


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _text_of(call: ast.Call, class_name: str) -> tuple[str, str] | None:
    texts = [_constant(argument) for argument in call.args]
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "tr" and texts[0]:
        return class_name, texts[0]
    if isinstance(function, ast.Attribute) and function.attr == "translate" and len(texts) > 1:
        return (texts[0], texts[1]) if texts[0] and texts[1] else None
    if isinstance(function, ast.Name) and function.id == "_tr" and texts[0]:
        return MODULE_CONTEXT, texts[0]
    return None


def _texts(node: ast.AST, class_name: str = "") -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for child in ast.iter_child_nodes(node):
        name = child.name if isinstance(child, ast.ClassDef) else class_name
        if isinstance(child, ast.Call) and (text := _text_of(child, name)):
            found.add(text)
        found |= _texts(child, name)
    return found


def test_every_text_is_translated(chinese: TsTranslator) -> None:
    wanted = {("Pages", page) for page in PAGES}
    for folder in FOLDERS:
        for file in (GUI / folder).glob("*.py"):
            wanted |= _texts(ast.parse(file.read_text("utf-8")))
    assert len(wanted) > 100
    assert wanted - chinese.texts.keys() == set()


def test_translations_keep_their_placeholders(chinese: TsTranslator) -> None:
    for (_, source), translation in chinese.texts.items():
        for mark in ("{0}", "{1}", "{2}"):
            assert source.count(mark) == translation.count(mark), source
