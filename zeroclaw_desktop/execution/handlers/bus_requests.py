"""Requests to devices on a board's buses: bytes in and out, waiting for busy devices, bus faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_SHARED, allowed_pins
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Checker, HandlerContext, ResourceUse
from zeroclaw_desktop.foundation.errors import ZeroClawError

MAX_BYTES = 32
"""The firmware's buffer (SPEC.md, Buses)."""
REPLY_SECONDS = 2.0
BUSY_TRIES = 4
BUSY_SECONDS = 0.006
"""A memory acknowledges nothing while it writes, some 5 ms; its address is tried again after that."""

NO_DEVICE = 0x43
NO_ACKNOWLEDGE = 0x44
BUS_STUCK = 0x45
_SYMBOLS = {NO_DEVICE: "NO_DEVICE", NO_ACKNOWLEDGE: "NO_ACKNOWLEDGE", BUS_STUCK: "BUS_STUCK"}
_BOARD_CODES = {"no_device": NO_DEVICE, "no_ack": NO_ACKNOWLEDGE, "bus_fault": BUS_STUCK}

DATA = Param(
    "list",
    "Bytes, 0 to 255 each",
    minimum=1,
    maximum=MAX_BYTES,
    items=Param("int", minimum=0, maximum=255),
)
HEX = Param(
    "str",
    "The bytes as hexadecimal digits instead, two for each",
    pattern=r"(?:[0-9a-fA-F]{2}){1,32}",
    pattern_words="1 to 32 bytes, two hexadecimal digits for each",
)


def given_bytes(params: Mapping[str, Any]) -> bytes:
    """The bytes that the parameters ``data``, ``hex`` or ``text`` give; b'' when none is there."""
    if params.get("data") is not None:
        return bytes(params["data"])
    if params.get("hex") is not None:
        return bytes.fromhex(params["hex"])
    return str(params.get("text", "")).encode()


def one_form_faults(params: Mapping[str, Any], *forms: str) -> list[ActionFault]:
    """Faults when the bytes are given in no form or in several, or when they are too many."""
    present = [name for name in forms if params.get(name) is not None]
    allowed = ", ".join(forms)
    if not present:
        message = f"The bytes are missing; give one of: {allowed}."
        return [fault(Code.MISSING_PARAMETER, message, forms[0], allowed=allowed)]
    if len(present) > 1:
        got, expected = ", ".join(present), f"only one of: {allowed}"
        message = f"The bytes are given more than once ({got}); give {expected}."
        return [fault(Code.BAD_FORMAT, message, present[1], expected=expected)]
    size = len(given_bytes(params))
    if size > MAX_BYTES:
        return [
            fault(
                Code.OUT_OF_RANGE,
                f"'{present[0]}' has {size} bytes; allowed is 1 to {MAX_BYTES}.",
                present[0],
                got=size,
                minimum=1,
                maximum=MAX_BYTES,
                unit=" bytes",
            )
        ]
    return []


def known_to_firmware(command: str, *further: Checker) -> Checker:
    """A checker: the board's firmware must have the protocol command; then the further checkers are asked.

    Upstream firmware does not list its commands; it is asked and answers for itself.
    """

    def check(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
        listed = board.capabilities.get("commands")
        if isinstance(listed, (list, tuple)) and command not in listed:
            reason = f"its firmware '{board.firmware}' does not have '{command}'; flash the current one"
            return [fault(Code.DEVICE_REFUSED, f"{board.name} cannot do this: {reason}.", reason=reason)]
        return [found for checker in further for found in checker(params, board)]

    return check


async def ask(context: HandlerContext, command: str, args: Mapping[str, Any]) -> Any:
    """Send a request for a bus device; one that is busy is asked again.

    Raises:
        FaultError: the device or the bus does not answer (codes 0x43 to 0x45).
        ZeroClawError: every other fault of the request.
    """
    for left in reversed(range(BUSY_TRIES)):
        try:
            return await context.link.request(command, args, timeout=REPLY_SECONDS)
        except ZeroClawError as error:
            code = _BOARD_CODES.get(str(error.details.get("board_code", "")))
            if code is None:
                raise
            if code != NO_DEVICE or left == 0:
                raise FaultError([_bus_fault(code, args, str(error.details.get("reason", "")))]) from error
        await context.sleep(BUSY_SECONDS)
    raise AssertionError("the last try returns or raises")


def _bus_fault(code: int, args: Mapping[str, Any], reason: str) -> ActionFault:
    address = f"0x{args['addr']:02X}" if "addr" in args else ""
    messages = {
        NO_DEVICE: f"No device answers at the I2C address {address}.",
        NO_ACKNOWLEDGE: f"The device at the I2C address {address} refused a byte.",
        BUS_STUCK: f"The bus is stuck: {reason}.",
    }
    return ActionFault(
        code, _SYMBOLS[code], messages[code], "", {"param": "", "address": address, "reason": reason}
    )


def as_bytes(answer: Any) -> bytes:
    """The bytes of a reply.

    Raises:
        FaultError: the board answered with something else.
    """
    try:
        return bytes.fromhex(answer)
    except (TypeError, ValueError) as error:
        reason = "its answer holds no bytes"
        raise FaultError(
            [fault(Code.DEVICE_REFUSED, f"The board cannot be read: {reason}.", reason=reason)]
        ) from error


def shown_bytes(data: bytes) -> dict[str, Any]:
    """Bytes for a report, in both forms."""
    return {"data": list(data), "hex": data.hex()}


def i2c_uses(board: BoardInfo | None, address: int | None) -> list[ResourceUse]:
    """Resources of one device on the bus, or of the whole bus (None).

    Different devices may be used at the same time (a request is one whole transfer); the pins of the bus are
    only read, so that nobody else drives them meanwhile.
    """
    pins = [ResourceUse(f"gpio:{pin.number}", "read") for pin in allowed_pins(board, "i2c")] if board else []
    if address is None:
        return [ResourceUse("i2c:0", "write"), *pins, SERIAL_SHARED]
    return [ResourceUse("i2c:0", "read"), ResourceUse(f"i2c:0@0x{address:02X}"), *pins, SERIAL_SHARED]
