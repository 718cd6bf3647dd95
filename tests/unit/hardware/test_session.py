"""One conversation with one board over a real terminal line (HW-3): the far end is played by the test."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.hardware.far_end import (
    CAPABILITIES,
    QUICK_UNO,
    STATE,
    Answer,
    FarEnd,
    Request,
    as_our_firmware,
    as_upstream_firmware,
    refuse,
    reply,
    until,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.errors import (
    BoardRefusedError,
    LinkError,
    NoHandshakeError,
    NoReplyError,
    PortGoneError,
    PortMissingError,
)
from zeroclaw_desktop.hardware.protocol import BoardEvent
from zeroclaw_desktop.hardware.session import BoardSession, SessionEvents
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

MakeFarEnd = Callable[..., FarEnd]


class Host:
    """A session and what it told."""

    def __init__(self, end: FarEnd, profile: Any = QUICK_UNO) -> None:
        self.lost: list[ZeroClawError] = []
        self.events: list[BoardEvent] = []
        self.observed = 0
        self.ingest = TelemetryIngest("uno", TelemetryStore())

        def count() -> None:
            self.observed += 1

        events = SessionEvents(self.lost.append, self.events.append, count)
        self.session = BoardSession(str(end.path), profile, self.ingest, events)

    async def open(self) -> BoardSession:
        await self.session.open(PortSettings())
        return self.session


@contextlib.asynccontextmanager
async def opened(end: FarEnd) -> AsyncIterator[Host]:
    host = Host(end)
    await host.open()
    try:
        yield host
    finally:
        await host.session.close()


class TestHandshake:
    async def test_our_firmware(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            assert host.session.capabilities == CAPABILITIES
            assert end.commands() == ["ping", "capabilities", "state"]
            assert (host.session.pins[13].mode, host.session.pins[13].level) == ("output", 1)
            assert host.observed == 1

    async def test_a_line_end_comes_before_all_else(self, far_end: MakeFarEnd) -> None:
        """SPEC.md: what an earlier program left unfinished then ends there."""
        end = far_end()
        async with opened(end):
            assert end.raw.startswith(b'\n{"id"')

    async def test_upstream_firmware_has_capabilities_as_text_and_no_state(self, far_end: MakeFarEnd) -> None:
        end = far_end(as_upstream_firmware)
        async with opened(end) as host:
            assert host.session.capabilities == {"gpio": [2, 3, 13], "led_pin": 13}
            assert host.session.pins == {}
            assert await host.session.request("gpio_write", {"pin": 13, "value": 1}) == "done"

    async def test_firmware_that_knows_ping_only(self, far_end: MakeFarEnd) -> None:
        def behave(request: Request) -> Answer:
            return reply(request, "pong") if request["cmd"] == "ping" else refuse(request, "Unknown command")

        async with opened(far_end(behave)) as host:
            assert host.session.capabilities == {}

    async def test_capabilities_as_an_object(self, far_end: MakeFarEnd) -> None:
        def behave(request: Request) -> Answer:
            if request["cmd"] == "capabilities":
                return reply(request, CAPABILITIES)
            return as_our_firmware(request)

        async with opened(far_end(behave)) as host:
            assert host.session.capabilities == CAPABILITIES

    async def test_garbage_and_half_lines_before_the_first_answer(self, far_end: MakeFarEnd) -> None:
        noise = b'sult":"done"}\n\xff\x00\x80garbage\n{"evt":"boot","fw":"x"}\n{"id":"1","ok"\n'

        def behave(request: Request) -> Answer:
            answer = as_our_firmware(request) or b""
            return noise + answer if request["cmd"] == "ping" else answer

        async with opened(far_end(behave)) as host:
            assert [event.name for event in host.events] == ["boot"]
            assert host.ingest.counters.partial_dropped == 1
            assert host.ingest.counters.non_utf8 >= 1

    async def test_pings_go_on_while_the_boot_loader_runs(self, far_end: MakeFarEnd) -> None:
        pings = 0

        def behave(request: Request) -> Answer:
            nonlocal pings
            pings += request["cmd"] == "ping"
            return as_our_firmware(request) if pings >= 2 else None

        async with opened(far_end(behave)) as host:
            assert pings >= 2
            assert host.session.capabilities == CAPABILITIES

    async def test_a_late_answer_to_an_earlier_ping_is_skipped(self, far_end: MakeFarEnd) -> None:
        held: list[bytes] = []

        def behave(request: Request) -> Answer:
            answer = as_our_firmware(request)
            if request["cmd"] == "ping" and not held:
                held.append(answer or b"")
                return None
            return held[0] + (answer or b"") if request["cmd"] == "ping" else answer

        async with opened(far_end(behave)) as host:
            assert host.session.counters.stale_replies == 1
            assert host.session.capabilities == CAPABILITIES

    async def test_a_silent_board(self, far_end: MakeFarEnd) -> None:
        host = Host(far_end(lambda _request: None))
        with pytest.raises(NoHandshakeError, match="It sends nothing") as caught:
            await host.open()
        assert "Flash" in caught.value.hint
        assert host.lost == []

    async def test_a_board_that_speaks_another_language(self, far_end: MakeFarEnd) -> None:
        host = Host(far_end(lambda _request: b"temp:21.5\ntemp:21.6\n"))
        with pytest.raises(NoHandshakeError, match="It sends something else"):
            await host.open()

    async def test_what_came_in_an_earlier_session_does_not_count(self, far_end: MakeFarEnd) -> None:
        host = Host(far_end(lambda _request: None))
        host.ingest.feed(b"a\nb\nc\n", 1.0)
        events = SessionEvents(host.lost.append, host.events.append, lambda: None)
        session = BoardSession(host.session.port, QUICK_UNO, host.ingest, events)
        with pytest.raises(NoHandshakeError, match="It sends nothing"):
            await session.open(PortSettings())

    async def test_a_port_that_is_not_there(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        end.unplug()
        with pytest.raises(PortMissingError):
            await Host(end).open()

    async def test_a_port_that_vanishes_during_the_greeting_is_told_once(self, far_end: MakeFarEnd) -> None:
        end = far_end()

        def behave(request: Request) -> Answer:
            if request["cmd"] == "capabilities":
                asyncio.get_running_loop().call_soon(end.unplug)
                return None
            return as_our_firmware(request)

        end.behave = behave
        host = Host(end)
        with pytest.raises(PortGoneError):
            await host.open()
        assert host.lost == []


class TestRequests:
    async def test_replies_are_matched_by_id_in_any_order(self, far_end: MakeFarEnd) -> None:
        end, held = far_end(), []

        def behave(request: Request) -> Answer:
            if request["cmd"] != "gpio_read":
                return as_our_firmware(request)
            held.append(request)
            if len(held) < 3:
                return None
            return b"".join(reply(old, str(old["args"]["pin"])) for old in reversed(held))

        end.behave = behave
        async with opened(end) as host:
            asked = [host.session.request("gpio_read", {"pin": pin}) for pin in (2, 3, 4)]
            assert await asyncio.gather(*asked) == ["2", "3", "4"]

    async def test_wrong_stale_and_repeated_ids_are_counted_and_never_believed(
        self, far_end: MakeFarEnd
    ) -> None:
        end = far_end()

        def behave(request: Request) -> Answer:
            if request["cmd"] != "gpio_write":
                return as_our_firmware(request)
            wrong = reply({"id": "9999"}, "wrong") + reply({"id": None}, "nobody") + reply({"id": "1"}, "old")
            return wrong + reply(request, "done") + reply(request, "twice")

        end.behave = behave
        async with opened(end) as host:
            assert await host.session.request("gpio_write", {"pin": 13, "value": 1}) == "done"
            await until(lambda: host.session.counters.stale_replies == 4, "counting")

    async def test_a_refusal_carries_reason_and_code(self, far_end: MakeFarEnd) -> None:
        async with opened(far_end()) as host:
            with pytest.raises(BoardRefusedError, match="Unknown command") as caught:
                await host.session.request("dance", {})
            assert caught.value.details["board_code"] == "unknown_command"

    async def test_no_answer_in_time_and_the_late_answer_is_stale(self, far_end: MakeFarEnd) -> None:
        end, held = far_end(), []

        def behave(request: Request) -> Answer:
            if request["cmd"] == "gpio_write":
                held.append(reply(request, "late"))
                return None
            return as_our_firmware(request)

        end.behave = behave
        async with opened(end) as host:
            with pytest.raises(NoReplyError) as caught:
                await host.session.request("gpio_write", {"pin": 2, "value": 1}, timeout=0.05)
            assert caught.value.retryable
            assert caught.value.details["command"] == "gpio_write"
            end.say(held[0])
            assert await host.session.request("ping", {}) == "pong"
            assert host.session.counters.stale_replies == 1

    async def test_a_reply_in_pieces_between_telemetry_and_noise(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            end.behave = lambda _request: None
            asked = asyncio.create_task(host.session.request("gpio_read", {"pin": 2}))
            await until(lambda: end.commands()[-1] == "gpio_read", "the request")
            whole = b"temp:21.5\n\xff\xfe\n" + reply(end.requests[-1], "1")
            for number in range(0, len(whole), 7):
                end.say(whole[number : number + 7])
                await asyncio.sleep(0.002)
            assert await asked == "1"

    async def test_a_line_of_a_megabyte_does_no_harm(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            sent = 0
            while sent < 1_000_000:
                with contextlib.suppress(BlockingIOError):
                    end.say(b"x" * 1000)
                    sent += 1000
                await asyncio.sleep(0)
            await until(lambda: host.ingest.counters.overlong == 1, "the long line")
            end.say(b"\n")
            assert await host.session.request("ping", {}) == "pong"

    async def test_the_window_of_the_board_is_respected(self, far_end: MakeFarEnd) -> None:
        end, waiting, most = far_end(), [], 0
        async with opened(end) as host:
            first = len(end.requests)

            def behave(request: Request) -> Answer:
                nonlocal most
                waiting.append(request)
                most = max(most, len(waiting))
                asyncio.get_running_loop().call_later(0.002, answer)
                return None

            def answer() -> None:
                end.say(reply(waiting.pop(0), "done"))

            end.behave = behave
            await asyncio.gather(
                *(host.session.request("gpio_write", {"pin": 2, "value": n % 2}) for n in range(30))
            )
            assert most == CAPABILITIES["window"]
            assert [row["args"]["value"] for row in end.requests[first:]] == [n % 2 for n in range(30)]

    async def test_upstream_gets_one_request_at_a_time(self, far_end: MakeFarEnd) -> None:
        end = far_end(as_upstream_firmware)
        async with opened(end) as host:
            end.behave = lambda _request: None
            before = len(end.requests)
            asked = [asyncio.create_task(host.session.request("ping", {})) for _ in range(2)]
            await until(lambda: len(end.requests) == before + 1, "the first request")
            await asyncio.sleep(0.03)
            assert len(end.requests) == before + 1
            end.behave = as_upstream_firmware
            end.say(reply(end.requests[-1], "pong"))
            assert await asyncio.gather(*asked) == ["pong", "pong"]

    async def test_a_request_that_the_board_cannot_hold_is_not_sent(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            before = len(end.requests)
            with pytest.raises(BoardRefusedError, match="255"):
                await host.session.request("gpio_write", {"text": "x" * 300})
            assert await host.session.request("ping", {}) == "pong"
            assert [row["cmd"] for row in end.requests[before:]] == ["ping"]


class TestEvents:
    async def test_a_change_updates_the_pin(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            end.say(b'{"evt":"change","signal":"d2","value":1,"t":5}\n')
            await until(lambda: host.session.pins[2].level == 1, "the change")
            assert host.session.pins[2].mode == "input"
            assert host.events[-1].fields["signal"] == "d2"

    @pytest.mark.parametrize(
        "line",
        [
            b'{"evt":"change"}',
            b'{"evt":"change","signal":"d","value":1}',
            b'{"evt":"change","signal":"a0","value":1}',
            b'{"evt":"change","signal":"d2","value":7}',
            b'{"evt":"change","signal":["d2"],"value":[1]}',
            b'{"evt":null}',
            '{"evt":"change","signal":"d²","value":1}'.encode(),
        ],
    )
    async def test_a_strange_event_changes_no_pin_and_is_not_fatal(
        self, far_end: MakeFarEnd, line: bytes
    ) -> None:
        end = far_end()
        async with opened(end) as host:
            before = dict(host.session.pins)
            end.say(line + b"\n")
            assert await host.session.request("ping", {}) == "pong"
            assert host.session.pins == before

    async def test_a_measured_voltage_survives_the_next_look(self, far_end: MakeFarEnd) -> None:
        async with opened(far_end()) as host:
            host.session.pins[14] = replace(host.session.pins[14], volts=2.5)
            pins = await host.session.observe()
            assert pins[14].volts == 2.5
            assert len(pins) == len(STATE["mode"])


class TestEnd:
    async def test_a_port_that_vanishes_fails_what_waits_and_is_told(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            end.behave = lambda _request: None
            asked = [asyncio.create_task(host.session.request("ping", {})) for _ in range(6)]
            await until(lambda: end.commands().count("ping") >= 4, "the requests")
            end.unplug()
            results = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(result) for result in results] == [PortGoneError] * 6
            await until(lambda: host.lost, "the news")
            assert isinstance(host.lost[0], PortGoneError)
            with pytest.raises(PortGoneError):
                await host.session.request("ping", {})

    async def test_closing_fails_what_waits_and_is_no_loss(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        host = Host(end)
        session = await host.open()
        end.behave = lambda _request: None
        asked = asyncio.create_task(session.request("ping", {}))
        await until(lambda: end.commands().count("ping") == 2, "the request")
        await session.close()
        with pytest.raises(PortGoneError):
            await asked
        assert host.lost == []
        await session.close()


class TestStop:
    async def test_stop_overtakes_and_fails_a_request_that_waits(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            end.behave = lambda request: as_our_firmware(request) if request["cmd"] == "stop_all" else None
            asked = asyncio.create_task(host.session.request("gpio_write", {"pin": 2, "value": 1}))
            await until(lambda: end.commands()[-1] == "gpio_write", "the request")
            loop_time = asyncio.get_running_loop().time()
            sent = await host.session.stop_now()
            assert sent.confirmed
            assert sent.wire_time is not None
            assert sent.wire_time >= loop_time
            with pytest.raises(LinkError):
                await asked

    async def test_a_half_sent_line_does_not_swallow_the_stop(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            host.session.send_raw(b'{"id":"x","cmd":"gpio_')
            await until(lambda: end.raw.endswith(b"gpio_"), "the half line")
            assert (await host.session.stop_now()).confirmed
            assert end.commands()[-1] == "stop_all"

    async def test_a_board_that_does_not_confirm(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            end.behave = lambda _request: None
            sent = await host.session.stop_now()
            assert not sent.confirmed
            assert sent.wire_time is not None
            assert sent.note

    async def test_a_port_that_has_gone_confirms_nothing(self, far_end: MakeFarEnd) -> None:
        end = far_end()
        async with opened(end) as host:
            end.unplug()
            await until(lambda: host.lost, "the loss")
            sent = await host.session.stop_now()
            assert (sent.wire_time, sent.confirmed) == (None, False)
