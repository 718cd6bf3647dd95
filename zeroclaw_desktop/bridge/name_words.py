"""The words about names of boards and pins, in English and Chinese. No Qt."""

from __future__ import annotations

from zeroclaw_desktop.bridge.name_views import RoleView
from zeroclaw_desktop.contracts.language import Language

_ROLES: dict[Language, dict[str, str]] = {
    "en": {
        "": "Name only",
        "led": "LED",
        "switch": "Switch: relay, valve, pump",
        "dimmer": "Dimmer: fan, lamp, heater",
        "buzzer": "Buzzer",
    },
    "zh": {
        "": "仅命名",
        "led": "LED",
        "switch": "开关：继电器、阀门、水泵",
        "dimmer": "调功：风扇、灯、加热器",
        "buzzer": "蜂鸣器",
    },
}
_PROBLEMS: dict[Language, dict[str, str]] = {
    "en": {
        "reserved": "Pin {0} is reserved and cannot be named.",
        "too_long": "A name has at most {0} characters.",
        "printed": "'{0}' is printed beside another pin of this board.",
        "taken": "Pin {0} has this name already.",
        "role_alone": "A role needs a name.",
        "board_taken": "Another board has this name.",
    },
    "zh": {
        "reserved": "引脚 {0} 是保留引脚，不能命名。",
        "too_long": "名称最多 {0} 个字符。",
        "printed": "“{0}”是这块开发板另一个引脚上印的名称。",
        "taken": "引脚 {0} 已使用该名称。",
        "role_alone": "选择用途前请先命名。",
        "board_taken": "另一块开发板已使用该名称。",
    },
}
_FACTS: dict[Language, tuple[str, str, str]] = {
    "en": ("{0} named pins", "1 named pin", "kind not chosen"),
    "zh": ("{0} 个已命名的引脚", "1 个已命名的引脚", "未选择型号"),
}


def role_views(language: Language) -> list[RoleView]:
    """The roles of pins for a list of choices, none first."""
    return [RoleView(key, title) for key, title in _ROLES[language].items()]


def problem_text(key: str, subject: str, language: Language) -> str:
    """Why a name cannot be used; '' when it can."""
    return _PROBLEMS[language][key].format(subject) if key else ""


def away_facts(kind: str, pins: int, identity: str, language: Language) -> str:
    """What is known of a board that is away, in one line."""
    several, one, unknown = _FACTS[language]
    named = "" if not pins else one if pins == 1 else several.format(pins)
    return "  ·  ".join(part for part in (kind or unknown, named, identity) if part)
