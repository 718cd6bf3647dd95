"""avrdude's output and failures (HW-6); the texts are avrdude 7's own, copied from its runs."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.failures import explain_failure
from zeroclaw_desktop.hardware.flashing.methods.avrdude import (
    AVRDUDE,
    CAUSES,
    Progress,
    avrdude_arguments,
    follow_bars,
)
from zeroclaw_desktop.hardware.flashing.tool_output import ToolOutput
from zeroclaw_desktop.hardware.flashing.tools import Tool, find_tool

UNO = board_catalog()["arduino-uno"]
BAR = "#" * 50
RUN = (
    "\navrdude: AVR device initialized and ready to accept instructions\n"
    "avrdude: device signature = 0x1e950f (probably m328p)\n"
    'avrdude: reading input file "a #1.hex" for flash\n'
    "avrdude: writing 3688 bytes flash ...\n"
    f"Writing | {BAR} | 100% 0.62 s\n"
    "avrdude: 3688 bytes of flash written\r\n"
    f"Reading | {BAR} | 100% 0.48 s\n"
    "avrdude: 3688 bytes of flash verified\n"
    "avrdude done.  Thank you."
).encode()


def follow(pieces: list[bytes]) -> tuple[list[Progress], list[str]]:
    steps: list[Progress] = []
    lines: list[str] = []
    output = ToolOutput(lines.append, follow_bars(steps.append))
    for piece in pieces:
        output.feed(piece)
    output.finish()
    return steps, lines


class TestOutput:
    def test_bars_become_percent_of_their_phase(self) -> None:
        steps, _ = follow([RUN])
        write = [step.percent for step in steps if step.phase == "write"]
        verify = [step.percent for step in steps if step.phase == "verify"]
        assert write == verify == [float(percent) for percent in range(2, 101, 2)]
        assert steps[49:51] == [Progress("write", 100.0), Progress("verify", 2.0)]

    def test_progress_is_told_while_the_bar_grows(self) -> None:
        steps, lines = follow([b"Writing | #####"])
        assert steps[-1] == Progress("write", 10.0)
        assert lines == ["Writing | #####"]

    def test_every_line_is_logged_and_the_last_one_too(self) -> None:
        _, lines = follow([RUN])
        assert lines == [
            line.strip() for line in RUN.decode().replace("\r", "\n").split("\n") if line.strip()
        ]
        assert lines[-1] == "avrdude done.  Thank you."

    def test_signs_elsewhere_are_no_progress(self) -> None:
        steps, _ = follow([b'reading input file "x | #.hex"\nErasing | ###\n#### | ####\n'])
        assert steps == []

    @given(st.lists(st.integers(0, len(RUN)), max_size=12))
    def test_how_the_output_is_cut_makes_no_difference(self, cuts: list[int]) -> None:
        places = [0, *sorted(cuts), len(RUN)]
        assert follow([RUN[a:b] for a, b in pairwise(places)]) == follow([RUN])

    @given(st.binary(max_size=200))
    def test_no_bytes_raise(self, data: bytes) -> None:
        steps, _ = follow([data])
        assert all(0 <= step.percent <= 100 for step in steps)


class TestCommand:
    def test_it_writes_and_verifies_and_never_erases(self) -> None:
        tool = Tool("avrdude", ("avrdude",))
        arguments = avrdude_arguments(tool, UNO, "/dev/ttyACM0", Path("/x/blink.hex"))
        assert arguments[0] == "avrdude"
        assert "-D" in arguments
        assert "-V" not in arguments
        assert "-e" not in arguments
        pairs = dict(pairwise(arguments))
        assert (pairs["-c"], pairs["-p"], pairs["-P"], pairs["-b"]) == (
            "arduino",
            "m328p",
            "/dev/ttyACM0",
            "115200",
        )
        assert pairs["-U"] == "flash:w:/x/blink.hex:i"
        assert not any("fuse" in argument or "lock" in argument for argument in arguments)

    def test_a_missing_tool_comes_with_the_command_that_installs_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ZEROCLAW_AVRDUDE", "/nowhere/avrdude")
        with pytest.raises(FlashError, match="/nowhere/avrdude") as caught:
            find_tool(AVRDUDE)
        assert caught.value.code == "tool_missing"
        assert caught.value.details["install"] in caught.value.hint

    def test_a_named_tool_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ZEROCLAW_AVRDUDE", sys.executable)
        assert find_tool(AVRDUDE).argv == (sys.executable,)


FAILURES = [
    ("avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x00\navrdude done.", "not_in_sync"),
    ("avrdude error: programmer is not responding", "not_in_sync"),
    ('avrdude: ser_open(): can\'t open device "/dev/ttyACM0": No such file or directory', "port_missing"),
    ('avrdude: ser_open(): can\'t open device "/dev/ttyACM0": Permission denied', "port_permission"),
    ('avrdude: ser_open(): can\'t open device "/dev/ttyACM0": Device or resource busy', "port_busy"),
    ('avrdude: ser_open(): can\'t open device "\\\\.\\COM3": Access is denied.', "port_busy"),
    (
        "avrdude: device signature = 0x1e9801\navrdude: Expected signature for ATmega328P is 1E 95 0F\n"
        "Double check chip, or use -F to override this check.",
        "wrong_chip",
    ),
    (
        "avrdude: verification error, first mismatch at byte 0x0000\n0xff != 0x0c\n"
        "avrdude: verification error; content mismatch",
        "verify_failed",
    ),
    ("something new", "flash_failed"),
]


def explained(
    output: str, returncode: int = 1, *, timed_out: bool = False, wrote: bool = False
) -> FlashError:
    ended = ChildExit(returncode, timed_out, 1.0, output)
    return explain_failure("avrdude", CAUSES, ended, wrote=wrote)


class TestFailures:
    @pytest.mark.parametrize(("output", "code"), FAILURES)
    def test_each_has_its_reason_and_a_next_step(self, output: str, code: str) -> None:
        error = explained(output)
        assert (error.code, error.retryable) == (code, True)
        assert error.hint
        assert "no working firmware" not in error.message
        assert error.details["output"] == output

    def test_once_writing_began_the_old_firmware_is_gone(self) -> None:
        for output, _ in FAILURES:
            assert "flash again" in explained(output, wrote=True).message

    def test_time_out_and_being_killed(self) -> None:
        assert explained("", -9, timed_out=True, wrote=True).code == "flash_timeout"
        killed = explained("Writing | ####", -9, wrote=True)
        assert killed.code == "flash_failed"
        assert "ended from outside" in killed.message
