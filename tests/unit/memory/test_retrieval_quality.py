"""A small labelled set, typed by hand: for each question the memory that answers it comes first (AG-12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.memories import opened_memory, texts, told

MEMORIES = {
    "fan": "The greenhouse fan is connected to pin 7.",
    "fan_zh": "客厅的吊扇由继电器控制，接在引脚 5。",
    "thermometer": "The thermometer in the greenhouse is an LM75 at I2C address 0x48.",
    "thermometer_zh": "卧室温度传感器接在 A0，每分钟读一次。",
    "motor": "The motor driver needs 12 volts from the bench supply.",
    "motor_zh": "水泵电机最大电流是两安培，不要连续运行超过十分钟。",
    "colour": "My favourite colour for the LED strip is warm white.",
    "name_zh": "我叫王磊，住在杭州。",
    "wifi": "The workshop router is called shed-net and sits behind the door.",
    "alarm": "Ring the buzzer when the soil moisture falls below 30 percent.",
    "alarm_zh": "土壤湿度低于百分之三十时打开蜂鸣器。",
    "baud": "The old weather station talks at 4800 baud with even parity.",
    "board_zh": "办公室那块开发板是 ESP32-S3，串口是 COM7。",
    "door": "The garage door servo is open at 90 degrees and shut at 12 degrees.",
    "door_zh": "猫门的舵机打开是 100 度，关闭是 20 度。",
    "birthday": "Grandma's birthday is on the third of May.",
}
QUESTIONS = [
    ("which pin is the greenhouse fan on?", "fan"),
    ("吊扇", "fan_zh"),
    ("继电器接在哪个引脚", "fan_zh"),
    ("what is the address of the thermometer", "thermometer"),
    ("LM75", "thermometer"),
    ("温度", "thermometer_zh"),
    ("卧室的传感器怎么接", "thermometer_zh"),
    ("how many volts does the motor driver need", "motor"),
    ("水泵", "motor_zh"),
    ("电机能连续运行多久", "motor_zh"),
    ("favorite color of the led strip", "colour"),
    ("我叫什么名字", "name_zh"),
    ("杭州", "name_zh"),
    ("where is the router", "wifi"),
    ("when should the buzzer ring", "alarm"),
    ("土壤", "alarm_zh"),
    ("蜂鸣器什么时候打开", "alarm_zh"),
    ("baud rate of the weather station", "baud"),
    ("办公室的 ESP32 在哪个串口", "board_zh"),
    ("ＥＳＰ３２", "board_zh"),
    ("angles of the garage door", "door"),
    ("猫门舵机的角度", "door_zh"),
    ("when is grandma's birthday", "birthday"),
]


@pytest.mark.parametrize("weight", [0.7, 0.0, 1.0], ids=["hybrid", "words", "vectors"])
async def test_the_right_memory_comes_first(tmp_path: Path, weight: float) -> None:
    async with opened_memory(tmp_path) as memory:
        memory.options.recall.weights = type(memory.options.recall.weights)(weight)
        await told(memory, *MEMORIES.values())
        wrong = [
            (question, found[:1])
            for question, expected in QUESTIONS
            if (found := await texts(memory, question))[:1] != [MEMORIES[expected]]
        ]
    # The hybrid must answer all of them; each half alone may miss a few, or it would not need the other.
    assert wrong == [] if weight == 0.7 else len(wrong) <= 4, wrong


async def test_what_fits_nothing_finds_nothing(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await told(memory, *MEMORIES.values())
        assert await texts(memory, "quartz jigsaw", least_relevance=0.2) == []
        assert await texts(memory, "") == []
