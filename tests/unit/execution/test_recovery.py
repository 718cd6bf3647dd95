"""After a crash (EX-14): boards made safe first, policy by command, closing rows, nothing repeated."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionPayload, ActionState, ActionTransition, Constraints
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_queries import INTERRUPTED
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.recovery import (
    REASONS,
    Policy,
    RecoveryPlan,
    boards_to_make_safe,
    reconcile,
    settle,
)
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.thread import StoreThread


class Crashed:
    """A journal with what a dead run left in it, opened by the next run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.door = Door("a", "b")

    async def leave(self, *payloads: ActionPayload, began: bool = True) -> None:
        store, journal = await self._open()
        for payload in payloads:
            journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
            if began:
                await journal.before(payload, self.door.executor.prepare(payload))
        await journal.close()
        await store.stop()

    async def _open(self) -> tuple[StoreThread, Journal]:
        store = StoreThread(self.folder / "store.db", [JOURNAL_SCHEMA])
        await store.start()
        return store, Journal(store, SystemClock())

    async def open(self) -> Journal:
        self.store, self.journal = await self._open()
        return self.journal

    async def plan(self, payload: ActionPayload, **options: Any) -> RecoveryPlan:
        await self.leave(payload, began=options.pop("began", True))
        (plan,) = await reconcile(await self.open(), self.door.registry, **options)
        return plan


@pytest.fixture
async def crashed(tmp_path: Path) -> AsyncIterator[Crashed]:
    world = Crashed(tmp_path)
    yield world
    if hasattr(world, "store"):
        await world.journal.close()
        await world.store.stop()


def asked(
    action: str, params: Mapping[str, Any] | None = None, device: str = "a", **limits: Any
) -> ActionPayload:
    return make_payload(action, params, source="agent", device_id=device, constraints=Constraints(**limits))


@pytest.mark.parametrize(
    ("payload", "policy", "make_safe"),
    [
        (asked("digital_read", {"pin": 7}), "rerun", ""),
        (asked("digital_write", {"pin": 7, "value": 1}), "rerun", "a"),
        (asked("pwm_write", {"pin": 9, "duty": 0.5}, "b"), "rerun", "b"),
        (asked("servo_move", {"angle": 90}), "ask", "a"),
        (asked("led_blink", {"count": 3}, "b"), "ask", "b"),
        (asked("tone", {"pin": 8, "frequency": 440}), "ask", "a"),
        (asked("flash_firmware"), "ask", "a"),
        (asked("device_list"), "rerun", ""),
    ],
    ids=lambda value: value.action if isinstance(value, ActionPayload) else None,
)
async def test_a_movement_is_asked_about_what_is_idempotent_is_offered(
    crashed: Crashed, payload: ActionPayload, policy: Policy, make_safe: str
) -> None:
    """EX-14: policy by command; whatever may have left an output on makes its board safe first."""
    plan = await crashed.plan(payload)
    assert (plan.policy, plan.make_safe) == (policy, make_safe)
    assert plan.entry.task_id == payload.task_id
    assert plan.reason == REASONS[plan.reason_key]


async def test_nothing_is_sent_to_a_board_by_reconciling(crashed: Crashed) -> None:
    """EX-14: resume never runs a movement by itself."""
    await crashed.leave(asked("digital_write", {"pin": 7, "value": 1}), asked("servo_move", {"angle": 90}))
    plans = await reconcile(await crashed.open(), crashed.door.registry, {"servo_move": "resume"})
    await settle(crashed.journal, plans, ["a"])
    assert crashed.door.boards.sent == []


async def test_what_had_not_begun_needs_no_safe_board(crashed: Crashed) -> None:
    """EX-14."""
    plan = await crashed.plan(asked("servo_move", {"angle": 90}), began=False)
    assert (plan.policy, plan.reason_key, plan.make_safe) == ("rerun", "waiting", "")


async def test_a_dry_run_needs_nothing(crashed: Crashed) -> None:
    """EX-14, EX-15."""
    plan = await crashed.plan(asked("servo_move", {"angle": 90}, dry_run=True), began=False)
    assert (plan.policy, plan.make_safe) == ("none", "")


