"""Why esptool failed, by its own messages (esptool 5; the table of its troubleshooting guide)."""

from __future__ import annotations

import re

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing.failures import PORT_CAUSES, Cause

BOOT_MODE_HINT = (
    "Hold the BOOT button, press and release EN (or RST), let go of BOOT, then choose 'I have done that'. "
    "A board without a BOOT button: connect GPIO0 (on C3 and C6 GPIO9) to GND while it is switched on."
)
CAUSES = (
    Cause(
        r"This chip is [\w-]+, not|Unexpected chip ID|Failed to autodetect chip",
        "wrong_chip",
        "The chip on the board is not the one that was chosen. Nothing was written.",
        "Choose the right board.",
    ),
    Cause(
        r"Secure Download Mode|Secure Boot V1 detected|flash encryption|encrypted flash write",
        "flash_protected",
        "The chip is locked by secure boot or flash encryption, so nothing was written.",
        "Only the maker of the board, who has its keys, can write to it.",
    ),
    Cause(
        r"MD5 of file does not match|written flash region is empty",
        "verify_failed",
        "What was read back from the board differs from what was written.",
        "Flash again; if it fails again, try another cable, port or power supply.",
    ),
    Cause(
        r"Download mode successfully detected, but getting no sync reply",
        "loader_deaf",
        "The board waits for a program but does not hear the computer.",
        "Check the wire from the adapter's TX to the board's RX, and that both use the same voltage.",
    ),
    Cause(
        r"Wrong boot mode detected|Failed to connect[^\n]*(?:Invalid head of packet|Guru Meditation)",
        "wrong_boot_mode",
        "The board runs its program instead of waiting for a new one.",
        BOOT_MODE_HINT,
    ),
    Cause(
        r"Failed to connect",
        "no_serial_data",
        "The board sends nothing.",
        "Check that the cable carries data, that the board has power, that nothing is connected to its TX, "
        "RX, EN and BOOT pins, and that it is the right port. " + BOOT_MODE_HINT,
    ),
    *PORT_CAUSES,
    Cause(
        r"serial exception|could not open|port is busy or doesn't exist|write timeout|Errno [25]\b",
        "port_missing",
        "The port could not be opened, or went away.",
        "Plug the board in again, or choose another port. A board that goes away by itself may lack power.",
    ),
    Cause(
        r"will not fit in \d+ bytes of flash",
        "image_unfit",
        "The firmware is larger than the flash of this module. Nothing was written.",
        "Choose a firmware that was built for this board.",
    ),
    Cause(
        r"noise|corrupt|No serial data|No more data to read|transfer stopped|Invalid SLIP|stopped respond|"
        r"Response doesn't match|Failed to set baud rate|Timed out|Only got \d+ byte|checksum|Digest mism",
        "serial_noise",
        "The connection is too noisy, even at the lowest speed.",
        "Take a shorter cable, another port without a hub, or another power supply.",
    ),
)


def slower_may_help(ended: ChildExit) -> bool:
    """Whether the same run may succeed at a lower baud rate: noise, lost frames, time-outs later on."""
    words = last_words(ended.tail)
    first = next((cause for cause in CAUSES if re.search(cause.pattern, words, re.IGNORECASE)), None)
    return ended.timed_out or (first is not None and first.code == CAUSES[-1].code)


def last_words(text: str) -> str:
    """The error itself, without what was said before it."""
    place = max(text.rfind(mark) for mark in ("A fatal error occurred", "A serial exception error occurred"))
    return text[max(place, 0) :]
