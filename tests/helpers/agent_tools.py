"""Tools for tests of what models write: some only look, some change something, some move a pin."""

from __future__ import annotations

from typing import Any

from zeroclaw_desktop.agent.toolcalls.tool_table import Reach, ToolTable
from zeroclaw_desktop.contracts.chat import ToolSpec

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}
NUMBER: dict[str, Any] = {"type": "number"}


def _spec(name: str, required: str, /, **properties: dict[str, Any]) -> ToolSpec:
    schema = {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }
    return ToolSpec(name, f"does {name}", schema)


_LOOKS = (
    _spec("get_weather", "", city=TEXT, metric=TEXT, days=WHOLE, options={}, places={"type": "array"}),
    _spec("get_age", "name", name=TEXT),
    _spec("file_read", "path", path=TEXT),
    _spec("http_request", "url", url=TEXT, method={"type": "string", "enum": ["GET", "POST"]}),
    _spec("add", "a b", a=NUMBER, b=NUMBER),
    _spec("multiply", "a b", a=NUMBER, b=NUMBER),
    _spec("show", "", on={"type": "boolean"}),
    _spec("i2c_read", "addr", addr=WHOLE),
    _spec("typed", "", v={"anyOf": [WHOLE, {"type": "boolean"}, {"type": "array"}, {"type": "object"}]}),
)
_CHANGES = (
    _spec("shell", "command", command=TEXT),
    _spec("file_write", "path content", path=TEXT, content=TEXT),
)
_MOVES = (
    _spec(
        "gpio_write",
        "pin value",
        pin={"type": ["integer", "string"], "minimum": 0, "maximum": 19},
        value={"type": "integer", "enum": [0, 1]},
    ),
    _spec("led", "on", on={"type": "boolean"}),
    _spec("blink", "", delay=WHOLE),
    _spec("stop", ""),
)
TOOLS = ToolTable.of(
    (*_LOOKS, *_CHANGES, *_MOVES),
    {
        **{spec.name: Reach.LOOKS for spec in _LOOKS},
        **{spec.name: Reach.CHANGES for spec in _CHANGES},
        **{spec.name: Reach.MOVES for spec in _MOVES},
    },
)
