"""Plans for outputs: switching, blinking, breathing, PWM, tone and pin modes."""

from __future__ import annotations

from dataclasses import replace

from zeroclaw_desktop.providers.offline.frame import Frame, Step, capitalized, plain
from zeroclaw_desktop.providers.offline.limits import (
    BLINK_COUNT,
    BLINK_INTERVAL,
    BREATH_SECONDS,
    DEFAULT_BLINK_COUNT,
    DEFAULT_BLINK_INTERVAL,
    DEFAULT_BREATH_SECONDS,
    DEFAULT_TONE_HERTZ,
    DEFAULT_TONE_SECONDS,
    FAST_BLINK_INTERVAL,
    PULSE_SECONDS,
    SLOW_BLINK_INTERVAL,
    TONE_HERTZ,
    TONE_SECONDS,
)
from zeroclaw_desktop.providers.offline.model import PlannedCall, Target, Token


def switched_call(target: Target, state: int) -> PlannedCall:
    """The call that drives a target to 0 or 1: ``led_set`` for an LED, ``digital_write`` for other pins."""
    if target.kind == "led":
        arguments: dict[str, object] = {"state": state}
        if target.pin is not None:
            arguments["pin"] = target.pin
        return PlannedCall("led_set", arguments)
    return PlannedCall("digital_write", {"pin": target.pin, "value": state})


def wanted_state(frame: Frame) -> int | Step | None:
    """0 or 1 as the clause says it, a question when it says both or something else, None when nothing."""
    high, low = frame.has("on", "high"), frame.has("off", "low")
    if frame.has("high", "low"):
        high, low = frame.has("high"), frame.has("low")
    if high and low:
        keep = frame.without(lambda token: token.value in ("on", "off", "high", "low"))
        return frame.ask("ask_conflict", "state", keep=keep)
    if high or low:
        return int(high)
    if frame.has("start"):
        return 1
    value = frame.number("", "volt")
    if value is None:
        return None
    if value in (0.0, 1.0) and not frame.several("", "volt"):
        return int(value)
    return frame.ask("ask_value", "state", keep=frame.without_numbers("", "volt"))


def plan_switch(frame: Frame) -> Step:
    """'turn on the LED', 'set pin 5 high', '关灯': LED by ``led_set``, the rest by ``digital_write``."""
    if frame.has("servo"):
        return Step(say=frame.text("talk_servo_off"))
    if frame.earlier() is not None and frame.target() is None and not frame.unplaced_name():
        frame = replace(frame, tokens=(*frame.tokens, Token("concept", "it")))
    named = frame.target()
    if named is not None and named.kind == "servo":
        return Step(say=frame.text("talk_servo_off"))
    target = frame.digital_target()
    if isinstance(target, Step):
        return target
    state = wanted_state(frame)
    if state is None:
        return Step(question=frame.text("ask_state", thing=frame.thing(target)), slot="state", target=target)
    if isinstance(state, Step):
        return state
    seconds = frame.number("s")
    if seconds is not None and state == 1 and target.kind == "led":
        return _plan_pulse(frame, target, seconds)
    if seconds is not None:
        question = frame.text("ask_timed", thing=frame.thing(target), seconds=plain(seconds))
        return Step(question=question, slot="confirm", release=(switched_call(target, state),), target=target)
    words = ("say_low", "say_high") if frame.has("high", "low") else ("say_off", "say_on")
    said = frame.text(words[state], thing=frame.thing(target))
    return Step((switched_call(target, state),), said, target=target)


def _plan_pulse(frame: Frame, target: Target, seconds: float) -> Step:
    """On for some seconds, then off: one blink whose interval is that time."""
    low, high = PULSE_SECONDS
    if not low <= seconds <= high:
        release = (switched_call(target, 1),)
        return Step(question=frame.text("ask_pulse_long"), slot="confirm", release=release, target=target)
    arguments: dict[str, object] = {"count": 1, "interval": round(seconds, 3)}
    if target.pin is not None:
        arguments["pin"] = target.pin
    said = frame.text("say_pulse", thing=frame.thing(target), seconds=plain(seconds))
    return Step((PlannedCall("led_blink", arguments),), said, target=target)


def _blink_interval(frame: Frame) -> float | None:
    """Seconds between changes as the clause says it, None when it says nothing.

    A frequency f means f whole periods a second, so the LED changes every 1/(2 f) seconds.
    """
    every = frame.after("every", "s")
    if every is not None:
        return every
    hertz = frame.number("hz")
    if hertz:
        return 1 / (2 * hertz)
    if frame.has("fast", "faster"):
        return FAST_BLINK_INTERVAL
    if frame.has("slow", "slower"):
        return SLOW_BLINK_INTERVAL
    return None


