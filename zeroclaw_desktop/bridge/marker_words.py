"""What the markers of the plots say, in the language of the window. No Qt."""

from __future__ import annotations

from zeroclaw_desktop.contracts.language import Language

_STATES = {
    "en": {"completed": "", "failed": "failed", "cancelled": "cancelled"},
    "zh": {"completed": "", "failed": "失败", "cancelled": "已取消"},
}
_TEXTS = {
    "en": {
        "alarm": "{text}: alarm",
        "alarm_over": "{text}: alarm over",
        "flash": "{text}",
        "reset": "clock of the board restarted",
    },
    "zh": {
        "alarm": "{text}：报警",
        "alarm_over": "{text}：报警解除",
        "flash": "{text}",
        "reset": "开发板的时钟重新开始",
    },
}
_FLASH_ZH = {"flash": "烧录", "erase": "擦除"}


def marker_text(text: str, kind: str, language: Language) -> str:
    """Return the words of a marker.

    Args:
        text: as it was set: a command and its state, ``flash`` and an image, the name of a limit ...
        kind: see ``store.Marker``.
        language: of the window.
    """
    if kind == "action":
        command, _, state = text.rpartition(" ")
        if state in _STATES[language]:
            return f"{command} {_STATES[language][state]}".rstrip()
    if kind == "flash" and language == "zh":
        deed, _, rest = text.partition(" ")
        return f"{_FLASH_ZH.get(deed, deed)} {rest}".rstrip()
    pattern = _TEXTS[language].get(kind)
    return pattern.format(text=text) if pattern else text
