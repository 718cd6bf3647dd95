"""esptool's output and failures (HW-6); the texts are esptool 5's own, from its source and its runs."""

from __future__ import annotations

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing.boot_messages import TROUBLES, boot_trouble
from zeroclaw_desktop.hardware.flashing.failures import explain_failure
from zeroclaw_desktop.hardware.flashing.methods.esptool import ESPTOOL
from zeroclaw_desktop.hardware.flashing.methods.esptool_causes import (
    CAUSES,
    last_words,
    slower_may_help,
)
from zeroclaw_desktop.hardware.flashing.methods.esptool_output import EsptoolOutput, identity_of
from zeroclaw_desktop.hardware.flashing.tools import find_tool

RUN = (
    "esptool v5.6.0\nSerial port /dev/ttyUSB0:\nConnecting....\n\nDetecting chip type... ESP32-S3\n"
    "Connected to ESP32-S3 on /dev/ttyUSB0:\nChip type:          ESP32-S3 (QFN56) (revision v0.2)\n"
    "Features:           Wi-Fi, BT 5 (LE), Dual Core + LP Core, 240MHz\nCrystal frequency:  40MHz\n"
    "MAC:                7C:DF:A1:00:00:01\n\nFlash will be erased from 0x00000000 to 0x00003fff...\n"
    "Writing at 0x00002000 ━━━━━━━━━━━━━━                  50.0% 8.00kB/16.00kB [0s] \n"
    "Writing at 0x00004000 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100.0% 16.00kB/16.00kB [0s] \n"
    "Wrote 16384 bytes at 0x00000000 in 0.1 seconds (1000.0 kbit/s).\nVerifying written data...\n"
    "Hash of data verified.\n\nWriting 'x' at 0x00010000...\n"
    "Writing at 0x00014000 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100.0% 48.00kB/48.00kB [1s] \n"
    "Wrote 49152 bytes (30000 compressed) at 0x00010000 in 0.4 seconds (900.0 kbit/s).\n"
    "Verifying written data...\nHash of data verified.\n\nHard resetting via RTS pin...\n"
).encode()


def follow(pieces: list[bytes], sizes: list[int]) -> tuple[list[tuple[str, float]], list[str], int]:
    steps: list[tuple[str, float]] = []
    lines: list[str] = []
    output = EsptoolOutput(sizes, lambda phase, percent: steps.append((phase, percent)), lines.append)
    for piece in pieces:
        output.feed(piece)
    output.finish()
    return steps, lines, output.verified


class TestOutput:
    def test_parts_count_by_their_size(self) -> None:
        """16 KiB and 48 KiB: the first is a quarter of all."""
        steps, lines, verified = follow([RUN], [16_384, 49_152])
        assert steps == [
            ("write", 12.5),
            ("write", 25.0),
            ("write", 100.0),
            ("verify", 25.0),
            ("verify", 100.0),
        ]
        assert verified == 2
        assert not any("%" in line for line in lines)
        assert lines[0] == "esptool v5.6.0"
        assert lines[-1] == "Hard resetting via RTS pin..."

    def test_reading_is_the_restore_point(self) -> None:
        line = "Reading from 0x00080000 ━━━╸     12.5% 512.00kB/4.00MB [1s] \n".encode()
        assert follow([line], [4 << 20])[0] == [("backup", 12.5)]

    def test_what_is_read_on_the_way_is_no_progress(self) -> None:
        line = b"Reading from 0x00008c00 = 100.0% 3.00kB/3.00kB [0s]\n"
        assert follow([line], []) == ([], [], 0)

    def test_the_chip_introduces_itself(self) -> None:
        found = identity_of(RUN.decode() + "Detected flash size: 16MB\n")
        assert found is not None
        assert (found.chip, found.unique, found.flash_bytes) == ("ESP32-S3", "7c:df:a1:00:00:01", 16 << 20)
        long_mac = (
            "Connected to ESP32-C6 on x:\nMAC:    a4:cf:12:00:00:34:56:78\nBASE MAC:  a4:cf:12:34:56:78\n"
        )
        c6 = identity_of(long_mac + "MAC_EXT:            00:00\nDetected flash size: 512KB\n")
        assert c6 is not None
        assert (c6.unique, c6.flash_bytes) == ("a4:cf:12:34:56:78", 512 << 10)
        assert identity_of("esptool v5.6.0\nConnecting.....") is None

    @given(st.lists(st.integers(0, len(RUN)), max_size=12))
    def test_how_the_output_is_cut_makes_no_difference(self, cuts: list[int]) -> None:
        places = [0, *sorted(cuts), len(RUN)]
        pieces = [RUN[a:b] for a, b in pairwise(places)]
        assert follow(pieces, [16_384, 49_152]) == follow([RUN], [16_384, 49_152])

    @given(st.binary(max_size=300), st.lists(st.integers(0, 1 << 24), max_size=3))
    def test_no_bytes_raise(self, data: bytes, sizes: list[int]) -> None:
        steps, _, _ = follow([data, b"\nWriting at 0x1 999%\nWrote x\nWrote x\nHash of data verified"], sizes)
        assert all(0 <= percent <= 100 for _, percent in steps)


