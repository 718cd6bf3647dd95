"""The import rules of ``pyproject.toml`` are kept, know every room, and catch planted violations."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "zeroclaw_desktop"
CONTRACTS = {
    contract["id"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
}
#: What widgets may see besides themselves: the bridge, shared words, settings' shape, and the ground floor.
OPEN_TO_WIDGETS = {"gui", "bridge", "contracts", "config", "foundation", "cli"}


def rooms() -> set[str]:
    """Return the names of the packages that hold code."""
    return {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the import rules on the tree in ``folder``."""
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [str(program), "--no-cache"], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_rules_are_kept() -> None:
    result = check(ROOT)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr


def test_every_engine_is_closed_to_widgets() -> None:
    closed = {name.split(".")[1] for name in CONTRACTS["gui-sees-bridge"]["forbidden_modules"]}
    assert closed == rooms() - OPEN_TO_WIDGETS


def test_no_rule_has_an_exception_but_the_entry_point() -> None:
    ignored = {name: contract.get("ignore_imports", []) for name, contract in CONTRACTS.items()}
    assert {name: entries for name, entries in ignored.items() if entries} == {
        "gui-sees-bridge": ["zeroclaw_desktop.gui.app -> zeroclaw_desktop.runtime.**"]
    }


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("hardware/planted.py", "import PySide6.QtCore", "Only gui and bridge may touch Qt"),
        ("execution/planted.py", "import zeroclaw_desktop.hardware.session", "Side effects go through"),
        ("foundation/planted.py", "import zeroclaw_desktop.contracts", "Rooms depend downwards only"),
        ("providers/planted.py", "import zeroclaw_desktop.sandbox", "Rooms depend downwards only"),
        ("gui/devices/planted.py", "import zeroclaw_desktop.gui.plots", "Panels are independent"),
        ("gui/widgets/planted.py", "import zeroclaw_desktop.execution", "Widgets talk to the bridge"),
        ("utils/__init__.py", "import re", "Rooms depend downwards only"),
    ],
)
def test_a_planted_violation_is_caught(module: str, line: str, contract: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "zeroclaw_desktop", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    plots = tmp_path / "zeroclaw_desktop/gui/plots/__init__.py"
    plots.parent.mkdir(exist_ok=True)
    plots.touch()
    planted = tmp_path / "zeroclaw_desktop" / module
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(line + "\n", encoding="utf-8")

    result = check(tmp_path)

    assert result.returncode != 0
    assert [text for text in result.stdout.splitlines() if contract in text and "BROKEN" in text] != []
