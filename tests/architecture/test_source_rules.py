"""The product's source keeps the house rules, and each rule catches a planted violation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture import source_rules as rules

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "zeroclaw_desktop"
Rule = Callable[[str, str], list[str]]


def sources(folder: Path) -> dict[str, str]:
    """Return the text of each module in ``folder`` by its path within it."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def violations(rule: Rule, modules: dict[str, str]) -> list[str]:
    """Return what ``rule`` finds in all of ``modules``."""
    return [sentence for path, text in modules.items() for sentence in rule(path, text)]


@pytest.mark.parametrize(
    "rule",
    [
        rules.confinement_violations,
        rules.size_violations,
        rules.naming_violations,
        rules.docstring_violations,
        rules.broad_except_violations,
    ],
    ids=lambda rule: rule.__name__,
)
def test_the_package_keeps_the_rule(rule: Rule) -> None:
    assert violations(rule, sources(PACKAGE)) == []


def test_the_window_states_no_colour_outside_the_palette() -> None:
    window = {path: text for path, text in sources(PACKAGE).items() if path.startswith("gui/")}
    assert violations(rules.colour_violations, window) == []


def test_the_installer_keeps_the_house_numbers() -> None:
    modules = sources(ROOT / "installer")
    found = violations(rules.size_violations, modules) + violations(rules.docstring_violations, modules)
    assert found == []


def test_no_exception_of_the_broad_catches_is_out_of_date() -> None:
    """The list may only shrink: a file on it must exist."""
    assert [path for path in rules.BROAD_EXCEPT_ALLOWED if not (PACKAGE / path).exists()] == []


GOOD = '"""For something."""\n\nfrom __future__ import annotations\n'


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("gui/devices/page.py", "import serial"),
        ("execution/handlers/pins.py", "import serial.tools.list_ports"),
        ("agent/turn.py", "from litellm import completion"),
        ("agent/turn.py", "import sqlite3"),
        ("config/loader.py", "import keyring"),
        ("hardware/flashing/methods/avrdude.py", "import subprocess"),
        ("hardware/flashing/methods/avrdude.py", "import asyncio\nasyncio.create_subprocess_exec('avrdude')"),
        ("runtime/start.py", "import os\nos.system('ls')"),
        ("runtime/start.py", "import os\nos.execv('/bin/ls', ['ls'])"),
        ("hardware/session.py", "from PySide6.QtCore import QTimer"),
        ("runtime/start.py", "import importlib\nimportlib.import_module('PySide6.QtCore')"),
        ("gui/devices/page.py", "QProcess.startDetached('ls')"),
        ("execution/executor.py", "import wasmtime"),
        ("providers/offline/speech.py", "import multiprocessing"),
    ],
)
def test_confinement_catches(path: str, line: str) -> None:
    assert len(rules.confinement_violations(path, GOOD + line)) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("hardware/transport/serial_port.py", "import serial"),
        ("sandbox/process.py", "import subprocess\nsubprocess.Popen([])"),
        ("hardware/simulator/avr_machine.py", "import wasmtime"),
        ("gui/app.py", "import qasync"),
        ("hardware/session.py", "import serialisation"),
    ],
)
def test_confinement_lets_the_owner_through(path: str, line: str) -> None:
    assert rules.confinement_violations(path, GOOD + line) == []


def test_size_catches_a_long_module_and_a_long_function() -> None:
    long_function = "def f():\n" + "    x = 1\n" * 80
    assert len(rules.size_violations("a/b.py", GOOD + long_function)) == 1
    assert len(rules.size_violations("a/b.py", GOOD + "x = 1\n" * 500)) == 1
    assert rules.size_violations("a/b.py", GOOD + "def f():\n" + "    x = 1\n" * 79) == []


def test_naming_catches_vague_names_and_missing_lines() -> None:
    assert len(rules.naming_violations("gui/utils.py", GOOD)) == 1
    assert len(rules.naming_violations("common/dates.py", GOOD)) == 1
    assert len(rules.naming_violations("gui/dates.py", "from __future__ import annotations\n")) == 1
    assert len(rules.naming_violations("gui/dates.py", '"""For dates."""\nimport os\n')) == 1
    assert rules.naming_violations("gui/session_manager.py", GOOD) == []


def test_docstring_rule_catches_public_names_only() -> None:
    source = "class Shown:\n    def told(self): ...\n    def _own(self): ...\n    def paintEvent(self): ...\n"
    assert len(rules.docstring_violations("a.py", GOOD + source)) == 2


@pytest.mark.parametrize(
    "what", ["except Exception:", "except (OSError, Exception):", "except BaseException as e:", "except:"]
)
def test_broad_except_is_caught(what: str) -> None:
    source = f"try:\n    x = 1\n{what}\n    x = 2\n"
    assert len(rules.broad_except_violations("agent/turn.py", source)) == 1
    assert rules.broad_except_violations("bus/event_bus.py", source) == []


def test_broad_except_that_passes_the_fault_on_is_no_violation() -> None:
    source = "try:\n    x = 1\nexcept BaseException:\n    x = 2\n    raise\n"
    assert rules.broad_except_violations("agent/turn.py", source) == []


@pytest.mark.parametrize(
    "line", ["c = '#ff8800'", "c = '#fff'", "c = 'color: rgba(1, 2, 3, 0.5)'", "c = QColor(1, 2, 3)"]
)
def test_colour_rule_catches(line: str) -> None:
    assert len(rules.colour_violations("gui/page.py", GOOD + line)) == 1


@pytest.mark.parametrize("line", ["c = 'pin #3x'", "c = QColor(name)", "c = palette.accent"])
def test_colour_rule_lets_names_through(line: str) -> None:
    assert rules.colour_violations("gui/page.py", GOOD + line) == []
