"""HW-5: a board at a TCP address, and the text bridge of the Uno Q."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from tests.helpers.network_board import NetworkBoard
from tests.helpers.uno_q_bridge import UnoQBridge
from tests.integration.peripherals.conftest import Join
from tests.integration.peripherals.promises import brought, chat_switches_the_led, commands_come_and_go
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware import heartbeat
from zeroclaw_desktop.runtime.runtime import Runtime

LED = 13


def tcp(board: NetworkBoard) -> str:
    return board.url.replace("socket://", "tcp://")


async def test_every_command_goes_over_the_network_through_the_one_door(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        result = await bench.done("led_set", state=1)
        assert board.level(LED) == 1
        assert result.hardware_states["pin_13"]["level"] == 1
        assert (await bench.done("i2c_scan")).value["found"] == [0x48, 0x50]
        # The pin policy of the board's kind holds as on a serial line.
        assert (await bench.do("digital_write", pin=0, value=1)).error_code == Code.ILLEGAL_PIN
        await bench.connection.disconnect()
        assert bench.connection.state == "offline"


async def test_the_chat_works_with_it(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        await chat_switches_the_led(bench)
        board.machine.advance(0.1)
        assert [edge[2] for edge in board.machine.take_edges()[0] if edge[1] == LED] == [1, 0]


async def test_the_emergency_stop_reaches_it_ahead_of_everything(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        await bench.done("led_set", state=1)
        report = await bench.runtime.stop_everything.trigger("test")
        assert [(outcome.board_id, outcome.confirmed) for outcome in report.outcomes] == [
            (bench.board_id, True)
        ]
        assert board.level(LED) == 0


async def test_a_lost_connection_is_shown_and_comes_back_by_itself(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        for client in set(board._clients):
            client.transport.abort()
        await bench.until_state("lost")
        assert bench.connection.info.fault_code == "network_lost"
        assert not (await bench.connection.health_check()).answers
        await bench.until_state("live")
        assert (await bench.connection.health_check()).answers


async def test_an_action_that_the_network_ends_is_told_as_that(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        blinking = asyncio.create_task(bench.do("led_blink", count=50))
        await bench.until(lambda: board.level(LED), "the first blink")
        for client in set(board._clients):
            client.transport.abort()
        result = await blinking
        assert result.error_code in (Code.BUS_FAULT, Code.DEVICE_NOT_CONNECTED)
        await bench.until_state("live")
        await bench.connection.disconnect()


async def test_the_outputs_of_a_board_whose_network_died_become_safe(join: Join) -> None:
    """The board's own watchdog does it: nothing from here could reach it any more."""
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        await bench.done("led_set", state=1)
        await bench.until(lambda: board.machine.host_limit, "the watchdog")
        await bench.connection.disconnect()
        assert board.level(LED) == 1
        limit = heartbeat.WATCHDOG_MILLISECONDS / 1000
        board.machine.advance(limit + 0.1)
        assert board.level(LED) == 0


