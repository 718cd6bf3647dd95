"""Faults and commands in words for a person, in both languages (UI-9). No Qt."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from pathlib import Path
from typing import Any

import pytest

import zeroclaw_desktop
from tests.helpers.execution import Door
from zeroclaw_desktop.agent import errors as agent_errors
from zeroclaw_desktop.bridge.error_text import error_view, error_view_of, fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence, pin_value
from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.execution.error_table import Code, error_table, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.fault_mapping import faults_of
from zeroclaw_desktop.execution.parsers.json_text import JsonParser
from zeroclaw_desktop.execution.parsers.yaml_list import YamlListParser
from zeroclaw_desktop.execution.reporters import errors as reporter_errors
from zeroclaw_desktop.execution.reporters.mqtt_address import parse_mqtt_address
from zeroclaw_desktop.execution.shared_state import LockGrant, contract
from zeroclaw_desktop.execution.shared_state import errors as shared_state_errors
from zeroclaw_desktop.execution.shared_state.in_process import InProcessState
from zeroclaw_desktop.execution.shared_state.redis_link import shown_address
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware import errors as hardware_errors
from zeroclaw_desktop.hardware.errors import FlashError, PortBusyError, PortError
from zeroclaw_desktop.hardware.flashing.failures import Cause, explain_failure, failure_of
from zeroclaw_desktop.mqtt import errors as mqtt_errors
from zeroclaw_desktop.providers import errors as provider_errors
from zeroclaw_desktop.vault import errors as vault_errors

PORT_CODES = (Code.PORT_BUSY, Code.BUS_FAULT)
CHINESE = tomllib.loads(resource_path("errors/messages_zh.toml").read_text("utf-8"))
SENTENCES = tomllib.loads(resource_path("i18n/actions.toml").read_text("utf-8"))


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


def codes_in(*patterns: str) -> set[str]:
    """Codes that errors carry, read from the source of files below the package."""
    package = Path(zeroclaw_desktop.__file__).parent
    found: set[str] = set()
    for path in [path for pattern in patterns for path in package.glob(pattern)]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                found |= {
                    str(word.value.value)
                    for word in node.keywords
                    if word.arg == "code" and isinstance(word.value, ast.Constant)
                }
                if ast.unparse(node.func) == "Cause" and isinstance(node.args[1], ast.Constant):
                    found.add(str(node.args[1].value))
    return found


def codes_of_the_hardware() -> set[str]:
    """Codes that errors of the hardware room and below carry, and of what becomes of a flash."""
    found = codes_in("hardware/**/*.py", "foundation/*.py", "runtime/flash_service.py")
    for error in vars(hardware_errors).values():
        if isinstance(error, type) and issubclass(error, ZeroClawError) and "default_code" in vars(error):
            found.add(error.default_code)
    return found - {"error", ""}


def codes_of(*modules: Any) -> set[str]:
    """Codes that the error classes of modules carry."""
    return {
        error.default_code
        for module in modules
        for error in vars(module).values()
        if isinstance(error, type) and issubclass(error, ZeroClawError) and "default_code" in vars(error)
    } - {"error"}


def english_words(text: str) -> list[str]:
    """Words of a Chinese text that are neither Chinese nor among the names that stay as they are."""
    names = (
        "JSON",
        "YAML",
        "MQTT",
        "Redis",
        "redis",
        "rediss",
        "unix",
        "mqtt",
        "mqtts",
        "qos",
        "retain",
        "true",
        "false",
    )
    return [word for word in re.findall(r"[A-Za-z_]{2,}", text) if word not in names]


class TestErrors:
    @pytest.mark.parametrize("code", sorted(codes_of_the_hardware()))
    def test_every_fault_of_the_hardware_has_chinese_words(self, code: str) -> None:
        view = error_view(code, "English.", "Do this.", {}, "zh")
        assert is_chinese(view.title)
        assert is_chinese(view.next_step)
        assert view.raw == "English."

    @pytest.mark.parametrize(
        "code",
        sorted(
            codes_of(
                shared_state_errors, reporter_errors, mqtt_errors, vault_errors, provider_errors, agent_errors
            )
            | codes_in("runtime/model_*.py", "vault/model_keys.py")
        ),
    )
    def test_every_fault_of_shared_state_reporters_and_vault_has_chinese_words(self, code: str) -> None:
        """EX-13, EX-12: no fault of theirs is shown in English in a Chinese window."""
        view = error_view(code, "English.", "Do this.", {}, "zh")
        assert is_chinese(view.title)
        assert is_chinese(view.next_step)

    @pytest.mark.parametrize("url", ["http://host", "redis://host:abc", "redis://host/x"])
    def test_the_reason_why_an_address_of_redis_is_wrong_is_chinese(self, url: str) -> None:
        with pytest.raises(ZeroClawError) as raised:
            shown_address(url)
        assert english_words(error_view_of(raised.value, "zh").title) == []

    @pytest.mark.parametrize(
        "url", ["http://host", "mqtt://", "mqtt://h:x", "mqtt://h/+", "mqtt://h?qos=2", "mqtt://h?retain=x"]
    )
    def test_the_reason_why_an_address_of_mqtt_is_wrong_is_chinese(self, url: str) -> None:
        with pytest.raises(ZeroClawError) as raised:
            parse_mqtt_address(url)
        assert english_words(error_view_of(raised.value, "zh").title) == []

    async def test_a_lost_lock_tells_why_in_chinese(self) -> None:
        """EX-19: who has it now is a name; the words around it are Chinese."""
        state = InProcessState()
        old = LockGrant("机械臂", "甲", "old", 1, 1.0)
        with pytest.raises(ZeroClawError) as raised:
            await state.renew(old)
        assert error_view_of(raised.value, "zh").title == "“甲”已不再占用设备 机械臂：租期已到。"
        await state.acquire("机械臂", "乙")
        with pytest.raises(ZeroClawError) as raised:
            await state.renew(old)
        assert error_view_of(raised.value, "zh").title == "“甲”已不再占用设备 机械臂：现由“乙”占用。"

    def test_what_was_not_done_is_told_in_the_words_of_the_window(self) -> None:
        """EX-13: 'not_done' is a phrase of ours, so it comes in both languages."""
        closed = contract.closed(Words("passing the barrier 'a'", "通过同步点“甲”"))
        assert "passing the barrier 'a'" in error_view_of(closed, "en").title
        assert error_view_of(closed, "zh").title.endswith("以下操作未完成：通过同步点“甲”。")

    @pytest.mark.parametrize("code", sorted(CHINESE))
    def test_no_braces_are_left_when_a_value_is_missing(self, code: str) -> None:
        view = error_view(code, "", "", {}, "zh")
        assert not set("{}") & set(view.title + view.next_step)

    def test_after_writing_began_both_languages_say_that_the_firmware_may_be_gone(self) -> None:
        cause = Cause("x", "verify_failed", "It differs.", "Again.")
        error = failure_of(cause, {"wrote": True})
        assert "no working firmware" in error_view_of(error, "en").title
        assert "没有可用的固件" in error_view_of(error, "zh").title
        untouched = failure_of(cause, {"wrote": False})
        assert "没有可用的固件" not in error_view_of(untouched, "zh").title

    @pytest.mark.parametrize(
        "ended", [ChildExit(-9, True, 1.0, ""), ChildExit(-9, False, 1.0, ""), ChildExit(3, False, 1.0, "")]
    )
    def test_why_a_tool_ended_is_told_in_the_words_of_the_window(self, ended: ChildExit) -> None:
        error = explain_failure("avrdude", (), ended, wrote=False)
        assert english_words(error_view_of(error, "zh").title) == []
        assert not is_chinese(error_view_of(error, "en").title)

    def test_values_are_filled_in(self) -> None:
        view = error_view_of(PortBusyError("busy", hint="Close it.", details={"port": "COM3"}), "zh")
        assert "COM3" in view.title
        assert view.action == "retry"

    def test_english_keeps_the_words_of_the_fault(self) -> None:
        view = error_view_of(PortError("It broke.", hint="Mend it.", code="port_busy"), "en")
        assert (view.title, view.next_step, view.code) == ("It broke.", "Mend it.", "port_busy")

    def test_braces_in_a_value_do_no_harm(self) -> None:
        view = error_view("port_missing", "", "", {"port": "{x}{0!r:>9}"}, "zh")
        assert "{x}{0!r:>9}" in view.title

    def test_an_unknown_code_keeps_its_english(self) -> None:
        view = error_view("brand_new", "It broke.", "Mend it.", {}, "zh")
        assert (view.title, view.next_step) == ("It broke.", "Mend it.")

    def test_output_of_a_tool_is_kept_folded(self) -> None:
        assert error_view("flash_failed", "m", "h", {"output": "avrdude: ..."}, "en").raw == "avrdude: ..."


class TestFaults:
    @pytest.mark.parametrize(
        "code",
        sorted(
            # What a board prints after it was flashed well is no fault of the action.
            codes_in("hardware/flashing/**/*.py") - codes_in("hardware/flashing/boot_messages.py")
        ),
    )
    def test_what_stops_a_flash_is_never_taken_for_a_fault_of_the_program(self, code: str) -> None:
        (found,) = faults_of(FlashError("It broke.", hint="Mend it.", code=code), "flash_firmware")
        assert found.code in (Code.FLASH_FAILED, Code.VERIFY_FAILED, Code.TOOL_MISSING, *PORT_CODES)
        assert (found.details["kind"], found.details["hint"]) == (code, "Mend it.")

    @pytest.mark.parametrize("code", sorted(error_table()))
    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_every_code_has_words_in_both_languages(self, code: int, language: Any) -> None:
        view = fault_view(ActionFault(code, error_table()[code].symbol, "detail"), language)
        assert view.title
        assert is_chinese(view.title) is (language == "zh")
        assert not set("{}") & set(view.title + view.next_step)
        assert view.code == f"0x{code:02X}"

    def test_refused_before_anything_happened_is_said(self) -> None:
        assert fault_view(fault(Code.OUT_OF_RANGE, "x", "angle"), "en").not_done == "Nothing was changed."
        assert fault_view(fault(Code.EMERGENCY_STOPPED, "x"), "en").action == "release"

    def test_what_may_have_happened_is_not_denied(self) -> None:
        """After a time-out or a failed verification the board may well be in another state."""
        for code in (Code.TIMEOUT, Code.NO_REPLY, Code.FLASH_FAILED, Code.VERIFY_FAILED):
            assert fault_view(fault(code, "x"), "en").not_done == ""
        for kind in ("verify_failed", "flash_failed", "flash_timeout", "no_reply", "port_gone"):
            assert fault_view(fault(Code.FLASH_FAILED, "x", kind=kind), "en").not_done == ""

    def test_a_fault_of_a_room_below_keeps_its_words_and_its_button(self) -> None:
        below = fault(Code.PORT_BUSY, "In use by x.", kind="port_busy", hint="Close it.", port="COM3")
        view = fault_view(below, "en")
        assert (view.title, view.next_step, view.action) == ("In use by x.", "Close it.", "retry")
        assert view.not_done
        assert "COM3" in fault_view(below, "zh").title

    @pytest.mark.parametrize(
        "text",
        [
            "{",
            "[]",
            '{"action": 1}',
            '{"action": "x", "params": 1}',
            '{"action": "x", "source": 1}',
            '{"action": "x", "created_at": "now"}',
            '{"action": "x", "constraints": 1}',
            '{"action": "x", "constraints": {"timeout": -1}}',
            '{"action": "x", "constraints": {"retries": -1}}',
            '{"action": "x", "constraints": {"dry_run": 1}}',
            '{"action": "x", "params": {"pin": NaN}}',
            "[" * 100_000,
        ],
    )
    def test_an_unreadable_request_is_explained_in_chinese(self, text: str) -> None:
        """EX-10: 0x02 and 0x06 in Chinese have no English reason; fields and the example stay as they are."""
        with pytest.raises(FaultError) as raised:
            JsonParser().parse(text, source="manual")
        (found,) = raised.value.faults
        fields = {
            "action", "params", "source", "created_at", "constraints", "timeout", "retries", "dry_run",
            "NaN", "agent", "manual", "schedule", "sop", "webhook", "channel", "led_set", "state",
        }  # fmt: skip
        assert set(english_words(fault_view(found, "zh").title)) <= fields

    @pytest.mark.parametrize("text", ["- action: [", "a: b: c", "- \t- x", "? ["])
    def test_a_list_that_is_no_yaml_is_explained_in_chinese(self, text: str) -> None:
        """EX-10: code 0x06 in Chinese does not repeat the English words of the YAML reader."""
        with pytest.raises(FaultError) as raised:
            YamlListParser().parse(text, source="manual")
        assert english_words(fault_view(raised.value.faults[0], "zh").title) == []

    async def test_a_value_that_is_far_too_long_is_cut(self) -> None:
        """EX-10: codes 0x01 and 0x14 repeat what was given only as far as a person reads it."""
        door, long = Door(), "x" * 65_536
        unknown = await door.do(long)
        choice = await door.do("led_set", {"pin": 13, "state": 1, "level": long})
        wrong = await door.do("pin_mode", {"pin": 7, "mode": long})
        nowhere = await door.do("led_set", {"state": 1}, device_id=long)
        assert wrong.error_code == Code.NOT_A_CHOICE
        assert unknown.error_code == Code.UNKNOWN_ACTION
        for result in (unknown, choice, wrong, nowhere):
            for found in result.faults:
                assert len(found.message) < 400
                for language in ("en", "zh"):
                    assert len(fault_view(found, language).title) < 300


class TestSentences:
    def test_every_command_for_models_has_one_in_both_languages(self) -> None:
        for command in Door().registry.list_commands():
            if command.for_models:
                assert action_sentence(command.name, {}, "en") != command.name
                assert is_chinese(action_sentence(command.name, {}, "zh"))

    def test_names_in_sentences_are_parameters_of_the_command(self) -> None:
        schemas = {command.name: command.schema for command in Door().registry.list_commands()}
        for name, row in SENTENCES.items():
            for text in row.values():
                names = [part.split(":")[0] for _, part, *_ in string.Formatter().parse(text) if part]
                assert set(names) <= set(schemas.get(name, {})), name

    @pytest.mark.parametrize(
        ("action", "params", "english", "chinese"),
        [
            ("led_blink", {"count": 3}, "Blink the LED 3 times", "LED 闪烁 3 次"),
            ("led_set", {"state": 0}, "Switch the LED off", "关闭 LED"),
            ("led_set", {"state": 1}, "Switch the LED on", "打开 LED"),
            ("servo_move", {"angle": 90.0}, "Turn the servo to 90°", "舵机转到 90°"),
            ("led_blink", {}, "Blink the LED … times", "LED 闪烁 … 次"),
            ("plot_series", {"signals": ["a0", "a1"]}, "Plot a0, a1", "绘制 a0, a1"),
            ("not_a_command", {}, "not_a_command", "not_a_command"),
        ],
    )
    def test_examples(self, action: str, params: dict[str, Any], english: str, chinese: str) -> None:
        assert action_sentence(action, params, "en") == english
        assert action_sentence(action, params, "zh") == chinese

    def test_a_value_with_braces_stays_as_it_is(self) -> None:
        assert action_sentence("analog_read", {"pin": "{pin:a|b}"}, "en") == "Measure {pin:a|b}"

    @pytest.mark.parametrize(
        ("value", "mode", "text"),
        [
            (None, "output", "?"),
            (1, "output", "high"),
            (0, "input", "low"),
            (0.5, "pwm", "50 %"),
            (0, "pwm", "0 %"),
            (90.0, "servo", "90°"),
        ],
    )
    def test_values_of_pins(self, value: float | None, mode: str, text: str) -> None:
        assert pin_value(value, mode, "en") == text
        assert pin_value(1, "output", "zh") == "高"
