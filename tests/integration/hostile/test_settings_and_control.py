"""Bad settings files, bad home folders, and strangers on the control socket."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.integration.hostile.conftest import Desk
from zeroclaw_desktop.config.loader import load_config
from zeroclaw_desktop.config.store import ConfigStore, write_atomically
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.runtime.control_client import control_file, order_all, order_running_app
from zeroclaw_desktop.runtime.runtime import Runtime

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and file modes; run it on POSIX")


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\xfe\x80" * 1000,
        b"a = " + b"[" * 20_000,
        b"a = " + b"9" * 10_000,
        b".".join([b"a"] * 3_000) + b" = 1",
        b"[ui]\ntheme = 1e999\nlanguage = nan\n",
        b"ui = 3\nplots = []\n",
        "\ufeff[ui]\ntheme = '\\u202e'\n".encode(),
        b"".join(b"key_%d = 1\n" % number for number in range(20_000)),
        b"[ui]\n" * 5_000,
    ],
)
def test_a_bad_settings_file_gives_defaults_and_problems_in_short_time(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    started = time.monotonic()
    loaded = load_config(path)
    assert time.monotonic() - started < 20
    assert loaded.problems
    assert len(loaded.problems) < 200
    assert ConfigStore(path).get("ui.theme") == load_config(tmp_path / "none.toml").values["ui.theme"]


@posix
@pytest.mark.parametrize("kind", ["pipe", "endless", "loop", "folder", "large"])
def test_what_is_no_settings_file_is_told_and_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "config.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(10_000_000_000)
    store = ConfigStore(path)
    assert "cannot be read" in str(store.problems[0])
    with pytest.raises(ZeroClawError):
        store.set("ui.theme", "dark")


@posix
def test_links_that_lead_to_each_other_are_an_error_with_words(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(ZeroClawError, match="could not be written"):
        write_atomically(tmp_path / "a", "text")


@posix
def test_without_a_home_there_is_an_error_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROCLAW_HOME", "~nobody-of-this-name/x")
    with pytest.raises(ZeroClawError, match="home folder"):
        home_folder()
    assert order_running_app({"cmd": "estop"}) is None


# -- the control socket ------------------------------------------------------------------------------------
def connect() -> socket.socket:
    port = json.loads(control_file().read_text())["port"]
    return socket.create_connection(("127.0.0.1", port), 5)


@posix
async def test_the_token_is_for_the_user_only(desk: Desk) -> None:
    mode = stat.S_IMODE(control_file().stat().st_mode)
    assert mode & 0o077 == 0
    assert stat.S_IMODE(control_file().parent.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize(
    "line",
    [
        b"\n", b"null\n", b"[]\n", b'"x"\n', b"{}\n", b"[" * 30_000 + b"\n", b"{" * 70_000 + b"\n",
        b"\xff\xfe\n",
        b'{"cmd":"estop"}\n', b'{"cmd":"estop","token":null}\n', b'{"cmd":"estop","token":"\xe4\xb8\xad"}\n',
        b'{"cmd":"estop","token":["a"]}\n', b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"9" * 5_000 + b"\n",
    ],
)  # fmt: skip
async def test_nonsense_and_wrong_tokens_do_nothing(desk: Desk, line: bytes) -> None:
    def send() -> bytes:
        with connect() as connection:
            connection.settimeout(8)
            try:
                connection.sendall(line)
                return connection.recv(4096)
            except ConnectionError:
                return b""

    answer = await asyncio.to_thread(send)
    assert b'"ok": true' not in answer
    assert not desk.runtime.stop_everything.latched


async def test_a_flood_of_silent_connections_does_not_keep_the_stop_out(desk: Desk) -> None:
    def attack() -> tuple[list[socket.socket], dict[str, Any] | None]:
        held = [connect() for _ in range(300)]
        return held, order_running_app({"cmd": "estop", "source": "test"})

    held, answer = await asyncio.to_thread(attack)
    assert answer is not None
    assert "boards" in answer
    assert desk.runtime.stop_everything.latched
    for connection in held:
        connection.close()
    await asyncio.sleep(0.05)


def serve(behave: Callable[[socket.socket], None]) -> threading.Thread:
    """Something else sits on the port that an ended app has left in its file."""
    listener = socket.create_server(("127.0.0.1", 0))
    home_folder()
    control_file().write_text(json.dumps({"port": listener.getsockname()[1], "token": "t", "pid": 1}))

    def run() -> None:
        client, _ = listener.accept()
        with client, listener:
            try:
                behave(client)
            except OSError:
                return

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("kind", ["drip", "flood", "hang_up"])
def test_a_stranger_on_the_port_of_an_ended_app_cannot_hold_up_the_stop(kind: str) -> None:
    def behave(client: socket.socket) -> None:
        client.recv(1000)
        if kind == "drip":
            for _ in range(100):
                client.sendall(b" ")
                time.sleep(0.1)
        while kind == "flood":
            client.sendall(b"x" * 65_536)

    stranger = serve(behave)
    started = time.monotonic()
    assert order_running_app({"cmd": "estop"}) is None
    assert time.monotonic() - started < 9
    stranger.join(12)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"port": "x"}', '{"port": -1, "token": 1}', "\x00", "[" * 9000]
)
def test_a_broken_address_file_counts_as_no_app(text: str) -> None:
    home_folder()
    control_file().write_text(text)
    assert order_running_app({"cmd": "estop"}) is None


async def test_the_stop_reaches_every_app_of_one_home_folder(desk: Desk, tmp_path: Path) -> None:
    """Two windows that were started at the same moment both run; control.json leads to one of them."""
    other = Runtime(ConfigStore(tmp_path / "other.toml"), with_person=False, watch_ports=False)
    other.control.process_name = "other"
    await other.start()
    try:
        answers = await asyncio.to_thread(order_all, {"cmd": "estop", "source": "test"})
        assert len(answers) == 2
        assert desk.runtime.stop_everything.latched
        assert other.stop_everything.latched
    finally:
        await other.stop()
    assert not any("other" in file.name for file in control_file().parent.glob("*/*.json"))
