"""A board that the person sees as one thing, whatever happens to its port (HW-2, HW-4)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.unit.hardware.far_end import QUICK_UNO, Answer, FarEnd, Request, as_our_firmware, until
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.connection import BoardConnection, GrantedLink
from zeroclaw_desktop.hardware.errors import (
    BoardNotLiveError,
    GrantExpiredError,
    NoHandshakeError,
    PortMissingError,
)
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

MakeFarEnd = Callable[..., FarEnd]


class Card:
    """A connection and the states that its card went through."""

    def __init__(self, path: Path) -> None:
        self.states: list[str] = []
        self.store = TelemetryStore()
        self.connection = BoardConnection(
            "uno",
            "My Uno",
            QUICK_UNO,
            str(path),
            store=self.store,
            changed=lambda: self.states.append(self.connection.state),
            pins_changed=lambda: None,
        )

    async def until_state(self, state: str) -> None:
        await until(lambda: self.connection.state == state, f"state {state} after {self.states}")


@pytest.fixture
async def card(tmp_path: Path) -> AsyncIterator[Card]:
    card = Card(tmp_path / "port")
    yield card
    await card.connection.shut_down()


async def test_connecting_and_disconnecting(far_end: MakeFarEnd, card: Card) -> None:
    far_end()
    await card.connection.connect()
    assert card.connection.info.firmware == "zeroclaw-arduino 1.0.0"
    assert card.connection.info.counters["replies"] == 3
    await card.connection.connect()
    await card.connection.disconnect()
    assert card.states == ["connecting", "live", "offline"]
    assert card.connection.session is None


async def test_a_missing_port_is_a_failure_with_its_reason(card: Card) -> None:
    with pytest.raises(PortMissingError):
        await card.connection.connect()
    info = card.connection.info
    assert info.state == "failed"
    assert (info.fault_code, bool(info.fault_message), bool(info.fault_hint)) == ("port_missing", True, True)


async def test_a_board_that_vanishes_comes_back_by_itself(far_end: MakeFarEnd, card: Card) -> None:
    end = far_end()
    await card.connection.connect()
    end.unplug()
    await card.until_state("lost")
    assert card.connection.info.fault_code == "port_gone"
    await asyncio.sleep(0.5)
    end.plug_in()
    await card.until_state("live")
    assert card.states == ["connecting", "live", "lost", "live"]
    assert card.connection.info.fault_code == ""


async def test_subscriptions_survive_a_reconnection(far_end: MakeFarEnd, card: Card) -> None:
    end = far_end()
    await card.connection.connect()
    link = GrantedLink(card.connection, Grant("task-1"))
    for signal in ("a0", "d2", "a1"):
        await link.request("subscribe", {"signal": signal, "period_ms": 50})
    await link.request("unsubscribe", {"signal": "d2"})
    end.unplug()
    await card.until_state("lost")
    end.requests.clear()
    end.plug_in()
    await card.until_state("live")
    asked = [row["args"]["signal"] for row in end.requests if row["cmd"] == "subscribe"]
    assert asked == ["a0", "a1"]


async def test_a_port_that_flaps_while_greeting_leads_to_one_live_board(
    far_end: MakeFarEnd, card: Card
) -> None:
    """A board whose USB side restarts twice before it stays."""
    end = far_end()
    await card.connection.connect()
    flaps = 2

    def behave(request: Request) -> Answer:
        nonlocal flaps
        if request["cmd"] == "capabilities" and flaps:
            flaps -= 1
            loop = asyncio.get_running_loop()
            loop.call_soon(end.unplug)
            loop.call_later(0.1, end.plug_in)
            return None
        return as_our_firmware(request)

    end.behave = behave
    end.unplug()
    await card.until_state("lost")
    end.plug_in()
    await card.until_state("live")
    assert flaps == 0
    assert card.states == ["connecting", "live", "lost", "live"]


async def test_who_disconnects_a_lost_board_does_not_get_it_back(far_end: MakeFarEnd, card: Card) -> None:
    end = far_end()
    await card.connection.connect()
    end.unplug()
    await card.until_state("lost")
    await card.connection.disconnect()
    end.plug_in()
    await asyncio.sleep(0.5)
    assert card.connection.state == "offline"
    assert end.commands().count("ping") == 1


async def test_a_board_that_comes_back_with_other_firmware_says_so(far_end: MakeFarEnd, card: Card) -> None:
    end = far_end()
    await card.connection.connect()
    end.behave = lambda _request: None
    end.unplug()
    await card.until_state("lost")
    end.plug_in()
    await card.until_state("failed")
    assert card.connection.info.fault_code == "no_handshake"


async def test_cancelled_connecting_leaves_no_half_state(far_end: MakeFarEnd, card: Card) -> None:
    end = far_end(lambda _request: None)
    task = asyncio.create_task(card.connection.connect())
    await until(lambda: end.requests, "a first ping")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert card.connection.state == "offline"
    end.behave = as_our_firmware
    await card.connection.connect()
    assert card.connection.state == "live"


class TestLending:
    async def test_the_port_is_free_meanwhile_and_taken_back(self, far_end: MakeFarEnd, card: Card) -> None:
        end = far_end()
        await card.connection.connect()
        async with card.connection.lend_port() as path:
            assert path == str(end.path)
            assert card.connection.state == "flashing"
            assert card.connection.session is None
            with open(path, "r+b", buffering=0) as tool:
                tool.write(b"tool\n")
                await until(lambda: b"tool\n" in end.raw, "the tool's bytes")
        assert card.connection.state == "live"
        assert end.commands().count("ping") == 2

    async def test_when_the_tool_fails_the_board_is_greeted_all_the_same(
        self, far_end: MakeFarEnd, card: Card
    ) -> None:
        far_end()
        await card.connection.connect()
        with pytest.raises(LookupError):
            async with card.connection.lend_port():
                raise LookupError("the tool failed")
        assert card.connection.state == "live"

    async def test_new_firmware_that_speaks_another_language_is_told_not_raised(
        self, far_end: MakeFarEnd, card: Card
    ) -> None:
        end = far_end()
        await card.connection.connect()
        async with card.connection.lend_port():
            end.behave = lambda _request: None
        info = card.connection.info
        assert (info.state, info.fault_code, info.firmware) == ("failed", "no_handshake", "")

    async def test_a_board_that_was_offline_may_be_flashed_too(self, far_end: MakeFarEnd, card: Card) -> None:
        far_end()
        async with card.connection.lend_port():
            assert card.connection.state == "flashing"
        assert card.connection.state == "live"


class TestLink:
    async def test_an_ended_grant_moves_nothing(self, far_end: MakeFarEnd, card: Card) -> None:
        end = far_end()
        await card.connection.connect()
        grant = Grant("task-1")
        link = GrantedLink(card.connection, grant)
        assert await link.request("gpio_write", {"pin": 2, "value": 1}) == "done"
        sent = len(end.raw)
        grant.revoke()
        with pytest.raises(GrantExpiredError):
            await link.request("gpio_write", {"pin": 2, "value": 0})
        with pytest.raises(GrantExpiredError):
            await link.send_raw(b"x")
        await asyncio.sleep(0.05)
        assert len(end.raw) == sent

    async def test_a_board_that_is_not_live_is_told_by_name_and_state(self, card: Card) -> None:
        link = GrantedLink(card.connection, Grant("task-1"))
        with pytest.raises(BoardNotLiveError, match=r"My Uno.*offline"):
            await link.observe()


async def test_a_restart_of_the_board_reads_pins_and_subscribes_again(
    far_end: MakeFarEnd, card: Card
) -> None:
    end = far_end()
    await card.connection.connect()
    await GrantedLink(card.connection, Grant("t")).request("subscribe", {"signal": "a0", "period_ms": 50})
    end.requests.clear()
    end.say(b'{"evt":"boot","fw":"zeroclaw-arduino","version":"1.0.0","reset":"brownout"}\n')
    await until(lambda: end.commands() == ["state", "subscribe"], "the second greeting")
    assert card.connection.state == "live"


async def test_shutting_down_puts_the_board_into_its_safe_state(far_end: MakeFarEnd, card: Card) -> None:
    end = far_end()
    await card.connection.connect()
    await card.connection.shut_down()
    assert end.commands()[-1] == "stop_all"
    assert card.connection.state == "offline"


async def test_a_silent_board_fails_with_advice(far_end: MakeFarEnd, card: Card) -> None:
    far_end(lambda _request: None)
    with pytest.raises(NoHandshakeError) as caught:
        await card.connection.connect()
    assert isinstance(caught.value, ZeroClawError)
    assert card.states == ["connecting", "failed"]
