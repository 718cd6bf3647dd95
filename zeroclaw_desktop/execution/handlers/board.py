"""Commands about the board itself: board_info, board_reset, plot_series, telemetry_stop, serial_send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_ALONE, SERIAL_SHARED, pin_faults, snapshot
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse

MAX_SIGNALS = 8
MAX_SEND_CHARACTERS = 4_000
SIGNAL = Param(
    "str",
    "Signal: an analog pin (a0), a digital pin (d2) or uptime",
    pattern=r"[aA]\d{1,2}|[dD]\d{1,3}|uptime",
    pattern_words="a0, d2 or uptime",
)


async def _board_info(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    pins = await context.link.observe()
    board = context.link.info
    value = {
        "board_id": board.board_id,
        "name": board.name,
        "type": board.profile.key,
        "chip": board.profile.chip,
        "port": board.port,
        "simulated": board.simulated,
        "firmware": board.firmware,
        "commands": board.capabilities.get("commands", []),
        "led_pin": board.profile.led_pin,
    }
    return Outcome(value, snapshot(pins, *pins))


async def _board_reset(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    await context.link.request("board_reset", {})
    await context.sleep(context.board.profile.serial.settle_seconds)
    return Outcome({"reset": True})


async def _plot_series(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    period = round(params["period"] * 1000)
    signals = [signal.lower() for signal in params["signals"]]
    for signal in signals:
        await context.link.request("subscribe", {"signal": signal, "period_ms": period})
    return Outcome({"signals": signals, "period": params["period"]})


def _check_signals(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    """Signals of pins that the board does not have, or that cannot be used for it."""
    found: list[ActionFault] = []
    for signal in params["signals"]:
        if signal[0] in "dD":
            found += pin_faults(board, int(signal[1:]), "digital", "signals")
        elif signal[0] in "aA":
            pin = board.profile.pin_named(signal)
            found += pin_faults(board, pin.number if pin is not None else signal.upper(), "analog", "signals")
    return found


async def _telemetry_stop(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    result = await context.link.request("unsubscribe", {})
    ended = result.get("ended", 0) if isinstance(result, Mapping) else 0
    return Outcome({"ended": ended})


async def _serial_send(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    data = (params["text"] + params["line_end"]).encode()
    await context.link.send_raw(data)
    return Outcome({"bytes": len(data)})


def _line(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return (SERIAL_SHARED,)


def _line_alone(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return (SERIAL_ALONE,)


BOARD_COMMANDS: tuple[Command, ...] = (
    Command(
        "board_info",
        "Say what the board is, which firmware runs on it and how its pins are.",
        _board_info,
        permission=Permission.OBSERVER,
        resources=_line,
        idempotent=True,
    ),
    Command(
        "board_reset",
        "Restart the board; all of its outputs go to their safe state first.",
        _board_reset,
        permission=Permission.OPERATOR,
        resources=_line_alone,
    ),
    Command(
        "plot_series",
        "Let the board report signals regularly, for plots.",
        _plot_series,
        {
            "signals": Param("list", "Signals", required=True, minimum=1, maximum=MAX_SIGNALS, items=SIGNAL),
            "period": Param("float", "Time between two reports", False, 0.05, 0.01, 60.0, unit="s"),
        },
        Permission.OBSERVER,
        check=_check_signals,
        resources=_line,
        idempotent=True,
    ),
    Command(
        "telemetry_stop",
        "End all regular reports of the board.",
        _telemetry_stop,
        permission=Permission.OBSERVER,
        resources=_line,
        idempotent=True,
    ),
    Command(
        "serial_send",
        "Send a line to the board as it is.",
        _serial_send,
        {
            "text": Param("str", "What to send", required=True, maximum=MAX_SEND_CHARACTERS),
            "line_end": Param("str", "Line end", default="\n", choices=("", "\n", "\r", "\r\n")),
        },
        Permission.ROOT,
        resources=_line,
        for_models=False,
    ),
)
