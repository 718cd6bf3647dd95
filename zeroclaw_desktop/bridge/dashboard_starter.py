"""A sensible dashboard for a board that is connected: its signals, its LED, what can be moved. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.bridge.dashboard_document import Dashboard, Place, Tile, new_id

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.boards import BoardInfo

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "led": "LED",
        "blink": "Blink 3 times",
        "signals": "Signals",
        "duty": "PWM {0}",
        "note": "Edit moves and resizes these tiles; Add tile has more.",
    },
    "zh": {
        "led": "LED",
        "blink": "闪烁 3 次",
        "signals": "信号",
        "duty": "PWM {0}",
        "note": "点“编辑”可移动磁贴、调整大小；“添加磁贴”里还有更多。",
    },
}
MOST_SIGNALS = 2


def _tile(kind: str, place: tuple[int, int, int, int], title: str, settings: Mapping[str, Any]) -> Tile:
    return Tile(new_id("tile"), kind, Place(*place), title, settings)


def _signal_tiles(board: BoardInfo, signals: Sequence[str], words: Mapping[str, str]) -> list[Tile]:
    """A plot of the first signals, a gauge for the first and a number for the second."""
    refs = [{"source": board.board_id, "label": signal} for signal in signals[:MOST_SIGNALS]]
    if not refs:
        return []
    full = (1 << board.profile.adc_bits) - 1  # telemetry reports what the converter counted
    tiles = [
        _tile("plot", (0, 0, 6, 6), words["signals"], {"series": refs, "window_s": 15.0}),
        _tile(
            "gauge",
            (6, 0, 3, 4),
            signals[0].upper(),
            {
                "series": refs[0],
                "low": 0,
                "high": full,
                "warn_above": round(full * 0.8),
                "decimals": 0,
            },
        ),
    ]
    if len(refs) > 1:
        tiles.append(_tile("number", (9, 0, 3, 4), signals[1].upper(), {"series": refs[1], "decimals": 0}))
    return tiles


def _led_tiles(board: BoardInfo, commands: frozenset[str], words: Mapping[str, str]) -> list[Tile]:
    """The board's LED as it is, a switch for it, a button that blinks it."""
    pin = board.profile.led_pin
    tiles: list[Tile] = []
    if pin is None:
        return tiles
    rule = "below" if board.profile.led_active_low else "above"
    lamp = {"series": {"source": board.board_id, "pin": pin}, "rule": rule, "limit": 0.5}
    tiles.append(_tile("led", (6, 4, 3, 2), words["led"], lamp))
    if "led_set" in commands:
        on, off = (_command(board, "led_set", {"state": state}) for state in (1, 0))
        tiles.append(_tile("switch", (9, 4, 3, 2), words["led"], {"on": on, "off": off}))
    if "led_blink" in commands:
        blink = _command(board, "led_blink", {"count": 3})
        tiles.append(_tile("button", (0, 6, 3, 2), words["blink"], {"command": blink}))
    return tiles


def _dimmer_tiles(board: BoardInfo, commands: frozenset[str], words: Mapping[str, str]) -> list[Tile]:
    """A slider for a pin that can do PWM; on a real board only for one that was named as a dimmer or LED.

    Nobody knows what hangs on a pin of a real board.
    """
    named = [one.pin for one in board.named_pins if one.role in ("dimmer", "led")]
    pwm = [
        pin.number
        for pin in board.profile.pins
        if "pwm" in pin.functions and not pin.reserved and (board.simulated or pin.number in named)
    ]
    if not pwm or "pwm_write" not in commands:
        return []
    command = _command(board, "pwm_write", {"pin": pwm[0]})
    title = words["duty"].format(pwm[0])
    return [_tile("slider", (3, 6, 6, 2), title, {"command": command, "parameter": "duty"})]


def _command(board: BoardInfo, name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    return {"board": board.board_id, "command": name, "params": dict(params)}


def starter(
    board: BoardInfo, name: str, signals: Sequence[str], commands: frozenset[str], language: str
) -> Dashboard:
    """The dashboard.

    Args:
        name: of the dashboard.
        signals: analog signals that the board can report, first channel first.
        commands: names of the commands that are offered now.
    """
    words = WORDS[language]
    tiles = _signal_tiles(board, signals, words)
    tiles += _led_tiles(board, commands, words)
    tiles += _dimmer_tiles(board, commands, words)
    tiles.append(_tile("text", (9, 6, 3, 2), "", {"note": words["note"]}))
    return Dashboard(new_id("dashboard"), name, tuple(tiles))
