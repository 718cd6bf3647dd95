"""HW-11: a model may look into the person's data sheets; it reads only, so no approval is asked."""

from __future__ import annotations

from typing import Any

import pytest

from zeroclaw_desktop.contracts.chat import ToolCall
from zeroclaw_desktop.tools.datasheet_search import MOST_QUESTION, DatasheetSearchTool

ROW = {"document": "driver.pdf", "section": "", "place": "page 7", "text": "2 A for each channel"}


class Sheets:
    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def search(self, question: str, board: str) -> list[dict[str, Any]]:
        self.asked.append((question, board))
        return [ROW]


async def test_passages_come_with_document_and_place() -> None:
    sheets = Sheets()
    call = ToolCall("c1", "datasheet_search", {"question": "current", "board_type": "arduino-uno"})
    answer = await DatasheetSearchTool(sheets.search).call(call, "turn-1")
    assert sheets.asked == [("current", "arduino-uno")]
    assert answer.tool_call_id == "c1"
    assert answer.data == {"status": "ok", "result": {"passages": [ROW]}}


@pytest.mark.parametrize(
    "arguments", [{}, {"question": " "}, {"question": 7}, {"question": "x", "board_type": ["uno"]}]
)
async def test_a_question_that_is_none_is_refused(arguments: dict[str, Any]) -> None:
    sheets = Sheets()
    call = ToolCall("c1", "datasheet_search", arguments)
    answer = await DatasheetSearchTool(sheets.search).call(call, "turn-1")
    assert answer.data is not None
    assert answer.data["status"] == "failed"
    assert sheets.asked == []


async def test_a_very_long_question_is_cut() -> None:
    sheets = Sheets()
    call = ToolCall("c1", "datasheet_search", {"question": "w " * 5_000})
    await DatasheetSearchTool(sheets.search).call(call, "turn-1")
    assert len(sheets.asked[0][0]) == MOST_QUESTION