FATAL = "A fatal error occurred: "
CONNECT = FATAL + "Failed to connect to ESP32: "
FAILURES = [
    (CONNECT + "Wrong boot mode detected (0x13)! The chip needs to be in download mode.", "wrong_boot_mode"),
    (CONNECT + "Invalid head of packet (0x1b): Possible serial noise or corruption.", "wrong_boot_mode"),
    (CONNECT + "Guru Meditation Error detected (LoadProhibited).", "wrong_boot_mode"),
    (CONNECT + "No serial data received.", "no_serial_data"),
    (
        CONNECT + "Download mode successfully detected, but getting no sync reply: The serial TX path seems "
        "to be down.",
        "loader_deaf",
    ),
    (FATAL + "This chip is ESP32-S3, not ESP32. Wrong chip argument?", "wrong_chip"),
    (FATAL + "Invalid head of packet (0x80): Possible serial noise or corruption.", "serial_noise"),
    (FATAL + "Serial data stream stopped: Possible serial noise or corruption.", "serial_noise"),
    (FATAL + "Unable to verify flash chip connection (No serial data received.).", "serial_noise"),
    (FATAL + "No more data to read from the serial port. This can have many causes", "serial_noise"),
    (FATAL + "Failed to set baud rate 921600. The driver may not support this rate.", "serial_noise"),
    (FATAL + "Failed to write to target flash after seq 3 (result was 0107: Checksum error)", "serial_noise"),
    (FATAL + "MD5 of file does not match data in flash!", "verify_failed"),
    (FATAL + "Write failed, the written flash region is empty.", "verify_failed"),
    (FATAL + "Detected flash encryption and secure download mode enabled.", "flash_protected"),
    (FATAL + "The 'flash-id' command is not available in Secure Download Mode.", "flash_protected"),
    (FATAL + "File 'x' (length 5) at offset 0x3f0000 will not fit in 4194304 bytes of flash.", "image_unfit"),
    (
        FATAL + "Could not open /dev/ttyUSB9, the port is busy or doesn't exist.\n([Errno 2] could not open "
        "port /dev/ttyUSB9: [Errno 2] No such file or directory: '/dev/ttyUSB9')",
        "port_missing",
    ),
    (
        FATAL + "Could not open /dev/ttyUSB0, the port is busy or doesn't exist.\n([Errno 13] could not open "
        "port /dev/ttyUSB0: [Errno 13] Permission denied: '/dev/ttyUSB0')",
        "port_permission",
    ),
    (
        FATAL + "Could not open COM3, the port is busy or doesn't exist.\n(could not open port 'COM3': "
        "PermissionError(13, 'Access is denied.', None, 5))",
        "port_busy",
    ),
    (
        "A serial exception error occurred: device reports readiness to read but returned no data "
        "(device disconnected or multiple access on port?)",
        "port_missing",
    ),
    (FATAL + "something new", "flash_failed"),
]


def ended(words: str, *, timed_out: bool = False) -> ChildExit:
    return ChildExit(2, timed_out, 1.0, RUN.decode() + words)


class TestFailures:
    @pytest.mark.parametrize(("words", "code"), FAILURES)
    def test_each_has_its_reason_and_a_next_step(self, words: str, code: str) -> None:
        last = ChildExit(2, False, 1.0, last_words(ended(words).tail))
        error = explain_failure("esptool", CAUSES, last, wrote=False)
        assert (error.code, error.retryable) == (code, True)
        assert error.hint

    @pytest.mark.parametrize(("words", "code"), FAILURES)
    def test_only_noise_is_tried_again_slower(self, words: str, code: str) -> None:
        assert slower_may_help(ended(words)) is (code == "serial_noise")

    def test_a_time_out_is_tried_again_slower(self) -> None:
        assert slower_may_help(ended("", timed_out=True))

    def test_earlier_words_do_not_count(self) -> None:
        """What was repaired on the way is not what it failed of."""
        words = "Possible serial noise or corruption.\n" + FATAL + "MD5 of file does not match data in flash!"
        assert not slower_may_help(ended(words))


def test_it_is_our_own_esptool_and_no_file_of_that_name_in_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ZEROCLAW_ESPTOOL", raising=False)
    monkeypatch.setenv("PATH", "")
    assert find_tool(ESPTOOL).argv == (sys.executable, "-P", "-m", "esptool")


class TestBootMessages:
    @pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.code)
    def test_each_trouble_has_a_next_step(self, trouble: object) -> None:
        assert trouble.message.endswith(".")  # type: ignore[attr-defined]
        assert trouble.hint  # type: ignore[attr-defined]

    def test_words_of_esp_idf(self) -> None:
        """ESP-IDF Programming Guide, "Fatal Errors" and "Brownout Detector"."""
        lines = ["", "Brownout detector was triggered", "", "ets Jul 29 2019 12:21:46"]
        trouble = boot_trouble(lines)
        assert trouble is not None
        assert trouble.code == "brown_out"
        assert "supply" in trouble.message
        assert boot_trouble(["I (31) boot: ESP-IDF v5.1", "Hello world!"]) is None
