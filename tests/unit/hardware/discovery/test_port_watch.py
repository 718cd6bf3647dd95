"""When to look at the ports (HW-2): at once when something is announced, seldom otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Iterator

import pytest

from zeroclaw_desktop.hardware.discovery import port_watch as module
from zeroclaw_desktop.hardware.discovery.port_watch import PortWatch, UdevSource

PTMX_EVENTS = "/sys/class/tty/ptmx/uevent"


class PipeSource:
    """Announcements come through a pipe."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        self.drained = 0

    def announce(self, times: int = 1) -> None:
        os.write(self._writer, b"x" * times)

    def fileno(self) -> int:
        return self._reader

    def drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self.drained += len(os.read(self._reader, 4096))

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)


@pytest.fixture
def source() -> Iterator[PipeSource]:
    return PipeSource()


async def test_an_announcement_ends_the_wait_long_before_the_next_look(source: PipeSource) -> None:
    watch = PortWatch(source)
    began = time.monotonic()
    source.announce()
    await watch.wait()
    assert time.monotonic() - began < module.UDEV_POLL_SECONDS / 2
    watch.close()


async def test_a_burst_is_one_look(source: PipeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UDEV_POLL_SECONDS", 0.3)
    watch = PortWatch(source)
    source.announce(50)
    await watch.wait()
    assert source.drained == 50
    second = asyncio.create_task(watch.wait())
    await asyncio.sleep(0.1)
    assert not second.done()
    await second
    watch.close()


async def test_without_announcements_it_looks_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_SECONDS", 0.01)
    watch = PortWatch(None)
    async with asyncio.timeout(5):
        await watch.wait()
        await watch.wait()
    watch.close()


async def test_lost_announcements_are_made_up_for(
    source: PipeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "UDEV_POLL_SECONDS", 0.01)
    watch = PortWatch(source)
    async with asyncio.timeout(5):
        await watch.wait()
    watch.close()


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or not os.access(PTMX_EVENTS, os.W_OK),
    reason="the kernel announces only to root that writes to sysfs: run as root with /sys writable",
)
async def test_the_kernels_own_announcement_is_heard() -> None:
    watch = PortWatch(UdevSource("kernel"))
    with open(PTMX_EVENTS, "w", encoding="ascii") as file:
        file.write("change")
    began = time.monotonic()
    await watch.wait()
    assert time.monotonic() - began < module.UDEV_POLL_SECONDS / 2
    watch.close()
