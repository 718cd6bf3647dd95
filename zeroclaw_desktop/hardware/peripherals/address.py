"""Addresses of boards that no USB port tells of, as a person enters them.

==================================  ==========================================================================
``tcp://host:port``                 our JSON lines over TCP
``unoq://host[:9999]``              the text bridge of the Arduino Uno Q, as upstream ships it
``mqtt://[user@]host[:1883]/base``  our JSON lines over an MQTT broker (``mqtts://``: with TLS)
``micropython:PORT``                MicroPython's prompt on a serial port (``micropython:/dev/ttyACM0``)
``gpio:CHIP``                       the pins of the Raspberry Pi that the app runs on
==================================  ==========================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from zeroclaw_desktop.config.address import MARK, address_fault, read_address
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.foundation.text import QUOTED, visible
from zeroclaw_desktop.hardware.errors import BoardAddressError


@dataclass(frozen=True)
class PeripheralKind:
    """A way to reach a board.

    Attributes:
        key: name of the kind: ``tcp``, ``uno-q``, ``mqtt``, ``micropython``, ``raspberry-pi``.
        schemes: what its addresses begin with.
        board_type: the kind of board that is meant when none is said.
        example: an address.
        port: the network port when none is said; 0 where one must be said.
        any_board: any kind of board may be there; the others say by themselves which one it is.
    """

    key: str
    schemes: tuple[str, ...]
    board_type: str
    example: str
    port: int = 0
    any_board: bool = True


KINDS: tuple[PeripheralKind, ...] = (
    PeripheralKind("tcp", ("tcp",), "arduino-uno", "tcp://192.168.1.20:9999"),
    PeripheralKind("uno-q", ("unoq",), "arduino-uno-q", "unoq://192.168.1.20:9999", 9999, False),
    PeripheralKind("mqtt", ("mqtt", "mqtts"), "arduino-uno", "mqtt://192.168.1.20:1883/greenhouse", 1883),
    PeripheralKind("micropython", ("micropython",), "raspberry-pi-pico", "micropython:/dev/ttyACM0"),
    PeripheralKind("raspberry-pi", ("gpio",), "raspberry-pi", "gpio:/dev/gpiochip0", 0, False),
)
SCHEMES = {scheme: kind for kind in KINDS for scheme in kind.schemes}
NETWORK_KINDS = ("tcp", "uno-q", "mqtt")
TLS_PORT = 8883
DEFAULT_CHIP = "/dev/gpiochip0"
_NAME = re.compile(r"[A-Za-z0-9_.:-]+")


@dataclass(frozen=True)
class BoardAddress:
    """Where a board is.

    Attributes:
        text: the address in one form, without a password: what is kept, shown and compared.
        path: what other programs may open; the address itself where there is no such thing.
        host, port: on the network; '' and 0 elsewhere.
        user, password: for the broker; the password is never a part of ``text``.
        base: first levels of the MQTT topics.
    """

    kind: PeripheralKind
    text: str
    path: str
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    base: str = ""
    tls: bool = False

    @property
    def networked(self) -> bool:
        """Whether a network lies between, which may be lost without anybody noticing."""
        return self.kind.key in NETWORK_KINDS

    def __repr__(self) -> str:
        return f"BoardAddress({self.text!r})"


def is_board_address(text: str) -> bool:
    """Whether a text is meant as an address of this kind, right or wrong; paths of ports are not."""
    return text.strip().partition(":")[0].lower() in SCHEMES and ":" in text


def read_board_address(text: str) -> BoardAddress:
    """Read an address.

    Raises:
        BoardAddressError: says which part is wrong; never repeats a password.
    """
    text = text.strip()
    scheme = text.partition(":")[0].lower()
    kind = SCHEMES.get(scheme) if ":" in text else None
    if kind is None:
        known = ", ".join(f"{name}:" for name in SCHEMES)
        raise _wrong(Words(f"it must begin with one of {known}", f"必须以 {known} 之一开头"), "")
    if kind.key in NETWORK_KINDS:
        return _network(text, scheme, kind)
    rest = text.partition(":")[2].removeprefix("//").strip()
    path = rest or (DEFAULT_CHIP if kind.key == "raspberry-pi" else "")
    if not path or any(not sign.isprintable() for sign in path):
        raise _wrong(Words("the port behind the colon is missing", "冒号后缺少端口"), kind.example)
    return BoardAddress(kind, f"{scheme}:{path}", path)


def _network(text: str, scheme: str, kind: PeripheralKind) -> BoardAddress:
    fault = address_fault(text, kind.schemes)
    if fault:
        raise _wrong(Words(f"it {fault}", "格式不正确"), kind.example)
    secret = read_address(text).password
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise _wrong(Words("the host or port is not valid", "主机或端口无效"), kind.example) from error
    default = TLS_PORT if scheme == "mqtts" else kind.port
    port = default if port is None else port
    if not host or not _NAME.fullmatch(host):
        raise _wrong(Words("the host is missing or not valid", "主机缺失或无效"), kind.example)
    if not 1 <= port <= 65_535:
        raise _wrong(Words("the port is missing", "缺少端口"), kind.example)
    user, base = unquote(parts.username or ""), unquote(parts.path).strip("/")
    if any(sign in text for sign in "?#") or (kind.key != "mqtt" and (base or user or secret)):
        raise _wrong(Words("there is something behind the port", "端口之后有多余内容"), kind.example)
    if kind.key == "mqtt":
        _check_base(base, kind)
    shown_host = f"[{host}]" if ":" in host else host
    shown = f"{scheme}://{parts.username + '@' if user and parts.username else ''}{shown_host}:{port}"
    shown += f"/{quote(base, safe='/')}" if base else ""
    password = "" if secret == MARK else secret
    return BoardAddress(kind, shown, shown, host, port, user, password, base, scheme == "mqtts")


def _check_base(base: str, kind: PeripheralKind) -> None:
    if not base:
        raise _wrong(Words("the topic behind the host is missing", "主机之后缺少主题"), kind.example)
    if any(sign in base for sign in "+#") or base.startswith("$") or not base.isprintable():
        raise _wrong(
            Words("the topic must not hold + or # or begin with $", "主题不能含 + 或 #，也不能以 $ 开头"),
            kind.example,
        )


def _wrong(reason: Words, example: str) -> BoardAddressError:
    return BoardAddressError(
        f"The address of the board is not understood: {visible(reason.en, QUOTED * 4)}.",
        hint=f"Write it like {example or KINDS[0].example}.",
        details={"reason": reason.en, "reason_zh": reason.zh, "example": example or KINDS[0].example},
    )
