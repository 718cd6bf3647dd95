"""What Espressif chips print when they do not start well, so that a written firmware is not all that is told.

Sources: ESP-IDF, "Fatal Errors" and "Brownout Detector"; messages of the boot loader in ROM.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.failures import Cause

TROUBLES = (
    Cause(
        r"brownout detector was triggered|BROWN_?OUT_RST",
        "brown_out",
        "The board restarts because its supply voltage breaks down.",
        "Take a shorter and thicker USB cable, another port without a hub, or a power supply of its own; "
        "disconnect motors and servos.",
    ),
    Cause(
        r"invalid header: 0x|No bootable app partitions|ets_main\.c|csum err|"
        r"partition table .*(?:invalid|error)",
        "no_program",
        "The firmware is written, but the board finds no program that it can start.",
        "Choose a merged image (boot loader, partition table and app in one file) built for this board.",
    ),
    Cause(
        r"waiting for download",
        "still_in_loader",
        "The firmware is written, but the board still waits for a new one.",
        "Press its EN (or RST) button; make sure that nothing holds BOOT (GPIO0) down.",
    ),
    Cause(
        r"Guru Meditation Error|abort\(\) was called|panic'ed",
        "program_crashes",
        "The firmware is written, but its program crashes.",
        "Look at the serial console; the program may be for another board or memory size.",
    ),
)


def boot_trouble(lines: Sequence[str]) -> FlashError | None:
    """The first trouble that the lines of a board tell of; None when they tell of none."""
    text = "\n".join(lines)
    for trouble in TROUBLES:
        found = re.search(trouble.pattern, text, re.IGNORECASE)
        if found is not None:
            return FlashError(
                trouble.message,
                hint=trouble.hint,
                code=trouble.code,
                details={"line": found[0], "output": text[-2_000:]},
            )
    return None
