"""Finds what a MicroPython program does with pins and modules, by its syntax tree.

The tree is that of this Python; what MicroPython lacks of it (match, positional-only parameters) is said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.synthesis import Finding, both
from zeroclaw_desktop.hardware.synthesis.pin_uses import PinUse

BUILT_IN = frozenset(
    [
        "array",
        "asyncio",
        "binascii",
        "bluetooth",
        "btree",
        "builtins",
        "cmath",
        "collections",
        "cryptolib",
        "deflate",
        "errno",
        "esp",
        "esp32",
        "framebuf",
        "gc",
        "hashlib",
        "heapq",
        "io",
        "json",
        "lwip",
        "machine",
        "math",
        "micropython",
        "network",
        "ntptime",
        "openamp",
        "os",
        "platform",
        "pyb",
        "random",
        "re",
        "requests",
        "rp2",
        "select",
        "socket",
        "ssl",
        "stm",
        "struct",
        "sys",
        "time",
        "uasyncio",
        "ubinascii",
        "ucollections",
        "uctypes",
        "uhashlib",
        "uio",
        "ujson",
        "uos",
        "urandom",
        "ure",
        "uselect",
        "usocket",
        "ustruct",
        "usys",
        "utime",
        "vfs",
        "websocket",
        "zephyr",
        "_thread",
    ]
)
"""Modules that come with MicroPython (its documentation, "MicroPython libraries")."""
WITH_DRIVERS = frozenset({"dht", "ds18x20", "neopixel", "onewire", "apa106", "umqtt"})
"""Frozen into the images for ESP8266, ESP32 and RP2040 (manifests of the ports)."""
ON_STM32 = frozenset({"dht", "onewire"})
_CALLS = {"PWM": "pwm", "ADC": "analog", "NeoPixel": "output", "DHT11": "pull_up", "DHT22": "pull_up"}
_BUSES = ("I2C", "SoftI2C")
_NOT_THERE = (ast.Match,)


def known_modules(board: BoardProfile) -> frozenset[str]:
    """Modules that the image for a board has."""
    return BUILT_IN | (ON_STM32 if board.chip.startswith("STM32") else WITH_DRIVERS)


class MicropythonProgram:
    """One program and the board that it is for.

    Raises:
        SyntaxError: it is no Python.
    """

    def __init__(self, text: str, board: BoardProfile) -> None:
        self._tree = ast.parse(text)
        self._board = board
        self._constants = self._find_constants()
        self.computed_lines: list[int] = []

    def modules(self) -> list[tuple[str, int]]:
        """Top-level names of imported modules with their lines."""
        found = []
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Import):
                found += [(alias.name.split(".")[0], node.lineno) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                found.append((node.module.split(".")[0], node.lineno))
        return found

    def beyond_micropython(self) -> Iterator[Finding]:
        """Syntax of this Python that MicroPython does not have."""
        for node in ast.walk(self._tree):
            lacking = isinstance(node, _NOT_THERE) or (
                isinstance(node, ast.FunctionDef) and bool(node.args.posonlyargs)
            )
            if lacking:
                yield Finding(
                    "error",
                    "syntax",
                    both("MicroPython does not have this syntax.", "MicroPython 不支持此语法。"),
                    line=getattr(node, "lineno", 0),
                )

    def uses(self) -> list[PinUse]:
        """Every use of a pin that can be told without running it."""
        calls = [node for node in ast.walk(self._tree) if isinstance(node, ast.Call)]
        # A Pin(...) that is handed to another class is that class's use of it.
        inner = {
            id(part)
            for call in calls
            if _name(call.func) in (*_CALLS, *_BUSES)
            for part in (*call.args, *(keyword.value for keyword in call.keywords))
        }
        return [use for call in calls if id(call) not in inner for use in self._of_call(call)]

    def _find_constants(self) -> dict[str, str]:
        found: dict[str, str] = {}
        counts: dict[str, int] = {}
        for node in ast.walk(self._tree):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AugAssign | ast.AnnAssign):
                targets = [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    counts[target.id] = counts.get(target.id, 0) + 1
                    value = node.value if isinstance(node, ast.Assign) else None
                    said = _literal(value)
                    if said is not None:
                        found[target.id] = said
        return {name: said for name, said in found.items() if counts[name] == 1}

    def _said(self, node: ast.expr | None) -> tuple[str, str] | None:
        """The pin of an expression and the name of its constant; None when only running tells."""
        literal = _literal(node)
        if literal is not None:
            return literal, ""
        if isinstance(node, ast.Name) and node.id in self._constants:
            return self._constants[node.id], node.id
        if isinstance(node, ast.Call) and _name(node.func) == "Pin" and node.args:
            return self._said(node.args[0])
        return None

    def _of_call(self, node: ast.Call) -> Iterator[PinUse]:
        name = _name(node.func)
        if name == "Pin" and node.args:
            yield from self._use(node.args[0], self._mode(node), node.lineno)
        elif name == "ADC" and node.args and self._board.chip == "ESP8266" and _literal(node.args[0]) == "0":
            yield PinUse("A0", "analog", node.lineno)  # its only channel
        elif name in _CALLS and node.args:
            yield from self._use(node.args[0], _CALLS[name], node.lineno)
        elif name in _BUSES:
            for keyword in node.keywords:
                if keyword.arg in ("sda", "scl"):
                    yield from self._use(keyword.value, "output", node.lineno, "I2C")

    @staticmethod
    def _mode(node: ast.Call) -> str:
        words = [ast.unparse(argument) for argument in (*node.args[1:], *(k.value for k in node.keywords))]
        if any(word.endswith((".OUT", ".OPEN_DRAIN")) for word in words):
            return "output"
        return "pull_up" if any(word.endswith(".PULL_UP") for word in words) else "input"

    def _use(self, node: ast.expr, capability: str, line: int, bus: str = "") -> Iterator[PinUse]:
        said = self._said(node)
        if said is None:
            self.computed_lines.append(line)
        elif said[0] not in ("LED", "SW"):
            yield PinUse(said[0], capability, line, said[1], bus)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr | None) -> str | None:
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | str)
        and not isinstance(node.value, bool)
    ):
        return str(node.value)
    if isinstance(node, ast.Call) and _name(node.func) == "const" and node.args:
        return _literal(node.args[0])
    return None
