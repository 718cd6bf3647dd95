"""The explain family (RT-12): the JSON shapes of the table, and the same verdicts as the door itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.helpers import payload_table
from tests.helpers.execution import Door
from zeroclaw_desktop.execution.error_table import error_table
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.registry import form_of
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.runtime.explain import explain_code, explain_payload, explain_sentence

PLAIN_ROWS = [
    row
    for row in payload_table.rows()
    if row["source"] == "manual"
    and not {"boards", "policy", "now", "person", "before"} & set(row)
    and "device_id" not in payload_table.text_of(row)[1]
    and form_of(payload_table.text_of(row)[1]) == payload_table.text_of(row)[0]
]


def explain(**payload: Any) -> dict[str, Any]:
    row = explain_payload(json.dumps(payload))
    assert set(row) == {"verdict", "errors", "pins", "resources", "permission"}
    assert all(set(error) == {"code", "symbol", "message", "param"} for error in row["errors"])
    assert all(set(pin) == {"pin", "before", "after"} for pin in row["pins"])
    assert json.loads(json.dumps(row)) == row
    return row


class TestPayload:
    def test_what_runs(self) -> None:
        row = explain(action="digital_write", params={"pin": 12, "value": 1})
        assert (row["verdict"], row["errors"], row["permission"]) == ("run", [], "root")
        assert row["pins"] == [{"pin": 12, "before": 0, "after": 1}]
        assert any(resource.endswith("gpio:12") for resource in row["resources"])

    def test_what_asks_a_person(self) -> None:
        row = explain(action="digital_write", params={"pin": 7, "value": 1}, source="agent")
        assert (row["verdict"], row["errors"]) == ("ask", [])

    def test_all_errors_come_together(self) -> None:
        row = explain(action="servo_move", params={"angle": 200, "angel": 1})
        assert row["verdict"] == "refuse"
        assert {(error["code"], error["param"]) for error in row["errors"]} == {
            (0x11, "angle"),
            (0x04, "angel"),
        }
        assert row["pins"] == []

    @pytest.mark.parametrize(
        ("payload", "symbol"),
        [
            ({"action": "led_blnk"}, "UNKNOWN_ACTION"),
            ({"action": "led_set", "params": {"state": 1}, "why": 1}, "UNKNOWN_FIELD"),
            ({"params": {}}, "MALFORMED_PAYLOAD"),
            ({"action": "digital_write", "params": {"pin": 0, "value": 1}}, "ILLEGAL_PIN"),
            ({"action": "analog_read", "params": {"pin": "A9"}}, "ILLEGAL_PIN"),
        ],
    )
    def test_what_is_refused(self, payload: dict[str, Any], symbol: str) -> None:
        row = explain(**payload)
        assert row["verdict"] == "refuse"
        assert symbol in [error["symbol"] for error in row["errors"]]

    @pytest.mark.parametrize("text", ["", "{", "[]", "5", '{"action": NaN}', "[" * 5000, "\x00"])
    def test_no_text_is_an_exception(self, text: str) -> None:
        row = explain_payload(text)
        assert row["verdict"] == "refuse"
        assert row["errors"][0]["symbol"] == "UNREADABLE_TEXT"

    def test_a_list_is_judged_as_a_whole_and_one_by_one(self) -> None:
        """RT-12, EX-2: the worst verdict, the highest level, and what each action would do."""
        text = (
            "- action: led_set\n  params: {state: 1}\n"
            "- action: digital_write\n  params: {pin: 7, value: 1}\n  source: agent\n"
        )
        row = explain_payload(text)
        assert (row["verdict"], row["permission"]) == ("ask", "root")
        assert [(pin["pin"], pin["after"]) for pin in row["pins"]] == [(13, 1), (7, 1)]
        assert [(one["action"], one["verdict"]) for one in row["actions"]] == [
            ("led_set", "run"),
            ("digital_write", "ask"),
        ]
        assert explain_payload(text + "- action: nothing\n")["verdict"] == "refuse"

    @pytest.mark.parametrize(
        ("text", "actions"),
        [
            ("move servo to 90", [("servo_move", {"angle": 90})]),
            ("让灯快速闪5次", [("led_blink", {"count": 5, "interval": 0.1})]),
            (
                "turn on the led\n读取温度",
                [("led_set", {"state": 1}), ("sensor_read", {"sensor": "temperature"})],
            ),
        ],
    )
    def test_sentences_in_both_languages(self, text: str, actions: list[tuple[str, Any]]) -> None:
        row = explain_payload(text)
        assert row["verdict"] == "run"
        assert [(one["action"], one["params"]) for one in row["actions"]] == actions

    @pytest.mark.parametrize("row", PLAIN_ROWS, ids=lambda row: row["id"])
    def test_what_it_says_is_what_exec_does(self, row: dict[str, Any]) -> None:
        """Every row of the table that needs no other board than the one of ``exec``."""
        _, text = payload_table.text_of(row)
        judged, said = payload_table.judge(row), explain_payload(text)
        assert said["verdict"] == judged.verdict
        assert [error["code"] for error in said["errors"]] == judged.codes
        if judged.verdict != "refuse":
            assert [[pin["pin"], pin["before"], pin["after"]] for pin in said["pins"]] == judged.pins

    @pytest.mark.parametrize("board", ["", "arduino-uno", "sim-uno", "uno"])
    def test_boards_by_the_names_that_people_type(self, board: str) -> None:
        assert explain_payload('{"action": "board_info"}', board)["verdict"] == "run"

    def test_an_unknown_board_is_bad_use(self) -> None:
        with pytest.raises(ZeroClawError, match="teapot") as caught:
            explain_payload('{"action": "board_info"}', "teapot")
        assert caught.value.code == "unknown_board"

    @pytest.mark.parametrize(
        "payload",
        [
            {"action": "led_set", "params": {"state": 1}},
            {"action": "pwm_write", "params": {"pin": 9, "duty": 0.5}},
            {"action": "pwm_write", "params": {"pin": 4, "duty": 0.5}},
            {"action": "servo_move", "params": {"angle": 90}},
            {"action": "digital_read", "params": {"pin": 42}},
        ],
    )
    async def test_the_door_says_the_same(self, payload: dict[str, Any]) -> None:
        row = explain(**payload)
        door = Door()
        try:
            result = await door.do(payload["action"], payload["params"], dry_run=True)
        except FaultError as error:
            codes = [fault.code for fault in error.faults]
        else:
            codes = [fault.code for fault in result.faults]
            assert result.ok is (row["verdict"] == "run")
        assert codes == [error["code"] for error in row["errors"]]


class TestSentence:
    @pytest.mark.parametrize(("text", "language"), [("blink the led 3 times", "en"), ("让LED闪烁3次", "zh")])
    def test_shape_and_meaning(self, text: str, language: str) -> None:
        row = explain_sentence(text)
        assert {"intent", "calls", "question", "language"} <= set(row)
        assert (row["language"], row["question"]) == (language, None)
        assert row["calls"] == [{"name": "led_blink", "arguments": {"count": 3}}]
        assert json.loads(json.dumps(row)) == row

    def test_what_is_not_clear_is_asked_back(self) -> None:
        row = explain_sentence("set the servo")
        assert row["calls"] == []
        assert row["question"]

    @pytest.mark.parametrize("text", ["", " ", "\x00", "?" * 5000, "📟", "sudo rm -rf /"])
    def test_nothing_is_done_for_nonsense(self, text: str) -> None:
        assert explain_sentence(text)["calls"] == []


class TestCode:
    @pytest.mark.parametrize("text", ["0x31", "49", "timeout", "TIMEOUT", " 0x31 "])
    def test_every_way_of_writing_it(self, text: str) -> None:
        row = explain_code(text)
        assert {"code", "symbol", "zh", "en", "retry"} <= set(row)
        assert (row["code"], row["symbol"]) == (49, "TIMEOUT")

    def test_no_braces_are_left_in_any_text(self) -> None:
        for code in error_table():
            row = explain_code(hex(code))
            assert row["retry"] in ("never", "after_reset", "reconnect_then_retry")
            for key in ("zh", "en", "next_zh", "next_en"):
                assert not set("{}") & set(row[key])

    @pytest.mark.parametrize("text", ["", "0xFF", "-1", "NOPE", "0x", "1e3", "9" * 5000])
    def test_no_such_code(self, text: str) -> None:
        with pytest.raises(ZeroClawError) as caught:
            explain_code(text)
        assert caught.value.code == "unknown_code"
        assert "0x31" in caught.value.hint
