"""The surface forms of tool protocols: what opens a block, what closes it, what is read from it.

A tag is named as it stands between ``<`` and ``>`` in lower case, with a leading ``/`` for end tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["call", "thinking", "result", "document", "mark"]


@dataclass(frozen=True)
class Form:
    """One kind of block.

    Attributes:
        dialect: name in results.
        role: ``call``: tool protocol. ``thinking``: goes to the side. ``result``: the model plays the tool;
            never shown. ``document``: quoted material, shown, never read. ``mark``: the end of a message.
        closers: tags that end it.
        literal_closers: the same for forms without tags.
        fence: ends at a line with a fence as well.
        open_ended: the end of the answer ends it properly.
        mention: words may follow the tag without it being a call, because the tag was only named.
        whole: counts only when nothing else stands in the answer.
    """

    dialect: str
    role: Role = "call"
    closers: frozenset[str] = field(default_factory=frozenset)
    literal_closers: tuple[str, ...] = ()
    fence: bool = False
    open_ended: bool = False
    mention: bool = False
    whole: bool = False


_ALIASES = (
    "tool_call", "tool_calls", "toolcall", "tool-call", "minimax:tool_call", "minimax:toolcall",
    "function_call",
)  # fmt: skip
_ALIAS_ENDS = frozenset(f"/{name}" for name in _ALIASES)
_TAGGED = Form("tool_call", closers=_ALIAS_ENDS, mention=True)
_INVOKE = Form("invoke", closers=frozenset({"/invoke"}) | _ALIAS_ENDS, mention=True)
_THINKING = ("think", "thinking", "thought")
_RESULTS = ("tool_result", "tool_results", "tool_response", "tool_output", "function_results")
_DOCUMENTS = ("file_content", "file_contents", "document", "document_content", "documents")
_MARKS = (
    "eom", "|eom|", "|eom_id|", "|eot_id|", "|im_end|", "|endoftext|", "｜end▁of▁sentence｜", "|end|",
)  # fmt: skip

TAGS: Mapping[str, Form] = {
    **dict.fromkeys(_ALIASES, _TAGGED),
    "minimax:tool_call": Form("minimax", closers=_ALIAS_ENDS, mention=True),
    "minimax:toolcall": Form("minimax", closers=_ALIAS_ENDS, mention=True),
    "function_calls": Form("invoke", closers=frozenset({"/function_calls"}), mention=True),
    "｜dsml｜function_calls": Form("dsml", closers=frozenset({"/｜dsml｜function_calls"})),
    "invoke": _INVOKE,
    "tools": Form("tools", closers=frozenset({"/tools"}), mention=True, whole=True),
    "function": Form("qwen", closers=frozenset({"/function"}), mention=True),
    "functioncall": Form("function_call", closers=frozenset({"/functioncall"}), mention=True),
    "｜tool▁calls▁begin｜": Form("deepseek", closers=frozenset({"｜tool▁calls▁end｜"})),
    "｜tool▁call▁begin｜": Form("deepseek", closers=frozenset({"｜tool▁call▁end｜"})),
    "|tool_calls_section_begin|": Form("kimi", closers=frozenset({"|tool_calls_section_end|"})),
    "|python_tag|": Form("llama", closers=frozenset({"|eom_id|", "|eot_id|", "|eom|"}), open_ended=True),
    **{name: Form("thinking", "thinking", frozenset({f"/{name}"})) for name in _THINKING},
    **{name: Form("result", "result", frozenset({f"/{name}"})) for name in _RESULTS},
    **{name: Form("document", "document", frozenset({f"/{name}"})) for name in _DOCUMENTS},
    **dict.fromkeys(_MARKS, Form("mark", "mark")),
    # End tags that lost their beginning.
    **dict.fromkeys((*_ALIAS_ENDS, *(f"/{name}" for name in _THINKING)), Form("mark", "mark")),
}
WITH_EQUALS = "function"
"""The one tag whose name stands behind ``=``; without it it is ordinary XML."""

FENCES: Mapping[str, Form] = {
    name: Form("fence", closers=_ALIAS_ENDS, fence=True)
    for name in ("tool_call", "tool-call", "toolcall", "tool_calls", "invoke")
}
NAMED_FENCE = Form("fence", fence=True)
"""A fence with ``tool NAME`` behind it."""

LITERALS: Mapping[str, Form] = {
    "[TOOL_CALLS]": Form("mistral", open_ended=True, mention=True),
    "[TOOL_CALL]": Form("perl", literal_closers=("[/TOOL_CALL]",), mention=True),
}
LINE_LITERAL = "TOOL_CALL"
"""Only at the beginning of a line and before a brace."""
LINE_FORM = Form("perl", literal_closers=("/TOOL_CALL",))
WHOLE_FORM = Form("json", whole=True)
"""The whole answer is one bare call."""


def prefixes(names: Mapping[str, Form]) -> frozenset[str]:
    """Every beginning of a name, the name itself included."""
    return frozenset(name[:length] for name in names for length in range(len(name) + 1))


TAG_PREFIXES = prefixes(TAGS)
LITERAL_PREFIXES = prefixes(LITERALS)
