"""Pythonic calls (Llama 3.2 and 4): ``[f(a='x', n=1), g()]``; values are literals, nothing is evaluated."""

from __future__ import annotations

import ast
import math
import re
import warnings
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_calls import Found
from zeroclaw_desktop.agent.toolcalls.limits import MAX_CALLS, MAX_DEPTH, MAX_WHOLE_CHARS
from zeroclaw_desktop.agent.toolcalls.model import RawCall, RawFault

_HEAD = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]{0,99}\s*\(")
_STRING_OR_BRACKET = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|[()\[\]{}]|[-+~]{65}", re.DOTALL)
_NAMES = {"true": True, "false": False, "null": None, "none": None}


class _NotLiteralError(ValueError):
    """A value that would have to be computed."""


def looks_pythonic(text: str) -> bool:
    """Whether a text begins like a call in Python."""
    return _HEAD.match(text) is not None


def python_calls(text: str, dialect: str = "pythonic") -> Found:
    """The calls of a list of calls, or of one call."""
    text = text.strip()
    if len(text) > MAX_WHOLE_CHARS:
        return [RawFault("too_large", "The call is too long.", dialect)]
    if not _shallow(text):
        return [RawFault("too_deep", f"nested more than {MAX_DEPTH} levels deep", dialect)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # escapes that Python does not have
            body = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        code = "truncated" if text.count("(") > text.count(")") else "syntax"
        return [RawFault(code, "The calls are no valid Python list of calls.", dialect)]
    nodes = body.elts if isinstance(body, ast.List) else [body]
    return [_call(node, dialect) for node in nodes[: MAX_CALLS + 1]]


def _shallow(text: str) -> bool:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        mark = token[0]
        if mark in "([{":
            depth += 1
            if depth > MAX_DEPTH:
                return False
        elif mark in ")]}":
            depth -= 1
        elif mark[0] in "-+~":
            return False
    return True


def _call(node: ast.expr, dialect: str) -> RawCall | RawFault:
    if not isinstance(node, ast.Call):
        return RawFault("syntax", "The list must contain calls only, like f(a=1).", dialect)
    name = _dotted(node.func)
    if not name:
        return RawFault("no_name", "A call begins with the name of a tool.", dialect)
    if node.args:
        reason = "Every argument needs its name: f(pin=13), not f(13)."
        return RawFault("arguments", reason, dialect, name)
    row: dict[str, Any] = {}
    try:
        for keyword in node.keywords:
            if keyword.arg is None:
                raise _NotLiteralError
            row[keyword.arg] = _literal(keyword.value)
    except (_NotLiteralError, ValueError, RecursionError):
        reason = "Arguments must be finished values (numbers, texts, lists), nothing that is computed."
        return RawFault("arguments", reason, dialect, name)
    return RawCall(name, row, dialect)


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {_key(key): _literal(value) for key, value in zip(node.keys, node.values, strict=True)}
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _literal(node.operand)
        if type(value) in (int, float):
            return -value
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        if isinstance(node.value, float) and not math.isfinite(node.value):
            raise _NotLiteralError
        return node.value
    raise _NotLiteralError


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise _NotLiteralError
