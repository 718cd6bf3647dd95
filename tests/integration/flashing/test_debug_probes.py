"""st-flash, OpenOCD and pyOCD (HW-6, HW-7; AC5, AC17, AC42, AC43, AC49).

There is no probe here, so the real tools say that there is none; for all that comes after, programs of the
test print what the tools print: st-flash 1.7 and 1.8 and OpenOCD 0.12 as in logs that people published, pyOCD
as its ``utility/progress.py`` and ``commands/commands.py`` have it. The real OpenOCD runs the script for it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.flash_bench import (
    assert_real_progress,
    job_for,
    nucleo,
    stm32_image,
)
from tests.helpers.probe_tools import (
    JOLLY_GOOD,
    ONE,
    OPENOCD_IDENTITY,
    OPENOCD_RUN,
    OTHER,
    OURS,
    PROGRAM,
    PYOCD_IDENTITY,
    PYOCD_LOAD,
    PYOCD_SAME,
    SERIAL,
    ST_FLASH_RUN,
    WAYS,
    Tools,
    listing,
)
from tests.unit.sandbox.test_process import gone
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.methods.openocd import (
    reading_script,
    tcl_word,
    writing_script,
)
from zeroclaw_desktop.hardware.flashing.methods.pyocd import idcode_address
from zeroclaw_desktop.hardware.flashing.methods.st_flash import chip_of, progress_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    return Tools(tmp_path, monkeypatch)


class TestWithoutProbe:
    """The real tools."""

    @pytest.mark.parametrize(
        ("key", "program"), [("st-flash", "st-flash"), ("openocd", "openocd"), ("pyocd", "pyocd")]
    )
    async def test_each_says_that_there_is_none(self, tmp_path: Path, key: str, program: str) -> None:
        named = os.environ.get(f"ZEROCLAW_{program.upper().replace('-', '_')}", program)
        if shutil.which(named) is None:
            pytest.skip(f"needs {program} (Debian: apt install stlink-tools openocd; pip install pyocd)")
        job, _ = job_for(WAYS[key], nucleo(key), stm32_image(PROGRAM), tmp_path / "job")
        with pytest.raises(FlashError) as caught:
            await WAYS[key].write(job)
        assert caught.value.code == "probe_missing", caught.value.details["output"]
        assert "Nothing was written" in caught.value.message
        assert "ST-LINK" in caught.value.hint

    @pytest.mark.parametrize("key", list(WAYS))
    def test_a_missing_tool_comes_with_its_command(self, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(f"ZEROCLAW_{key.upper().replace('-', '_')}", "/nowhere/tool")
        with pytest.raises(FlashError) as caught:
            WAYS[key].find_tool()
        assert caught.value.code == "tool_missing"
        assert "install" in caught.value.hint


class TestStFlash:
    async def test_it_asks_for_the_chip_then_writes_with_real_percent(self, tools: Tools) -> None:
        tools.put("st-info", ONE)
        tools.put("st-flash", ST_FLASH_RUN + JOLLY_GOOD)
        notes = await tools.flash("st-flash")
        assert tools.calls("st-info") == ["--probe"]
        (call,) = tools.calls("st-flash")
        assert call.startswith(f"--serial {SERIAL} --reset write ")
        assert call.endswith("firmware.bin 0x08000000")
        assert (tools.folder / "job" / "firmware.bin").read_bytes() == PROGRAM
        assert notes.phases == ["prepare", "write", "verify"]
        assert notes.percents("write") == [25.0, 50.0, 75.0, 100.0]
        assert notes.percents("verify") == [100.0]

    async def test_the_exit_code_decides_and_not_the_words(self, tools: Tools) -> None:
        tools.put("st-info", ONE)
        tools.put("st-flash", ST_FLASH_RUN + JOLLY_GOOD + "\nexit 255")
        error = await tools.refused("st-flash")
        assert error.code == "flash_failed"
        assert error.details["wrote"] is True

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("ERROR common.c: Verification of flash failed at offset: 512", "verify_failed"),
            ("ERROR common.c: Flash memory is write protected", "write_protected"),
            ("ERROR common.c: Target voltage (1200 mV) too low for flash writes!", "target_silent"),
        ],
    )
    async def test_failures_while_writing(self, tools: Tools, line: str, code: str) -> None:
        tools.put("st-info", ONE)
        tools.put("st-flash", ST_FLASH_RUN + f"echo '{line}'; exit 255")
        error = await tools.refused("st-flash")
        assert error.code == code
        assert "no working firmware" in error.message

    async def test_no_permission_is_told_as_such(self, tools: Tools) -> None:
        tools.put(
            "st-info",
            "echo 'WARN usb.c: Could not open USB device 0x0483:0x374b, access error.'\n"
            "echo 'Found 0 stlink programmers'",
        )
        tools.put("st-flash", "")
        error = await tools.refused("st-flash")
        assert error.code == "probe_permission"

    async def test_of_two_probes_the_boards_own_is_asked(self, tools: Tools) -> None:
        both = listing("0x410", OTHER.serial_number) + listing()
        tools.put("st-info", f"printf 'Found 2 stlink programmers\\n{both}'")
        tools.put("st-flash", ST_FLASH_RUN + JOLLY_GOOD)
        await tools.flash("st-flash", ports=(OURS, OTHER))
        assert f"--serial {SERIAL}" in tools.calls("st-flash")[0]

    async def test_two_probes_and_no_port_to_know_one_by_are_refused(self, tools: Tools) -> None:
        both = listing("0x433", OTHER.serial_number) + listing()
        tools.put("st-info", f"printf 'Found 2 stlink programmers\\n{both}'")
        tools.put("st-flash", ST_FLASH_RUN)
        error = await tools.refused("st-flash", ports=())
        assert error.code == "probe_several"
        assert tools.calls("st-flash") == []

    def test_lines_of_version_1_8_and_of_other_chips(self) -> None:
        assert progress_of("  1/3   pages written  2/3   pages written") == (
            "write",
            pytest.approx(66.67, 0.01),
        )
        assert progress_of("-> Flash page at 0x8000000 erased (size: 0x2000)") == ("write", None)
        assert progress_of("  5/ 10 halfpages written") == ("write", 50.0)
        assert progress_of("1024/4096 bytes written") == ("write", 25.0)
        assert progress_of("0/0 pages written") == ("write", None)
        assert progress_of("st-flash 1.8.0") is None

    def test_the_listing_of_version_1_8(self) -> None:
        head = "Found 1 stlink programmers\n  version:    V2J35S26\n"
        text = f"{head}  serial:     {SERIAL}\n  chipid:     0x413\n"
        assert chip_of(text, "") == chip_of(text, SERIAL) == 0x413
        assert chip_of(text, "0000") is None
        assert chip_of("Found 0 stlink programmers\n", "") is None


class TestOpenOcd:
    async def test_it_asks_for_the_chip_then_writes_piece_by_piece(self, tools: Tools) -> None:
        tools.put("openocd", OPENOCD_IDENTITY + OPENOCD_RUN)
        notes = await tools.flash("openocd")
        identify, write = tools.calls("openocd")
        for call in (identify, write):
            assert "-f interface/stlink.cfg" in call
            assert "-f target/stm32f4x.cfg" in call
            assert f"adapter serial {SERIAL}" in call
            assert "telnet_port disabled" in call
        assert write.endswith("steps.cfg")
        assert_real_progress(notes, "write", 4)
        assert notes.percents("verify") == [0.0, 100.0]
        pieces = sorted((tools.folder / "job").glob("piece-*.bin"))
        assert b"".join(piece.read_bytes() for piece in pieces) == PROGRAM

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\\nError: open failed", "probe_permission"),
            ("Warn : UNEXPECTED idcode: 0x1ba01477\\nError: expected 1 of 1: 0x2ba01477", "wrong_chip"),
            ("embedded:startup.tcl:28: Error: Can'\"'\"'t find target/stm32f4x.cfg", "target_unknown"),
        ],
    )
    async def test_failures_before_anything_is_written(self, tools: Tools, line: str, code: str) -> None:
        tools.put("openocd", f"printf '{line}\\n' >&2; exit 1")
        error = await tools.refused("openocd")
        assert error.code == code
        assert "no working firmware" not in error.message
        assert len(tools.calls("openocd")) == 1

    async def test_bytes_that_differ(self, tools: Tools) -> None:
        differs = "echo 'Error: checksum mismatch - attempting binary compare'; "
        differs += "echo 'diff 0 address 0x08000010. Was 0xff instead of 0x12'; exit 1"
        tools.put("openocd", OPENOCD_IDENTITY + OPENOCD_RUN + differs)
        error = await tools.refused("openocd")
        assert error.code == "verify_failed"
        assert error.details["wrote"] is True

    @pytest.mark.skipif(shutil.which("openocd") is None, reason="needs openocd (Debian: apt install openocd)")
    @pytest.mark.parametrize("fails", [False, True])
    def test_the_real_openocd_understands_the_script(self, tmp_path: Path, fails: bool) -> None:
        """The commands that need a chip are replaced by some that say how they were called."""
        folder = tmp_path / "a folder [with] $signs; {and} more"
        folder.mkdir()
        pieces = [(0x0800_0000 + at, folder / f"p{at}.bin", 8_192) for at in (0, 8_192)]
        script = folder / "write.cfg"
        script.write_text(writing_script(pieces, (0x0800_0000, folder / "all.bin", 16_384)))
        fault = 'if {[lindex $args 2] eq "0x08002000"} {return -code error "no luck"}' if fails else ""
        stubs = tmp_path / "stubs.cfg"
        stubs.write_text(
            "adapter driver dummy\n"
            'proc init args {echo "> init"}\n'
            'proc reset args {echo "> reset [join $args |]"}\n'
            f'proc flash args {{ echo "> flash [join $args |]"; {fault} }}\n'
            'proc verify_image args {echo "> verify [join $args |]"}\n'
        )
        done = subprocess.run(
            ["openocd", "-f", stubs, "-f", script], capture_output=True, text=True, timeout=30, check=False
        )
        told = [line for line in done.stderr.splitlines() if line.startswith(("> ", "zeroclaw:"))]
        assert done.returncode == (1 if fails else 0), done.stderr
        writing = [
            "> init",
            "> reset init",
            "zeroclaw: write 0",
            "> flash erase_address|pad|0x08000000|16384",
            f"> flash write_image|{folder}/p0.bin|0x08000000|bin",
            "zeroclaw: write 50.0",
            f"> flash write_image|{folder}/p8192.bin|0x08002000|bin",
        ]
        comparing = [
            "zeroclaw: write 100.0",
            "zeroclaw: verify 0",
            f"> verify {folder}/all.bin|0x08000000|bin",
            "zeroclaw: verify 100",
            "> reset run",
        ]
        assert told == writing + (["zeroclaw: failed: no luck"] if fails else comparing)

    def test_no_sign_of_a_path_is_taken_for_a_command(self) -> None:
        assert tcl_word('a$b[c]"d\\e{f};#') == '"a\\$b\\[c\\]\\"d\\\\e\\{f\\}\\;\\#"'


class TestPyOcd:
    async def test_it_asks_for_the_chip_then_writes_then_compares(self, tools: Tools) -> None:
        tools.put("pyocd", PYOCD_IDENTITY + PYOCD_LOAD + PYOCD_SAME)
        notes = await tools.flash("pyocd")
        identify, load, compare = tools.calls("pyocd")
        assert "-c read32 0xe0042000 4" in identify
        assert load.startswith("load ")
        assert "--format bin --base-address 0x08000000" in load
        assert "-c compare 0x08000000 '" in compare
        assert compare.endswith("-c reset")
        for call in (identify, load, compare):
            assert "-t stm32f401retx" in call
            assert f"-u {SERIAL}" in call
            assert "--no-wait" in call
            assert f"-j {tools.folder / 'job'}" in call
        assert_real_progress(notes, "write", 60)
        assert notes.phases == ["prepare", "write", "verify"]

    async def test_bytes_that_differ_are_a_failure_although_it_ends_well(self, tools: Tools) -> None:
        differs = "echo 'Mismatched byte at 0x08000010 (offset 0x10): 0xff (memory) != 0x12 (file)'; exit 0"
        tools.put("pyocd", PYOCD_IDENTITY + PYOCD_LOAD + differs)
        error = await tools.refused("pyocd")
        assert error.code == "verify_failed"
        assert error.details["wrote"] is True

    async def test_a_chip_that_it_does_not_know_comes_with_the_command(self, tools: Tools) -> None:
        tools.put(
            "pyocd",
            "echo 'C Target type stm32f401retx not recognized. Use pyocd list --targets to see them'; exit 1",
        )
        error = await tools.refused("pyocd")
        assert error.code == "target_unknown"
        assert "pyocd pack install stm32f401retx" in error.hint

    def test_where_each_family_tells_its_id(self) -> None:
        assert idcode_address("STM32F103RB") == 0xE004_2000
        assert idcode_address("STM32G071RB") == 0x4001_5800
        assert idcode_address("stm32h743zi") == 0x5C00_1000


class TestReadingBack:
    """For restore points: the whole flash, nothing else (HW-6)."""

    async def test_st_flash(self, tools: Tools) -> None:
        script = 'while [ $# -gt 3 ]; do shift; done; head -c $(($3)) /dev/zero > "$1"'
        notes = await tools.read_back("st-flash", script)
        (call,) = tools.calls("st-flash")
        kept = tools.folder / "kept.bin"
        assert call == f"--serial {SERIAL} --reset read {kept} 0x08000000 0x4e20"
        assert kept.stat().st_size == 20_000
        assert notes.phases == ["prepare", "backup"]

    async def test_openocd(self, tools: Tools) -> None:
        script = """
