"""Builds a sketch with arduino-cli (GPL, a child process), whose JSON says what came of it.

Fields: arduino-cli command reference, ``compile --json`` (``success``, ``compiler_out``, ``compiler_err``,
``builder_result.executable_sections_size``, ``builder_result.diagnostics``).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.contracts.synthesis import BuildReport, Finding, MemoryUse, both
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.methods.arduino_cli import (
    ARDUINO_CLI,
    full_name,
    install_command,
)
from zeroclaw_desktop.hardware.flashing.tools import find_tool
from zeroclaw_desktop.hardware.synthesis.compiler_messages import read_messages
from zeroclaw_desktop.hardware.synthesis.errors import BuildError

COMPILE_SECONDS = 600.0
"""A core of ESP32 takes minutes the first time."""
MAX_LOG = 20_000
MAX_JSON = 60_000
_CORE_MISSING = re.compile(
    r"platform not installed|platform \S+ is not installed|not found: platform|unknown fqbn", re.I
)
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "avr": (".hex",),
    "rp2040": (".uf2",),
    "esp32": (".merged.bin", ".bin"),
    "esp8266": (".bin",),
    "stm32": (".bin", ".hex"),
}
"""What the core of an architecture makes, best for flashing first."""
_FLASH_NAMES, _RAM_NAMES = ("text", "program"), ("data", "ram")


def find_arduino_cli() -> str:
    """Path of arduino-cli; '' when it is not on the search path."""
    try:
        return find_tool(ARDUINO_CLI).argv[0]
    except FlashError:
        return ""


async def build_with_arduino_cli(
    program: str, sketch: str, file_name: str, board: BoardProfile, runner: ChildRunner, root: Path
) -> BuildReport:
    """Compile a sketch; a cancel ends arduino-cli with its compilers.

    Args:
        program: path of arduino-cli.
        file_name: of the sketch, ASCII.
        root: folder for the work, with a plain path.

    Raises:
        BuildError: ``core_missing``, ``build_timeout`` or ``build_failed`` when its answer cannot be read.
    """
    started = time.monotonic()
    stem = Path(file_name).stem
    work = Path(tempfile.mkdtemp(dir=root, prefix="cli-"))
    folder, made = work / stem, work / "made"
    try:
        folder.mkdir()
        (folder / file_name).write_text(sketch, encoding="utf-8")
        answer_file = bytearray()
        ended = await runner.run(
            [
                program, "compile", "--json", "--no-color", "--warnings", "more",
                "--fqbn", full_name(board) if "arduino-cli" in board.flash.options else board.fqbn,
                "--build-path", str(work / "build"),
                "--output-dir", str(made),
                str(folder),
            ],
            timeout=COMPILE_SECONDS,
            environment={"LC_ALL": "C"},
            on_output=answer_file.extend,
        )  # fmt: skip
        if ended.timed_out:
            raise BuildError(
                f"arduino-cli did not end within {COMPILE_SECONDS:g} s.",
                code="build_timeout",
                details={"seconds": f"{COMPILE_SECONDS:g}"},
            )
        answer = _answer(answer_file.decode("utf-8", "replace"))
        good = ended.returncode == 0 and bool(answer.get("success"))
        _complain_of_core(answer, board, good)
        image = _image(made, board, root, stem) if good else ""
        return _report(answer, good, image, file_name, time.monotonic() - started)
    finally:
        await asyncio.to_thread(shutil.rmtree, work, ignore_errors=True)


def _answer(output: str) -> Mapping[str, Any]:
    """The JSON document; text may stand before it."""
    start = output.find("{")
    try:
        found = json.loads(output[start:]) if start >= 0 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, Mapping):
        raise BuildError(
            "The answer of arduino-cli could not be read.",
            hint="Update arduino-cli to version 1.0 or later.",
            code="build_failed",
            details={"output": output[-MAX_LOG:]},
        )
    return found


def _complain_of_core(answer: Mapping[str, Any], board: BoardProfile, good: bool) -> None:
    error = str(answer.get("error", ""))
    if good or not _CORE_MISSING.search(error):
        return
    install = install_command(board.fqbn)
    raise BuildError(
        f"arduino-cli has no core for the {board.name} yet.",
        hint=f"Install it: {install}",
        code="compiler_missing",
        details={"board": board.name, "install": install},
    )


def _image(made: Path, board: BoardProfile, root: Path, stem: str) -> str:
    """The file to flash, kept; '' when the core made none that we know."""
    architecture = board.fqbn.split(":")[1]
    for ending in _ENDINGS.get(architecture, (".hex", ".bin", ".uf2")):
        source = made / f"{stem}.ino{ending}"
        if source.is_file():
            digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
            folder = root / "firmware"
            folder.mkdir(exist_ok=True)
            place = folder / f"{stem}-{digest}{ending}"
            os.replace(source, place)
            return str(place)
    return ""


def _report(answer: Mapping[str, Any], good: bool, image: str, file_name: str, seconds: float) -> BuildReport:
    result = answer.get("builder_result")
    result = result if isinstance(result, Mapping) else {}
    log = "\n".join(str(answer.get(key, "")) for key in ("compiler_out", "compiler_err", "error")).strip()
    findings = list(read_messages(str(answer.get("compiler_err", "")), file_name))
    if not findings:
        findings = _diagnostics(result, file_name)
    if not good and not any(finding.severity == "error" for finding in findings):
        reason = str(answer.get("error", "")) or "arduino-cli failed"
        findings.append(Finding("error", "compiler", both(reason, reason)))
    sizes = result.get("executable_sections_size")
    rows = [row for row in sizes if isinstance(row, Mapping)] if isinstance(sizes, list) else []
    return BuildReport(
        good and bool(image),
        "arduino-cli",
        seconds,
        image,
        _memory(rows, _FLASH_NAMES),
        _memory(rows, _RAM_NAMES),
        tuple(findings),
        log=log[-MAX_LOG:],
    )


def _memory(rows: list[Mapping[str, Any]], names: tuple[str, ...]) -> MemoryUse | None:
    for row in rows:
        used, limit = row.get("size"), row.get("max_size", row.get("maxSize", 0))
        if row.get("name") in names and isinstance(used, int) and isinstance(limit, int):
            return MemoryUse(used, limit)
    return None


def _diagnostics(result: Mapping[str, Any], file_name: str) -> list[Finding]:
    found = []
    rows = result.get("diagnostics")
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, Mapping):
            continue
        text = str(row.get("message", ""))
        own = str(row.get("file", "")).endswith(file_name)
        line, column = row.get("line", 0), row.get("column", 0)
        found.append(
            Finding(
                "warning" if str(row.get("severity", "")).upper() == "WARNING" else "error",
                "compiler",
                both(text, text),
                line=line if own and isinstance(line, int) else 0,
                column=column if own and isinstance(column, int) else 0,
            )
        )
    return found
