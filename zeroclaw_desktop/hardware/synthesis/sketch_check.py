"""The check of a sketch before anything is compiled: pins, buses, timers, libraries, syntax."""

from __future__ import annotations

from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.synthesis import Dialect, Finding, LibraryNeed, both
from zeroclaw_desktop.hardware.synthesis.arduino_check import ArduinoSketch
from zeroclaw_desktop.hardware.synthesis.libraries import library_need, missing_hint
from zeroclaw_desktop.hardware.synthesis.micropython_check import MicropythonProgram, known_modules
from zeroclaw_desktop.hardware.synthesis.pin_uses import check_uses

MAX_FINDINGS = 50


@dataclass(frozen=True)
class Checked:
    """What a check found."""

    findings: tuple[Finding, ...]
    libraries: tuple[LibraryNeed, ...] = ()


def check_sketch(text: str, dialect: Dialect, board: BoardProfile) -> Checked:
    """Look at a sketch without running or compiling it. Rust is not looked into."""
    if not text.strip():
        message = both("The sketch is empty.", "程序为空。")
        return Checked((Finding("error", "empty", message),))
    if dialect == "micropython":
        return _check_micropython(text, board)
    if dialect == "arduino":
        return _check_arduino(text, board)
    message = both(
        "Pins in Rust sources are not checked; those that were planned are in its constants.",
        "不检查 Rust 源码中的引脚；规划的引脚写在常量里。",
    )
    return Checked((Finding("note", "rust_unchecked", message),))


def _computed(lines: list[int]) -> list[Finding]:
    if not lines:
        return []
    message = both(
        "This pin is known only when the sketch runs; it is not checked.",
        "此引脚在运行时才能确定，未作检查。",
    )
    return [Finding("note", "pin_computed", message, line=lines[0])]


def _check_arduino(text: str, board: BoardProfile) -> Checked:
    sketch = ArduinoSketch(text, board)
    findings = [*sketch.foreign_files(), *check_uses(sketch.uses(), board)]
    libraries: list[LibraryNeed] = []
    for header, line in sketch.includes():
        need = library_need(header, board)
        if need is None or need.name in {known.name for known in libraries}:
            continue
        libraries.append(need)
        if need.present is False:
            message = both(
                f"The library '{need.name}' ({header}) is not installed.",
                f"没有安装库“{need.name}”（{header}）。",
            )
            findings.append(Finding("error", "library_missing", message, missing_hint(need), line=line))
    findings += _computed(sketch.computed_lines)
    return Checked(tuple(findings[:MAX_FINDINGS]), tuple(libraries))


def _check_micropython(text: str, board: BoardProfile) -> Checked:
    try:
        program = MicropythonProgram(text, board)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", 0) or 0
        reason = str(getattr(error, "msg", "") or error)
        message = both(f"This is no Python: {reason}.", f"不是有效的 Python：{reason}。")
        return Checked((Finding("error", "syntax", message, line=line),))
    findings = [*program.beyond_micropython(), *check_uses(program.uses(), board)]
    libraries: list[LibraryNeed] = []
    for name, line in program.modules():
        if name in known_modules(board) or name in {known.name for known in libraries}:
            continue
        need = LibraryNeed(name, None, f"mpremote mip install {name}")
        libraries.append(need)
        message = both(
            f"The module '{name}' does not come with MicroPython for this board.",
            f"这块板的 MicroPython 不含模块“{name}”。",
        )
        hint = both(f"Install it: {need.install}", f"安装：{need.install}")
        findings.append(Finding("warning", "library_missing", message, hint, line=line))
    findings += _computed(program.computed_lines)
    return Checked(tuple(findings[:MAX_FINDINGS]), tuple(libraries))
