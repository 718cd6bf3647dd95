"""MicroPython programs are not compiled: their syntax is checked and the file is kept for flashing."""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
import tempfile
import time
from pathlib import Path

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.contracts.synthesis import BuildReport, Finding, both
from zeroclaw_desktop.foundation.text import visible

CHECK_SECONDS = 20.0
_MESSAGE = re.compile(r"line (\d+)(?:, in <module>)?\s*\n\s*(\w*Error: .*)")


async def build_micropython(program: str, file_name: str, runner: ChildRunner, root: Path) -> BuildReport:
    """Check a program with mpy-cross where it is installed, and keep it.

    Args:
        file_name: of the program, ASCII.
        root: folder for the work, with a plain path.
    """
    started = time.monotonic()
    checker = shutil.which("mpy-cross")
    findings: list[Finding] = []
    log = ""
    if checker:
        work = Path(tempfile.mkdtemp(dir=root, prefix="mpy-"))
        try:
            source = work / file_name
            source.write_text(program, encoding="utf-8")
            ended = await runner.run(
                [checker, "-o", str(work / "out.mpy"), str(source)], timeout=CHECK_SECONDS
            )
            log = ended.tail
            if ended.returncode != 0:
                found = _MESSAGE.search(log)
                text = visible(found[2] if found else log.strip()[-200:], 300)
                line = int(found[1]) if found else 0
                findings.append(Finding("error", "syntax", both(text, text), line=line))
        finally:
            await asyncio.to_thread(shutil.rmtree, work, ignore_errors=True)
    good = not findings
    place = ""
    if good:
        digest = hashlib.sha256(program.encode()).hexdigest()[:12]
        folder = root / "firmware"
        folder.mkdir(exist_ok=True)
        path = folder / f"{Path(file_name).stem}-{digest}.py"
        path.write_text(program, encoding="utf-8")
        place = str(path)
    tool = "mpy-cross" if checker else "micropython"
    return BuildReport(
        good, tool, time.monotonic() - started, place, findings=tuple(findings), checked_only=True, log=log
    )
