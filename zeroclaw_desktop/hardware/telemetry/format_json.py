"""JSON lines: telemetry events of our firmware, protocol messages, and any object that holds numbers.

Protocol messages follow the line protocol of the boards: a reply has ``id``, an unsolicited event has
``evt``. In any other object each number becomes a series: nested objects give dotted names, lists give the
index as last part, ``null`` is a gap; strings and booleans are not values and are ignored.
"""

from __future__ import annotations

import json
import math
import re

from zeroclaw_desktop.hardware.telemetry.device_time import clock_position, clock_scale, take_device_time
from zeroclaw_desktop.hardware.telemetry.number_text import finite_or_gap
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine, Sample

MAX_DEPTH = 8
MAX_LIST_ITEMS = 64
MAX_LABEL_LENGTH = 96
_REPLY_KEYS = frozenset({"ok", "result", "error", "cmd"})
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?')
_BARE_GAP = re.compile(r"([:\[,]\s*)[+-]?(?:nan|inf|ovf)(?=\s*[,\]}])", re.IGNORECASE)


def parse_json(text: str) -> ParsedLine | None:
    """Read a line that begins with a brace.

    Returns:
        The parsed line; None when the text is no JSON object or an object without any number.
    """
    document = _load(text)
    if not isinstance(document, dict):
        return None
    if "evt" in document:
        return _event(document, text)
    if "id" in document:
        if _REPLY_KEYS & document.keys():
            return ParsedLine("firmware", (), is_protocol=True)
        document = {key: value for key, value in document.items() if key != "id"}
        return ParsedLine("json", _samples(document), is_protocol=True)
    found = _numbers(document)
    if not found:
        return None
    clock = clock_position(found)
    return ParsedLine(
        "json",
        take_device_time(found),
        number_spans=_spans(text, [sample.value for sample in found]),
        clock_position=clock,
        clock_scale=clock_scale(found, clock),
    )


def _spans(text: str, values: list[float]) -> tuple[tuple[int, int], ...]:
    """Return where the numbers of an object stand; empty unless they are exactly ``values`` in order.

    A key that comes twice, a gap, or a number at a place that is not read make a difference.
    """
    found = [token.span() for token in _TOKEN.finditer(text) if token[0][0] != '"']
    if len(found) != len(values):
        return ()
    same = all(
        math.isfinite(value) and finite_or_gap(float(text[start:end])) == value
        for (start, end), value in zip(found, values, strict=True)
    )
    return tuple(found) if same else ()


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except RecursionError:
        return None
    except ValueError:
        mended = _BARE_GAP.sub(r"\1null", text)
    if mended == text:
        return None
    try:
        return json.loads(mended)
    except (ValueError, RecursionError):
        return None


def _event(document: dict[str, object], text: str) -> ParsedLine:
    event = document["evt"]
    name = event if isinstance(event, str) else ""
    is_protocol = name != "telemetry"
    label, unit = document.get("signal"), document.get("unit")
    has_value, value = _number(document.get("value", False))
    if not isinstance(label, str) or not label or not has_value:
        return ParsedLine("firmware", (), is_protocol=True, event=name)
    has_time, device_time = _number(document.get("t", False))
    sample = Sample(
        label[:MAX_LABEL_LENGTH],
        value,
        unit if isinstance(unit, str) else "",
        device_time if has_time and math.isfinite(device_time) else None,
    )
    if is_protocol:
        return ParsedLine("firmware", (sample,), is_protocol=True, event=name)
    numbers = [key for key in document if key in ("value", "t") and _number(document[key])[0]]
    return ParsedLine(
        "firmware",
        (sample,),
        event=name,
        number_spans=_spans(text, [_number(document[key])[1] for key in numbers]),
        clock_position=numbers.index("t") if sample.device_time_ms is not None else -1,
    )


def _number(value: object) -> tuple[bool, float]:
    if value is None:
        return True, math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False, math.nan
    return True, finite_or_gap(value)


def _samples(document: dict[str, object]) -> tuple[Sample, ...]:
    return take_device_time(_numbers(document))


def _numbers(document: dict[str, object]) -> list[Sample]:
    found: list[Sample] = []
    _collect(document, "", 0, found)
    return found


def _collect(node: object, label: str, depth: int, found: list[Sample]) -> None:
    if isinstance(node, dict | list):
        if depth >= MAX_DEPTH:
            return
        pairs = node.items() if isinstance(node, dict) else enumerate(node[:MAX_LIST_ITEMS])
        for key, value in pairs:
            _collect(value, f"{label}.{key}" if label else str(key), depth + 1, found)
        return
    is_number, value = _number(node)
    if is_number and label:
        found.append(Sample(label[:MAX_LABEL_LENGTH], value))
