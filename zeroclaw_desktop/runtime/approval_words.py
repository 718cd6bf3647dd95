"""Answers and what they cover, in words: exactly what the rule compares, no more and no less (SC-11)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from zeroclaw_desktop.contracts.actions import ApprovalOutcome
from zeroclaw_desktop.contracts.approvals import ApprovalScope, Risk
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.text import visible

UNITS: Mapping[str, tuple[float, str]] = {"duty": (100.0, " %"), "angle": (1.0, "°")}
"""Parameters that are shown in another unit: factor and unit."""
SOURCES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "agent": "the assistant",
        "manual": "a person",
        "schedule": "a schedule",
        "sop": "a procedure",
        "webhook": "a webhook",
        "channel": "a message channel",
    },
    "zh": {
        "agent": "助手",
        "manual": "用户",
        "schedule": "定时任务",
        "sop": "流程",
        "webhook": "Webhook",
        "channel": "消息频道",
    },
}
LENGTHS: Mapping[Language, Mapping[ApprovalOutcome, str]] = {
    "en": {
        ApprovalOutcome.ONCE: "this time only",
        ApprovalOutcome.HOUR: "for an hour",
        ApprovalOutcome.SESSION: "until ZeroClaw closes",
    },
    "zh": {
        ApprovalOutcome.ONCE: "仅这一次",
        ApprovalOutcome.HOUR: "一小时内",
        ApprovalOutcome.SESSION: "直到 ZeroClaw 关闭",
    },
}
RISKS: Mapping[Language, Mapping[Risk, str]] = {
    "en": {
        Risk.LOW: "Low risk: it only looks.",
        Risk.MEDIUM: "Medium risk: it changes the pins shown here.",
        Risk.HIGH: "High risk: what it does cannot be shown beforehand, or reaches beyond single pins.",
    },
    "zh": {
        Risk.LOW: "低风险：只读取，不改变任何东西。",
        Risk.MEDIUM: "中等风险：会改变这里显示的引脚。",
        Risk.HIGH: "高风险：无法事先显示其效果，或影响不限于单个引脚。",
    },
}
_COVERS: Mapping[Language, str] = {
    "en": "{action}({params}) on {board} ({device}) when {source} asks{pins}",
    "zh": "{source}在开发板 {board}（{device}）上执行 {action}({params}){pins}",
}
_PINS: Mapping[Language, str] = {
    "en": ", while {pins}",
    "zh": "，条件：{pins}",
}
_PIN: Mapping[Language, str] = {
    "en": "pin {pin} is {before} or as this leaves it",
    "zh": "引脚 {pin} 为{before}或本命令留下的状态",
}
_LEVELS: Mapping[Language, tuple[str, str, str]] = {
    "en": ("low", "high", "not known"),
    "zh": ("低电平", "高电平", "未知"),
}
_MODES: Mapping[Language, Mapping[str, str]] = {
    "en": {"input": "an input", "input_pullup": "an input with pull-up"},
    "zh": {"input": "输入", "input_pullup": "上拉输入"},
}
_RANGE: Mapping[Language, str] = {"en": "{name} from {low} to {high}", "zh": "{name} 从 {low} 到 {high}"}


def covered(scope: ApprovalScope, board_name: str, language: Language) -> str:
    """What a remembered answer covers.

    Args:
        board_name: as the person knows it.
    """
    device = scope.board.instance if scope.board is not None else ""
    return _COVERS[language].format(
        source=SOURCES[language].get(scope.source, scope.source),
        action=scope.action,
        params=params_line(scope, language),
        board=visible(board_name or device),
        device=visible(device),
        pins=_pins_line(scope, language),
    )


def params_line(scope: ApprovalScope, language: Language) -> str:
    """Parameters with their values, a range where there is one."""
    parts = []
    for name, text in scope.params:
        if scope.span is not None and scope.span.param == name:
            low, high = (_value(name, value) for value in (scope.span.low, scope.span.high))
            parts.append(_RANGE[language].format(name=name, low=low, high=high))
        else:
            parts.append(f"{name}={_value(name, json.loads(text))}")
    return ("，" if language == "zh" else ", ").join(parts)


def _value(name: str, value: object) -> str:
    if name in UNITS and isinstance(value, int | float) and not isinstance(value, bool):
        factor, unit = UNITS[name]
        return f"{value * factor:.5g}{unit}"
    if isinstance(value, float):
        return f"{value:g}"
    return visible(json.dumps(value, ensure_ascii=False))


def _pins_line(scope: ApprovalScope, language: Language) -> str:
    if scope.span is not None or not scope.pins:
        return ""
    told: dict[int, str] = {}
    for pin in scope.pins:
        before = _MODES[language].get(pin.mode) or _level(pin.mode, pin.before, language)
        told.setdefault(pin.pin, _PIN[language].format(pin=pin.pin, before=before))
    return _PINS[language].format(pins=("；" if language == "zh" else "; ").join(told.values()))


def _level(mode: str, value: float | int | None, language: Language) -> str:
    if value is None:
        return _LEVELS[language][2]
    if mode == "pwm":
        return f"PWM {value * 100:.3g} %"
    return f"{value:g}°" if mode == "servo" else _LEVELS[language][1 if value else 0]
