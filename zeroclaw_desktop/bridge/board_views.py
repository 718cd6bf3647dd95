"""Boards, pins and ports of the core as views. No Qt, no decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zeroclaw_desktop.bridge.error_text import error_view
from zeroclaw_desktop.bridge.telemetry_pins import telemetry_pins
from zeroclaw_desktop.bridge.views import BoardKindView, BoardView, PinView, PortView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.runtime.firmware_versions import newer_firmware
from zeroclaw_desktop.runtime.flash_service import can_erase, can_flash

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.boards import BoardInfo, BoardProfile, PinProfile
    from zeroclaw_desktop.runtime.runtime import Runtime

_FACTS = {
    "en": {
        "chip": "Chip",
        "path": "For other programs",
        "health": "Answers within",
        "lines": "Lines received",
        "stale": "Unmatched replies",
        "overlong": "Over-long lines",
        "unreadable": "Unreadable lines",
    },
    "zh": {
        "chip": "芯片",
        "path": "供其他程序使用",
        "health": "应答时间",
        "lines": "已接收行数",
        "stale": "未匹配的回复",
        "overlong": "超长行",
        "unreadable": "无法识别的行",
    },
}
_SIMULATED = "模拟 "
_HINTS = {
    "en": "{chip}: this chip is on many boards. Say which one it is to connect.",
    "zh": "{chip}：许多开发板都使用该芯片，请选择型号后连接。",
}
_SEVERAL = {
    "en": "This may be one of: {names}. Say which one it is to connect.",
    "zh": "可能是以下型号之一：{names}。请选择型号后连接。",
}
_LIST = {"en": ", ", "zh": "、"}
_PLACES: dict[Language, tuple[str, str]] = {
    "en": ("serial number {0}", "USB {0}"),
    "zh": ("序列号 {0}", "USB {0}"),
}
MOST_SERIAL = 40
_DRIVING = ("output", "pwm", "servo")
_USERS: dict[Language, tuple[str, str, str]] = {
    "en": ("usable for {0}", "motor {0}", "pin {0} of the group '{1}' is active; this one has to stay off"),
    "zh": ("可用于 {0}", "电机 {0}", "“{1}”组的引脚 {0} 正在工作，该引脚须保持关闭"),
}
_UNKNOWN_CHIP = {"en": "Unknown chip", "zh": "未知芯片"}


def board_title(board: BoardInfo, language: Language) -> str:
    """Name of a board in the person's language."""
    return _simulated_name(board.name, language) if board.simulated else board.name


def _simulated_name(name: str, language: Language) -> str:
    """``Simulated Arduino Uno 2`` in the person's language; a name of the person's own stays as it is."""
    from zeroclaw_desktop.runtime.simulators import NAME_BEGIN

    is_own = not name.startswith(NAME_BEGIN)
    return name if is_own or language == "en" else _SIMULATED + name.removeprefix(NAME_BEGIN)


def simulated_title(board_id: str, language: Language) -> str:
    """Name of the simulated board by its id, whether it runs or not; '' for any other board."""
    from zeroclaw_desktop.runtime.simulators import UNO_ID, UNO_NAME

    return _simulated_name(UNO_NAME, language) if board_id == UNO_ID else ""


def board_view(board: BoardInfo, language: Language) -> BoardView:
    """One board."""
    error = None
    if board.fault_code and board.state in ("failed", "lost"):
        error = error_view(
            board.fault_code, board.fault_message, board.fault_hint, board.fault_details, language
        )
    return BoardView(
        board.board_id,
        board_title(board, language),
        board.profile.key,
        board.port,
        board.state,
        board.simulated,
        board.simplified,
        board.firmware,
        board.system_path,
        error,
        _facts(board, language),
        can_flash=can_flash(board),
        can_erase=can_erase(board),
        picture=board.profile.picture,
        note=board.profile.notes.get(language, ""),
        added=board.added,
        plugged=board.plugged or board.simulated,
        update=_update(board),
    )


def _update(board: BoardInfo) -> str:
    image = newer_firmware(board.profile, board.firmware) if board.firmware else None
    return image.version if image is not None else ""


def _facts(board: BoardInfo, language: Language) -> tuple[tuple[str, str], ...]:
    words = _FACTS[language]
    rows = [
        (words["chip"], board.profile.chip),
        (words["path"], board.system_path if board.simulated else ""),
        (words["health"], "" if board.answer_ms is None else f"{board.answer_ms:.0f} ms"),
        (words["lines"], str(board.counters.get("lines", 0))),
    ]
    for key, counter in (
        ("stale", "stale_replies"),
        ("overlong", "overlong"),
        ("unreadable", "unreadable"),
    ):
        if board.counters.get(counter):
            rows.append((words[key], str(board.counters[counter])))
    return tuple((label, value) for label, value in rows if value)


def other_names(pin: PinProfile) -> tuple[str, ...]:
    """Aliases that say something new: ``GPIO5`` says no more than ``5``."""
    return tuple(alias for alias in pin.aliases if not alias.endswith(pin.name))


