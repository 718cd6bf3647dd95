"""Writes the lock files ``requirements/*.txt`` from ``pyproject.toml``: names, versions and hashes only.

Run ``python installer/lock.py`` after a change of the dependencies; versions that are locked already stay as
they are. ``--upgrade`` takes the newest versions that the pins allow, ``--check`` only says whether the files
agree with ``pyproject.toml``. Needs ``uv``, which the environment of ``installer/bootstrap.py`` holds.
No download address is written, so the files mean the same wherever packages are fetched from.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
LOWEST_PYTHON = "3.11"
UV_REQUIREMENT = "uv==0.13.9"
#: What an editable install needs besides the build backend itself (hatchling asks for it by a hook).
EDITABLE_REQUIREMENT = "editables==0.6"
HEADER = "# Written by installer/lock.py; names, versions and hashes only. Do not edit.\n"


@dataclass(frozen=True)
class Lock:
    """One lock file: its name, what it starts from, and whether it must agree with ``test.txt``."""

    name: str
    requirements: tuple[str, ...]
    shared: bool = True


def declared_locks(pyproject: dict[str, object]) -> list[Lock]:
    """Return the lock files that ``pyproject`` (the parsed file) asks for, the widest shared one first."""
    project = pyproject["project"]
    build = pyproject["build-system"]
    assert isinstance(project, dict)
    assert isinstance(build, dict)
    core = tuple(project["dependencies"])
    extras: dict[str, list[str]] = project["optional-dependencies"]
    return [
        Lock("test", core + tuple(extras["gui"]) + tuple(extras["test"])),
        Lock("gui", core + tuple(extras["gui"])),
        Lock("core", core),
        Lock("build", (*build["requires"], EDITABLE_REQUIREMENT)),
        Lock("installer", (UV_REQUIREMENT,), shared=False),
        Lock("models", tuple(extras["models"]), shared=False),
    ]


def compile_lock(lock: Lock, *, folder: Path, previous: Path, upgrade: bool) -> str:
    """Resolve ``lock`` for every platform and return the text of its file.

    Args:
        lock: what to resolve.
        folder: where the files written so far stand; the shared locks follow its ``test.txt``.
        previous: the file whose versions are kept where they still fit.
        upgrade: take newer versions.

    Raises:
        SystemExit: uv is missing or the requirements cannot be resolved; uv's own words are shown.
    """
    source = folder / f"{lock.name}.in"
    source.write_text("\n".join(lock.requirements) + "\n", encoding="utf-8")
    target = folder / f"{lock.name}.txt"
    if previous.exists() and not upgrade:
        shutil.copyfile(previous, target)
    command = [*uv_command(), "pip", "compile", str(source), "--output-file", str(target), "--quiet"]
    command += ["--universal", "--python-version", LOWEST_PYTHON, "--generate-hashes", "--no-header"]
    command += ["--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    if lock.shared and lock.name != "test":
        command += ["--constraint", str(folder / "test.txt")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"The lock '{lock.name}' could not be resolved:\n{done.stderr.strip()}")
    return HEADER + strip_addresses(target.read_text(encoding="utf-8"))


def strip_addresses(text: str) -> str:
    """Return ``text`` without comments and index options, the two places where an address could stand."""
    unwanted = re.compile(r"\s*(#|-i\b|--index|--extra-index|--find)")
    kept = [line for line in text.splitlines() if not unwanted.match(line)]
    return "\n".join(kept).strip() + "\n"


def uv_command() -> list[str]:
    """Return the command that starts uv: the one of this environment, else the one on PATH."""
    beside = Path(sys.executable).with_name("uv.exe" if sys.platform == "win32" else "uv")
    found = str(beside) if beside.exists() else shutil.which("uv")
    if not found:
        raise SystemExit(f"uv was not found. Install it first: python -m pip install {UV_REQUIREMENT}")
    return [found]


def main() -> int:
    """Write or check the lock files; returns the exit code (1: they differ)."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--upgrade", action="store_true", help="take newer versions")
    parser.add_argument("--check", action="store_true", help="only exit 1 when a file is out of date")
    arguments = parser.parse_args()
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    stale = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for lock in declared_locks(pyproject):
            target = REQUIREMENTS / f"{lock.name}.txt"
            text = compile_lock(lock, folder=folder, previous=target, upgrade=arguments.upgrade)
            if not target.exists() or target.read_text(encoding="utf-8") != text:
                stale.append(lock.name)
                if not arguments.check:
                    target.write_text(text, encoding="utf-8")
    verb = "differ from pyproject.toml" if arguments.check else "written"
    print(f"Locks {verb}: {', '.join(stale)}." if stale else "Every lock agrees with pyproject.toml.")
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
