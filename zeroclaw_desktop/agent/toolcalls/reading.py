"""From a block to raw calls: each form has its reader, told apart by how the body begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from zeroclaw_desktop.agent.toolcalls.forms import Form
from zeroclaw_desktop.agent.toolcalls.json_calls import Found, calls_of, is_envelope, json_calls, read_values
from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, decode
from zeroclaw_desktop.agent.toolcalls.marker_calls import (
    deepseek_calls,
    kimi_calls,
    llama_calls,
    mistral_calls,
)
from zeroclaw_desktop.agent.toolcalls.markup_calls import (
    attributes_of,
    function_call,
    invoke_call,
    markup_calls,
)
from zeroclaw_desktop.agent.toolcalls.model import RawFault
from zeroclaw_desktop.agent.toolcalls.python_calls import looks_pythonic, python_calls
from zeroclaw_desktop.agent.toolcalls.short_calls import code_call, perl_calls, short_calls

Ending = Literal["closed", "open", "cut_off", "too_large"]

_CALL_TRACE = re.compile(r"[{\[｛<]|\w>|=>")
_NAME_KEY = re.compile(r"[\"'“](?:name|tool_calls)[\"'”]\s*[:：]")
_WRITTEN_NAME = re.compile(r"[\"'“]name[\"'”]\s*[:：]\s*[\"'“]([^\"'”]{1,100})[\"'”]")
_ARGUMENTS_KEY = re.compile(r"[\"'“](?:arguments|parameters)[\"'”]")
_MISTRAL_START = re.compile(r"\s*(?:[\[{［｛]|[\w.\-]{1,100}(?:\[CALL_ID\]\w*)?(?:\[ARGS\])?\s*(?:[{｛]|\Z))")
_MENTION_CHARS = 40
"""Longest words between a tag and its end (``<tool_call> and </tool_call>``) that are no attempt to call."""
_SLASH_JSON = re.compile(r"\s*[A-Za-z_][\w.\-]{0,99}/\{")


@dataclass(frozen=True)
class Block:
    """A block that was found in an answer.

    Attributes:
        opening: the opening tag, fence line or word as written.
        body: what stands between opening and end.
        raw: everything as written, the end included.
        ending: ``closed`` by its end, ``open`` when the answer ended before that, ``cut_off`` when it
            also was not meant to end there, ``too_large``.
        inline: words stand before it on its line.
    """

    form: Form
    opening: str
    body: str
    raw: str
    ending: Ending
    inline: bool = False


def is_mention(block: Block) -> bool:
    """Whether a block only names its tag: nothing in it begins a call."""
    if block.ending == "closed":
        short = block.inline and block.form.mention and len(block.body) <= _MENTION_CHARS
        return short and "=" not in block.opening and not _CALL_TRACE.search(block.body)
    if block.form.dialect == "mistral":
        return not _MISTRAL_START.match(block.body)
    if block.form.open_ended:
        return False
    if block.form.whole:
        return block.form.dialect == "tools" or not _begins_json_call(block.body)
    return "=" not in block.opening and not _CALL_TRACE.search(block.body)


def _begins_json_call(text: str) -> bool:
    if looks_pythonic(text):
        return True
    named = _NAME_KEY.search(text)
    return named is not None and _ARGUMENTS_KEY.search(text) is not None


def read_block(block: Block) -> tuple[Found, str]:
    """The calls of a block.

    Returns:
        The calls in order (none when it turns out to be no protocol), and text that followed them.
    """
    dialect = block.form.dialect
    if block.ending == "too_large":
        return [RawFault("too_large", "The call is too long; write less at once.", dialect)], ""
    if block.form.whole:
        return (_tools_block(block) if dialect == "tools" else _whole(block)), ""
    if dialect == "mistral":
        found, end = mistral_calls(block.body)
        tail = block.body[end:]
    else:
        found, tail = _read_closed(block), ""
    if block.ending == "cut_off" or (block.ending == "open" and not _ends_properly(block, found)):
        name = found[0].name if len(found) == 1 else ""
        reason = "The answer ended inside the call; nothing of it was done. Write the whole call again."
        return [RawFault("truncated", reason, dialect, name)], ""
    return found, tail


def _ends_properly(block: Block, found: Found) -> bool:
    """Whether only the end is missing: whole valid JSON cannot be the half of something."""
    if block.form.open_ended:
        return True
    try:
        decode(_unfenced(block.body))
    except JsonFaultError:
        return False
    return bool(found) and not any(isinstance(row, RawFault) for row in found)


def _unfenced(body: str) -> str:
    text = body.strip()
    if text.startswith(("```", "~~~")) and "\n" in text:
        text = text[text.index("\n") :].rstrip("`~ \t\r\n")
    return text


def _read_closed(block: Block) -> Found:
    form, body = block.form, block.body
    attributes = block.opening[1:-1].strip("/") if block.opening.startswith("<") else ""
    if form.dialect == "kimi":
        return kimi_calls(body)
    if form.dialect == "deepseek":
        return deepseek_calls(body if "▁calls▁" in block.opening else block.raw)
    if form.dialect == "llama":
        return llama_calls(body)
    if form.dialect == "perl":
        return perl_calls(body)
    if form.dialect == "qwen":
        return [function_call(attributes.partition("=")[2].strip("\"' "), body, form.dialect)]
    if form.dialect == "function_call" and "<code>" in body:
        return code_call(body)
    named = attributes_of(attributes).get("name", "")
    if named and form.dialect == "invoke" and "<invoke" in block.opening:
        return [invoke_call(attributes, body, form.dialect)]
    if named:
        return json_calls(body, form.dialect, name=named)
    if form.fence:
        named = re.sub(r"\A[`~\s]*tool\s+", "", block.opening.strip()) if " " in block.opening.strip() else ""
        return json_calls(body, "fence", name=named)
    return _tagged(body, form.dialect)


def _tagged(body: str, dialect: str) -> Found:
    """What stands between tags: JSON, markup, Python or a short form, told apart by its first characters."""
    first = body.lstrip()[:1]
    if first in ("{", "｛", "`") or not first:
        return json_calls(body, dialect)
    if first in ("[", "［"):
        return python_calls(body, dialect) if looks_pythonic(body) else json_calls(body, dialect)
    found = markup_calls(body, dialect) if "<" in body else None
    if found is None and ">" in body:
        found = short_calls(body, dialect)
    if found is None and _SLASH_JSON.match(body):
        found = short_calls(body, dialect)
    return json_calls(body, dialect) if found is None else found


def _tools_block(block: Block) -> Found:
    """``<tools>`` also holds declarations: only exactly one canonical call in it is one."""
    if block.ending != "closed":
        return []
    try:
        row = decode(block.body)
    except JsonFaultError:
        return []
    if not isinstance(row, dict) or set(row) - {"id"} != {"name", "arguments"} or not is_envelope(row):
        return []
    return calls_of(row, "tools")


def _whole(block: Block) -> Found:
    """The whole answer as bare JSON or Python; nothing when it has not exactly the shape of calls."""
    body = _unfenced(block.body)
    if looks_pythonic(body):
        found = python_calls(body)
        if block.ending == "closed":
            return found
        name = body.strip(" [\n").partition("(")[0].strip()
        return [RawFault("truncated", "The call is cut off; write it again whole.", "pythonic", name)]
    try:
        values = read_values(body)
    except JsonFaultError as error:
        if not _begins_json_call(body):
            return []
        named = _WRITTEN_NAME.search(body)
        name = named[1] if named else ""
        return [RawFault(error.code, f"The call is not readable: {error.reason}.", "json", name)]
    if not all(is_envelope(value) for value, _repairs in values):
        return []
    return [
        replace(found, dialect="openai" if isinstance(value, dict) and "tool_calls" in value else "json")
        for value, repairs in values
        for found in calls_of(value, "json", repairs)
    ]


def envelope_content(block: Block) -> str | None:
    """The words in an OpenAI envelope that is the whole answer; None when it is no such envelope."""
    try:
        row = decode(_unfenced(block.body))
    except JsonFaultError:
        return None
    if isinstance(row, dict) and is_envelope(row) and isinstance(row.get("tool_calls"), list):
        content = row.get("content")
        return content if isinstance(content, str) else ""
    return None
