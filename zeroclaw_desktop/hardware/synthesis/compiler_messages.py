"""Reads what GCC prints (``file:line:column: error: text``) into findings with lines and hints."""

from __future__ import annotations

import re
from collections.abc import Callable

from zeroclaw_desktop.contracts.boards import LocalText
from zeroclaw_desktop.contracts.synthesis import Finding, Severity, both
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.synthesis.libraries import LIBRARY_OF_HEADER, install_command

MAX_MESSAGES = 30
MAX_TEXT = 300
_MESSAGE = re.compile(
    r"^(?P<file>[^\n:]+(?::[\\/][^\n:]*)?):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<kind>fatal error|error|warning): (?P<text>.+)$",
    re.MULTILINE,
)
_UNDEFINED = re.compile(r"undefined reference to [`'](?P<name>[^`'\n]+)['`]")
_OVERFLOW = re.compile(r"region `(?P<region>\w+)' overflowed by (?P<bytes>\d+) bytes")
_OUTSIDE = re.compile(r"section `\.\w+' (?:is not within|will not fit in) region `(?P<region>\w+)'")
_NO_HEADER = re.compile(r"(?P<header>[\w./+-]+): No such file or directory")


def _library_hint(found: re.Match[str]) -> LocalText:
    header = found["header"]
    name = LIBRARY_OF_HEADER.get(header, header.rsplit(".", 1)[0])
    command = install_command(name)
    return both(f"Install the library '{name}': {command}", f"安装库“{name}”：{command}")


def _fixed(english: str, chinese: str) -> Callable[[re.Match[str]], LocalText]:
    return lambda _found: both(english, chinese)


_HINTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], LocalText]], ...] = (
    (_NO_HEADER, _library_hint),
    (
        re.compile(r"was not declared in this scope"),
        _fixed(
            "Check the spelling, upper and lower case count; declare it above its first use.",
            "请检查拼写（区分大小写），并在首次使用前声明。",
        ),
    ),
    (
        re.compile(r"expected ['‘]?;|expected ['‘]?[,)}]"),
        _fixed("A sign is missing here or at the end of the line before.", "此处或上一行末尾缺少符号。"),
    ),
    (
        re.compile(r"expected ['‘]?\}['’]? at end of input"),
        _fixed("A brace { was opened and never closed.", "有大括号 { 没有闭合。"),
    ),
    (
        re.compile(r"redefinition of|previously defined"),
        _fixed("Two things have the same name: rename one.", "两处同名：请改名。"),
    ),
)


def _hint(text: str) -> LocalText:
    for pattern, give in _HINTS:
        found = pattern.search(text)
        if found:
            return give(found)
    return {}


def read_messages(output: str, file_name: str) -> tuple[Finding, ...]:
    """Findings of the compiler and the linker, in order, each once.

    Args:
        output: of both.
        file_name: of the sketch; messages about other files have no line.
    """
    found: list[Finding] = []
    for match in _MESSAGE.finditer(output):
        own = match["file"].replace("\\", "/").rsplit("/", 1)[-1] == file_name
        severity: Severity = "warning" if match["kind"] == "warning" else "error"
        if not own and severity == "warning":
            continue
        text = visible(match["text"].strip(), MAX_TEXT)
        if not own:
            text = f"{match['file'].rsplit('/', 1)[-1]}:{match['line']}: {text}"
        line = int(match["line"]) if own else 0
        column = int(match["column"] or 0) if own else 0
        hint = _hint(text)
        code = "library_missing" if _NO_HEADER.search(text) else "compiler"
        found.append(Finding(severity, code, both(text, text), hint, line, column))
    found += _of_linker(output)
    unique = list(dict.fromkeys((f.severity, f.line, f.message["en"]) for f in found))
    first = {(f.severity, f.line, f.message["en"]): f for f in reversed(found)}
    return tuple(first[key] for key in unique[:MAX_MESSAGES])


def _of_linker(output: str) -> list[Finding]:
    found = []
    for match in _UNDEFINED.finditer(output):
        name = visible(match["name"], 80)
        message = both(f"'{name}' is used but nowhere defined.", f"“{name}”被使用但没有定义。")
        hint = both(
            "A sketch needs setup() and loop(); a library may be missing.",
            "程序需要 setup() 和 loop()；也可能缺少库。",
        )
        found.append(Finding("error", "linker", message, hint))
    for match in _OVERFLOW.finditer(output):
        found.append(too_large(match["region"], int(match["bytes"])))
    outside = _OUTSIDE.search(output)
    if outside and not _OVERFLOW.search(output):
        found.append(too_large(outside["region"], 0))
    return found


def too_large(region: str, excess: int) -> Finding:
    """The finding for a program that does not fit; ``excess`` in bytes, 0 when it is not known."""
    memory = "RAM" if region in ("data", "ram", "dram0_0_seg") else "flash"
    by_en, by_zh = (f"{excess} bytes ", f" {excess} 字节") if excess else ("", "")
    place = "内存" if memory == "RAM" else "闪存"
    message = both(f"The program is {by_en}too large for the {memory}.", f"程序超出{place}{by_zh}。")
    hint = both(
        'Keep texts in flash with F("..."), make arrays smaller, or choose a larger board.',
        '用 F("...") 把文本放入闪存，缩小数组，或换更大的板。',
    )
    return Finding("error", "too_large", message, hint)
