"""``zeroclaw tools``: the programs for flashing, for people in both languages and for scripts (HW-7)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.flash_bench import stand_in
from tests.unit.cli.conftest import Zeroclaw

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")


@pytest.fixture
def one_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search path with nothing but an avrdude on it."""
    program = stand_in(tmp_path / "bin", "avrdude", "echo 'avrdude version 7.1'")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return program


def test_what_is_there_and_what_is_not(zeroclaw: Zeroclaw, one_tool: Path) -> None:
    ended = zeroclaw("tools")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].split() == ["avrdude", "7.1", str(one_tool)]
    place = lines.index(next(line for line in lines if line.startswith("openocd")))
    assert lines[place].split() == ["openocd", "missing"]
    assert any(line.startswith("  install: ") and "openocd" in line for line in lines[place : place + 4])


def test_in_chinese(zeroclaw: Zeroclaw, one_tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = zeroclaw("tools", "--language", "zh").out
    assert "未安装" in chosen
    assert "安装：" in chosen
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert zeroclaw("tools").out == chosen


def test_as_json(zeroclaw: Zeroclaw, one_tool: Path) -> None:
    rows = {row["name"]: row for row in zeroclaw("tools", "--json").row["tools"]}
    assert rows["avrdude"] | {"boards": []} == {
        "name": "avrdude",
        "found": True,
        "path": str(one_tool),
        "version": "7.1",
        "purpose": rows["avrdude"]["purpose"],
        "install": rows["avrdude"]["install"],
        "way": "avrdude",
        "boards": [],
    }
    assert "Arduino Uno" in rows["avrdude"]["boards"]
    assert rows["dfu-util"]["found"] is False
