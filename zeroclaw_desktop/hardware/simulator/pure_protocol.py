"""Requests and replies of the board protocol on the board's side (firmware/protocol/SPEC.md). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.simulator.pure_json import JsonValue, NotJsonError, read_json
from zeroclaw_desktop.hardware.simulator.pure_line import LINE_BYTES, ReceivedLine
from zeroclaw_desktop.hardware.simulator.pure_model import PureModel

NO_ID = b"null"
_LINE_FAULTS = {
    "line_damaged": "Bytes of the line were lost",
    "line_too_long": f"Line longer than {LINE_BYTES} bytes",
}
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")
_PIN_NAME = re.compile(rb'"([aAdD])([0-9]{1,2})"')

DONE = "done"
Result = str | int | dict[str, object]


class RequestRefusedError(ZeroClawError):
    """A request cannot be done. ``message`` and ``code`` go into the reply as they are.

    Args:
        request_id: the bytes of the request's id, as far as it was read.
    """

    def __init__(self, message: str, code: str, request_id: bytes = NO_ID) -> None:
        super().__init__(message, code=code)
        self.request_id = request_id


@dataclass(frozen=True)
class Request:
    """A complete request; its arguments are checked when they are asked for.

    Attributes:
        request_id: the id's bytes as they were written.
        command: name of the command.
        args: object of the arguments, None when there is none.
        model: the board's kind, which says what is a pin.
    """

    request_id: bytes
    command: str
    args: JsonValue | None
    model: PureModel

    def refused(self, message: str, code: str) -> RequestRefusedError:
        """The error that answers this request."""
        return RequestRefusedError(message, code, self.request_id)

    def has(self, name: str) -> bool:
        """Whether an argument is there, of whatever kind."""
        return self.args is not None and bool(self.args.find(name))

    def argument(self, name: str) -> JsonValue:
        """An argument that must be there once.

        Raises:
            RequestRefusedError: ``bad_request``.
        """
        found = self.args.find(name) if self.args is not None else []
        if len(found) == 1:
            return found[0]
        raise self.refused(f"{'Repeated' if found else 'Missing'} {name}", "bad_request")

    def number(self, name: str, low: int, high: int) -> int:
        """An integer argument from low to high.

        Raises:
            RequestRefusedError: ``bad_request`` or ``bad_value``.
        """
        number = self.argument(name).integer
        if number is None:
            raise self.refused(f"{name} must be an integer", "bad_value")
        if not low <= number <= high:
            span = f"{low} or {high}" if low + 1 == high else f"from {low} to {high}"
            raise self.refused(f"{name} must be {span}", "bad_value")
        return number

    def optional(self, name: str, low: int, high: int, default: int) -> int:
        """An integer argument that may be missing.

        Raises:
            RequestRefusedError: ``bad_request`` or ``bad_value``.
        """
        return self.number(name, low, high) if self.has(name) else default

    def byte_string(self, name: str, limit: int) -> bytes:
        """An argument of 1 to ``limit`` bytes: an array of integers or a string of hexadecimal digits.

        Raises:
            RequestRefusedError: ``bad_request`` or ``bad_value``.
        """
        data = bytes_of(self.argument(name))
        if data is None or not 1 <= len(data) <= limit:
            raise self.refused(f"{name} must be 1 to {limit} bytes", "bad_value")
        return data

    def pin(self, name: str = "pin") -> int:
        """A pin that a request may name, by number or by name.

        Raises:
            RequestRefusedError: ``bad_request``, ``bad_value`` or ``bad_pin``.
        """
        value = self.argument(name)
        number = pin_by_name(value.raw, self.model) if value.kind == "string" else value.integer
        if number is None:
            raise self.refused(f"{name} must be an integer", "bad_value")
        written = (value.raw[1:-1] if value.kind == "string" else value.raw).decode()
        if number in self.model.reserved:
            raise self.refused(f"Invalid pin {written}: {self.model.reserved[number]}", "bad_pin")
        if number not in self.model.pins:
            raise self.refused(f"Invalid pin {written}", "bad_pin")
        return number

    def digital_pin(self, name: str = "pin") -> int:
        """A pin that has a level.

        Raises:
            RequestRefusedError: as ``pin``, or ``unsupported``: it can be measured and nothing else.
        """
        pin = self.pin(name)
        if pin in self.model.analog_only:
            raise self.refused(f"Pin {pin} is analog only", "unsupported")
        return pin

    def output_pin(self, name: str = "pin") -> int:
        """A pin with an output driver.

        Raises:
            RequestRefusedError: as ``digital_pin``, or ``unsupported``: it has none.
        """
        pin = self.digital_pin(name)
        if pin in self.model.input_only:
            raise self.refused(f"Pin {pin} is input only", "unsupported")
        return pin


def bytes_of(value: JsonValue) -> bytes | None:
    """Bytes given as an array of integers or as hexadecimal digits; None when they are neither."""
    if value.kind == "array":
        numbers = [item.integer for _, item in value.members]
        whole = [number for number in numbers if number is not None and 0 <= number <= 255]
        return bytes(whole) if len(whole) == len(numbers) else None
    text = value.text
    return bytes.fromhex(text) if text is not None and _HEX.fullmatch(text) else None


def pin_by_name(quoted: bytes, model: PureModel) -> int:
    """Number of a pin named like ``"D5"`` or ``"A0"``, quotes included; -1 when that is no name of a pin."""
    letter, number = letter_and_number(quoted)
    if letter == "a":
        return model.channels.get(number, -1)
    return number if letter == "d" else -1


def letter_and_number(quoted: bytes) -> tuple[str, int]:
    """``("d", 5)`` for ``"D5"``, quotes included; ``("", -1)`` when it is not made like that."""
    match = _PIN_NAME.fullmatch(quoted)
    return (match[1].decode().lower(), int(match[2])) if match is not None else ("", -1)


Command = Callable[[Request], Result]


def read_request(line: ReceivedLine, model: PureModel) -> Request:
    """Read a line as a request.

    Raises:
        RequestRefusedError: it is none; the error says what the board answers.
    """
    if line.fault:
        raise RequestRefusedError(_LINE_FAULTS[line.fault], line.fault)
    try:
        root = read_json(line.content)
    except NotJsonError as error:
        raise RequestRefusedError("Bad JSON", "bad_json") from error
    if root.kind != "object":
        raise RequestRefusedError("Request must be an object", "bad_request")
    ids = root.find("id")
    if len(ids) > 1 or any(value.kind not in ("string", "number", "null") for value in ids):
        raise RequestRefusedError("id must be one string or number", "bad_request")
    request_id = ids[0].raw if ids else NO_ID
    commands = root.find("cmd")
    if len(commands) != 1 or commands[0].text is None:
        raise RequestRefusedError("cmd must be one string", "bad_request", request_id)
    args = root.find("args")
    if len(args) > 1 or any(value.kind not in ("object", "null") for value in args):
        raise RequestRefusedError("args must be one object", "bad_request", request_id)
    return Request(request_id, commands[0].text, args[0] if args else None, model)


def compact(value: object) -> bytes:
    """JSON as the board writes it, without white space."""
    return json.dumps(value, separators=(",", ":")).encode()


def success_line(request: Request, result: Result) -> bytes:
    """The reply to a request that was carried out."""
    return b'{"id":' + request.request_id + b',"ok":true,"result":' + compact(result) + b"}\n"


def failure_line(error: RequestRefusedError) -> bytes:
    """The reply to a request that was not; its text may hold what the host wrote between quotes, raw."""
    text, code = error.message.encode(), error.code.encode()
    return b'{"id":' + error.request_id + b',"ok":false,"error":"' + text + b'","code":"' + code + b'"}\n'


def event_line(name: str, **fields: object) -> bytes:
    """A line that nobody asked for."""
    return compact({"evt": name, **fields}) + b"\n"
