"""Who may do what (EX-6): a pure decision over data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from zeroclaw_desktop.contracts.actions import Permission, Source

Verdict = Literal["run", "ask"]

DEFAULT_CEILINGS: Mapping[Source, Permission] = {
    "agent": Permission.SKILL,
    "manual": Permission.ROOT,
    "schedule": Permission.SKILL,
    "sop": Permission.SKILL,
    "webhook": Permission.SKILL,
    "channel": Permission.SKILL,
}


def judge(
    needed: Permission, source: Source, ceilings: Mapping[Source, Permission] = DEFAULT_CEILINGS
) -> Verdict:
    """Say whether a source may run a command by itself or a person must be asked.

    Args:
        needed: level of the command.
        source: who asks.
        ceilings: highest level of each source; a source that is not listed may only observe.
    """
    return "run" if needed <= ceilings.get(source, Permission.OBSERVER) else "ask"