def _blink_timing(frame: Frame) -> tuple[float | None, float | None, float | None]:
    """Return (count, interval, duration): what is said, None for the rest."""
    count = frame.number("times")
    if count is None:
        count = frame.number("", "fraction")
    if count is None and frame.has("few"):
        count = float(DEFAULT_BLINK_COUNT)
    if count is None and frame.has("briefly"):
        count = 1.0
    interval = _blink_interval(frame)
    seconds = frame.numbers("s")
    if frame.after("every", "s") is not None:
        seconds.remove(interval or 0.0)
    if not seconds:
        return count, interval, None
    if frame.after("inside", "s") is not None and count:
        return count, seconds[0] / (2 * count), None
    if count is not None and not frame.has("for"):
        return count, interval or seconds[0], None
    return count, interval, seconds[0]


def _blink_count(count: float | None, interval: float | None, duration: float | None) -> float:
    if count is not None:
        return count
    if duration is None:
        return float(DEFAULT_BLINK_COUNT)
    return float(max(1, round(duration / (2 * (interval or DEFAULT_BLINK_INTERVAL)))))


def plan_blink(frame: Frame) -> Step:
    """'blink the LED on pin 8 five times every 200 ms', '灯闪三下'."""
    target = frame.digital_target() if _names_something(frame) else frame.led_target(Target("led"))
    if isinstance(target, Step):
        return target
    count, interval, duration = _blink_timing(frame)
    if frame.has("forever") and count is None and duration is None:
        return frame.ask("ask_forever", "count", keep=frame.without(lambda token: token.value == "forever"))
    if frame.several("times", "", "fraction"):
        return frame.ask("ask_count", "count", keep=frame.without_numbers("times", "", "fraction"))
    times = _blink_count(count, interval, duration)
    if times != int(times) or not BLINK_COUNT[0] <= times <= BLINK_COUNT[1]:
        keep = frame.without_numbers("times", "", "fraction")
        if count is None:
            keep = frame.without_numbers("s")
        return frame.ask("ask_count_range", "count", keep=keep, value=plain(times))
    if interval is not None and not BLINK_INTERVAL[0] <= interval <= BLINK_INTERVAL[1]:
        keep = frame.without_numbers("s", "hz")
        return frame.ask("ask_interval_range", "interval", keep=keep, value=plain(interval))
    return _blink_step(frame, target, int(times), interval, duration)


def _names_something(frame: Frame) -> bool:
    earlier = frame.earlier()
    refers = frame.has("it") and earlier is not None and earlier.kind != "servo"
    return refers or frame.has("#pin", "#alias", "#analog") or bool(frame.unplaced_name())


def _blink_step(
    frame: Frame, target: Target, count: int, interval: float | None, duration: float | None
) -> Step:
    arguments: dict[str, object] = {"count": count}
    detail = ""
    if interval is not None:
        arguments["interval"] = round(interval, 4)
        detail += frame.text("detail_interval", interval=plain(interval))
    if duration is not None:
        detail += frame.text("detail_duration", seconds=plain(duration))
    if target.pin is not None:
        arguments["pin"] = target.pin
    said = frame.text("say_blink", thing=frame.thing(target), times=frame.times(count), detail=detail)
    return Step((PlannedCall("led_blink", arguments),), said, target=target)


def _pwm_target(frame: Frame) -> Target | Step:
    """The target as a pin that has PWM, or the question for one."""
    target = frame.target() or Target("led")
    if frame.unplaced_name() and frame.target() is None:
        return frame.digital_target()
    pin = frame.board.led_pin if target.kind == "led" and target.pin is None else target.pin
    if pin is None or pin not in frame.board.pwm_pins:
        shown = Target("led", pin) if target.kind == "led" else target
        value = target.analog or capitalized(frame.thing(shown))
        pins = frame.listed(frame.board.pwm_pins)
        return frame.ask("ask_pwm_pin", "pin", keep=frame.without_targets(), value=value, pins=pins)
    return target


def plan_breathe(frame: Frame) -> Step:
    """'let the LED on pin 9 breathe for 5 s', '呼吸灯': the board's LED if it has PWM, else asks."""
    target = _pwm_target(frame)
    if isinstance(target, Step):
        return target
    seconds = frame.number("s")
    if seconds is not None and not BREATH_SECONDS[0] <= seconds <= BREATH_SECONDS[1]:
        keep = frame.without_numbers("s")
        return frame.ask("ask_duration_range", "duration", keep=keep, value=plain(seconds))
    arguments: dict[str, object] = {} if seconds is None else {"duration": seconds}
    if target.pin is not None:
        arguments["pin"] = target.pin
    length = plain(seconds or DEFAULT_BREATH_SECONDS)
    said = frame.text("say_breathe", thing=frame.thing(target), seconds=length)
    return Step((PlannedCall("led_breath", arguments),), said, target=target)


