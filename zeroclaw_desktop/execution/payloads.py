"""From JSON to an ActionPayload (EX-1): every fault of the envelope is named, nothing is guessed."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import SOURCES, ActionFault, ActionPayload, Constraints, Source
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError

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


def parse_payload(text: str, *, default_source: Source = "manual") -> ActionPayload:
    """Read a payload from JSON text.

    Raises:
        FaultError: not JSON, or the envelope is wrong; all of its faults together.
    """

    def no_constant(name: str) -> Any:
        raise ValueError(f"{name} is not a number that a parameter may have")

    try:
        raw = json.loads(text, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at line {error.lineno}, column {error.colno}"
        raise FaultError([_malformed(f"it is not valid JSON: {reason}.")]) from error
    except (ValueError, RecursionError) as error:
        raise FaultError([_malformed(f"{error}.")]) from error
    if not isinstance(raw, dict):
        raise FaultError([_malformed(f"expected a JSON object, got {type(raw).__name__}.")])
    return payload_from_mapping(raw, default_source=default_source)


def _malformed(reason: str, where: str = "") -> ActionFault:
    return fault(Code.MALFORMED_PAYLOAD, f"The request could not be read: {reason}", where, reason=reason)


def payload_from_mapping(raw: Mapping[str, Any], *, default_source: Source = "manual") -> ActionPayload:
    """Build a payload from decoded JSON.

    Raises:
        FaultError: every fault of the envelope.
    """
    faults = [
        fault(
            Code.UNKNOWN_FIELD,
            f"Unknown field '{name}'; allowed: {', '.join(FIELDS)}.",
            str(name),
            allowed=", ".join(FIELDS),
        )
        for name in raw
        if name not in FIELDS
    ]
    action = raw.get("action")
    if not isinstance(action, str) or not action.strip():
        faults.append(_malformed("'action' must be the name of a command.", "action"))
    params = raw.get("params", {})
    if not isinstance(params, dict):
        faults.append(_malformed("'params' must be an object.", "params"))
    source = raw.get("source", default_source)
    if source not in SOURCES:
        faults.append(_malformed(f"'source' must be one of {', '.join(SOURCES)}.", "source"))
    for name in ("task_id", "device_id"):
        if not isinstance(raw.get(name, ""), str):
            faults.append(_malformed(f"'{name}' must be text.", name))
    created = raw.get("created_at", time.time())
    if not _number_within(created, -MAX_EPOCH_SECONDS, MAX_EPOCH_SECONDS):
        faults.append(_malformed("'created_at' must be epoch seconds.", "created_at"))
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
        faults.append(_malformed("'constraints' must be an object.", "constraints"))
        return Constraints()
    for name in raw:
        if name not in CONSTRAINT_FIELDS:
            allowed = ", ".join(CONSTRAINT_FIELDS)
            faults.append(
                fault(
                    Code.UNKNOWN_FIELD,
                    f"Unknown field 'constraints.{name}'; allowed: {allowed}.",
                    f"constraints.{name}",
                    allowed=allowed,
                )
            )
    timeout, retries, dry_run = raw.get("timeout"), raw.get("retries", 0), raw.get("dry_run", False)
    if timeout is not None and not _number_within(timeout, 0.001, MAX_TIMEOUT_SECONDS):
        faults.append(
            _malformed(f"'timeout' must be seconds up to {MAX_TIMEOUT_SECONDS:g}.", "constraints.timeout")
        )
        timeout = None
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= MAX_RETRIES:
        faults.append(_malformed(f"'retries' must be 0 to {MAX_RETRIES}.", "constraints.retries"))
        retries = 0
    if not isinstance(dry_run, bool):
        faults.append(_malformed("'dry_run' must be true or false.", "constraints.dry_run"))
        dry_run = False
    return Constraints(None if timeout is None else float(timeout), retries, dry_run)


def _number_within(value: Any, low: float, high: float) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, float)) and low <= value <= high
