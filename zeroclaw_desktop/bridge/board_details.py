"""Everything that is known of one board, as rows for a person. No Qt."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from zeroclaw_desktop.bridge.board_views import other_names
from zeroclaw_desktop.bridge.detail_views import BoardDetailsView, Rows
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.text import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zeroclaw_desktop.contracts.boards import BoardInfo, BoardProfile
    from zeroclaw_desktop.runtime.runtime import Runtime

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "kind": "Kind",
        "chip": "Chip",
        "port": "Port",
        "usb": "USB id",
        "serial": "Serial number",
        "location": "USB place",
        "known_by": "Known again by",
        "away": "not plugged in",
        "firmware": "Firmware",
        "version": "Version",
        "protocol": "Protocol",
        "method": "Flashed by",
        "none": "none has answered",
        "heard": "Last answer",
        "ago": "{0:.0f} s ago",
        "now": "just now",
        "never": "none in this connection",
        "replies": "Replies",
        "lines": "Other lines",
        "events": "Events",
        "stale_replies": "Unmatched replies",
        "unreadable": "Unreadable lines",
        "overlong": "Over-long lines",
        "dropped": "Lines left out",
        "spi": "SPI",
        "spi_pins": "out {0}, in {1}, clock {2}",
        "motor": "Motor '{0}'",
        "motor_pins": "PWM {0}, direction {1}",
        "motor_pin": "PWM {0}, one direction",
        "i2c": "I2C",
        "led": "LED",
        "low": "{0}, on while low",
        "rgb": "Colour LED",
        "volts": "Pins bear",
        "bears": "{0:g} V, {1:g} mA each",
        "adc": "Analog inputs",
        "adc_bits": "0 to {0:g} V in {1} bits",
        "sheet": "{0} (data sheet)",
        "role": "{0}, {1}",
    },
    "zh": {
        "kind": "型号",
        "chip": "芯片",
        "port": "端口",
        "usb": "USB 标识",
        "serial": "序列号",
        "location": "USB 位置",
        "known_by": "识别依据",
        "away": "未插入",
        "firmware": "固件",
        "version": "版本",
        "protocol": "协议",
        "method": "烧录方式",
        "none": "没有回应",
        "heard": "最近一次应答",
        "ago": "{0:.0f} 秒前",
        "now": "刚刚",
        "never": "本次连接中没有",
        "replies": "应答",
        "lines": "其他行",
        "events": "事件",
        "stale_replies": "未匹配的回复",
        "unreadable": "无法识别的行",
        "overlong": "超长行",
        "dropped": "略去的行",
        "spi": "SPI",
        "spi_pins": "输出 {0}，输入 {1}，时钟 {2}",
        "motor": "电机“{0}”",
        "motor_pins": "PWM {0}，方向 {1}",
        "motor_pin": "PWM {0}，单向",
        "i2c": "I2C",
        "led": "LED",
        "low": "{0}，低电平点亮",
        "rgb": "彩色 LED",
        "volts": "引脚耐受",
        "bears": "{0:g} V，每个 {1:g} mA",
        "adc": "模拟输入",
        "adc_bits": "0 至 {0:g} V，{1} 位",
        "sheet": "{0}（数据手册）",
        "role": "{0}，{1}",
    },
}
_ALWAYS = ("replies", "events", "lines")
_FAULTS = ("stale_replies", "unreadable", "overlong", "dropped")
_MOST_SHOWN = 80


def details_of(runtime: Runtime, board: BoardInfo, language: Language) -> BoardDetailsView:
    """Everything that is known of a board now."""
    words = _WORDS[language]
    commands = board.capabilities.get("commands", ())
    known = commands if isinstance(commands, list | tuple) else ()
    return BoardDetailsView(
        board.board_id,
        _identity(runtime, board, words),
        _firmware(board, words),
        _health(board, words),
        _wiring(board.profile, words),
        _names(runtime, board, words, language),
        tuple(sorted(visible(str(command), _MOST_SHOWN) for command in known)),
        board.profile.notes.get(language, ""),
    )


def _filled(rows: list[tuple[str, str]]) -> Rows:
    return tuple((name, value) for name, value in rows if value)


def _identity(runtime: Runtime, board: BoardInfo, words: Mapping[str, str]) -> Rows:
    port = runtime.roster.port_info(board.port)
    port_text = board.port if board.plugged else f"{board.port} ({words['away']})"
    return _filled(
        [
            (words["kind"], board.profile.name),
            (words["chip"], board.profile.chip),
            (words["port"], port_text),
            (words["usb"], port.usb_id if port is not None else ""),
            (words["serial"], visible(port.serial_number, _MOST_SHOWN) if port is not None else ""),
            (words["location"], port.location if port is not None else ""),
            (words["known_by"], "" if board.simulated else runtime.roster.identity(board.board_id)),
        ]
    )


def _firmware(board: BoardInfo, words: Mapping[str, str]) -> Rows:
    name, _, version = board.firmware.partition(" ")
    protocol = board.capabilities.get("proto", "")
    return _filled(
        [
            (words["firmware"], name or words["none"]),
            (words["version"], version),
            (words["protocol"], visible(str(protocol), _MOST_SHOWN)),
            (words["method"], ", ".join(board.profile.flash.methods)),
        ]
    )


def _health(board: BoardInfo, words: Mapping[str, str]) -> Rows:
    heard = words["never"]
    if board.heard_at is not None:
        seconds = time.monotonic() - board.heard_at
        heard = words["now"] if seconds < 2.0 else words["ago"].format(seconds)
    rows = [(words["heard"], heard)]
    rows += [(words[key], str(board.counters.get(key, 0))) for key in (*_ALWAYS, *_FAULTS)]
    return tuple(rows)


def _pin(profile: BoardProfile, number: int) -> str:
    pin = profile.pin(number)
    return pin.name if pin is not None else str(number)


def _wiring(profile: BoardProfile, words: Mapping[str, str]) -> Rows:
    rows: list[tuple[str, str]] = []
    if profile.led_pin is not None:
        led = _pin(profile, profile.led_pin)
        rows.append((words["led"], words["low"].format(led) if profile.led_active_low else led))
    if profile.rgb_led is not None:
        rows.append((words["rgb"], f"{_pin(profile, profile.rgb_led.pin)} ({profile.rgb_led.kind})"))
    bus = [pin for pin in profile.pins if "i2c" in pin.functions]
    rows.append((words["i2c"], ", ".join(_with_alias(pin.name, other_names(pin)) for pin in bus[:4])))
    spi = profile.wiring.spi
    if spi is not None:
        pins = (_pin(profile, number) for number in (spi.out_pin, spi.in_pin, spi.clock_pin))
        rows.append((words["spi"], words["spi_pins"].format(*pins)))
    for name, motor in profile.wiring.motors.items():
        speed = _pin(profile, motor.pwm_pin)
        text = words["motor_pin"].format(speed)
        if motor.direction_pin is not None:
            text = words["motor_pins"].format(speed, _pin(profile, motor.direction_pin))
        rows.append((words["motor"].format(name), text))
    if profile.limits is not None:
        rows.append(
            (words["volts"], words["bears"].format(profile.limits.volts, profile.limits.pin_milliamps))
        )
    if any("analog" in pin.functions for pin in profile.pins):
        rows.append((words["adc"], words["adc_bits"].format(profile.adc_reference_volts, profile.adc_bits)))
    return _filled(rows)


def _with_alias(name: str, others: tuple[str, ...]) -> str:
    return f"{name} ({', '.join(others)})" if others else name


def _names(runtime: Runtime, board: BoardInfo, words: Mapping[str, str], language: Language) -> Rows:
    from zeroclaw_desktop.bridge.name_words import role_views

    roles = {role.key: role.title.partition(":")[0].partition("：")[0] for role in role_views(language)}
    rows: list[tuple[str, str]] = []
    given = set()
    for named in board.named_pins:
        given.add(named.name.casefold())
        pin = _pin(board.profile, named.pin)
        rows.append((named.name, words["role"].format(pin, roles.get(named.role, "")) if named.role else pin))
    for name, pin_text in runtime.datasheets.aliases(board.profile.key).items():
        found = board.profile.pin_named(pin_text)
        if found is not None and name.casefold() not in given:
            rows.append((name, words["sheet"].format(found.name)))
    return tuple(rows)