def pin_names_of(board: BoardInfo, aliases: Mapping[str, str]) -> dict[int, tuple[str, ...]]:
    """Names of pins by number: the person's, then those of data sheets.

    Args:
        aliases: what data sheets call the pin of each name.
    """
    names: dict[int, list[str]] = {}
    for named in board.named_pins:
        names.setdefault(named.pin, []).append(named.name)
    for name, pin_text in aliases.items():
        pin = board.profile.pin_named(pin_text)
        if pin is not None and name not in names.setdefault(pin.number, []):
            names[pin.number].append(name)
    return {number: tuple(found) for number, found in names.items()}


def _users(board: BoardInfo, language: Language) -> dict[int, str]:
    """Which bus and motors of the board file may be at which pins, as the end of a sentence."""
    used, motor, _conflict = _USERS[language]
    users: dict[int, list[str]] = {}
    spi = board.profile.wiring.spi
    if spi is not None:
        users |= {pin: ["SPI"] for pin in (spi.out_pin, spi.in_pin, spi.clock_pin)}
    for name, wired in board.profile.wiring.motors.items():
        for pin in (wired.pwm_pin, wired.direction_pin):
            if pin is not None:
                users.setdefault(pin, []).append(motor.format(name))
    return {pin: used.format(_LIST[language].join(found)) for pin, found in users.items()}


def _conflicts(board: BoardInfo, pins: Sequence[PinView], language: Language) -> dict[int, str]:
    """Pins that must stay off now: another one of their group is active (``exclusive`` of the policy)."""
    active = {pin.number: pin for pin in pins if pin.level == 1 or pin.duty}
    groups = {
        number: policy.exclusive for number, policy in board.profile.policies.items() if policy.exclusive
    }
    found: dict[int, str] = {}
    for number, group in groups.items():
        for other in active.values():
            if other.number != number and groups.get(other.number) == group and other.mode in _DRIVING:
                found[number] = _USERS[language][2].format(other.name, group)
    return found


def pin_views(runtime: Runtime, board_id: str, language: Language) -> list[PinView]:
    """Pins of a board: of a simulated one as a probe sees them, else as last read back or measured."""
    board = next((board for board in runtime.roster.boards() if board.board_id == board_id), None)
    if board is None:
        return []
    observed = runtime.roster.pin_states(board_id)
    names = pin_names_of(board, runtime.datasheets.aliases(board.profile.key))
    users = _users(board, language)
    process = runtime.simulators.find(board_id)
    put = process.bench.drives().volts if process is not None else {}
    measured = telemetry_pins(runtime.store, board) if process is None else {}
    views = []
    for pin in board.profile.pins:
        state = observed.get(pin.number)
        mode = state.mode if state is not None else "unknown"
        level = state.level if state is not None else None
        duty = state.duty if state is not None else None
        volts = state.volts if state is not None else None
        if reading := measured.get(pin.number):
            level = level if reading.level is None or duty is not None else reading.level
            volts = volts if reading.volts is None else reading.volts
        if process is not None:
            level = process.snapshot.levels[pin.number]
            if mode not in ("servo", "serial"):
                pwm = process.snapshot.pwm.get(pin.number)
                duty = pwm[1] if pwm is not None else None
                mode = "pwm" if pwm is not None else process.snapshot.modes[pin.number]
            volts = put.get(pin.number, volts)
        if pin.reserved:
            mode = "serial" if "uart" in pin.functions else "reserved"
        elif "digital" not in pin.functions:
            mode = "analog"
        led = pin.number == board.profile.led_pin
        views.append(
            PinView(
                pin.number,
                pin.name,
                mode,
                level,
                duty,
                volts,
                "led" if led else "",
                other_names(pin),
                pin.notes.get(language, ""),
                pin.input_only,
                board.profile.adc_reference_volts,
                led and board.profile.led_active_low,
                names.get(pin.number, ()),
                pin.strapping,
                users.get(pin.number, ""),
            )
        )
    conflicts = _conflicts(board, views, language)
    return [replace(view, conflict=conflicts.get(view.number, "")) for view in views] if conflicts else views


def port_views(runtime: Runtime, language: Language) -> list[PortView]:
    """Ports that no board stands for."""
    views = []
    for port in runtime.roster.free_ports():
        candidates = runtime.candidates(port)
        hint = _port_hint(port.chip, candidates, language)
        keys = tuple(profile.key for profile in candidates)
        serial, place = _PLACES[language]
        parts = [serial.format(visible(port.serial_number, MOST_SERIAL))] if port.serial_number else []
        parts += [place.format(port.location)] if port.location else []
        where = "  ·  ".join(parts)
        views.append(PortView(port.path, port.description, port.chip, port.usb_id, hint, keys, where))
    return views


def _port_hint(chip: str, candidates: Sequence[BoardProfile], language: Language) -> str:
    if candidates:
        names = _LIST[language].join(profile.name for profile in candidates)
        return _SEVERAL[language].format(names=names)
    return _HINTS[language].format(chip=chip or _UNKNOWN_CHIP[language])


def kind_views(profiles: Sequence[BoardProfile]) -> list[BoardKindView]:
    """Kinds of boards for a list of choices."""
    return [BoardKindView(profile.key, profile.name, profile.family) for profile in profiles]
