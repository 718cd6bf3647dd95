"""Faults that last, on a clock of the test's own."""

from __future__ import annotations

from zeroclaw_desktop.hardware.simulator.line_faults import (
    GARBAGE,
    GARBAGE_EVERY_SECONDS,
    SLOW_SECONDS,
    LineFaults,
)


def test_without_a_fault_bytes_pass_at_once() -> None:
    assert LineFaults().passed_on(b"reply\n", 1.0) == b"reply\n"


def test_slow_replies_keep_their_order_and_come_when_their_time_has_come() -> None:
    faults = LineFaults()
    faults.set("slow", True)
    assert faults.passed_on(b"one\n", 0.0) == b""
    assert faults.passed_on(b"two\n", 0.5) == b""
    assert faults.passed_on(b"", SLOW_SECONDS) == b"one\n"
    assert faults.passed_on(b"", SLOW_SECONDS + 0.5) == b"two\n"


def test_what_was_held_comes_at_once_when_the_fault_ends() -> None:
    faults = LineFaults()
    faults.set("slow", True)
    faults.passed_on(b"one\n", 0.0)
    faults.set("slow", False)
    assert faults.passed_on(b"two\n", 0.1) == b"one\ntwo\n"


def test_garbage_comes_between_the_replies_as_long_as_it_lasts() -> None:
    faults = LineFaults()
    faults.set("garbage", True)
    assert faults.passed_on(b"reply\n", 0.0) == b"reply\n" + GARBAGE
    assert faults.passed_on(b"", 0.1) == b""
    assert faults.passed_on(b"", GARBAGE_EVERY_SECONDS) == GARBAGE
    faults.set("garbage", False)
    assert faults.passed_on(b"", 10.0) == b""


def test_bytes_on_their_way_are_lost_with_the_supply() -> None:
    faults = LineFaults()
    faults.set("slow", True)
    faults.passed_on(b"one\n", 0.0)
    faults.drop()
    assert faults.passed_on(b"", 9.0) == b""


def test_the_active_faults_are_listed_in_one_order() -> None:
    faults = LineFaults()
    faults.set("slow", True)
    faults.set("unplug", True)
    faults.set("unplug", True)
    assert faults.active == ["unplug", "slow"]
    faults.set("unplug", False)
    assert faults.active == ["slow"]
