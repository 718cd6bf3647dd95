"""What people say in Chinese, and the calls that a careful person would make of it."""

from __future__ import annotations

import pytest

from tests.unit.providers.offline.scenes import NAMED_UNO, UNO, Calls, calls_of, do
from zeroclaw_desktop.providers.offline import understand

BLINK = [
    ("让LED闪烁3次", do("led_blink", count=3)),
    ("让ＬＥＤ闪烁３次。", do("led_blink", count=3)),
    ("LED灯闪三下", do("led_blink", count=3)),
    ("灯闪两下", do("led_blink", count=2)),
    ("闪一下灯", do("led_blink", count=1)),
    ("请让灯闪烁十次", do("led_blink", count=10)),
    ("让小灯闪十二下", do("led_blink", count=12)),
    ("闪烁一百次", do("led_blink", count=100)),
    ("帮我把LED闪五次", do("led_blink", count=5)),
    ("让8号引脚的LED闪烁5次，每200毫秒一次", do("led_blink", count=5, interval=0.2, pin=8)),
    ("LED闪烁5次，间隔0.5秒", do("led_blink", count=5, interval=0.5)),
    ("LED闪烁4次，间隔半秒", do("led_blink", count=4, interval=0.5)),
    ("闪三次，每次间隔一秒半", do("led_blink", count=3, interval=1.5)),
    ("让灯快速闪5次", do("led_blink", count=5, interval=0.1)),
    ("慢慢地闪三下", do("led_blink", count=3, interval=1.0)),
    ("能不能让灯闪3次？", do("led_blink", count=3)),
    ("可以让LED闪3次吗", do("led_blink", count=3)),
    ("你能让灯闪四下吗？", do("led_blink", count=4)),
    ("13号灯闪3次", do("led_blink", count=3, pin=13)),
    ("让引脚8闪烁两次", do("led_blink", count=2, pin=8)),
    ("讓LED閃爍3次", do("led_blink", count=3)),
    ("闪3次", do("led_blink", count=3)),
    ("我想让灯闪六下", do("led_blink", count=6)),
    ("灯闪6秒", do("led_blink", count=10)),
]
SWITCH = [
    ("开灯", do("led_set", state=1)),
    ("关灯", do("led_set", state=0)),
    ("打开LED", do("led_set", state=1)),
    ("把灯打开", do("led_set", state=1)),
    ("请把灯关掉", do("led_set", state=0)),
    ("关闭LED灯。", do("led_set", state=0)),
    ("把灯点亮", do("led_set", state=1)),
    ("点亮LED", do("led_set", state=1)),
    ("熄灭LED", do("led_set", state=0)),
    ("帮我开一下灯", do("led_set", state=1)),
    ("可以开灯吗", do("led_set", state=1)),
    ("麻烦关一下灯", do("led_set", state=0)),
    ("把13号灯打开", do("led_set", state=1, pin=13)),
    ("把8号引脚的灯打开", do("led_set", state=1, pin=8)),
    ("開燈", do("led_set", state=1)),
    ("把5号引脚拉高", do("digital_write", pin=5, value=1)),
    ("把5号引脚设为高电平", do("digital_write", pin=5, value=1)),
    ("引脚7置低", do("digital_write", pin=7, value=0)),
    ("把第6脚拉低", do("digital_write", pin=6, value=0)),
    ("打开5号口", do("digital_write", pin=5, value=1)),
    ("关闭引脚十二", do("digital_write", pin=12, value=0)),
    ("D4输出高电平", do("digital_write", pin=4, value=1)),
    ("把引脚3设为1", do("digital_write", pin=3, value=1)),
    ("点亮3秒后关掉", do("led_blink", count=1, interval=3.0)),
    ("开灯，3秒后关掉", do("led_blink", count=1, interval=3.0)),
    ("灯亮两秒然后熄灭", do("led_blink", count=1, interval=2.0)),
    ("点亮LED半秒", do("led_blink", count=1, interval=0.5)),
]
OTHER = [
    ("把舵机转到90度", do("servo_move", angle=90.0)),
    ("舵机转到中间", do("servo_move", angle=90.0)),
    ("舵机九十度", do("servo_move", angle=90.0)),
    ("舵机转到一百二十度", do("servo_move", angle=120.0)),
    ("请将舵机移动到45°", do("servo_move", angle=45.0)),
    ("舵机回中", do("servo_move", angle=90.0)),
    ("舵机转到最大角度", do("servo_move", angle=180.0)),
    ("舵机慢慢转到150度", do("servo_move", angle=150.0, speed=0.3)),
    ("10号引脚的舵机转到30度", do("servo_move", angle=30.0, pin=10)),
    ("舵机转到0度", do("servo_move", angle=0.0)),
    ("把舵机设为六十度", do("servo_move", angle=60.0)),
    ("多机转到90度", do("servo_move", angle=90.0)),
    ("读一下A0", do("analog_read", pin="A0")),
    ("A0现在多少", do("analog_read", pin="A0")),
    ("读取A1的电压", do("analog_read", pin="A1")),
    ("看看A2的值是多少", do("analog_read", pin="A2")),
    ("模拟口3是多少？", do("analog_read", pin="A3")),
    ("测一下模拟输入0", do("analog_read", pin="A0")),
    ("读取2号引脚", do("digital_read", pin=2)),
    ("引脚7是什么状态", do("digital_read", pin=7)),
    ("7号引脚是高电平吗", do("digital_read", pin=7)),
    ("灯亮着吗", do("digital_read", pin=13)),
    ("灯亮吗？", do("digital_read", pin=13)),
    ("LED是开着的吗", do("digital_read", pin=13)),
    ("灯开了没有", do("digital_read", pin=13)),
    ("灯是不是亮着", do("digital_read", pin=13)),
    ("把9号引脚设为50%", do("pwm_write", pin=9, duty=0.5)),
    ("9号引脚亮度调到一半", do("pwm_write", pin=9, duty=0.5)),
    ("把引脚6的占空比设为百分之七十五", do("pwm_write", pin=6, duty=0.75)),
    ("3号引脚PWM 128/255", do("pwm_write", pin=3, duty=0.502)),
    ("9号脚的亮度调到30", do("pwm_write", pin=9, duty=0.3)),
    ("让9号引脚呼吸5秒", do("led_breath", pin=9, duration=5.0)),
    ("9号引脚呼吸灯", do("led_breath", pin=9)),
    ("在8号引脚播放440赫兹1秒", do("tone", pin=8, frequency=440, duration=1.0)),
    ("8号引脚响半秒", do("tone", pin=8, frequency=1000, duration=0.5)),
    ("把7号引脚设为输入", do("pin_mode", pin=7, mode="input")),
    ("引脚2设置为上拉输入", do("pin_mode", pin=2, mode="input_pullup")),
    ("把4号引脚设为输出模式", do("pin_mode", pin=4, mode="output")),
    ("有哪些板子", do("device_list")),
    ("列出设备", do("device_list")),
    ("连接了哪些板子？", do("device_list")),
    ("板子信息", do("board_info")),
    ("这是什么板子", do("board_info")),
    ("固件版本是多少", do("board_info")),
    ("烧录固件", do("flash_firmware", firmware="default")),
    ("给板子刷固件", do("flash_firmware", firmware="default")),
    ("上传默认固件", do("flash_firmware", firmware="default")),
    ("烧录demo固件", do("flash_firmware", firmware="demo")),
    ("画出A0的曲线", do("plot_series", signals=["a0"], period=0.1)),
    ("绘制A0和A1，每100毫秒", do("plot_series", signals=["a0", "a1"], period=0.1)),
    ("监测A2每秒一次", do("plot_series", signals=["a2"], period=1.0)),
    ("停止绘图", do("telemetry_stop")),
    ("停止遥测", do("telemetry_stop")),
    ("为什么失败了", do("explain_last")),
    ("为什么没亮？", do("explain_last")),
    ("怎么回事", do("explain_last")),
    ("急停", do("motor_emergency_stop")),
    ("全部停止", do("motor_emergency_stop")),
    ("别动！", do("motor_emergency_stop")),
    ("停！", do("motor_emergency_stop")),
    ("停止", do("motor_emergency_stop")),
    ("马上全部停下来！", do("motor_emergency_stop")),
    ("停止所有电机", do("motor_emergency_stop")),
    ("停止闪烁", do("led_set", state=0)),
    ("重启板子", do("board_reset")),
]
SEVERAL: list[tuple[str, Calls]] = [
    ("打开灯，然后关掉", [*do("led_set", state=1), *do("led_set", state=0)]),
    ("先开灯再关灯", [*do("led_set", state=1), *do("led_set", state=0)]),
    ("先闪3次，然后把舵机转到90度", [*do("led_blink", count=3), *do("servo_move", angle=90.0)]),
    ("LED闪三下，接着读取A0", [*do("led_blink", count=3), *do("analog_read", pin="A0")]),
    ("读取A0和A1", [*do("analog_read", pin="A0"), *do("analog_read", pin="A1")]),
    ("打开5号和6号引脚", [*do("digital_write", pin=5, value=1), *do("digital_write", pin=6, value=1)]),
    (
        "把5号引脚拉高，6号引脚拉低",
        [*do("digital_write", pin=5, value=1), *do("digital_write", pin=6, value=0)],
    ),
    ("舵机转到0度再转到180度", [*do("servo_move", angle=0.0), *do("servo_move", angle=180.0)]),
    (
        "把灯打开，舵机转到45度，再读一下A1",
        [*do("led_set", state=1), *do("servo_move", angle=45.0), *do("analog_read", pin="A1")],
    ),
]
NAMED = [
    ("打开风扇", do("digital_write", pin=5, value=1)),
    ("把风扇关掉", do("digital_write", pin=5, value=0)),
    ("风扇调到40%", do("pwm_write", pin=5, duty=0.4)),
    ("读取温度", do("analog_read", pin="A1")),
    ("现在几度", do("analog_read", pin="A1")),
    ("温度多少", do("analog_read", pin="A1")),
    ("蜂鸣器响一下", do("tone", pin=8, frequency=1000, duration=0.5)),
    ("蜂鸣器响两秒", do("tone", pin=8, frequency=1000, duration=2.0)),
    ("风扇开着吗", do("digital_read", pin=5)),
    ("画出温度曲线", do("plot_series", signals=["a1"], period=0.1)),
    ("打开灯和风扇", [*do("led_set", state=1), *do("digital_write", pin=5, value=1)]),
    ("打开水泵", do("digital_write", pin=4, value=1)),
]


@pytest.mark.parametrize(("sentence", "calls"), BLINK + SWITCH + OTHER + SEVERAL)
def test_a_sentence_becomes_the_calls_that_it_means(sentence: str, calls: Calls) -> None:
    understanding = understand(sentence, boards=[UNO])
    assert calls_of(understanding) == calls, (
        understanding.intent,
        understanding.question,
        understanding.reason,
    )
    assert understanding.question is None
    assert understanding.language == "zh"
    assert understanding.say


@pytest.mark.parametrize(("sentence", "calls"), NAMED)
def test_names_given_by_the_person_stand_for_their_pins(sentence: str, calls: Calls) -> None:
    understanding = understand(sentence, boards=[NAMED_UNO])
    assert calls_of(understanding) == calls, (
        understanding.intent,
        understanding.question,
        understanding.reason,
    )
