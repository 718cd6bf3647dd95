"""Answers of models as a fuzz target (AG-4, AG-5).

The first bytes choose the model and the size of the pieces; of the rest each byte below 128 is a character
and each other one a piece of a tool protocol. Promises: no error; cut into pieces or whole, the result is the
same; nothing of the answer is lost; a call names a known tool and fits its schema; a fault has words.
"""

from __future__ import annotations

from tests.fuzz.byte_source import ByteSource
from tests.helpers.agent_tools import TOOLS
from tests.helpers.toolcall_pieces import PIECES
from zeroclaw_desktop.agent.stream_guard.guard import StreamGuard, gather, parse_answer
from zeroclaw_desktop.agent.stream_guard.scanner import Scanner
from zeroclaw_desktop.agent.toolcalls.model import ParsedAnswer
from zeroclaw_desktop.agent.toolcalls.retry_message import retry_message
from zeroclaw_desktop.agent.toolcalls.schema_fit import fit_arguments


def toolcall_text(data: bytes) -> None:
    """One answer in pieces of one size and whole."""
    source = ByteSource(data)
    native, cut_off, size = source.flag(), source.flag(), source.integer(1, 40)
    text = "".join(PIECES[byte % len(PIECES)] if byte > 127 else chr(byte) for byte in data[4:])
    check_answer(text, [size] * len(text), native=native, cut_off=cut_off)


def check_answer(text: str, sizes: list[int], *, native: bool = False, cut_off: bool = False) -> ParsedAnswer:
    """Raise AssertionError when a promise is broken.

    Args:
        sizes: of the pieces; the last piece takes the rest.
    """
    whole = parse_answer(text, TOOLS, native_tools=native, cut_off=cut_off)
    guard = StreamGuard(TOOLS, native_tools=native)
    scanner = Scanner(whole_calls=not native)
    events, segments, at = [], [], 0
    for size in [*sizes, len(text)]:
        events += guard.feed(text[at : at + size])
        segments += scanner.feed(text[at : at + size])
        at += size
    answer = gather([*events, *guard.close(cut_off=cut_off)])
    segments += scanner.close(cut_off=cut_off)
    if answer != whole:
        raise AssertionError(f"pieces give {answer}, the whole gives {whole}")
    if "".join(segment.raw for segment in segments) != text:
        raise AssertionError("the segments are not the answer")
    _check_calls(whole)
    return whole


def _check_calls(answer: ParsedAnswer) -> None:
    ids = [parsed.call.call_id for parsed in answer.calls]
    if len(set(ids)) != len(ids) or "" in ids:
        raise AssertionError("ids are missing or double")
    for parsed in answer.calls:
        spec = TOOLS.specs[parsed.call.name]
        fit = fit_arguments(spec.parameters, parsed.call.arguments)
        if fit.faults or fit.changes or fit.arguments != parsed.call.arguments:
            raise AssertionError(f"{parsed} does not fit its schema")
    if answer.malformed and not 0 < len(retry_message(answer.malformed, 1)) < 5000:
        raise AssertionError("no words, or too many, for the model")
    if not all(fault.reason.strip() for fault in answer.malformed):
        raise AssertionError("a fault without a reason")
