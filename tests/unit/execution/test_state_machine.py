"""EX-7: which state may follow which; an illegal move raises."""

from __future__ import annotations

import itertools

import pytest

from zeroclaw_desktop.contracts.actions import ActionState, ActionTransition
from zeroclaw_desktop.execution.errors import IllegalTransitionError
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.state_machine import ActionLife
from zeroclaw_desktop.foundation.clock import ManualClock

S = ActionState
ALLOWED = {
    (S.PENDING, S.VALIDATED),
    (S.PENDING, S.FAILED),
    (S.PENDING, S.CANCELLED),
    (S.VALIDATED, S.RUNNING),
    (S.VALIDATED, S.COMPLETED),  # a dry run
    (S.VALIDATED, S.FAILED),
    (S.VALIDATED, S.CANCELLED),
    (S.RUNNING, S.COMPLETED),
    (S.RUNNING, S.FAILED),
    (S.RUNNING, S.CANCELLED),
}
PATHS = {
    S.PENDING: [S.PENDING],
    S.VALIDATED: [S.PENDING, S.VALIDATED],
    S.RUNNING: [S.PENDING, S.VALIDATED, S.RUNNING],
    S.COMPLETED: [S.PENDING, S.VALIDATED, S.RUNNING, S.COMPLETED],
    S.FAILED: [S.PENDING, S.FAILED],
    S.CANCELLED: [S.PENDING, S.CANCELLED],
}


def life_in(state: ActionState) -> tuple[ActionLife, list[ActionTransition]]:
    told: list[ActionTransition] = []
    life = ActionLife(make_payload("led_set", source="manual"), ManualClock(), told.append)
    for step in PATHS[state]:
        life.move(step)
    return life, told


@pytest.mark.parametrize(("present", "following"), list(itertools.product(S, S)))
def test_every_pair_of_states(present: ActionState, following: ActionState) -> None:
    life, told = life_in(present)
    before = len(told)
    if (present, following) in ALLOWED:
        life.move(following)
        assert life.state is following
        assert told[-1].state is following
    else:
        with pytest.raises(IllegalTransitionError):
            life.move(following)
        assert life.state is present
        assert len(told) == before


@pytest.mark.parametrize("state", [state for state in S if state is not S.PENDING])
def test_an_action_begins_as_pending(state: ActionState) -> None:
    life = ActionLife(make_payload("led_set", source="manual"), ManualClock(), lambda _: None)
    with pytest.raises(IllegalTransitionError):
        life.move(state)
