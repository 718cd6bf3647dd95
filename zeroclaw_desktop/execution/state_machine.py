"""Life of one action (EX-7): moved by explicit calls, an illegal move raises."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.contracts.actions import (
    ActionPayload,
    ActionResult,
    ActionState,
    ActionTransition,
)
from zeroclaw_desktop.execution.errors import IllegalTransitionError
from zeroclaw_desktop.foundation.clock import Clock

_ENDS = (ActionState.COMPLETED, ActionState.FAILED, ActionState.CANCELLED)
_LEADS_TO: dict[ActionState | None, tuple[ActionState, ...]] = {
    None: (ActionState.PENDING,),
    ActionState.PENDING: (ActionState.VALIDATED, ActionState.FAILED, ActionState.CANCELLED),
    ActionState.VALIDATED: (ActionState.RUNNING, *_ENDS),
    ActionState.RUNNING: _ENDS,
}


class ActionLife:
    """Holds the state of one action and announces each move."""

    def __init__(
        self, payload: ActionPayload, clock: Clock, announce: Callable[[ActionTransition], None]
    ) -> None:
        self._payload = payload
        self._clock = clock
        self._announce = announce
        self.state: ActionState | None = None
        self._next = _LEADS_TO[None]

    def move(
        self,
        state: ActionState,
        note: str = "",
        result: ActionResult | None = None,
        at: tuple[float, float] | None = None,
    ) -> None:
        """Enter a state.

        Args:
            at: monotonic and epoch seconds at which it was entered, None for now.

        Raises:
            IllegalTransitionError: the present state does not lead there.
        """
        if state not in self._next:
            present = self.state.value if self.state else "none"
            raise IllegalTransitionError(
                f"The action {self._payload.task_id} cannot go from {present} to {state.value}."
            )
        self.state = state
        self._next = _LEADS_TO.get(state, ())
        monotonic, wall = at or (self._clock.monotonic(), self._clock.wall())
        self._announce(ActionTransition(self._payload, state, monotonic, wall, note, result))
