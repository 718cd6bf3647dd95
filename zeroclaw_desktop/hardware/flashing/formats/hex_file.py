"""Intel HEX files."""

from __future__ import annotations

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError
from zeroclaw_desktop.hardware.simulator.intel_hex import IntelHexError, parse_intel_hex


def read_hex(content: bytes, profile: BoardProfile) -> FirmwareContent:
    """Read an Intel HEX file; its addresses are those of the chip's flash.

    Raises:
        FormatError: a record is wrong, and which.
    """
    try:
        segments = parse_intel_hex(content.decode("ascii"))
    except UnicodeDecodeError as error:
        raise FormatError("it is not text, so it is not an Intel HEX file") from error
    except IntelHexError as error:
        where = f"line {error.line}" if error.line else "it"
        raise FormatError(f"{where} {error.reason}") from error
    return FirmwareContent("hex", segments)
