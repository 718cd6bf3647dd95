"""Each entry of the checkout holds what it is for: code in the package, data beside it, no machine paths."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA_FOLDERS = ("resources", "ui")
TEXT_SUFFIXES = {".py", ".md", ".toml", ".c", ".h", ".txt", ".qss", ".json", ".yml", ".sh", ".cfg", ".ini"}
#: Paths of the machine that something was made on, and other traces of it.
MACHINE_TRACES = re.compile(
    r"(?<![\w.~])/(?:work|root)/|/tmp/(?:brief|bash_jobs)|artifact-?registry", re.IGNORECASE
)
LEFT_OUT = {
    ".git",
    ".venv",
    ".bootstrap",
    "__pycache__",
    "build",
    "dist",
    ".hypothesis",
    ".mypy_cache",
    ".ruff_cache",
}


def files_below(folder: Path) -> list[Path]:
    """Return the files below ``folder`` without caches and environments."""
    return [
        path for path in sorted(folder.rglob("*")) if path.is_file() and not LEFT_OUT.intersection(path.parts)
    ]


def misplaced_code(root: Path) -> list[str]:
    """Return Python files among the data and data files in the package."""
    code = [
        path for name in DATA_FOLDERS for path in files_below(root / name) if path.suffix in (".py", ".pyc")
    ]
    data = [
        path
        for path in files_below(root / "zeroclaw_desktop")
        if path.suffix != ".py" and path.name != "py.typed"
    ]
    return [path.relative_to(root).as_posix() for path in code + data]


def traces(text: str) -> list[str]:
    """Return the paths of a machine that ``text`` names."""
    return [match.group(0) for match in MACHINE_TRACES.finditer(text)]


def test_data_and_code_do_not_mix() -> None:
    assert misplaced_code(ROOT) == []


def test_misplaced_files_are_found(tmp_path: Path) -> None:
    for name in (
        "resources/boards/uno.py",
        "ui/themes/style.qss",
        "zeroclaw_desktop/a.py",
        "zeroclaw_desktop/b.toml",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert misplaced_code(tmp_path) == ["resources/boards/uno.py", "zeroclaw_desktop/b.toml"]


def test_every_room_says_what_it_is_for() -> None:
    rooms = [
        path for path in (ROOT / "zeroclaw_desktop").iterdir() if path.is_dir() and any(path.glob("*.py"))
    ]
    assert [room.name for room in rooms if not (room / "__init__.py").exists()] == []


def test_no_file_names_the_machine_it_was_made_on() -> None:
    here = Path(__file__).name
    found = {
        path.relative_to(ROOT).as_posix(): traces(path.read_text(encoding="utf-8", errors="replace"))
        for path in files_below(ROOT)
        if path.suffix in TEXT_SUFFIXES and path.name != here
    }
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize("text", ["see /work/main", "/root/x", "/tmp/brief/x", "open('/work/a')"])
def test_a_trace_is_found(text: str) -> None:
    assert traces(text) != []


@pytest.mark.parametrize("text", ["network/work/x", "https://example.org/a", "tmp_path / 'x'", "the root/"])
def test_ordinary_text_has_no_trace(text: str) -> None:
    assert traces(text) == []
