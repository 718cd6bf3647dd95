"""The state shared with other programs in words: for its setting and for the status bar. No Qt."""

from __future__ import annotations

from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.contracts.events import SharedStateChanged
from zeroclaw_desktop.contracts.language import Language

_NOTES = {
    "en": {
        "shared": "In use: boards are shared by the Redis at {where}.",
        "away": "The Redis at {where} does not answer. Nothing new is moved until it does; stopping works.",
        "alone": "Not in use: this program works by itself and does not see others. {reason} {next}",
    },
    "zh": {
        "shared": "已启用：通过 {where} 的 Redis 共用开发板。",
        "away": "{where} 的 Redis 没有响应。恢复之前不执行新的动作，停止操作有效。",
        "alone": "未启用：本程序独立工作，看不到其他程序。{reason}{next}",
    },
}
_STATUS = {
    "en": {"shared": "Boards shared: {where}", "away": "Redis away: {where}", "alone": "Boards not shared"},
    "zh": {"shared": "共用开发板：{where}", "away": "Redis 无响应：{where}", "alone": "未共用开发板"},
}


def _kind(status: SharedStateChanged) -> str:
    if not status.shared:
        return "alone" if status.fault is not None else ""
    return "away" if status.fault is not None else "shared"


def shared_note(status: SharedStateChanged, language: Language) -> tuple[str, str]:
    """What became of the setting: text ('' for nothing to say) and kind (``success``, ``warning``)."""
    kind = _kind(status)
    if not kind:
        return "", "success"
    reason = next_step = ""
    if status.fault is not None:
        view = error_view_of(status.fault, language)
        reason, next_step = view.title, view.next_step
    text = _NOTES[language][kind].format(where=status.wanted, reason=reason, next=next_step)
    return text.strip(), "success" if kind == "shared" else "warning"


def shared_status(status: SharedStateChanged, language: Language) -> tuple[str, bool]:
    """The same for the status bar: text, and whether it is an alarm."""
    kind = _kind(status)
    return (_STATUS[language][kind].format(where=status.wanted) if kind else ""), kind in ("away", "alone")
