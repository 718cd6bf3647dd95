"""Questions and remembered answers as the window shows them (SC-11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from zeroclaw_desktop.bridge.sentences import action_sentence
from zeroclaw_desktop.bridge.views import ApprovalRuleView, ApprovalView
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest, Permission
from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.approval_rules import ApprovalRule

ANSWERS: Mapping[str, ApprovalOutcome] = {
    "once": ApprovalOutcome.ONCE,
    "hour": ApprovalOutcome.HOUR,
    "session": ApprovalOutcome.SESSION,
}
"""What the buttons of a card mean; anything else is a no."""
_REASONS = {
    "en": {
        Permission.SKILL: "The assistant may read boards by itself; whatever moves needs your word.",
        Permission.OPERATOR: "The assistant may use parts of a board by itself; "
        "restarting or flashing the board needs your word.",
        Permission.ROOT: "The assistant may use named parts such as the LED by itself; "
        "raw pins need your word.",
    },
    "zh": {
        Permission.SKILL: "助手可以自行读取开发板；要让东西动起来，需要你同意。",
        Permission.OPERATOR: "助手可以自行使用开发板上的部件；重启或烧录开发板需要你同意。",
        Permission.ROOT: "助手可以自行使用 LED 等有名称的部件；直接控制引脚需要你同意。",
    },
}
"""Why a command asks, by the permission that it needs and the assistant does not have."""
_SCOPES = {
    "en": "This command on this board, this time only.",
    "zh": "仅限这一次、这块开发板上的这条命令。",
}
_OUTCOMES = {
    "en": {
        "once": "Allowed once",
        "hour": "Allowed for an hour",
        "session": "Allowed until ZeroClaw closes",
        "rule": "Allowed by a remembered answer",
        "denied": "Not allowed",
        "timed_out": "Nobody answered: not allowed",
    },
    "zh": {
        "once": "已允许一次",
        "hour": "已允许一小时",
        "session": "已允许，直到 ZeroClaw 关闭",
        "rule": "已由记住的回答允许",
        "denied": "未允许",
        "timed_out": "无人回答：未允许",
    },
}
_ENDS = {
    "en": "Ends earlier at an emergency stop, and when the board is unplugged or its firmware, the limits or "
    "the names of its pins change.",
    "zh": "急停时，或开发板被拔下、其固件、引脚限制或引脚名称改变时，会提前失效。",
}
_NEVER = {
    "en": "This answer is never remembered.",
    "zh": "这个回答不会被记住。",
}
_AGAIN = {
    "en": "Asked again: the board or a pin has changed since you were asked, so your answer was not used.",
    "zh": "再次确认：提问之后开发板或引脚有了变化，因此没有采用你的回答。",
}


def approval_view(
    request: ApprovalRequest,
    turn_id: str,
    board: str,
    pins: tuple[tuple[int, str, str], ...],
    language: Language,
) -> ApprovalView:
    """A question for the card.

    Args:
        board: name of the board.
        pins: the changes in words.
    """
    from zeroclaw_desktop.runtime.approval_words import RISKS, SOURCES, covered

    payload, source = request.payload, request.payload.source
    remembers = request.rememberable and request.scope is not None
    return ApprovalView(
        request.approval_id,
        turn_id,
        action_sentence(payload.action, payload.params, language),
        _REASONS[language].get(request.permission, "") if source == "agent" else "",
        pins,
        board,
        _SCOPES[language],
        request.timeout,
        SOURCES[language].get(source, source),
        RISKS[language][request.risk],
        covered(request.scope, board, language) if remembers and request.scope is not None else "",
        _ENDS[language] if remembers else _NEVER[language],
        _AGAIN[language] if request.again else "",
    )


def outcome_words(outcome: ApprovalOutcome, language: Language) -> str:
    """How a question ended."""
    words = _OUTCOMES[language]
    return words.get(outcome.value, words["denied"])


def rule_view(
    rule: ApprovalRule, board: str, seconds_left: float | None, language: Language
) -> ApprovalRuleView:
    """A remembered answer for the list.

    Args:
        board: name of its board.
        seconds_left: until it ends by itself; None at the end of the program.
    """
    from zeroclaw_desktop.runtime.approval_words import LENGTHS, covered

    length = LENGTHS[language][rule.length]
    if seconds_left is not None:
        minutes = max(1, round(seconds_left / 60))
        length = f"for {minutes} more min" if language == "en" else f"还有 {minutes} 分钟"
    return ApprovalRuleView(
        rule.rule_id, covered(rule.scope, board, language), length, rule.uses, rule.made_by
    )
