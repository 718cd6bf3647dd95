"""EX-6: why a question is asked is said in words that need no knowledge of permission levels."""

from __future__ import annotations

import pytest

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.views import ApprovalView


@pytest.mark.parametrize(
    ("language", "sentence", "reason"),
    [
        (
            "en",
            "set pin 7 high",
            "The assistant may use named parts such as the LED by itself; raw pins need your word.",
        ),
        ("zh", "把7号引脚拉高", "助手可以自行使用 LED 等有名称的部件；直接控制引脚需要你同意。"),
        (
            "en",
            "restart the board",
            "The assistant may use parts of a board by itself; "
            "restarting or flashing the board needs your word.",
        ),
    ],
)
def test_the_reason_is_said_in_plain_words(live: Live, language: str, sentence: str, reason: str) -> None:
    live.bridge.settings.set_value("ui.language", language)
    live.start_board()
    questions: list[ApprovalView] = []
    live.bridge.chat.approval_requested.connect(questions.append)
    live.bridge.chat.send(sentence)
    live.until(lambda: bool(questions), "the question")
    assert questions[0].reason == reason
    live.bridge.chat.answer_approval(questions[0].approval_id, "deny")
