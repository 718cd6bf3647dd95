"""The thread that owns a port (HW-4): order, the urgent lane, closing from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.errors import PortGoneError, PortMissingError
from zeroclaw_desktop.hardware.serial_worker import SerialWorker


class MemoryPort:
    """A port in memory whose writes can be held back."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.incoming: list[bytes] = []
        self.may_write = threading.Event()
        self.may_write.set()
        self.writing = threading.Event()
        self.closed = threading.Event()
        self.fault: Exception | None = None
        self._woken = threading.Event()

    def read(self, seconds: float) -> bytes:
        if self.fault is not None:
            raise self.fault
        if self.incoming:
            return self.incoming.pop(0)
        self._woken.wait(seconds)
        self._woken.clear()
        return b""

    def write(self, data: bytes) -> None:
        self.writing.set()
        self.may_write.wait(20)
        self.written.append(data)

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        self.closed.set()


class Rig:
    def __init__(self, open_handle: Callable[[], MemoryPort] | None = None) -> None:
        self.port = MemoryPort()
        self.got: list[bytes] = []
        self.opened = threading.Event()
        self.closed: list[ZeroClawError | None] = []
        self.threads: set[int] = set()
        self.worker = SerialWorker(
            "test",
            open_handle or (lambda: self.port),
            on_opened=self.opened.set,
            on_bytes=self._bytes,
            on_closed=self.closed.append,
        )

    def _bytes(self, data: bytes, when: float) -> None:
        assert when <= time.monotonic()
        self.threads.add(threading.get_ident())
        self.got.append(data)

    def run(self) -> Rig:
        self.worker.start()
        assert self.opened.wait(10)
        return self

    def end(self) -> None:
        self.port.may_write.set()
        self.worker.stop()
        assert self.worker.join(10)


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_writes_keep_their_order_and_are_told() -> None:
    rig, told = Rig().run(), []
    for number in range(50):
        rig.worker.submit(b"%d;" % number, on_written=told.append)
    until(lambda: len(told) == 50)
    rig.end()
    assert b"".join(rig.port.written) == b"".join(b"%d;" % number for number in range(50))
    assert told == sorted(told)
    assert rig.worker.counters.bytes_written == sum(map(len, rig.port.written))
    assert rig.closed == [None]
    assert rig.port.closed.is_set()


def test_the_stop_overtakes_what_is_queued_which_is_never_written() -> None:
    """A queued command that drives a pin must not follow the stop."""
    rig, told = Rig().run(), []
    rig.port.may_write.clear()
    rig.worker.submit(b"first")
    assert rig.port.writing.wait(10)
    for _ in range(20):
        rig.worker.submit(b"gpio_write")
    rig.worker.submit(b"stop", urgent=True, on_written=told.append)
    rig.worker.submit(b"after")
    rig.port.may_write.set()
    until(lambda: len(rig.port.written) == 3)
    rig.end()
    assert rig.port.written == [b"first", b"stop", b"after"]
    assert len(told) == 1


def test_the_stop_overtakes_the_rest_of_a_long_write() -> None:
    """Somebody pastes a file into the console; at 115200 baud 100 kB take nine seconds."""
    rig = Rig().run()
    rig.port.may_write.clear()
    rig.worker.submit(b"x" * 100_000)
    assert rig.port.writing.wait(10)
    rig.worker.submit(b"stop", urgent=True)
    rig.port.may_write.set()
    until(lambda: b"stop" in rig.port.written)
    rig.end()
    assert sum(map(len, rig.port.written[: rig.port.written.index(b"stop")])) <= 1024
    assert rig.port.written[-1] == b"stop"


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 5000])
def test_a_long_write_arrives_whole_and_is_told_once(size: int) -> None:
    rig, told = Rig().run(), []
    data = bytes(number % 251 for number in range(size))
    rig.worker.submit(data, on_written=told.append)
    until(lambda: told)
    rig.end()
    assert b"".join(rig.port.written) == data
    assert len(told) == 1


def test_bytes_that_come_are_handed_on_by_the_one_thread() -> None:
    rig = Rig().run()
    rig.port.incoming += [b"one", b"two"]
    rig.port.wake()
    until(lambda: len(rig.got) == 2)
    rig.end()
    assert rig.got == [b"one", b"two"]
    assert rig.worker.counters.bytes_read == 6
    assert len(rig.threads) == 1
    assert threading.get_ident() not in rig.threads


def test_reading_goes_on_while_much_is_written() -> None:
    rig = Rig().run()
    rig.port.incoming += [b"a"] * 100
    for _ in range(100):
        rig.worker.submit(b"w")
    until(lambda: len(rig.port.written) == 100 and len(rig.got) == 100)
    rig.end()


def test_a_port_that_vanishes_ends_the_thread_with_the_reason() -> None:
    rig = Rig().run()
    rig.port.fault = PortGoneError("it vanished")
    rig.port.wake()
    assert rig.worker.join(10)
    assert rig.closed == [rig.port.fault]
    assert rig.port.closed.is_set()
    rig.worker.submit(b"nobody hears this")
    rig.worker.stop()


def test_a_fault_of_our_own_ends_the_port_and_not_the_app() -> None:
    rig = Rig().run()
    rig.port.fault = KeyError("a bug")
    rig.port.wake()
    assert rig.worker.join(10)
    (error,) = rig.closed
    assert isinstance(error, ZeroClawError)
    assert error.code == "port_gone"


def test_a_port_that_cannot_be_opened() -> None:
    def fail() -> MemoryPort:
        raise PortMissingError("no such port")

    rig = Rig(fail)
    rig.worker.start()
    assert rig.worker.join(10)
    assert isinstance(rig.closed[0], PortMissingError)
    assert not rig.opened.is_set()


def test_stopping_while_it_opens_closes_it_again() -> None:
    may_open = threading.Event()

    def slow() -> MemoryPort:
        may_open.wait(20)
        return rig.port

    rig = Rig(slow)
    rig.worker.start()
    rig.worker.stop()
    may_open.set()
    assert rig.worker.join(10)
    assert rig.port.closed.is_set()
    assert rig.closed == [None]


def test_stopping_one_that_never_started() -> None:
    rig = Rig()
    rig.worker.stop()
    assert rig.worker.join(1)
