"""The rows of ``tests/data/payloads.jsonl`` and how one is put to the execution layer.

A row has ``id``; one of ``payload`` (an object, or JSON as text), ``text``, ``yaml``; ``source`` (who it came
from); ``expect`` with ``verdict`` (run, ask, refuse), ``codes`` of all faults in order, and ``pins`` as
[pin, before, after]; ``why``. Optional: ``boards`` (id -> state, default one live Uno, freshly reset),
``policy`` (pin -> limits of the board file), ``now`` (pin -> state as observed), ``repeat`` ([piece, times]:
what '@' in the text stands for). A row with ``person`` (how the person who is asked answers) or ``before``
(payloads that run first) is carried out; then ``codes`` are those of the finished action.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionPayload
from zeroclaw_desktop.contracts.boards import PinPolicy, PinState
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.registry import standard_parsers
from zeroclaw_desktop.execution.preparation import prepare
from zeroclaw_desktop.foundation.clock import ManualClock
from zeroclaw_desktop.runtime.sentences import sentence_reader

TABLE = Path(__file__).resolve().parents[1] / "data" / "payloads.jsonl"
FORMS = {"payload": "json", "text": "text", "yaml": "yaml"}
FRESH = {"mode": "input", "level": 0}


@dataclass(frozen=True)
class Judged:
    """What the execution layer makes of a row."""

    verdict: str
    codes: list[int]
    pins: list[list[Any]]


def rows() -> list[dict[str, Any]]:
    """Every row of the table."""
    return [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


def text_of(row: Mapping[str, Any]) -> tuple[str, str]:
    """The name of the reader and the text of a row."""
    kind = next(kind for kind in FORMS if kind in row)
    given = row[kind]
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    if "repeat" in row:
        piece, times = row["repeat"]
        text = text.replace("@", piece * times)
    return FORMS[kind], text


def door_of(row: Mapping[str, Any]) -> Door:
    """An execution layer with the boards of a row; its clock stands still."""
    states = row.get("boards", {"uno": "live"})
    door = Door(*states, clock=ManualClock())
    door.boards.states = dict(states)
    policies = {int(pin): _policy(limits) for pin, limits in row.get("policy", {}).items()}
    if policies:
        limited = [
            replace(board, profile=replace(board.profile, policies=policies))
            for board in door.boards.boards()
        ]
        door.boards.boards = lambda: limited  # type: ignore[method-assign]
    return door


def _policy(limits: Mapping[str, Any]) -> PinPolicy:
    modes = {"modes": frozenset(limits["modes"])} if "modes" in limits else {}
    return PinPolicy(**{**limits, **modes})


def read(row: Mapping[str, Any]) -> Sequence[ActionPayload]:
    """The payloads of a row, sentences as ``zeroclaw exec`` reads them; raises FaultError."""
    name, text = text_of(row)
    return standard_parsers(sentence_reader(), plugins=False).parse(name, text, source=row["source"])


def judge(row: Mapping[str, Any]) -> Judged:
    """Read and prepare a row, as ``explain payload`` does."""
    door = door_of(row)
    pins = {
        board.board_id: {
            pin.number: PinState(pin.number, **row.get("now", {}).get(str(pin.number), FRESH))
            for pin in board.profile.pins
            if not pin.reserved
        }
        for board in door.boards.boards()
    }
    try:
        payloads = read(row)
    except FaultError as error:
        return Judged("refuse", [fault.code for fault in error.faults], [])
    codes: list[int] = []
    changed: list[list[Any]] = []
    verdicts = {"run"}
    for payload in payloads:
        try:
            prepared = prepare(payload, door.registry, door.boards.boards(), pins.__getitem__)
        except FaultError as error:
            verdicts.add("refuse")
            codes += [fault.code for fault in error.faults]
            continue
        verdicts.add(prepared.verdict)
        changed += [[change.pin, change.before, change.after] for change in prepared.changes]
    verdict = next(name for name in ("refuse", "ask", "run") if name in verdicts)
    return Judged(verdict, codes, changed)
