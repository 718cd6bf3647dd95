"""Commands that move the simulated board, each as a real process with a simulator of its own."""

from __future__ import annotations

import pytest

from tests.unit.cli.conftest import Zeroclaw

pytestmark = pytest.mark.slow


def test_exec_from_standard_input(zeroclaw: Zeroclaw) -> None:
    payload = b'{"action": "digital_write", "params": {"pin": 13, "value": 1}, "task_id": "t-1"}'
    ended = zeroclaw("exec", "--payload", "-", "--json", stdin=payload)
    assert ended.code == 0, ended.err
    row = ended.row
    status = {"task_id", "action", "state", "elapsed_ms", "error_code"}
    status |= {"hardware_states", "device_id", "seq", "source"}
    assert status <= set(row)
    assert (row["ok"], row["state"], row["error_code"], row["task_id"]) == (True, "COMPLETED", 0, "t-1")
    assert row["commanded"][0]["pin"] == 13
    assert row["commanded"][0]["after"] == 1


def test_exec_of_what_the_door_refuses(zeroclaw: Zeroclaw) -> None:
    ended = zeroclaw("exec", "--payload", '{"action": "servo_move", "params": {"angle": 200}}')
    assert ended.code == 1
    assert "0x11 OUT_OF_RANGE" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(("sentence", "word"), [("turn on the led", "LED"), ("让LED闪烁1次", "LED")])
def test_chat_in_both_languages(zeroclaw: Zeroclaw, sentence: str, word: str) -> None:
    ended = zeroclaw("chat", sentence, "--json")
    assert ended.code == 0, ended.err
    assert ended.row["ok"] is True
    assert [call["status"] for call in ended.row["calls"]] == ["ok"]
    assert word in ended.row["answer"]
    assert any("\u4e00" <= sign <= "\u9fff" for sign in ended.row["answer"]) is not sentence.isascii()


def test_debug_cli_prints_every_transition_with_its_time(zeroclaw: Zeroclaw) -> None:
    """EX-17."""
    ended = zeroclaw(
        "--payload", '{"action": "led_set", "params": {"state": 1}}', module="zeroclaw_desktop.debug_cli"
    )
    assert ended.code == 0, ended.err
    states = [line.split()[2] for line in ended.out.splitlines() if " ms  " in line]
    assert states == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]
    times = [float(line.split()[0]) for line in ended.out.splitlines() if " ms  " in line]
    assert times == sorted(times)
    assert times[0] == 0.0
