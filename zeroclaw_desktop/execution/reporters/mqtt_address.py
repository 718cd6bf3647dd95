"""The address of an MQTT broker as one text: ``mqtt://user:password@host:1883/prefix?qos=0&retain=true``."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.reporters.errors import MqttAddressError
from zeroclaw_desktop.foundation.text import QUOTED, visible

PORTS = {"mqtt": 1883, "mqtts": 8883}
DEFAULT_PREFIX = "zeroclaw"
#: Characters that have a meaning in topics (MQTT 3.1.1, 4.7) or that brokers may refuse (1.5.3), and the
#: escape's own sign.
_ESCAPED = {ord(sign): f"%{ord(sign):02X}" for sign in "/+#%"} | {
    number: f"%{number:02X}" for number in (*range(0x20), *range(0x7F, 0xA0))
}
_SWITCH = {"true": True, "1": True, "false": False, "0": False}


def topic_level(name: str) -> str:
    """A name as one level of a topic: what would divide it or match others is percent-escaped.

    Two names never give the same level; no name (an action without a board) is ``app``.
    """
    return name.encode("utf-8", "replace").decode("utf-8").translate(_ESCAPED) or "app"


@dataclass(frozen=True)
class MqttAddress:
    """Where and how to publish.

    Attributes:
        qos: 0 or 1.
        retain: whether the broker keeps the last state of each device for those who come later.
        host_name: names this machine in its availability topic.
    """

    host: str
    port: int = 1883
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    prefix: str = DEFAULT_PREFIX
    qos: int = 0
    retain: bool = False
    host_name: str = field(default_factory=socket.gethostname)

    def status_topic(self, device_id: str) -> str:
        """Topic of a device's reports (EX-12)."""
        return f"{self.prefix}/{topic_level(device_id)}/status"

    @property
    def availability_topic(self) -> str:
        """Topic that says, retained, whether this program is there: ``online`` or ``offline``."""
        return f"{self.prefix}/{topic_level(self.host_name)}/availability"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def parse_mqtt_address(text: str) -> MqttAddress:
    """Read an address.

    Raises:
        MqttAddressError: says which part is wrong; never repeats the password.
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise _wrong(Words(f"the host or port is not valid ({error})", "主机或端口无效")) from error
    if parts.scheme not in PORTS:
        raise _wrong(Words("it must begin with mqtt:// or mqtts://", "必须以 mqtt:// 或 mqtts:// 开头"))
    if not parts.hostname:
        raise _wrong(Words("the host is missing", "缺少主机"))
    qos, retain = _options(parts)
    return MqttAddress(
        host=parts.hostname,
        port=PORTS[parts.scheme] if port is None else port,
        tls=parts.scheme == "mqtts",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        prefix=_prefix(parts),
        qos=qos,
        retain=retain,
    )


def _prefix(parts: SplitResult) -> str:
    prefix = unquote(parts.path.strip("/"))
    if not prefix:
        return DEFAULT_PREFIX
    if any(sign in prefix for sign in "+#\0") or prefix.startswith("$"):
        raise _wrong(
            Words(
                "the topic prefix after the host must not hold +, # or begin with $",
                "主机之后的主题前缀不能含 +、#，也不能以 $ 开头",
            )
        )
    return prefix


def _options(parts: SplitResult) -> tuple[int, bool]:
    qos, retain = 0, False
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name == "qos" and value in ("0", "1"):
            qos = int(value)
        elif name == "retain" and value.lower() in _SWITCH:
            retain = _SWITCH[value.lower()]
        elif name in ("qos", "retain"):
            raise _wrong(_option_values(name, repr(visible(value, QUOTED))))
        else:
            shown = repr(visible(name, QUOTED))
            raise _wrong(
                Words(
                    f"there is no option {shown}; there are qos and retain",
                    f"没有选项 {shown}，只有 qos 和 retain",
                )
            )
    return qos, retain


def _option_values(name: str, given: str) -> Words:
    if name == "qos":
        return Words(f"qos must be 0 or 1, not {given}", f"qos 应为 0 或 1，而不是 {given}")
    return Words(f"retain must be true or false, not {given}", f"retain 应为 true 或 false，而不是 {given}")


def _wrong(reason: Words) -> MqttAddressError:
    return MqttAddressError(
        f"The address of the MQTT broker is not understood: {reason.en}.",
        hint="Write it like mqtt://host:1883 or mqtts://user:password@host:8883/prefix?retain=true.",
        details={"reason": reason.en, "reason_zh": reason.zh},
    )
