"""What is read out of an answer: raw calls, then calls that fit a tool, or faults with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.contracts.chat import ToolCall


@dataclass(frozen=True)
class RawCall:
    """A call as written, before anybody looked whether there is such a tool.

    Attributes:
        arguments: an object, a text that still has to be read, or None for none.
        call_id: what the model gave; '' for nothing.
        repairs: what had to be mended to read it.
        short_form: written in a form that leaves out names (``shell>ls``); never enough to move something.
    """

    name: str
    arguments: Any
    dialect: str
    call_id: str = ""
    repairs: tuple[str, ...] = ()
    short_form: bool = False


@dataclass(frozen=True)
class RawFault:
    """Something that was meant as a call and cannot be read.

    Attributes:
        code: ``syntax``, ``truncated``, ``too_large``, ``no_name``, ``unknown_tool``, ``arguments`` ...
        reason: what is wrong and what to write instead, English, for the model.
        name: the tool that was meant, where that can be told.
    """

    code: str
    reason: str
    dialect: str
    name: str = ""


@dataclass(frozen=True)
class ParsedCall:
    """A call that fits a known tool and its schema; nothing is said yet about whether it is allowed.

    Attributes:
        dialect: how it was written (``tool_call``, ``mistral`` ...).
        repairs: what was mended, for the approval card and the receipt.
    """

    call: ToolCall
    dialect: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class MalformedCall:
    """A call that must not be carried out.

    Attributes:
        code: see RawFault.
        reason: for the model.
        suggestions: names that were perhaps meant.
        length: characters of what was written.
    """

    code: str
    reason: str
    dialect: str
    name: str = ""
    suggestions: tuple[str, ...] = ()
    length: int = 0

    @property
    def log_line(self) -> str:
        """For the log: nothing that the model could have written."""
        return f"malformed tool call: {self.code} ({self.dialect}, {self.length} characters)"


@dataclass(frozen=True)
class IgnoredCall:
    """Something written like a call that is none: an example, or a place that calls do not come from.

    Attributes:
        reason: English.
    """

    reason: str
    dialect: str
    length: int


@dataclass(frozen=True)
class ParsedAnswer:
    """A whole answer taken apart.

    Attributes:
        text: what the person sees.
        thinking: what the model thought; never shown as answer, never searched for calls.
    """

    text: str
    thinking: str
    calls: tuple[ParsedCall, ...]
    malformed: tuple[MalformedCall, ...]
    ignored: tuple[IgnoredCall, ...]

    def as_row(self) -> Mapping[str, Any]:
        """The same as data for JSON."""
        return {
            "text": self.text,
            "thinking": self.thinking,
            "calls": [
                {
                    "id": parsed.call.call_id,
                    "name": parsed.call.name,
                    "arguments": dict(parsed.call.arguments),
                    "dialect": parsed.dialect,
                    "repairs": list(parsed.repairs),
                }
                for parsed in self.calls
            ],
            "malformed": [
                {
                    "name": fault.name,
                    "code": fault.code,
                    "reason": fault.reason,
                    "dialect": fault.dialect,
                    "suggestions": list(fault.suggestions),
                }
                for fault in self.malformed
            ],
            "ignored": [
                {"reason": row.reason, "dialect": row.dialect, "length": row.length} for row in self.ignored
            ],
        }
