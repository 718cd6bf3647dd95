"""The two commands of the README: ``python3 installer/bootstrap.py run`` and ``... test`` (also ``setup``).

This file only finds a Python that is new enough and hands over to ``bootstrap_steps``. It avoids everything
that an old Python cannot read (no f-strings, no ``from __future__ import annotations``), so that a person
with one gets a sentence instead of a syntax error.
"""

import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
NEWEST = (3, 14)
EXIT_NO_PYTHON = 5
CANDIDATES = ["python3.13", "python3.12", "python3.11", "python3.14", "python3", "python"]
PROBE = "import sys; print('%d.%d' % sys.version_info[:2])"


def suits(version: tuple) -> bool:  # type: ignore[type-arg]  # a subscript is unreadable to Python 3.8
    """Return whether the packages of the lock files are made for the Python ``version`` (major, minor)."""
    return OLDEST <= tuple(version[:2]) <= NEWEST


def find_suitable_python() -> list:  # type: ignore[type-arg]
    """Return the command of a Python on PATH that suits, or an empty list.

    Each candidate is started and asked, since a name on PATH may be a stub that runs nothing.
    """
    paths = [shutil.which(name) for name in CANDIDATES]
    commands = [[path] for path in paths if path]
    if sys.platform == "win32" and shutil.which("py"):
        commands = [["py", "-3.13"], ["py", "-3.12"], ["py", "-3.11"], ["py", "-3.14"], *commands]
    for command in commands:
        try:
            answer = subprocess.check_output([*command, "-c", PROBE], stderr=subprocess.DEVNULL, timeout=20)
            version = tuple(int(part) for part in answer.decode("ascii").split("."))
        except (OSError, subprocess.SubprocessError, ValueError):
            continue
        if suits(version):
            return command
    return []


def main() -> int:
    """Run the bootstrap under a suitable Python and return its exit code."""
    if suits(sys.version_info):
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        from bootstrap_steps.command import main as run_steps

        return run_steps(sys.argv[1:])
    command = find_suitable_python()
    if command:
        return subprocess.call([*command, os.path.abspath(__file__), *sys.argv[1:]])
    sys.stderr.write(
        "ZeroClaw Desktop needs Python {0}.{1} to {2}.{3}; this is Python {4}.{5} and PATH has no other.\n"
        "What to do: install one and start the same command again. Debian/Ubuntu: apt install python3\n"
        "python3-venv; macOS: brew install python@3.13; Windows: winget install Python.Python.3.13\n".format(
            OLDEST[0], OLDEST[1], NEWEST[0], NEWEST[1], sys.version_info[0], sys.version_info[1]
        )
    )
    return EXIT_NO_PYTHON


if __name__ == "__main__":
    sys.exit(main())
