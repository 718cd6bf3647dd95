"""Chinese for the window (UI-2): the .ts files are whole, and the language switches without a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.bridge.translation import TranslationFileError, TsTranslator, read_translations
from zeroclaw_desktop.foundation.assets import resource_path

TS = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS><TS version="2.1" language="zh_CN"><context><name>Page</name>
<message><source>Open</source><translation>打开</translation></message>
<message><source>Later</source><translation type="unfinished"></translation></message>
<message><source>A &amp; B</source><translation>甲 &amp; 乙</translation></message>
</context><context><name>Other</name>
<message><source>Open</source><translation>开启</translation></message></context></TS>
"""


def test_entries_by_context_and_source(tmp_path: Path) -> None:
    path = tmp_path / "x.ts"
    path.write_text(TS, "utf-8")
    assert read_translations(path) == {
        ("Page", "Open"): "打开",
        ("Page", "A & B"): "甲 & 乙",
        ("Other", "Open"): "开启",
    }


@pytest.mark.parametrize("text", ["", "<TS>", "not xml", "<TS></context></TS>"])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.ts").write_text(text)
    with pytest.raises(TranslationFileError, match=r"x\.ts"):
        read_translations(tmp_path / "x.ts")


def test_every_shipped_file_is_whole_and_keeps_placeholders() -> None:
    files = sorted(resource_path("i18n/zh_CN").glob("*.ts"))
    assert files
    for path in files:
        for (_, source), text in read_translations(path).items():
            assert text, (path.name, source)
            for mark in ("%1", "%2", "%n", "{0}"):
                assert (mark in source) == (mark in text), (path.name, source)


def test_an_unknown_text_stays_as_it_is(qapp: Any) -> None:
    translator = TsTranslator({("Page", "Open"): "打开"})
    assert translator.translate("Page", "Open") == "打开"
    assert not translator.translate("Page", "Close")
    assert not translator.translate("Other", "Open")
    assert not translator.isEmpty()
    assert TsTranslator({}).isEmpty()
