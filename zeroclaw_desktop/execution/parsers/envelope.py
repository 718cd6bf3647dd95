"""From a decoded object to a payload, for the forms that write the envelope out (JSON, YAML).

The rules of the envelope stand in ``payloads.py``; here is added who may name which source, and the place of
each fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import SOURCES, ActionFault, ActionPayload, Source
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.places import Place, placed
from zeroclaw_desktop.execution.payloads import malformed, payload_from_mapping

MAX_DEPTH = 16
"""Levels of brackets; no command needs more than four."""
MAX_INTEGER_DIGITS = 300
"""More do not fit into a float (IEEE 754 binary64 ends at 1.8e308)."""

Locate = Callable[[str], Place]
"""(path of a field such as ``constraints.timeout``) -> its place, or that of the nearest field around it."""


def payload_of(raw: Mapping[str, Any], source: Source, locate: Locate) -> ActionPayload:
    """Build a payload.

    Args:
        raw: the decoded object.
        source: who the text came from.
        locate: finds the place of a field; called for faults only.

    Raises:
        FaultError: every fault of the envelope with its place.
    """
    faults: list[ActionFault] = []
    payload: ActionPayload | None = None
    try:
        payload = payload_from_mapping(raw, default_source=source)
    except FaultError as error:
        faults += error.faults
    named = raw.get("source", source)
    if source != "manual" and named != source and named in SOURCES:
        faults.append(_foreign_source(str(named), source))
    if faults or payload is None:
        raise FaultError([placed(one, locate(one.param)) for one in faults])
    return payload


def _foreign_source(named: str, source: Source) -> ActionFault:
    reason = Words(
        f"'source' is '{named}', but this came from '{source}'.",
        f"“source”写的是 {named}，但请求来自 {source}。",
    )
    return malformed(reason, "source")
