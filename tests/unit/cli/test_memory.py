"""``zeroclaw memory`` as people and scripts use it (AG-12)."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.conftest import Zeroclaw


def test_add_search_edit_pin_export_forget_import(zeroclaw: Zeroclaw, tmp_path: Path) -> None:
    first = zeroclaw("memory", "add", "客厅温度传感器接在 A0", "--category", "家", "--json")
    assert (first.code, first.row["ok"]) == (0, True)
    number = str(first.row["number"])
    assert zeroclaw("memory", "add", "password=hunter2").out.startswith("Remembered")

    found = zeroclaw("memory", "search", "温度", "--json").row["memories"]
    assert [row["text"] for row in found] == ["客厅温度传感器接在 A0"]
    assert 0 < found[0]["score"] <= 1

    assert (
        zeroclaw("memory", "edit", number, "卧室湿度传感器接在 A1", "--json").row["memory"]["category"]
        == "家"
    )
    assert zeroclaw("memory", "pin", number).code == 0
    listed = zeroclaw("memory", "list", "--json").row["memories"]
    assert [(row["text"], row["pinned"]) for row in listed] == [
        ("卧室湿度传感器接在 A1", True),
        ("password=***", False),
    ]

    file = str(tmp_path / "memories.jsonl")
    assert zeroclaw("memory", "export", file, "--json").row["memories"] == 2
    assert zeroclaw("memory", "forget", "--all", "--json").row["forgotten"] == 2
    assert zeroclaw("memory", "stats", "--json").row["entries"] == 0
    assert zeroclaw("memory", "import", file, "--json").row["taken"] == 2
    assert zeroclaw("memory", "stats", "--json").row["by_category"] == {"core": 1, "家": 1}


def test_bad_use_is_told(zeroclaw: Zeroclaw) -> None:
    assert zeroclaw("memory", "forget").code == 2
    assert zeroclaw("memory", "pin", "99").code == 2
    assert zeroclaw("memory", "add", "").code == 2
    missing = zeroclaw("memory", "import", "no-such-file.jsonl", "--json")
    assert (missing.code, missing.row["code"]) == (1, "memory_file")
    assert zeroclaw("memory", "forget", "99").code == 1