async def test_the_boards_commands_come_and_go_with_it(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
        await commands_come_and_go(bench, "led_set", "analog_read", "i2c_scan", "motor_start", "board_info")


async def test_a_bridge_that_only_switches_brings_little(join: Join) -> None:
    async with UnoQBridge() as bridge:
        bench = await join(bridge.url)
        await commands_come_and_go(bench, "digital_write", "board_safe", without=("tone", "i2c_scan"))


async def test_a_lost_board_takes_its_commands_with_it(join: Join) -> None:
    async with NetworkBoard() as board:
        bench = await join(tcp(board))
    await bench.until_state("lost")
    assert brought(bench.runtime.registry) == set()
    result = await bench.do("led_set", state=1)
    assert result.error_code == Code.DEVICE_NOT_CONNECTED


async def test_the_commands_of_two_boards_stay_until_the_last_has_gone(join: Join) -> None:
    async with NetworkBoard() as board, UnoQBridge() as bridge:
        first, second = await join(tcp(board)), await join(bridge.url)
        assert {"i2c_scan", "digital_write"} <= brought(first.runtime.registry)
        await first.connection.disconnect()
        assert "i2c_scan" not in brought(second.runtime.registry)
        assert "digital_write" in brought(second.runtime.registry)


@asynccontextmanager
async def program(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[str]:
    """Somebody else's program at a TCP port."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"


RESULTS = {"ping": "pong", "capabilities": '{"gpio":[13]}', "gpio_write": "done", "gpio_read": "1"}


async def rude_board(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Before each answer: garbage, over-long lines, half a line, answers that nobody waits for."""
    while line := await reader.readline():
        if not line.strip():
            continue
        request = json.loads(line)
        answer = {"id": request["id"], "ok": request["cmd"] in RESULTS, "result": RESULTS.get(request["cmd"])}
        writer.write(b"\xff\xfe garbage \x00\n" + b"x" * 100_000 + b'\n{"id":"' + b"\n")
        writer.write(b'{"id":"999999","ok":true,"result":"no"}\n{"id":null,"ok":true}\n[1,2]\n"text"\n')
        whole = json.dumps(answer).encode() + b"\r\n"
        writer.write(whole[:7])
        await writer.drain()
        await asyncio.sleep(0.01)
        writer.write(whole[7:])
        await writer.drain()
    writer.close()


async def test_garbage_and_strange_answers_are_counted_and_never_fatal(join: Join) -> None:
    async with program(rude_board) as address:
        bench = await join(address)
        for level in (0, 1, 0, 1):
            await bench.done("led_set", state=level)
        info = bench.connection.info
        assert info.state == "live"
        assert info.counters["stale_replies"] > 0
        assert info.counters["overlong"] > 0
        await bench.connection.disconnect()


async def test_firmware_without_a_watchdog_is_pinged_all_the_same(
    join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dead network tells nobody, so a board that stops answering is found out by asking."""
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(heartbeat, "REPLY_SECONDS", 0.2)
    silent = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            request = json.loads(line) if line.strip() else {"cmd": ""}
            if request["cmd"] in RESULTS and not silent.is_set():
                row = {"id": request["id"], "ok": True, "result": RESULTS[request["cmd"]]}
                writer.write(json.dumps(row).encode() + b"\n")
            elif not silent.is_set() and request["cmd"]:
                writer.write(json.dumps({"id": request["id"], "ok": False, "error": "?"}).encode() + b"\n")
        writer.close()

    async with program(serve) as address:
        bench = await join(address)
        await bench.until(lambda: bench.connection.info.answer_ms is not None, "a ping")
        silent.set()
        await bench.until_state("lost")
        silent.clear()
        await bench.until_state("live")
        await bench.connection.disconnect()


@pytest.mark.parametrize(
    ("address", "code"),
    [("tcp://127.0.0.1:1", "connection_refused"), ("tcp://no-such-host.invalid:9999", "host_unknown")],
)
async def test_an_address_without_a_board_says_what_is_missing(join: Join, address: str, code: str) -> None:
    bench = await join(address, connect=False)
    with pytest.raises(ZeroClawError) as raised:
        await bench.connection.connect()
    assert raised.value.code == code
    assert raised.value.hint
    assert bench.connection.info.state == "failed"


async def test_a_program_that_does_not_speak_the_protocol(join: Join) -> None:
    async def chatter(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\nand more\r\n")
        await _reader.read()
        writer.close()

    async with program(chatter) as address:
        bench = await join(address, connect=False)
        with pytest.raises(ZeroClawError) as raised:
            await bench.connection.connect()
        assert raised.value.code == "protocol_missing"
        assert "something else" in raised.value.message


async def test_an_added_board_is_there_at_the_next_start_with_its_name(join: Join, runtime: Runtime) -> None:
    bench = await join("tcp://127.0.0.1:1", "esp32", connect=False, name="Greenhouse")
    again = Runtime(runtime.config, with_person=False, watch_ports=False)
    again.added.restore()
    (board,) = again.roster.boards()
    assert (board.board_id, board.name, board.profile.key) == (bench.board_id, "Greenhouse", "esp32")
    assert (board.state, board.port, board.added) == ("offline", "tcp://127.0.0.1:1", True)
    await again.added.remove(board.board_id)
    assert again.roster.boards() == []
    last = Runtime(runtime.config, with_person=False, watch_ports=False)
    last.added.restore()
    assert last.roster.boards() == []


async def test_the_text_bridge_of_the_uno_q(join: Join) -> None:
    async with UnoQBridge() as bridge:
        bench = await join(bridge.url)
        assert bench.connection.board_type == "arduino-uno-q"
        await bench.done("digital_write", pin=13, value=1)
        assert bridge.levels[13] == 1
        bridge.levels[7] = 1
        assert (await bench.done("digital_read", pin=7)).value["value"] == 1
        # What it does not know is refused, and the reason told; nothing reaches the board.
        assert not (await bench.do("pwm_write", pin=9, duty=0.5)).ok
        report = await bench.runtime.stop_everything.trigger("test")
        assert [outcome.confirmed for outcome in report.outcomes] == [True]
        assert bridge.levels[13] == 0


async def test_a_bridge_of_the_uno_q_that_goes_away_is_noticed(join: Join) -> None:
    async with UnoQBridge() as bridge:
        bench = await join(bridge.url)
    await bench.until_state("lost")