def _duty(frame: Frame) -> float | Step | None:
    """The duty 0..1 as the clause says it, a question when its unit is unclear, None when not said."""
    named = {"maximum": 1.0, "minimum": 0.0, "middle": 0.5}
    if frame.several("percent", "fraction", ""):
        return frame.ask("ask_duty", "duty", keep=frame.without_numbers("percent", "fraction", ""))
    duty = frame.number("percent", "fraction")
    if duty is not None:
        return duty
    value = frame.number("")
    if value is None:
        return next((duty for word, duty in named.items() if frame.has(word)), None)
    if 0 <= value <= 1:
        return value
    if value <= 100 and frame.has("duty", "brightness", "dim"):
        return value / 100
    if 100 < value <= 255 and value == int(value):
        return value / 255
    if 1 < value <= 100:
        keep = frame.without_numbers("")
        return frame.ask("ask_duty_unit", "duty", keep=keep, value=plain(value))
    return value


def plan_pwm(frame: Frame) -> Step:
    """'set pin 9 to 50 %', 'pwm pin 9 128/255', '把9号引脚的亮度调到一半'."""
    target = _pwm_target(frame)
    if isinstance(target, Step):
        return target
    duty = _duty(frame)
    if isinstance(duty, Step):
        return duty
    if duty is None:
        return frame.ask("ask_duty", "duty")
    if not 0 <= duty <= 1:
        keep = frame.without_numbers("", "percent", "fraction")
        return frame.ask("ask_duty_range", "duty", keep=keep)
    pin = frame.board.led_pin if target.pin is None else target.pin
    said = frame.text("say_pwm", thing=frame.thing(target), percent=plain(round(duty * 100, 1)))
    return Step((PlannedCall("pwm_write", {"pin": pin, "duty": round(duty, 4)}),), said, target=target)


def _tone_target(frame: Frame) -> Target | Step:
    named = frame.named_target()
    if named is not None and named.kind == "led" and named.pin is None:
        return frame.ask("ask_pin", "pin")
    if named is None:
        buzzer = frame.alias_for("buzzer")
        if buzzer is not None and frame.unplaced_name() == "":
            return buzzer
        name = frame.unplaced_name() or ("buzzer" if frame.language == "en" else "蜂鸣器")
        return Step(question=frame.text("ask_pin_name", name=name), slot="pin", name=name)
    return frame.digital_target()


def plan_tone(frame: Frame) -> Step:
    """'play 440 Hz on pin 8 for 1 s', '蜂鸣器响半秒'."""
    target = _tone_target(frame)
    if isinstance(target, Step):
        return target
    hertz = frame.number("hz")
    if hertz is None:
        hertz = frame.number("")
    hertz = float(DEFAULT_TONE_HERTZ) if hertz is None else hertz
    if not TONE_HERTZ[0] <= hertz <= TONE_HERTZ[1]:
        keep = frame.without_numbers("hz", "")
        return frame.ask("ask_frequency_range", "frequency", keep=keep, value=plain(hertz))
    seconds = frame.number("s")
    seconds = DEFAULT_TONE_SECONDS if seconds is None else seconds
    if not TONE_SECONDS[0] <= seconds <= TONE_SECONDS[1]:
        keep = frame.without_numbers("s")
        return frame.ask("ask_tone_duration_range", "duration", keep=keep, value=plain(seconds))
    arguments: dict[str, object] = {"pin": target.pin, "frequency": round(hertz), "duration": seconds}
    said = frame.text("say_tone", frequency=round(hertz), thing=frame.thing(target), seconds=plain(seconds))
    return Step((PlannedCall("tone", arguments),), said, target=target)


def plan_mode(frame: Frame) -> Step:
    """'set pin 7 as input with pull-up', '把7号引脚设为输出'."""
    target = frame.digital_target()
    if isinstance(target, Step):
        return target
    pin = frame.board.led_pin if target.pin is None else target.pin
    mode = ""
    if frame.has("pullup"):
        mode = "input_pullup"
    elif frame.has("input") != frame.has("output"):
        mode = "input" if frame.has("input") else "output"
    if not mode:
        return frame.ask("ask_mode", "mode", keep=frame.without(_is_mode_word))
    if pin is None:
        return frame.ask("ask_pin", "pin")
    said = frame.text("say_mode", thing=frame.thing(target), mode=frame.text(f"mode_{mode}"))
    return Step((PlannedCall("pin_mode", {"pin": pin, "mode": mode}),), said, target=target)


def _is_mode_word(token: Token) -> bool:
    return token.value in ("input", "output", "pullup")


def plan_toggle(frame: Frame) -> Step:
    """Toggling needs the present state, which a sentence does not tell: asks on or off."""
    target = frame.digital_target()
    if isinstance(target, Step):
        return target
    keep = frame.without(lambda token: token.value == "toggle")
    return Step(question=frame.text("ask_toggle"), slot="state", keep=keep, target=target)