for last; do :; done
sed -n 's/^dump_image "\\(.*\\)" 0x\\([0-9a-f]*\\) \\([0-9]*\\)$/\\1 \\2 \\3/p' "$last" |
while read file at count; do
printf '%s' "$at" | head -c "$count" > "$file"; head -c $((count - 8)) /dev/zero >> "$file"; done
grep -o 'zeroclaw: [a-z]* [0-9.]*' "$last" >&2
"""
        notes = await tools.read_back("openocd", script)
        kept = (tools.folder / "kept.bin").read_bytes()
        assert len(kept) == 20_000
        assert [kept[at : at + 8] for at in (0, 8_192, 16_384)] == [b"08000000", b"08002000", b"08004000"]
        assert notes.percents("backup")[-1] == 100.0
        assert notes.phases == ["prepare", "backup"]

    async def test_pyocd(self, tools: Tools) -> None:
        notes = await tools.read_back("pyocd", "exit 0")
        assert f"-c savemem 0x08000000 20000 '{tools.folder}/kept.bin' -c reset" in tools.calls("pyocd")[1]
        assert notes.phases == ["prepare", "backup"]

    @pytest.mark.skipif(shutil.which("openocd") is None, reason="needs openocd (Debian: apt install openocd)")
    def test_the_real_openocd_understands_the_script(self, tmp_path: Path) -> None:
        pieces = [(0x0800_0000, tmp_path / "a.bin", 8_192), (0x0800_2000, tmp_path / "b.bin", 100)]
        script, stubs = tmp_path / "steps.cfg", tmp_path / "stubs.cfg"
        script.write_text(reading_script(pieces))
        stubs.write_text(
            "adapter driver dummy\nproc init args {}\nproc reset args {}\n"
            'proc dump_image args {echo "> [join $args |]"}\n'
        )
        done = subprocess.run(
            ["openocd", "-f", stubs, "-f", script], capture_output=True, text=True, timeout=30, check=False
        )
        told = [line for line in done.stderr.splitlines() if line.startswith(("> ", "zeroclaw:"))]
        assert done.returncode == 0
        assert told == [
            "zeroclaw: backup 0",
            f"> {tmp_path}/a.bin|0x08000000|8192",
            "zeroclaw: backup 98.8",
            f"> {tmp_path}/b.bin|0x08002000|100",
            "zeroclaw: backup 100.0",
        ]


IDENTITIES = {
    "st-flash": ("st-info", "printf 'Found 1 stlink programmers\\n{listing}'"),
    "openocd": ("openocd", "echo 'Info : device id = 0x1000{chip:04x}' >&2"),
    "pyocd": ("pyocd", "echo 'e0042000:  2003{chip:04x}     |..d3|'"),
}
SILENCE = {
    "st-flash": "printf 'Found 1 stlink programmers\\n{listing}'",
    "openocd": "echo 'Error: init mode failed (unable to connect to the target)' >&2; exit 1",
    "pyocd": "echo '0000567 E Error while initing target: STLink error (9): Get IDCODE error'; exit 4",
}
UNDER_RESET = {
    "st-flash": "--connect-under-reset",
    "openocd": "connect_assert_srst",
    "pyocd": "-M under-reset",
}


@pytest.mark.parametrize("key", list(WAYS))
class TestEveryTool:
    async def test_another_chip_is_refused_before_anything_is_written(self, tools: Tools, key: str) -> None:
        name, script = IDENTITIES[key]
        tools.put(name, script.format(listing=listing("0x0410"), chip=0x6410))
        if key == "st-flash":
            tools.put("st-flash", "")
        error = await tools.refused(key)
        assert error.code == "wrong_chip"
        assert "0x410" in error.message
        assert "0x433" in error.message
        assert "Nothing was written" in error.message
        assert len(tools.calls(name)) == 1
        assert key != "st-flash" or tools.calls("st-flash") == []

    async def test_a_chip_that_keeps_silent_is_tried_once_more_under_reset(
        self, tools: Tools, key: str
    ) -> None:
        """AC43: a program may have switched the debug pins off."""
        name, _ = IDENTITIES[key]
        silence = SILENCE[key].format(listing=listing("0x0000"))
        answers = {
            "st-flash": ONE,
            "openocd": OPENOCD_IDENTITY + OPENOCD_RUN,
            "pyocd": PYOCD_IDENTITY + PYOCD_LOAD + PYOCD_SAME,
        }[key]
        tools.put(name, f"case \"$*\" in *'{UNDER_RESET[key]}'*) {answers}\n;; *) {silence};; esac")
        if key == "st-flash":
            tools.put("st-flash", ST_FLASH_RUN + JOLLY_GOOD)
        notes = await tools.flash(key)
        assert any("held in reset" in line for line in notes.lines)
        writing = tools.calls("st-flash" if key == "st-flash" else name)
        assert UNDER_RESET[key] in writing[-1]

    async def test_a_chip_that_keeps_silent_under_reset_too(self, tools: Tools, key: str) -> None:
        name, _ = IDENTITIES[key]
        tools.put(name, SILENCE[key].format(listing=listing("0x0000")))
        if key == "st-flash":
            tools.put("st-flash", "")
        error = await tools.refused(key)
        assert error.code == "target_silent"
        assert "BOOT0" in error.hint
        assert "no working firmware" not in error.message
        assert len(tools.calls(name)) == 2

    async def test_two_boards_that_cannot_be_told_apart_are_refused(self, tools: Tools, key: str) -> None:
        """AC17: never the wrong board."""
        name, _ = IDENTITIES[key]
        tools.put(name, "exit 0")
        if key == "st-flash":
            tools.put("st-flash", "")
        error = await tools.refused(key, port="", ports=(OURS, OTHER))
        assert error.code == "probe_several"
        assert "/dev/ttyACM1" in error.message
        assert tools.calls(name) == []

    async def test_cancelling_ends_the_tool_and_its_family(self, tools: Tools, key: str) -> None:
        """AC49: within 2 s, and nothing holds the probe afterwards."""
        name, _ = IDENTITIES[key]
        hang = f"sleep 300 & echo $! > '{tools.folder}/child'; wait"
        tools.put(name, hang)
        if key == "st-flash":
            tools.put("st-flash", "")
        work = asyncio.create_task(tools.flash(key))
        note = tools.folder / "child"
        while not note.exists() or not note.read_text().strip():
            await asyncio.sleep(0.01)
        work.cancel()
        async with asyncio.timeout(2):
            with pytest.raises(asyncio.CancelledError):
                await work
        assert await gone(int(note.read_text()))
