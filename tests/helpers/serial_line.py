"""Lets programs that insist on modem lines and parity work on a pseudo terminal."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


def missing_tools() -> str:
    """What is missing, and how to get it; '' when all is there."""
    if not sys.platform.startswith("linux"):
        return "loads a library into a program, as Linux does"
    return "" if shutil.which("cc") else "needs a C compiler (Debian: apt install gcc libc6-dev)"


def build_line(folder: Path) -> Path:
    """Compile the library; set LD_PRELOAD to it for the programs of a test."""
    library = folder / "serial_line.so"
    command = ["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return library
