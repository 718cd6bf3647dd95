"""Forms that older models fell back to: Perl-like blocks, ``shell>ls`` of GLM, ``<FunctionCall>``."""

from __future__ import annotations

import re
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_calls import Found, json_calls
from zeroclaw_desktop.agent.toolcalls.model import RawCall, RawFault

ONLY_VALUE = ""
"""Key of a value whose name was left out."""

_PERL_TOOL = re.compile(r"\{?\s*tool\s*=>\s*[\"']([^\"'\n]{1,100})[\"']\s*,?\s*")
_PERL_ARGS = re.compile(r"args\s*=>\s*\{")
_PERL_PAIR = re.compile(
    r"\s*(?:--([\w\-]{1,64})(?:\s*=\s*|\s+)|[\"']?([\w\-]{1,64})[\"']?\s*(?:=>|:)\s*)"
    r"(?:\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|([^\s,;}\"'{\[]+))\s*[,;]?",
    re.DOTALL,
)
_PERL_END = re.compile(r"[\s}]*\Z")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_SHORT = re.compile(r"\s*([A-Za-z_][\w.\-]{0,99})(?:/([A-Za-z_][\w\-]{0,63}))?>(.*)\Z", re.DOTALL)
_SHORT_JSON = re.compile(r"\s*([A-Za-z_][\w.\-]{0,99})/(?=\{)")
_YAML_LINE = re.compile(r"([A-Za-z_][\w\-]{0,63}):[ \t]+(\S.*)")
_FUNCTION_CALL = re.compile(r"\s*([A-Za-z_][\w.\-]{0,99})\s*<code>(.*)</code>\s*\Z", re.DOTALL)


def perl_calls(body: str) -> Found:
    """``{tool => "shell", args => {--command "ls" }}``."""
    tool = _PERL_TOOL.search(body)
    if tool is None:
        return json_calls(body, "perl")
    opened = _PERL_ARGS.match(body, tool.end())
    if opened is None:
        if _PERL_END.match(body, tool.end()):
            return [RawCall(tool[1], None, "perl")]
        return [RawFault("syntax", "After the tool 'args => {' was expected.", "perl", tool[1])]
    row: dict[str, Any] = {}
    at = opened.end()
    while pair := _PERL_PAIR.match(body, at):
        key = pair[1] or pair[2]
        if key in row:
            return [RawFault("duplicate_key", f"'{key}' is given twice.", "perl", tool[1])]
        quoted = pair[3] if pair[3] is not None else pair[4]
        row[key] = _unescaped(quoted) if quoted is not None else pair[5]
        at = pair.end()
    if not _PERL_END.match(body, at) or "}" not in body[at:]:
        code = "syntax" if "}" in body[at:] else "truncated"
        return [RawFault(code, "The arguments of the call cannot be read.", "perl", tool[1])]
    return [RawCall(tool[1], row, "perl")]


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def short_calls(body: str, dialect: str) -> Found | None:
    """GLM's ``tool>value``, ``tool/param>value``, ``tool/{json}``, lines of ``name: value``; else None."""
    with_json = _SHORT_JSON.match(body)
    if with_json is not None:
        found = json_calls(body[with_json.end() :], dialect, name=with_json[1])
        return [_short(call) for call in found]
    short = _SHORT.match(body)
    if short is None:
        return None
    name, key, value = short[1], short[2] or ONLY_VALUE, short[3].strip()
    lines = value.split("\n")
    pairs = [_YAML_LINE.fullmatch(line.strip()) for line in lines]
    row: dict[str, Any] = {key: value} if value else {}
    if short[2] is None and short[3].startswith("\n") and all(pairs):
        row = {pair[1]: pair[2] for pair in pairs if pair is not None}
        if len(row) != len(lines):
            return [RawFault("duplicate_key", "A parameter is given twice.", dialect, name)]
    return [RawCall(name, row, dialect, short_form=True)]


def _short(found: RawCall | RawFault) -> RawCall | RawFault:
    if isinstance(found, RawFault):
        return found
    return RawCall(found.name, found.arguments, found.dialect, repairs=found.repairs, short_form=True)


def code_call(body: str) -> Found:
    """``<FunctionCall>name<code>key>value</code></FunctionCall>``."""
    found = _FUNCTION_CALL.match(body)
    if found is None:
        return json_calls(body, "function_call")
    row: dict[str, Any] = {}
    for line in found[2].strip().split("\n"):
        key, mark, value = line.strip().partition(">")
        if not mark or key in row:
            return [RawFault("syntax", "Each line must be name>value.", "function_call", found[1])]
        row[key] = value
    return [RawCall(found[1], row, "function_call", short_form=True)]
