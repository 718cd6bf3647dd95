"""HW-12: UDP is off until it is switched on, and follows its settings."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path

import pytest

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_habits import PlotHabits, PortWish, ReadingWish
from zeroclaw_desktop.runtime.plot_sources import UDP_KEY, UDP_PORT_KEY, PlotSources


async def nowhere(_key: str) -> str:
    return ""


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
        plug.bind(("127.0.0.1", 0))
        return int(plug.getsockname()[1])


async def test_udp_follows_the_settings(tmp_path: Path) -> None:
    config, store = ConfigStore(tmp_path / "config.toml"), TelemetryStore()
    sources = PlotSources(store, config, nowhere)
    sources.start()
    try:
        assert sources.udp_port == 0
        port = free_port()
        config.set(UDP_PORT_KEY, port)
        config.set(UDP_KEY, True)
        assert sources.udp_port == port
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
            plug.sendto(b"volt:3.3", ("127.0.0.1", port))
            async with asyncio.timeout(10):
                while not store.series():
                    await asyncio.sleep(0.01)
        assert store.snapshot(("udp:127.0.0.1", "volt")).value.tolist() == [3.3]
        assert sources.consoles["udp:127.0.0.1"].since(0)[1] == [">volt:3.3"]
        config.set(UDP_KEY, False)
        assert sources.udp_port == 0
    finally:
        await sources.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals: run it on POSIX")
async def test_a_port_without_protocol_is_plotted_and_let_go(tmp_path: Path) -> None:
    import tty

    board, host = os.openpty()
    tty.setraw(host)
    port = os.ttyname(host)
    store = TelemetryStore()
    sources = PlotSources(store, ConfigStore(tmp_path / "config.toml"), nowhere)
    description = tmp_path / "raw.toml"
    description.write_text('framing = "sync"\nsync = "A5"\n[[field]]\nname = "raw"\ntype = "u8"\n')
    try:
        for frames, data, label in ((None, b"\nvolt:3\n", "volt"), (description, b"\xa5\x03", "raw")):
            await sources.ports.listen(PortWish(port, frames=str(frames or "")))
            os.write(board, data)
            async with asyncio.timeout(10):
                while label not in [info.key.label for info in store.series(port)]:
                    await asyncio.sleep(0.01)
            assert store.snapshot((port, label)).value.tolist() == [3.0]
            assert sources.counters()[port].samples == 1
        assert sources.consoles[port].since(0)[1] == ["volt:3"]
        with pytest.raises(ZeroClawError):
            await sources.ports.listen(PortWish(str(tmp_path / "none")))
        await sources.ports.leave(port)
        assert sources.counters() == {}
    finally:
        await sources.stop()
        os.close(board)
        os.close(host)


async def test_a_port_that_is_taken_is_told_and_nothing_else_fails(tmp_path: Path) -> None:
    config = ConfigStore(tmp_path / "config.toml")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
        plug.bind(("127.0.0.1", 0))
        config.set(UDP_PORT_KEY, plug.getsockname()[1])
        config.set(UDP_KEY, True)
        sources = PlotSources(TelemetryStore(), config, nowhere)
        sources.start()
        assert "cannot be used" in sources.faults[UDP_KEY].message
        await sources.stop()


async def test_a_sender_is_read_as_it_was_read_last(tmp_path: Path) -> None:
    config, store = ConfigStore(tmp_path / "config.toml"), TelemetryStore()
    habits = PlotHabits(None)
    habits.set_reading("udp:127.0.0.1", ReadingWish("gbk", "host", 1.0))
    sources = PlotSources(store, config, nowhere, habits=habits)
    port = free_port()
    config.set(UDP_PORT_KEY, port)
    config.set(UDP_KEY, True)
    sources.start()
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
            plug.sendto("\u6e29\u5ea6:21".encode("gbk"), ("127.0.0.1", port))
            async with asyncio.timeout(10):
                while not store.series():
                    await asyncio.sleep(0.01)
        assert store.series()[0].key.label == "\u6e29\u5ea6"
        sources.choose_reading("udp:127.0.0.1", ReadingWish("big5", "device", 1.0))
        assert habits.reading("udp:127.0.0.1") == ReadingWish("big5", "device", 1.0)
    finally:
        await sources.stop()
