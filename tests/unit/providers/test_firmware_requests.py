"""HW-9: a request in English or Chinese becomes a wish: kind, pins, values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.synthesis.templates import template_catalog
from zeroclaw_desktop.providers.offline.firmware_requests import understand_firmware, with_digits
from zeroclaw_desktop.providers.offline.plan_firmware import asks_for_firmware

TEMPLATES = [template.info for template in template_catalog().values()]
CASES: list[tuple[str, str, dict[str, str], dict[str, Any]]] = [
    ("blink the LED three times a second on pin 9", "blink", {"led": "9"}, {"rate": 3}),
    ("让9号引脚的LED每秒闪三次", "blink", {"led": "9"}, {"rate": 3}),
    ("Blink the led twice a second", "blink", {}, {"rate": 2}),
    ("blink the led every 2 seconds", "blink", {}, {"rate": 0.5}),
    ("每2秒闪一次LED", "blink", {}, {"rate": 0.5}),
    ("blink at 5 Hz on D7", "blink", {"led": "d7"}, {"rate": 5}),
    ("blink the led on pin 6 30 times a minute", "blink", {"led": "6"}, {"rate": 0.5}),
    ("button on pin 2 switches the led on pin 8", "button", {"button": "2", "led": "8"}, {}),
    ("按钮接在引脚4，控制13号引脚的灯", "button", {"button": "4", "led": "13"}, {}),
    (
        "sweep a servo on pin 10 from 20 to 160 degrees every 3 seconds",
        "servo",
        {"servo": "10"},
        {"low": 20, "high": 160, "period": 3},
    ),
    (
        "舵机在9号引脚，从30度到150度，每5秒往返",
        "servo",
        {"servo": "9"},
        {"low": 30, "high": 150, "period": 5},
    ),
    ("read a DHT11 on pin 7 every 5 seconds", "dht", {"data": "7"}, {"kind": "dht11", "period": 5}),
    ("用DHT22在引脚4读取温湿度", "dht", {"data": "4"}, {"kind": "dht22"}),
    ("DS18B20 on pin 6", "ds18b20", {"data": "6"}, {}),
    ("potentiometer on A2 every 100 ms", "analog", {"sensor": "a2"}, {"period": 0.1}),
    ("TMP36 on A1", "analog", {"sensor": "a1"}, {"kind": "tmp36"}),
    ("scan the i2c bus", "i2c-scan", {}, {}),
    ("扫描I2C总线", "i2c-scan", {}, {}),
    (
        "motor with TB6612, pwm on 5, in1 on 7, in2 on 8 at 80%",
        "motor",
        {"speed": "5", "forward": "7", "backward": "8"},
        {"driver": "tb6612", "power": 80},
    ),
    (
        "16 ws2812 leds on pin 6, rainbow at 30 %",
        "neopixel",
        {"data": "6"},
        {"count": 16, "brightness": 30, "effect": "rainbow"},
    ),
    (
        "八颗灯珠的灯带，接引脚6，红色，亮度百分之五十",
        "neopixel",
        {"data": "6"},
        {"count": 8, "brightness": 50, "effect": "red"},
    ),
    ("telemetry every 50 ms from A3 and A4", "telemetry", {"first": "a3", "second": "a4"}, {"period": 0.05}),
    (
        "protocol firmware with reading lamp on pin 9 and fan on pin 5 as pwm and door on pin 2 as input",
        "protocol",
        {},
        {"map": "reading lamp=9, fan=5:pwm, door=2:in"},
    ),
    ("协议固件，台灯接9，门接2输入", "protocol", {}, {"map": "台灯=9, 门=2:in"}),
    ("servo motor on pin 3", "servo", {"servo": "3"}, {}),
]


@pytest.mark.parametrize(("sentence", "template", "pins", "params"), CASES)
def test_requests(sentence: str, template: str, pins: dict[str, str], params: dict[str, Any]) -> None:
    wish = understand_firmware(sentence, TEMPLATES)
    assert (wish.template, dict(wish.pins)) == (template, pins)
    assert dict(wish.params) == pytest.approx(params) if "map" not in params else wish.params == params
    assert wish.unused == ()


def test_what_means_nothing_is_told() -> None:
    assert understand_firmware("blink the led with 42 frogs", TEMPLATES).unused == ("42 frogs",)


@pytest.mark.parametrize(
    ("sentence", "dialect"),
    [("blink in MicroPython", "micropython"), ("用rust让LED闪烁", "rust"), ("blink", "")],
)
def test_the_language_of_the_sketch(sentence: str, dialect: str) -> None:
    assert understand_firmware(sentence, TEMPLATES).dialect == dialect


@pytest.mark.parametrize("sentence", ["make me a coffee", "", "你好", "1 2 3"])
def test_other_sentences_name_no_firmware(sentence: str) -> None:
    assert understand_firmware(sentence, TEMPLATES).template == ""


@given(st.text(max_size=300))
def test_any_text_is_borne(text: str) -> None:
    wish = understand_firmware(text, TEMPLATES)
    assert wish.template in {"", *template_catalog()}


def test_numbers_as_words() -> None:
    assert with_digits("three leds") == "3 leds"
    assert with_digits("twice a second") == "2 times a second"
    assert with_digits("每秒三次") == "每秒3次"
    assert with_digits("百分之五十") == "50%"


@pytest.mark.parametrize(
    "sentence",
    [
        "write a program that blinks pin 9",
        "please make me a new firmware for a servo",
        "generate an arduino sketch for a dht22",
        "写一个程序让灯闪",
        "请帮我生成读取温湿度的固件",
    ],
)
def test_orders_for_a_program(sentence: str) -> None:
    assert asks_for_firmware(sentence)


@pytest.mark.parametrize(
    "sentence", ["write pin 5 high", "make it blink", "flash the firmware", "烧录固件", "不要写程序"]
)
def test_other_orders_are_none(sentence: str) -> None:
    assert not asks_for_firmware(sentence)
