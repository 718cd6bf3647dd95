"""HW-9: the templates of the specification are there, in both languages; a wrong file tells its faults."""

from __future__ import annotations

import shutil
import string
from pathlib import Path

import pytest

from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.contracts.synthesis import FirmwareWish
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.errors import TemplateDataError, WishError
from zeroclaw_desktop.hardware.synthesis.planning import dialects_of, plan_firmware
from zeroclaw_desktop.hardware.synthesis.rendering import render
from zeroclaw_desktop.hardware.synthesis.templates import read_template, template_catalog

UNO = board_catalog()["arduino-uno"]


def test_every_kind_of_the_specification_is_there_in_both_dialects() -> None:
    kinds = {"blink", "button", "servo", "dht", "ds18b20", "analog"}
    kinds |= {"i2c-scan", "motor", "neopixel", "telemetry", "protocol"}
    assert kinds <= set(template_catalog())
    for template in template_catalog().values():
        assert {"arduino", "micropython"} <= set(template.sources), template.info.key


@pytest.mark.parametrize("key", template_catalog())
def test_wiring_names_needs_that_exist(key: str) -> None:
    template = template_catalog()[key]
    known = {need.key for need in template.info.needs} | {"volts"}
    for part in template.parts:
        for line in part.wiring:
            for text in line.values():
                assert {name for _, name, _, _ in string.Formatter().parse(text) if name} <= known
    shown = " ".join(text for part in template.parts for line in part.wiring for text in line.values())
    assert all(f"{{{need.key}}}" in shown for need in template.info.needs)


def test_a_wrong_template_tells_everything(tmp_path: Path) -> None:
    folder = tmp_path / "blink"
    shutil.copytree(firmware_path("templates/blink"), folder)
    file = folder / "template.toml"
    text = file.read_text(encoding="utf-8")
    text = text.replace('"output"', '"fly"').replace("default = 1.0", "default = 99.0")
    file.write_text(text + "\n[extra]\nx = 1\n", encoding="utf-8")
    with pytest.raises(TemplateDataError) as caught:
        read_template(folder)
    problems = " ".join(caught.value.details["problems"])
    assert "'fly'" in problems
    assert "99.0" in problems
    assert "extra" in problems


def test_sections_and_values() -> None:
    source = "a\n//@ if avr\nb ${x}\n//@ else\nc\n//@ end\n//@ include part\n"
    assert render(source, {"x": "1"}, {"avr"}, lambda name: f"[{name}]\n") == "a\nb 1\n[part]\n"
    assert render(source, {"x": "1"}, {"esp32"}, lambda _name: "") == "a\nc\n"
    with pytest.raises(TemplateDataError):
        render("${y}", {}, set(), str)
    with pytest.raises(TemplateDataError):
        render("//@ if avr\n", {}, {"avr"}, str)
    with pytest.raises(TemplateDataError):
        render("//@ end\n", {}, set(), str)


def test_values_out_of_range_are_refused() -> None:
    wish = FirmwareWish("blink", params={"rate": 900, "colour": "red"})
    plan = plan_firmware(wish, UNO)
    assert not plan.ok
    assert {finding.code for finding in plan.findings} == {"param_range", "param_unknown"}
    assert plan_firmware(FirmwareWish("blink", params={"rate": "2.5"}), UNO).params["rate"] == 2.5
    assert not plan_firmware(FirmwareWish("blink", params={"rate": "nan"}), UNO).ok
    assert not plan_firmware(FirmwareWish("blink", pins={"motor": "3"}), UNO).ok


def test_unknown_template_and_dialect() -> None:
    with pytest.raises(WishError) as caught:
        plan_firmware(FirmwareWish("teapot"), UNO)
    assert caught.value.code == "unknown_template"
    with pytest.raises(WishError) as caught:
        plan_firmware(FirmwareWish("blink", "micropython"), UNO)
    assert caught.value.code == "unknown_dialect"


def test_dialects_of_the_boards() -> None:
    assert dialects_of(UNO) == ("arduino",)
    assert dialects_of(board_catalog()["raspberry-pi-pico"]) == ("arduino", "micropython")
    assert "rust" in dialects_of(board_catalog()["esp32-c3"])
    assert "rust" in dialects_of(board_catalog()["nucleo-f401re"])
    assert dialects_of(board_catalog()["raspberry-pi"]) == ()


def test_boards_of_3_volts_are_warned_of_5_volts() -> None:
    def cautions(board: str) -> str:
        plan = plan_firmware(FirmwareWish("analog", "arduino"), board_catalog()[board])
        return " ".join(finding.message["en"] for finding in plan.findings if finding.code == "caution")

    assert "3.3 V" in cautions("esp32")
    assert cautions("arduino-uno") == ""


def test_an_led_that_shines_while_low_is_written_so() -> None:
    own = plan_firmware(FirmwareWish("blink", "arduino"), board_catalog()["esp8266"]).sketch
    other = plan_firmware(FirmwareWish("blink", "arduino", {"led": "5"}), board_catalog()["esp8266"]).sketch
    assert "LED_ON = 0" in own
    assert "LED_ON = 1" in other


def test_protocol_firmware_takes_the_names_of_the_person() -> None:
    named = (NamedPin("lamp", 9, "led"), NamedPin("fan", 5, "dimmer"))
    plan = plan_firmware(FirmwareWish("protocol"), UNO, named)
    assert plan.ok
    assert "{9, 9, 'o'},  // lamp" in plan.sketch
    assert "{5, 5, 'p'},  // fan" in plan.sketch
    assert "[9,5]" in plan.sketch


@pytest.mark.parametrize("text", ["lamp", "lamp=9:fly", "lamp=1", "a=9, b=9", "x" * 50 + "=9"])
def test_a_wrong_pin_map_is_refused(text: str) -> None:
    assert not plan_firmware(FirmwareWish("protocol", params={"map": text}), UNO).ok


def test_an_edited_sketch_is_checked_like_the_templates_own() -> None:
    sketch = plan_firmware(FirmwareWish("blink"), UNO).sketch
    edited = plan_firmware(FirmwareWish("blink", sketch=sketch.replace("LED_PIN = 13", "LED_PIN = 0")), UNO)
    assert edited.edited
    assert [finding.code for finding in edited.findings if finding.severity == "error"] == ["pin_reserved"]
    assert not plan_firmware(FirmwareWish("blink", sketch=sketch), UNO).edited
