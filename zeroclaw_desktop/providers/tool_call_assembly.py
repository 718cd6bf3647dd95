"""Puts the calls of an answer together from their pieces; what is not whole is told as broken."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.contracts.chat import ToolCall, ToolCallBroken, ToolCallRequested

TRUNCATED = "the answer was cut off inside the arguments of this call"


@dataclass
class _Slot:
    call_id: str
    name: str
    arguments: str = ""


class CallAssembly:
    """The calls of one answer, in the order in which they began."""

    def __init__(self) -> None:
        self._slots: list[_Slot] = []
        self._by_index: dict[int, int] = {}

    def add(self, index: int, call_id: str, name: str, arguments: str) -> int:
        """Take a piece; returns which call of the answer it belongs to.

        Some servers give every call the index 0: another id under an index that is taken begins another call.
        """
        position = self._by_index.get(index)
        if position is None or (call_id and self._slots[position].call_id not in ("", call_id)):
            position = len(self._slots)
            self._slots.append(_Slot(call_id, name))
            self._by_index[index] = position
        slot = self._slots[position]
        slot.call_id = slot.call_id or call_id
        slot.name = slot.name or name
        slot.arguments += arguments
        return position

    def finish(self, *, cut: bool) -> list[ToolCallRequested | ToolCallBroken]:
        """The calls; ids that are missing or used twice are replaced.

        Args:
            cut: whether the answer ended at its limit, so that the last call may lack its end.
        """
        used: set[str] = set()
        calls: list[ToolCallRequested | ToolCallBroken] = []
        for number, slot in enumerate(self._slots):
            call_id = (
                slot.call_id if slot.call_id and slot.call_id not in used else f"call_{uuid.uuid4().hex}"
            )
            used.add(call_id)
            arguments, fault = read_arguments(slot.arguments)
            if cut and number == len(self._slots) - 1:
                fault = TRUNCATED
            if not slot.name:
                fault = "the call has no name"
            if fault:
                calls.append(ToolCallBroken(call_id, slot.name, slot.arguments, fault))
            else:
                calls.append(ToolCallRequested(ToolCall(call_id, slot.name, arguments)))
        return calls


def read_arguments(text: str) -> tuple[dict[str, Any], str]:
    """The arguments of a call and what is wrong with them ('' when nothing is); strict JSON, no NaN."""

    def refuse(word: str) -> float:
        raise ValueError(f"{word} is no number")

    if not text.strip():
        return {}, ""
    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        return {}, f"the arguments are no valid JSON: {error}"
    if not isinstance(value, dict):
        return {}, f"the arguments are a {type(value).__name__}, not an object"
    return value, ""
