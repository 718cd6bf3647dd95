"""Plans for reading pins and sensors, plotting, listing boards and flashing."""

from __future__ import annotations

import re

from zeroclaw_desktop.providers.offline.frame import Frame, Step, plain
from zeroclaw_desktop.providers.offline.intents import DEVICE_NOUNS, SENSOR_NOUNS
from zeroclaw_desktop.providers.offline.limits import DEFAULT_PLOT_SECONDS, PLOT_SECONDS
from zeroclaw_desktop.providers.offline.model import PlannedCall, Target

_FIRMWARE_NAME = re.compile(r"[a-z0-9][a-z0-9._ -]{0,60}")


def analog_of(frame: Frame, target: Target) -> str:
    """The analog input that a target means ('A0'), '' when it is a digital pin only."""
    if target.analog:
        return target.analog
    for analog in frame.board.analog_pins:
        if target.pin is not None and frame.analog_as_digital(analog) == target.pin:
            return analog
    return ""


def _analog_step(frame: Frame, analog: str) -> Step:
    if analog not in frame.board.analog_pins:
        pins = frame.listed(frame.board.analog_pins)
        keep = frame.without_targets()
        return frame.ask("ask_analog_range", "analog", keep=keep, value=analog, pins=pins)
    said = frame.text("say_read_analog", analog=analog)
    return Step((PlannedCall("analog_read", {"pin": analog}),), said, target=Target("analog", None, analog))


def plan_read_analog(frame: Frame) -> Step:
    """'read A0', 'A0现在多少': every input that the clause names."""
    target = frame.named_target()
    if target is None:
        return frame.ask("ask_analog", "analog", pins=frame.listed(frame.board.analog_pins))
    return _analog_step(frame, target.analog)


def plan_read_sensor(frame: Frame) -> Step:
    """'read the temperature', '读取温度': the input of that name, the only one, or a question."""
    target = frame.named_target() or (frame.earlier() if frame.has("it") else None)
    if target is not None:
        analog = analog_of(frame, target)
        if analog:
            return _analog_step(frame, analog)
        return plan_read_state(frame)
    if frame.has("all") and frame.has("analog"):
        calls = tuple(PlannedCall("analog_read", {"pin": name}) for name in frame.board.analog_pins)
        return Step(calls, frame.text("say_read_analog", analog=frame.listed(frame.board.analog_pins)))
    if len(frame.board.analog_pins) == 1 and frame.has(*SENSOR_NOUNS, "analog"):
        return _analog_step(frame, frame.board.analog_pins[0])
    pins = frame.listed(frame.board.analog_pins)
    name = frame.unplaced_name()
    if name and not frame.has("sensor"):
        return Step(question=frame.text("ask_analog_name", name=name, pins=pins), slot="analog", name=name)
    return frame.ask("ask_analog", "analog", pins=pins)


def plan_read_state(frame: Frame) -> Step:
    """'is the LED on?', 'read pin 2', '灯亮着吗': the level of a pin."""
    named = frame.target()
    if named is not None and analog_of(frame, named):
        return _analog_step(frame, analog_of(frame, named))
    target = frame.digital_target()
    if isinstance(target, Step):
        return target
    pin = frame.board.led_pin if target.pin is None else target.pin
    if pin is None:
        return frame.ask("ask_pin", "pin")
    said = frame.text("say_read_pin", thing=frame.thing(target))
    return Step((PlannedCall("digital_read", {"pin": pin}),), said, target=target)


def _signals(frame: Frame) -> list[str] | Step:
    """Names of the signals to plot, as the firmware calls them ('a0', 'd2')."""
    signals: list[str] = []
    for token in frame.tokens:
        if token.kind == "analog":
            if token.value not in frame.board.analog_pins:
                pins = frame.listed(frame.board.analog_pins)
                keep = frame.without_targets()
                return frame.ask("ask_analog_range", "analog", keep=keep, value=token.value, pins=pins)
            signals.append(str(token.value).lower())
        elif token.kind in ("pin", "alias"):
            pin = int(token.value if token.kind == "pin" else token.unit)
            analog = analog_of(frame, Target("pin", pin))
            signals.append(analog.lower() or f"d{pin}")
    return list(dict.fromkeys(signals))


def plan_plot(frame: Frame) -> Step:
    """'plot A0 and A1 every 100 ms', '画出温度曲线'."""
    signals = _signals(frame)
    if isinstance(signals, Step):
        return signals
    if not signals and frame.has(*(DEVICE_NOUNS & SENSOR_NOUNS)):
        if len(frame.board.analog_pins) != 1:
            name, pins = frame.unplaced_name(), frame.listed(frame.board.analog_pins)
            return Step(
                question=frame.text("ask_analog_name", name=name, pins=pins), slot="analog", name=name
            )
        signals = [frame.board.analog_pins[0].lower()]
    if not signals:
        return frame.ask("ask_signals", "analog")
    period = frame.number("s")
    hertz = frame.number("hz")
    if period is None:
        period = 1 / hertz if hertz else DEFAULT_PLOT_SECONDS
    if not PLOT_SECONDS[0] <= period <= PLOT_SECONDS[1]:
        keep = frame.without_numbers("s", "hz")
        return frame.ask("ask_period_range", "interval", keep=keep, value=plain(period))
    call = PlannedCall("plot_series", {"signals": signals, "period": round(period, 4)})
    shown = frame.text("list_join").join(signals).upper()
    if frame.has("read", "every") and not frame.has("plot"):
        question = frame.text("ask_plot_instead", signals=shown, period=plain(period))
        return Step(question=question, slot="confirm", release=(call,))
    return Step((call,), frame.text("say_plot", signals=shown, period=plain(period)))


def plan_list(frame: Frame) -> Step:
    """'which boards are connected?'"""
    return Step((PlannedCall("device_list", {}),), frame.text("say_list"))


def plan_reset(frame: Frame) -> Step:
    """'restart the board'"""
    return Step((PlannedCall("board_reset", {}),), frame.text("say_reset"))


def plan_info(frame: Frame) -> Step:
    """'what board is this?'"""
    return Step((PlannedCall("board_info", {}),), frame.text("say_info"))


def plan_explain(frame: Frame) -> Step:
    """'why did it fail?'"""
    return Step((PlannedCall("explain_last", {}),), frame.text("say_explain"))


def plan_flash(frame: Frame) -> Step:
    """'flash the demo firmware', '烧录固件': the named image, else the default one."""
    names = [str(t.value) for t in frame.tokens if t.kind in ("quoted", "file", "word")]
    if not names and frame.has("blink"):
        names = ["blink"]
    firmware = names[0].strip() if names else "default"
    if len(names) > 1 or not _FIRMWARE_NAME.fullmatch(firmware):
        return frame.ask(
            "ask_firmware", "firmware", keep=frame.without(lambda t: t.kind in ("quoted", "file", "word"))
        )
    return Step(
        (PlannedCall("flash_firmware", {"firmware": firmware}),), frame.text("say_flash", firmware=firmware)
    )
