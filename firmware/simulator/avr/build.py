"""Compiles the ATmega328P core to ``firmware/prebuilt/avr.wasm``.

Usage: ``python firmware/simulator/avr/build.py [output]``. The compiler is the one in the ``ziglang``
package; the same version gives the same bytes. BUILT.md records version, size and sha256; a build
to the default place renews it.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DEFAULT_OUTPUT = FOLDER.parent.parent / "prebuilt" / "avr.wasm"
FLAGS = [
    "-target", "wasm32-freestanding", "-std=c11", "-O2", "-flto", "-nostdlib", "-fno-ident",
    "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wno-sign-conversion", "-ffreestanding",
    "-Wl,--no-entry", "-Wl,--strip-all", "-Wl,-z,stack-size=16384",
]  # fmt: skip


def sources() -> list[Path]:
    """Return the C files of the core in a fixed order."""
    return sorted(FOLDER.glob("*.c"))


def build(output: Path) -> str:
    """Compile and link; return the sha256 of the module as hex. Raises CalledProcessError when zig fails."""
    names = [source.name for source in sources()]
    subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", *FLAGS, *names, "-o", str(output.resolve())],
        cwd=FOLDER, check=True,
    )  # fmt: skip
    return hashlib.sha256(output.read_bytes()).hexdigest()


def compiler_version() -> str:
    """Return the version of the zig compiler."""
    command = [sys.executable, "-m", "ziglang", "version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def record(digest: str, size: int) -> None:
    """Write version, sha256 and size (bytes) into the table of BUILT.md."""
    note = FOLDER / "BUILT.md"
    text = note.read_text()
    for label, value in (("ziglang", compiler_version()), ("sha256", digest), ("size", f"{size} bytes")):
        text = re.sub(rf"^\| {label} \| .* \|$", f"| {label} | {value} |", text, flags=re.MULTILINE)
    note.write_text(text)


def main() -> None:
    """Build to the place given on the command line, or to the shipped one."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUTPUT
    digest, size = build(target), target.stat().st_size
    if target == DEFAULT_OUTPUT:
        record(digest, size)
    print(digest, size, "bytes")


if __name__ == "__main__":
    main()