async def test_the_payload_to_repeat_is_the_same_request_under_a_new_id(crashed: Crashed) -> None:
    """EX-14, EX-6: it goes through the door anew, with the ceiling of its source."""
    payload = asked("digital_write", {"pin": 7, "value": 1}, "b", timeout=2.5, retries=3)
    plan = await crashed.plan(payload)
    again = plan.payload
    assert again is not None
    assert again.task_id != payload.task_id
    assert (again.action, again.params, again.source) == ("digital_write", {"pin": 7, "value": 1}, "agent")
    assert (again.device_id, again.constraints) == ("b", Constraints(2.5, 3, False))
    refused = await crashed.door.executor.submit(again)
    assert refused.faults[0].symbol == "PERMISSION_DENIED"


async def test_a_policy_of_the_caller_counts_but_offers_no_movement_blindly(crashed: Crashed) -> None:
    """EX-14."""
    await crashed.leave(
        asked("servo_move", {"angle": 90}), asked("led_blink"), asked("digital_read", {"pin": 7})
    )
    policies: dict[str, Policy] = {"servo_move": "resume", "led_blink": "rerun", "digital_read": "ask"}
    plans = await reconcile(await crashed.open(), crashed.door.registry, policies)
    assert [plan.policy for plan in plans] == ["resume", "ask", "ask"]
    assert [plan.reason_key for plan in plans] == ["resume", "moved", "idempotent"]


async def test_a_command_that_is_gone_is_asked_about_and_its_board_made_safe(crashed: Crashed) -> None:
    """EX-14, EX-3: a skill may have been removed meanwhile."""
    await crashed.leave(asked("servo_move", {"angle": 90}))
    crashed.door.registry.unregister("servo_move")
    (plan,) = await reconcile(await crashed.open(), crashed.door.registry)
    assert (plan.policy, plan.reason_key, plan.make_safe, plan.payload) == ("ask", "unknown", "a", None)


async def test_what_was_not_kept_in_full_is_not_offered_again(crashed: Crashed) -> None:
    """EX-14."""
    plan = await crashed.plan(asked("digital_read", {"pin": 7, "text": "x" * 100_000}), began=False)
    assert (plan.policy, plan.reason_key, plan.payload) == ("ask", "cut", None)


async def test_each_board_is_made_safe_once_in_the_order_of_the_tasks(crashed: Crashed) -> None:
    """EX-14."""
    await crashed.leave(
        asked("digital_read", {"pin": 7}, "a"),
        asked("servo_move", {"angle": 1}, "b"),
        asked("servo_move", {"angle": 2}, "a"),
        asked("led_blink", None, "b"),
    )
    plans = await reconcile(await crashed.open(), crashed.door.registry)
    assert boards_to_make_safe(plans) == ["b", "a"]


async def test_tasks_of_a_board_that_is_not_there_stay_open_until_it_is_safe(crashed: Crashed) -> None:
    """EX-14: the safe state is owed, over any number of starts."""
    here, away = asked("servo_move", {"angle": 1}, "a"), asked("servo_move", {"angle": 2}, "b")
    await crashed.leave(here, away)
    journal = await crashed.open()
    plans = await reconcile(journal, crashed.door.registry)
    left = await settle(journal, plans, {"a"})
    assert [plan.entry.task_id for plan in left] == [away.task_id]
    closed = await journal.task(here.task_id)
    assert closed is not None
    assert closed.state == INTERRUPTED
    assert closed.note.startswith("interrupted")
    await crashed.store.stop()

    journal = await crashed.open()
    (plan,) = await reconcile(journal, crashed.door.registry)
    assert (plan.entry.task_id, plan.make_safe) == (away.task_id, "b")
    assert await settle(journal, [plan], {"b"}) == []
    assert await reconcile(journal, crashed.door.registry) == []


async def test_a_person_may_close_what_cannot_be_made_safe(crashed: Crashed) -> None:
    """EX-14: a board that was thrown away must not be asked about for ever."""
    await crashed.leave(asked("servo_move", {"angle": 1}))
    journal = await crashed.open()
    plans = await reconcile(journal, crashed.door.registry)
    assert await settle(journal, plans, (), everything=True) == []
    assert await reconcile(journal, crashed.door.registry) == []


async def test_without_a_crash_there_is_nothing_to_do(crashed: Crashed) -> None:
    """EX-14."""
    await crashed.leave()
    assert await reconcile(await crashed.open(), crashed.door.registry) == []
