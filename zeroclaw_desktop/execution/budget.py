"""The session budget (EX-9): the sum of run time that the actions of one task session may use."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError

DEFAULT_SECONDS = 1_800.0
SESSIONS_KEPT = 500


@dataclass(frozen=True)
class BudgetState:
    """How much of its time a session has used, in seconds."""

    session: str
    used: float
    limit: float


class RunBudget:
    """Adds up run time by session; the sessions used last are remembered.

    Args:
        limit: seconds for each session.
    """

    def __init__(self, limit: float = DEFAULT_SECONDS) -> None:
        self.limit = limit
        self._used: OrderedDict[str, float] = OrderedDict()

    def check(self, session: str) -> None:
        """Refuse a session that has used its time.

        Raises:
            FaultError: BUDGET_EXHAUSTED (0x32).
        """
        if self._used.get(session, 0.0) >= self.limit:
            raise FaultError(
                [
                    fault(
                        Code.BUDGET_EXHAUSTED,
                        f"The session '{session}' has used its {self.limit:g} s of run time.",
                        seconds=f"{self.limit:g}",
                        session=session,
                    )
                ]
            )

    def charge(self, session: str, seconds: float) -> None:
        """Add the run time of an action that has ended, however it ended."""
        self._used[session] = self._used.get(session, 0.0) + max(0.0, seconds)
        self._used.move_to_end(session)
        while len(self._used) > SESSIONS_KEPT:
            self._used.popitem(last=False)

    def states(self) -> list[BudgetState]:
        """Sessions that used something, the latest last."""
        return [BudgetState(session, used, self.limit) for session, used in self._used.items()]
