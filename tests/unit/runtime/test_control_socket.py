"""How another process of the same user reaches the running app; nobody else does (EX-16, RT-1)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import stat
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.runtime.approval_orders import ApprovalOrders
from zeroclaw_desktop.runtime.approvals import ApprovalDesk
from zeroclaw_desktop.runtime.control_client import control_file, order_running_app
from zeroclaw_desktop.runtime.control_socket import ControlSocket


@contextlib.asynccontextmanager
async def serving(door: Door) -> AsyncIterator[ControlSocket]:
    control = ControlSocket(door.stop, ApprovalOrders(ApprovalDesk(door.bus)))
    await control.start()
    try:
        yield control
    finally:
        await control.stop()


async def order(row: dict[str, Any]) -> dict[str, Any] | None:
    return await asyncio.to_thread(order_running_app, row)


async def raw(data: bytes) -> bytes:
    """Send bytes as a stranger would; the answer until the end."""
    port = json.loads(control_file().read_text())["port"]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        with contextlib.suppress(ConnectionError):
            writer.write(data)
            await writer.drain()
            writer.write_eof()
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.read(), 20)
        return b""
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def test_the_stop_of_another_process_is_obeyed_and_reported() -> None:
    door = Door("left", "right")
    async with serving(door):
        await door.do("led_set", {"state": 1}, device_id="left")
        answer = await order({"cmd": "estop", "source": "command line"})
    assert answer is not None
    assert answer["ok"] is True
    assert [board["board_id"] for board in answer["boards"]] == ["left", "right"]
    assert all(board["confirmed"] for board in answer["boards"])
    assert door.stop.latched
    assert door.boards.level(13, "left") == 0


async def test_a_second_start_asks_the_first_to_show_itself() -> None:
    shown: list[bool] = []
    async with serving(Door()) as control:
        control.on_show = lambda: shown.append(True)
        assert await order({"cmd": "show"}) == {"ok": True}
    assert shown == [True]


async def test_an_unknown_order_is_refused() -> None:
    async with serving(Door()):
        assert await order({"cmd": "dance"}) == {"ok": False, "error": "unknown order"}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions; run it on Linux or macOS")
async def test_the_token_is_for_the_user_only() -> None:
    async with serving(Door()):
        assert stat.S_IMODE(control_file().stat().st_mode) == 0o600
        assert len(json.loads(control_file().read_text())["token"]) >= 32


@pytest.mark.parametrize("token", [None, "", "0" * 48, "密", 5, ["x"], {"a": 1}])
async def test_without_the_token_nothing_happens(token: Any) -> None:
    door = Door()
    async with serving(door):
        row = {"cmd": "estop"} if token is None else {"cmd": "estop", "token": token}
        answer = await raw(json.dumps(row).encode() + b"\n")
        assert answer == b"" or json.loads(answer)["ok"] is False
        assert not door.stop.latched


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"null\n",
        b"[]\n",
        b'"estop"\n',
        b"{\n",
        b"\xff\xfe\x00\n",
        b"[" * 60_000 + b"\n",
        b"x" * 1_000_000,
        b"9" * 5_000 + b"\n",
    ],
)
async def test_garbage_does_no_harm(data: bytes) -> None:
    door, faults = Door(), []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context))
    async with serving(door):
        answer = await raw(data)
        assert answer == b"" or json.loads(answer)["ok"] is False
        assert not door.stop.latched
        assert (await order({"cmd": "estop"}) or {})["ok"] is True
    assert faults == []


async def test_who_says_nothing_does_not_hold_up_the_others() -> None:
    door = Door()
    async with serving(door):
        port = json.loads(control_file().read_text())["port"]
        _, silent = await asyncio.open_connection("127.0.0.1", port)
        assert (await order({"cmd": "estop"}) or {})["ok"] is True
        silent.close()
        await silent.wait_closed()
        await asyncio.sleep(0.02)


class TestWithoutApp:
    def test_no_app(self) -> None:
        assert order_running_app({"cmd": "estop"}) is None

    async def test_the_file_goes_with_the_app(self) -> None:
        async with serving(Door()):
            assert control_file().exists()
        assert not control_file().exists()

    async def test_the_file_of_another_app_stays(self) -> None:
        async with serving(Door()):
            other = json.dumps({"port": 1, "token": "x", "pid": 1})
            control_file().write_text(other)
        assert control_file().read_text() == other

    async def test_a_file_that_a_crash_left_behind(self) -> None:
        async with serving(Door()):
            text = control_file().read_text()
        control_file().write_text(text)
        assert await order({"cmd": "estop"}) is None

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{",
            b"[]",
            b"5",
            b'{"port": "x", "token": "y"}',
            b'{"port": 99999, "token": "y"}',
            b'{"port": -1, "token": "y"}',
            b'{"port": null}',
            b'{"token": "y"}',
            b"\xff\xfe",
            b"[" * 50_000,
        ],
    )
    def test_a_damaged_file_counts_as_no_app(self, own_state_folder: Path, content: bytes) -> None:
        own_state_folder.mkdir()
        control_file().write_bytes(content)
        assert order_running_app({"cmd": "estop"}) is None
