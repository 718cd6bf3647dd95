"""From an .ino file to C++, as Arduino does: Arduino.h first, prototypes before the functions.

Described in the Arduino sketch build process: https://arduino.github.io/arduino-cli/latest/sketch-build-process/
"""

from __future__ import annotations

import re

from zeroclaw_desktop.hardware.synthesis.cpp_text import CppText

_FUNCTION = re.compile(
    r"^[ \t]{0,40}((?:[A-Za-z_][\w:<>,*& \t]{0,120}?[ \t*&]{1,20})([A-Za-z_]\w{0,80})[ \t]{0,20}"
    r"\(([^;{}()]{0,500})\))[ \t\r\n]{0,40}\{",
    re.MULTILINE,
)
_NOT_TYPES = re.compile(
    r"^\s*(?:else|return|if|while|for|switch|do|new|delete|case|throw|class|struct|enum|union|namespace|typedef|template|using|static_assert)\b"
)


def prototypes(text: str) -> tuple[list[str], int]:
    """Prototypes of the functions that a sketch defines, and the line of the first of them.

    Functions with default arguments or template types are left out, as arduino-cli leaves them out.
    """
    clean = CppText(text)
    top_level = _at_top_level(clean.text)
    found: dict[str, None] = {}
    first_line = 0
    for match in _FUNCTION.finditer(clean.text):
        head = match[1]
        if not top_level[match.start(1)] or _NOT_TYPES.match(head) or "=" in match[3]:
            continue
        line_before = clean.text[max(0, match.start() - 300) : match.start()].rstrip().rsplit("\n", 1)[-1]
        if re.search(r"\boperator\b|::", head) or line_before.lstrip().startswith("template"):
            continue
        first_line = first_line or clean.line_of(match.start(1))
        line = " ".join(head.split()) + ";"
        found[line] = None  # one that the sketch declares itself may come twice in C++
    return list(found), first_line or 1


def _at_top_level(text: str) -> bytearray:
    """For each position 1 where no brace is open."""
    flags = bytearray(len(text) + 1)
    depth = 0
    for position, character in enumerate(text):
        flags[position] = depth == 0
        if character == "{":
            depth += 1
        elif character == "}":
            depth = max(0, depth - 1)
    flags[len(text)] = depth == 0
    return flags


def to_cpp(text: str, file_name: str) -> str:
    """The C++ file of a sketch; ``#line`` keeps the compiler's messages on the sketch's own lines."""
    lines, at = prototypes(text)
    rows = text.splitlines()
    head = "\n".join(rows[: at - 1])
    rest = "\n".join(rows[at - 1 :])
    declared = "\n".join(lines)
    return (
        f'#include <Arduino.h>\n#line 1 "{file_name}"\n{head}\n'
        f'#line {at} "{file_name}"\n{declared}\n#line {at} "{file_name}"\n{rest}\n'
    )
