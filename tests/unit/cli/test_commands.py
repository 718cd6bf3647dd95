"""Commands that move nothing: exit codes, JSON shapes, bad use, pipes (RT-12)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import zeroclaw_desktop
from tests.unit.cli.conftest import Zeroclaw, started

PAYLOAD = '{"action": "digital_write", "params": {"pin": 13, "value": 1}}'


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


class TestBadUse:
    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["dance"],
            ["device"],
            ["device", "flash", "--no-such-option"],
            ["explain"],
            ["explain", "payload"],
            ["exec"],
            ["chat"],
            ["plot"],
        ],
    )
    def test_exits_with_2_and_says_how(self, zeroclaw: Zeroclaw, arguments: list[str]) -> None:
        ended = zeroclaw(*arguments)
        assert ended.code == 2
        assert "usage: zeroclaw" in ended.err
        assert ended.out == ""

    @pytest.mark.parametrize(
        "arguments",
        [
            ["explain", "error", "0xEE"],
            ["explain", "error", "0xEE", "--json"],
            ["explain", "payload", PAYLOAD, "--board", "teapot"],
            ["plot", "parse", "no-such-file.log"],
            ["plot", "parse", "no-such-file.log", "--json"],
        ],
    )
    def test_a_wrong_name_exits_with_2_and_says_so(self, zeroclaw: Zeroclaw, arguments: list[str]) -> None:
        ended = zeroclaw(*arguments)
        assert ended.code == 2
        assert ended.err.startswith("zeroclaw: ")
        assert "Traceback" not in ended.err
        if "--json" in arguments:
            assert ended.row["ok"] is False


class TestHelp:
    def test_version_and_exit_codes_are_told(self, zeroclaw: Zeroclaw) -> None:
        version = zeroclaw("--version")
        assert (version.code, version.out) == (0, f"zeroclaw {zeroclaw_desktop.__version__}\n")
        shown = zeroclaw("--help")
        assert shown.code == 0
        for word in ("exec", "chat", "estop", "device", "explain", "plot", "selftest", "70 internal fault"):
            assert word in shown.out


class TestExplain:
    def test_payload(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("explain", "payload", PAYLOAD, "--json")
        assert ended.code == 0
        assert set(ended.row) == {"verdict", "errors", "pins", "resources", "permission"}
        assert (ended.row["verdict"], ended.row["pins"]) == ("run", [{"pin": 13, "before": 0, "after": 1}])

    def test_a_refusal_is_a_verdict_and_exits_with_0(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("explain", "payload", '{"action": "fly"}', "--json")
        assert (ended.code, ended.row["verdict"]) == (0, "refuse")
        assert ended.row["errors"][0]["symbol"] == "UNKNOWN_ACTION"

    def test_payload_from_standard_input_with_a_byte_order_mark(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("explain", "payload", "-", "--json", stdin=b"\xef\xbb\xbf" + PAYLOAD.encode())
        assert (ended.code, ended.row["verdict"]) == (0, "run")

    def test_standard_input_that_is_no_text(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("explain", "payload", "-", "--json", stdin=b"\xff\xfe\x00{")
        assert (ended.code, ended.row["verdict"]) == (0, "refuse")

    def test_sentence_in_both_languages(self, zeroclaw: Zeroclaw) -> None:
        for text, language in (("blink the led 3 times", "en"), ("让LED闪烁3次", "zh")):
            ended = zeroclaw("explain", "sentence", text, "--json")
            assert ended.code == 0
            assert ended.row["language"] == language
            assert ended.row["calls"] == [{"name": "led_blink", "arguments": {"count": 3}}]
            assert ended.row["question"] is None

    def test_error(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("explain", "error", "0x31", "--json")
        row = ended.row
        assert (ended.code, row["code"], row["symbol"]) == (0, 49, "TIMEOUT")
        assert is_chinese(row["zh"])
        assert not is_chinese(row["en"])
        assert row["retry"] in ("never", "after_reset", "reconnect_then_retry")
        assert "0x31 TIMEOUT" in zeroclaw("explain", "error", "49").out

    def test_toolcall(self, zeroclaw: Zeroclaw) -> None:
        """AG-5: shown, called, refused and why; from an argument and from standard input."""
        text = 'Look. <tool_call>{"name": "led_set", "arguments": {"state": "1"}}</tool_call>'
        ended = zeroclaw("explain", "toolcall", text, "--json")
        assert ended.code == 0
        assert ended.row["text"] == "Look. "
        (call,) = ended.row["calls"]
        assert (call["name"], call["arguments"]) == ("led_set", {"state": 1})
        assert (ended.row["malformed"], ended.row["retry"]) == ([], "")
        for_people = zeroclaw("explain", "toolcall", stdin=text.replace("led_set", "led_sett").encode())
        assert for_people.code == 0
        assert "shown: Look." in for_people.out
        assert "refused: There is no tool called 'led_sett'. Did you mean led_set" in for_people.out

    def test_toolcall_of_other_models(self, zeroclaw: Zeroclaw) -> None:
        bare = '{"name": "led_set", "arguments": {"state": 1}}'
        assert "call: led_set" in zeroclaw("explain", "toolcall", bare).out
        assert "call:" not in zeroclaw("explain", "toolcall", bare, "--native").out
        cut = zeroclaw("explain", "toolcall", "<tool_call>" + bare, "--cut-off", "--json")
        assert [fault["code"] for fault in cut.row["malformed"]] == ["truncated"]
        assert cut.row["retry"]
        example = zeroclaw("explain", "toolcall", f"<tool_call>{bare}</tool_call> is an example")
        assert "no call: The words around it call it an example." in example.out


class TestPlotParse:
    def test_from_standard_input(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("plot", "parse", "--json", stdin=b"temp:21.5C\ntemp:nan\nhello\n")
        assert ended.code == 0
        assert set(ended.row) == {"series", "units", "console", "counters"}
        assert ended.row["series"] == {"temp": [21.5, None]}
        assert ended.row["units"] == {"temp": "C"}
        assert ended.row["console"] == ["hello"]

    def test_from_a_file_for_people(self, zeroclaw: Zeroclaw, tmp_path: Path) -> None:
        (tmp_path / "run.log").write_bytes(b"a:1\na:3\n\xff\n")
        ended = zeroclaw("plot", "parse", "run.log")
        assert ended.code == 0
        assert "1 to 3" in ended.out
        assert "1 lines of text, 3 lines in all" in ended.out


class TestDeviceList:
    def test_the_simulated_board_is_always_there(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("device", "list", "--json")
        assert ended.code == 0
        simulated = [row for row in ended.row["devices"] if row["simulated"]]
        named = [(row["path"], row["type"]) for row in simulated]
        assert named[0] == ("sim-uno", "arduino-uno")
        assert ("sim-esp32", "esp32") in named
        assert "sim-uno" in zeroclaw("device", "list").out


class TestFailing:
    """What does not succeed exits with 1 and is told, without a board."""

    def test_exec_of_what_is_no_payload(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("exec", "--payload", '{"action": 5, "why": 1}', "--json")
        assert (ended.code, ended.row["ok"]) == (1, False)
        assert [error["symbol"] for error in ended.row["errors"]] == ["UNKNOWN_FIELD", "MALFORMED_PAYLOAD"]
        plain = zeroclaw("exec", "--payload", "{")
        assert (plain.code, plain.out) == (1, "")
        assert "line 1, column 2" in plain.err.lower()

    @pytest.mark.parametrize(
        "arguments",
        [
            ["exec", "--payload", PAYLOAD, "--board", "/dev/no-such-port"],
            ["chat", "turn on the led", "--board", "/dev/no-such-port"],
            ["device", "flash", "--board", "/dev/no-such-port"],
        ],
    )
    def test_a_port_that_is_not_there(self, zeroclaw: Zeroclaw, arguments: list[str]) -> None:
        ended = zeroclaw(*arguments, "--json")
        assert (ended.code, ended.row["ok"], ended.row["code"]) == (1, False, "port_missing")
        assert ended.row["hint"]

    def test_estop_without_an_app_and_without_a_board(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("estop", "--json")
        assert ended.code == 1
        assert (ended.row["ok"], ended.row["boards"]) == (False, [])
        assert "No running app" in zeroclaw("estop").out

    def test_estop_with_the_file_of_an_app_that_crashed(
        self, zeroclaw: Zeroclaw, own_state_folder: Path
    ) -> None:
        own_state_folder.mkdir()
        (own_state_folder / "control.json").write_text('{"port": 1, "token": "x", "pid": 1}')
        ended = zeroclaw("estop", "--json")
        assert (ended.code, ended.row["ok"]) == (1, False)

    def test_a_home_folder_that_cannot_be_used(self, zeroclaw: Zeroclaw, own_state_folder: Path) -> None:
        own_state_folder.write_text("a file in its place")
        ended = zeroclaw("exec", "--payload", PAYLOAD, "--json")
        assert (ended.code, ended.row["code"]) == (1, "home_folder")
        assert "ZEROCLAW_HOME" in ended.row["hint"]


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors as a POSIX shell does")
class TestPipes:
    def test_a_reader_that_goes_away_is_no_internal_fault(self, own_state_folder: Path) -> None:
        """zeroclaw explain ... | head -0"""
        process = started(
            ["explain", "sentence", "blink", "--json"],
            own_state_folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=60)
        assert process.returncode == 1
        assert err == b""

    def test_closed_standard_input_is_bad_use(self, own_state_folder: Path) -> None:
        """zeroclaw plot parse <&-"""
        script = 'exec "$0" -m zeroclaw_desktop.cli.main plot parse --json <&-'
        root = str(Path(zeroclaw_desktop.__file__).parents[1])
        ended = subprocess.run(
            ["sh", "-c", script, sys.executable], capture_output=True, timeout=60, cwd=root, check=False
        )
        assert ended.returncode == 2
        assert b"standard input" in ended.stderr.lower()
        assert json.loads(ended.stdout)["ok"] is False


class TestDebugCli:
    def test_a_wrong_payload_is_told(self, zeroclaw: Zeroclaw) -> None:
        ended = zeroclaw("--payload", "{", module="zeroclaw_desktop.debug_cli")
        assert ended.code == 1
        assert "0x06 UNREADABLE_TEXT" in ended.err
        assert zeroclaw(module="zeroclaw_desktop.debug_cli").code == 2
