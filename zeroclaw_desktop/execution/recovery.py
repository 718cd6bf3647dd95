"""After a crash (EX-14): what was unfinished, which boards must be made safe first, what may be done again.

Nothing here moves hardware. The order for the caller: ``reconcile``; put ``boards_to_make_safe`` into the
safe state; ``settle`` the plans whose boards are safe, which gives each task its closing row; then submit the
``payload`` of what is done again ``by_itself``, and show the others to a person, who may submit theirs. A
crash in between loses nothing: what has no closing row is found again, a board that is not there yet keeps
its tasks open until it is safe, and what no person has decided about is ``unanswered``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from zeroclaw_desktop.contracts.actions import SOURCES, ActionPayload, Constraints
from zeroclaw_desktop.execution.errors import CommandNotFoundError
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_queries import JournalEntry
from zeroclaw_desktop.execution.journal_rows import INCOMPLETE
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import Command, CommandRegistry

Policy = Literal["rerun", "ask", "resume", "none"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
REASONS: Mapping[str, str] = {
    "dry_run": "It was a dry run; nothing was done.",
    "waiting": "It had not begun; nothing was done.",
    "idempotent": "It may have been done; doing it again leads to the same state.",
    "moved": "It may have been done in part; doing it again may not lead to the same state.",
    "resume": "It may have been done; it is not repeated, what follows it may go on.",
    "unknown": "Its command does not exist any more.",
    "safe": "It only makes safe, which is done in any case.",
    "cut": "Its parameters were not kept in full, so it cannot be done again.",
}
"""English by key; ``RecoveryPlan.reason_key`` finds the translation."""


@dataclass(frozen=True)
class RecoveryPlan:
    """What to do about one unfinished task.

    Attributes:
        policy: ``rerun``: it may be done again; ``ask``: a person looks first and decides; ``resume``: not
            repeated, whoever ordered it goes on with its next step; ``none``: nothing to do.
        by_itself: whether it is done again without a person, once its board is there and safe: what only
            looks, and what moves something only where the policy of its command or of the caller says
            ``rerun`` in so many words.
        make_safe: the board whose outputs the task may have left on; '' when it cannot have.
        payload: the same request with a task id of its own; None when it cannot be repeated. It goes through
            the whole door: permission, approval and pin policy are judged anew.
    """

    entry: JournalEntry
    policy: Policy
    reason_key: str
    make_safe: str = ""
    payload: ActionPayload | None = None
    by_itself: bool = False

    @property
    def reason(self) -> str:
        """Why, in English."""
        return REASONS[self.reason_key]


async def reconcile(
    journal: Journal, registry: CommandRegistry, policies: Mapping[str, Policy] | None = None
) -> list[RecoveryPlan]:
    """Find the tasks that a dead run of the program left unfinished, oldest first.

    Args:
        registry: the commands of today.
        policies: by command, instead of the usual: ``rerun`` when idempotent, otherwise ``ask``. ``rerun``
            for a command that is not idempotent is taken for ``ask``: no movement is offered blindly.

    Raises:
        StoreError: the journal cannot be read.
    """
    return [plan_of(entry, registry, policies) for entry in await journal.unfinished()]


def plan_of(
    entry: JournalEntry, registry: CommandRegistry, policies: Mapping[str, Policy] | None = None
) -> RecoveryPlan:
    """What to do about one interrupted task; see ``reconcile``."""
    if entry.dry_run:
        return RecoveryPlan(entry, "none", "dry_run", payload=repeated(entry))
    try:
        command = registry.recall(entry.action)
    except CommandNotFoundError:
        began = entry.device_id if entry.began is not None else ""
        return RecoveryPlan(entry, "ask", "unknown", began)
    payload = repeated(entry)
    if command.only_makes_safe:
        return RecoveryPlan(entry, "none", "safe", entry.device_id if command.needs_board else "", payload)
    if entry.began is None:
        return RecoveryPlan(
            entry, "rerun" if payload else "ask", "waiting" if payload else "cut", "", payload
        )
    moves = _may_leave_outputs(entry, command)
    make_safe = entry.device_id if command.needs_board and moves else ""
    if payload is None:
        return RecoveryPlan(entry, "ask", "cut", make_safe)
    stated = (policies or {}).get(command.name) or command.after_crash
    policy = stated or ("rerun" if command.idempotent else "ask")
    if policy == "rerun" and not command.idempotent:
        policy = "ask"
    reason = {"resume": "resume", "rerun": "idempotent"}.get(policy, "moved")
    if policy == "ask" and command.idempotent:
        reason = "idempotent"
    by_itself = policy == "rerun" and (not moves or stated == "rerun")
    return RecoveryPlan(entry, policy, reason, make_safe, payload, by_itself)


def _may_leave_outputs(entry: JournalEntry, command: Command) -> bool:
    """A command that only looks changes nothing; of any other it is taken for granted."""
    return bool(entry.planned) or not command.idempotent


def repeated(entry: JournalEntry) -> ActionPayload | None:
    """The request of an entry with a new task id; None when the journal has not all of it."""
    if INCOMPLETE in entry.params:
        return None
    source = next((name for name in SOURCES if name == entry.source), None)
    if source is None:
        return None
    return make_payload(
        entry.action,
        entry.params,
        source=source,
        device_id=entry.device_id,
        constraints=Constraints(**entry.constraints),
    )


def boards_to_make_safe(plans: Sequence[RecoveryPlan]) -> list[str]:
    """The boards to put into the safe state before anything else, each once."""
    return list(dict.fromkeys(plan.make_safe for plan in plans if plan.make_safe))


async def settle(
    journal: Journal, plans: Sequence[RecoveryPlan], safe_boards: Collection[str], *, everything: bool = False
) -> list[RecoveryPlan]:
    """Write the closing row of each task whose board is safe.

    Args:
        safe_boards: boards that were put into the safe state and confirmed it.
        everything: a person has seen to it: close the others as well.

    Returns:
        The plans that stay open because their board was not there; they come back at the next start, or may
        be settled when the board is.

    Raises:
        StoreError: nothing was closed.
    """
    closed = [plan for plan in plans if everything or not plan.make_safe or plan.make_safe in safe_boards]
    for key in dict.fromkeys(plan.reason_key for plan in closed):
        entries = [plan.entry for plan in closed if plan.reason_key == key]
        await journal.close_interrupted(entries, f"interrupted: {REASONS[key]}")
    done = {plan.entry.number for plan in closed}
    return [plan for plan in plans if plan.entry.number not in done]
