"""What the code imports is declared, what is declared is used, and the locks hold hashed versions only."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture.source_rules import imported_names

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]
CORE: list[str] = PYPROJECT["project"]["dependencies"]
OPTIONAL = EXTRAS["models"] + EXTRAS["raspberry-pi"] + EXTRAS["parquet"]
LOCK_NAMES = ["build", "core", "gui", "installer", "models", "test"]
#: Distributions whose import has another name.
IMPORT_NAMES = {
    "arro3-core": "arro3",
    "arro3-io": "arro3",
    "pyserial": "serial",
    "pyside6-essentials": "PySide6",
    "pytest-qt": "pytestqt",
    "pyyaml": "yaml",
}
#: Used as a program or by another library, not by an import in the product.
NOT_IMPORTED = {
    "qtawesome": "its icon fonts are found without importing it",
    "esptool": "a child process, because it is GPL",
    "mpremote": "a child process, so that it can be cancelled",
    "stm32loader": "a child process, because it is GPL",
}
#: Parts of PySide6 that are distributions of their own.
BELONGS_TO = {"shiboken6": "PySide6"}
HASHED = re.compile(
    r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[^\s;]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+"
)


def canonical(requirement: str) -> str:
    """Return the normalised project name of a requirement (PEP 503)."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match.group(0)).lower()


def pins(requirements: Iterable[str]) -> dict[str, str]:
    """Return the version that each of ``requirements`` asks for exactly; an empty string for none."""
    found = {}
    for requirement in requirements:
        match = re.search(r"==([^\s;]+)", requirement)
        found[canonical(requirement)] = match.group(1) if match else ""
    return found


def foreign_imports(folder: Path) -> dict[str, str]:
    """Return the top-level names of third parties that ``folder`` imports, each with one place."""
    found = {}
    for path in folder.rglob("*.py"):
        for name, line in imported_names(ast.parse(path.read_text(encoding="utf-8"))):
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names and top != "zeroclaw_desktop":
                found.setdefault(top, f"{path.relative_to(folder)}:{line}")
    return found


def undeclared(imports: dict[str, str], requirements: Iterable[str]) -> list[str]:
    """Return the ``imports`` that no requirement brings directly."""
    declared = {IMPORT_NAMES.get(canonical(name), canonical(name).replace("-", "_")) for name in requirements}
    return [
        f"{place}: {name}" for name, place in imports.items() if BELONGS_TO.get(name, name) not in declared
    ]


def lock_faults(text: str) -> list[str]:
    """Return what a lock file's text holds besides its first line and hashed, exact requirements."""
    head, _, body = text.partition("\n")
    faults = [] if head.startswith("# Written by installer/lock.py") else ["the first line is not ours"]
    rest = HASHED.sub("", body).strip()
    if rest:
        faults.append(f"not a hashed requirement: {rest.splitlines()[0]}")
    if "://" in text:
        faults.append("an address")
    return faults


def lock_text(name: str) -> str:
    """Return the text of the lock file ``name``."""
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def locked(name: str) -> dict[str, str]:
    """Return the versions in the lock file ``name`` by project."""
    return pins(line for line in lock_text(name).splitlines() if "==" in line)


def test_every_import_of_the_product_is_declared() -> None:
    assert undeclared(foreign_imports(ROOT / "zeroclaw_desktop"), CORE + EXTRAS["gui"] + OPTIONAL) == []


def test_rooms_below_the_window_need_no_dependency_of_the_window() -> None:
    rooms = [path for path in (ROOT / "zeroclaw_desktop").iterdir() if path.name not in ("gui", "bridge")]
    imports = {
        name: place for room in rooms if room.is_dir() for name, place in foreign_imports(room).items()
    }
    assert undeclared(imports, CORE + OPTIONAL) == []


def test_an_undeclared_import_is_found() -> None:
    assert undeclared({"requests": "agent/turn.py:3", "serial": "a.py:1"}, ["pyserial==3.5"]) == [
        "agent/turn.py:3: requests"
    ]


def test_every_dependency_is_used() -> None:
    used = foreign_imports(ROOT / "zeroclaw_desktop")
    declared = [canonical(name) for name in CORE + EXTRAS["gui"]]
    idle = [
        name for name in declared if IMPORT_NAMES.get(name, name) not in used and name not in NOT_IMPORTED
    ]
    assert idle == []


def test_every_import_of_the_tests_is_declared() -> None:
    everything = [*CORE, *EXTRAS["gui"], *EXTRAS["test"], *PYPROJECT["build-system"]["requires"]]
    own = {"tests", "benchmarks", "installer", "bootstrap_steps", "bootstrap", "lock", "wheel_data", "build"}
    own |= {"machine", "zc_board", "zc_commands"}  # modules of a board with MicroPython
    imports = {name: place for name, place in foreign_imports(ROOT / "tests").items() if name not in own}
    assert undeclared(imports, everything) == []


def test_every_direct_dependency_is_pinned_exactly() -> None:
    every = [
        *CORE,
        *(name for names in EXTRAS.values() for name in names),
        *PYPROJECT["build-system"]["requires"],
    ]
    assert [name for name, version in pins(every).items() if not version] == []


@pytest.mark.parametrize("name", LOCK_NAMES)
def test_a_lock_holds_hashed_requirements_only(name: str) -> None:
    assert lock_faults(lock_text(name)) == []


def test_no_other_lock_lies_beside_them() -> None:
    assert sorted(path.name for path in (ROOT / "requirements").iterdir()) == [
        f"{name}.txt" for name in LOCK_NAMES
    ]


@pytest.mark.parametrize(
    ("name", "requirements"),
    [
        ("core", CORE),
        ("gui", CORE + EXTRAS["gui"]),
        ("test", CORE + EXTRAS["gui"] + EXTRAS["test"]),
        ("models", EXTRAS["models"]),
        ("build", PYPROJECT["build-system"]["requires"]),
    ],
)
def test_a_lock_agrees_with_the_declared_versions(name: str, requirements: list[str]) -> None:
    versions = locked(name)
    assert {project: versions.get(project) for project in pins(requirements)} == pins(requirements)


def test_the_locks_of_one_environment_agree_with_each_other() -> None:
    widest = locked("test")
    for name in ("core", "gui"):
        assert {project: widest.get(project) for project in locked(name)} == locked(name)
    shared = locked("build").keys() & widest.keys()
    assert {project: widest[project] for project in shared} == {
        project: locked("build")[project] for project in shared
    }


def test_the_model_library_stays_out_of_the_window() -> None:
    assert "litellm" not in locked("test")
    assert locked("models")["litellm"] == "1.110.2"


def test_qt_stays_below_the_version_that_aborts_python_3_11() -> None:
    major, minor = (int(part) for part in locked("gui")["pyside6-essentials"].split(".")[:2])
    assert (major, minor) < (6, 12)


HEAD = "# Written by installer/lock.py\n"
ONE = "numpy==2.4.6 \\\n    --hash=sha256:" + "0" * 64 + "\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "numpy==2.4.6\n",
        HEAD + "numpy>=2 \\\n    --hash=sha256:" + "0" * 64 + "\n",
        HEAD + "--index-url https://example.org/simple\n" + ONE,
        HEAD + ONE + "# via pyqtgraph\n",
        HEAD + "numpy @ https://example.org/numpy.whl \\\n    --hash=sha256:" + "0" * 64 + "\n",
        ONE,
    ],
)
def test_a_faulty_lock_is_found(text: str) -> None:
    assert lock_faults(HEAD + ONE) == []
    assert lock_faults(text) != []
