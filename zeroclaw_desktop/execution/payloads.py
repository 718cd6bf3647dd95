"""From a decoded object to an ActionPayload (EX-1): every fault is named, nothing is guessed."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import SOURCES, ActionFault, ActionPayload, Constraints, Source
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.foundation.text import QUOTED, visible

FIELDS = ("action", "params", "source", "task_id", "device_id", "constraints", "created_at")
CONSTRAINT_FIELDS = ("timeout", "retries", "dry_run")
MAX_TIMEOUT_SECONDS = 3_600.0
MAX_RETRIES = 10
MAX_EPOCH_SECONDS = 1e12
"""More is no time: the year 33658."""


def new_task_id() -> str:
    """A unique id for one action."""
    return f"task-{uuid.uuid4().hex[:12]}"


def make_payload(
    action: str,
    params: Mapping[str, Any] | None = None,
    *,
    source: Source,
    device_id: str = "",
    task_id: str = "",
    constraints: Constraints | None = None,
) -> ActionPayload:
    """Build a payload inside the program; the execution layer still checks everything in it."""
    return ActionPayload(
        action,
        dict(params or {}),
        source,
        task_id or new_task_id(),
        device_id,
        constraints or Constraints(),
        time.time(),
    )


def malformed(reason: Words, where: str = "") -> ActionFault:
    """The fault of an envelope that is wrong (0x02); ``reason`` is a sentence, ``where`` the field."""
    message = f"The request could not be read: {reason.en}"
    return fault(Code.MALFORMED_PAYLOAD, message, where, reason=reason.en, reason_zh=reason.zh)


def _unknown_field(name: str, fields: Sequence[str]) -> ActionFault:
    shown, allowed = visible(name, QUOTED), ", ".join(fields)
    message = f"Unknown field '{shown}'; allowed: {allowed}."
    return fault(Code.UNKNOWN_FIELD, message, shown, allowed=allowed)


def _field_must_be(name: str, what: str, what_zh: str) -> Words:
    return Words(f"'{name}' must be {what}.", f"“{name}”应为{what_zh}。")


def payload_from_mapping(raw: Mapping[str, Any], *, default_source: Source = "manual") -> ActionPayload:
    """Build a payload from decoded JSON.

    Raises:
        FaultError: every fault of the envelope.
    """
    faults = [_unknown_field(str(name), FIELDS) for name in raw if name not in FIELDS]
    action = raw.get("action")
    if not isinstance(action, str) or not action.strip():
        faults.append(malformed(_field_must_be("action", "the name of a command", "命令名"), "action"))
    params = raw.get("params", {})
    if not isinstance(params, dict):
        faults.append(malformed(_field_must_be("params", "an object", "对象"), "params"))
    source = raw.get("source", default_source)
    if source not in SOURCES:
        known = ", ".join(SOURCES)
        faults.append(malformed(_field_must_be("source", f"one of {known}", f"以下之一：{known}"), "source"))
    for name in ("task_id", "device_id"):
        if not isinstance(raw.get(name, ""), str):
            faults.append(malformed(_field_must_be(name, "text", "文本"), name))
    created = raw.get("created_at", time.time())
    if not _number_within(created, -MAX_EPOCH_SECONDS, MAX_EPOCH_SECONDS):
        faults.append(
            malformed(_field_must_be("created_at", "epoch seconds", "自 1970 年起的秒数"), "created_at")
        )
    constraints = _constraints(raw.get("constraints", {}), faults)
    if faults:
        raise FaultError(faults)
    return ActionPayload(
        str(action),
        dict(params),
        source,
        raw.get("task_id") or new_task_id(),
        raw.get("device_id", ""),
        constraints,
        float(created),
    )


def _constraints(raw: Any, faults: list[ActionFault]) -> Constraints:
    if not isinstance(raw, dict):
        faults.append(malformed(_field_must_be("constraints", "an object", "对象"), "constraints"))
        return Constraints()
    for name in raw:
        if name not in CONSTRAINT_FIELDS:
            faults.append(_unknown_field(f"constraints.{name}", CONSTRAINT_FIELDS))
    timeout, retries, dry_run = raw.get("timeout"), raw.get("retries", 0), raw.get("dry_run", False)
    if timeout is not None and not _number_within(timeout, 0.001, MAX_TIMEOUT_SECONDS):
        faults.append(
            malformed(
                _field_must_be(
                    "timeout",
                    f"seconds up to {MAX_TIMEOUT_SECONDS:g}",
                    f"不超过 {MAX_TIMEOUT_SECONDS:g} 的秒数",
                ),
                "constraints.timeout",
            )
        )
        timeout = None
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= MAX_RETRIES:
        faults.append(
            malformed(
                _field_must_be("retries", f"0 to {MAX_RETRIES}", f" 0 到 {MAX_RETRIES} 的整数"),
                "constraints.retries",
            )
        )
        retries = 0
    if not isinstance(dry_run, bool):
        faults.append(
            malformed(_field_must_be("dry_run", "true or false", " true 或 false"), "constraints.dry_run")
        )
        dry_run = False
    return Constraints(None if timeout is None else float(timeout), retries, dry_run)


def _number_within(value: Any, low: float, high: float) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, float)) and low <= value <= high
