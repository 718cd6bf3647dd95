"""Plans for the servo, for stopping and for repeating what was done."""

from __future__ import annotations

from dataclasses import replace

from zeroclaw_desktop.providers.offline.frame import Frame, Step, plain
from zeroclaw_desktop.providers.offline.limits import (
    BLINK_INTERVAL,
    BREATH_SECONDS,
    DEFAULT_BLINK_INTERVAL,
    DEFAULT_BREATH_SECONDS,
    DEFAULT_SERVO_PIN,
    FAST_SERVO_SPEED,
    SERVO_DEGREES,
    SERVO_SPEED,
    SLOW_SERVO_SPEED,
)
from zeroclaw_desktop.providers.offline.model import PlannedCall, Target, Token
from zeroclaw_desktop.providers.offline.plan_outputs import switched_call

_NAMED_ANGLES = {"middle": 90.0, "minimum": 0.0, "maximum": 180.0}
_ANGLE_UNITS = ("deg", "", "times")


def _servo_pin(frame: Frame) -> int | Step | None:
    """The servo's pin when it must be said, None when the default is right, or the question for it."""
    if len({token.value for token in frame.tokens if token.kind == "pin"}) > 1:
        return frame.ask("ask_pin", "pin", keep=frame.without_targets())
    target = frame.named_target()
    if target is None and frame.state.output and frame.state.output.kind == "servo":
        target = frame.state.output
    pins = frame.board.servo_pins
    value = DEFAULT_SERVO_PIN if target is None or (target.pin is None and not target.analog) else target.pin
    if value is None or value not in pins:
        if target is None and pins:
            return pins[0]
        shown = target.analog if target and target.analog else value
        keep = frame.without_targets()
        return frame.ask("ask_servo_pin", "pin", keep=keep, value=shown, pins=frame.listed(pins))
    return None if target is None or target.pin is None else value


def _angle(frame: Frame) -> float | Step:
    """The wanted angle in degrees, or the question for it."""
    values = frame.numbers("deg", "")
    if len(set(values)) > 1 and not (frame.has("from") and len(values) == 2):
        return frame.ask("ask_angle", "angle", keep=_without_angle(frame))
    value = values[-1] if values else None
    if value is not None and frame.has("left", "right"):
        return frame.ask("ask_angle_direction", "angle", keep=_without_angle(frame))
    relative = frame.has("by", "more", "less")
    if value is not None and relative:
        if frame.state.angle is None:
            return frame.ask("ask_angle_more", "angle", keep=_without_angle(frame))
        value = frame.state.angle + (-value if frame.has("less") else value)
    if value is None:
        value = next((angle for word, angle in _NAMED_ANGLES.items() if frame.has(word)), None)
    if value is None:
        return frame.ask("ask_angle_direction" if frame.has("left", "right") else "ask_angle", "angle")
    if not SERVO_DEGREES[0] <= value <= SERVO_DEGREES[1]:
        return frame.ask("ask_angle_range", "angle", keep=_without_angle(frame), value=plain(value))
    return value


def _speed(frame: Frame) -> float | Step | None:
    """The servo's speed 0.1..1 as said, None for the default."""
    speed = frame.number("percent", "fraction")
    if speed is not None:
        if SERVO_SPEED[0] <= speed <= SERVO_SPEED[1]:
            return speed
        keep = frame.without_numbers("percent", "fraction")
        return frame.ask("ask_speed_range", "speed", keep=keep)
    if frame.has("slow", "slower"):
        return SLOW_SERVO_SPEED
    return FAST_SERVO_SPEED if frame.has("fast", "faster") else None


def _without_angle(frame: Frame) -> tuple[Token, ...]:
    """The clause without its angle and what it says about it."""
    words = ("by", "more", "less", "left", "right", "from")
    return frame.without(lambda t: t.value in words or (t.kind == "number" and t.unit in _ANGLE_UNITS))


def _starting_angle(frame: Frame) -> tuple[float, ...]:
    """The first angle of 'from 0 to 180'; empty when the clause gives only one."""
    start = frame.after("from", "deg", "")
    several = len(frame.numbers("deg", "")) > 1
    inside = start is not None and SERVO_DEGREES[0] <= start <= SERVO_DEGREES[1]
    return (start,) if start is not None and several and inside else ()


def plan_servo(frame: Frame) -> Step:
    """'move the servo to 90', '把舵机转到中间', 'sweep the servo'."""
    pin = _servo_pin(frame)
    if isinstance(pin, Step):
        return pin
    sweep = frame.has("sweep") and not frame.has("#deg", "#bare")
    angle: float | Step = 90.0 if sweep else _angle(frame)
    if isinstance(angle, Step):
        return replace(angle, target=Target("servo", pin))
    speed = _speed(frame)
    if isinstance(speed, Step):
        return speed
    extra: dict[str, object] = {}
    if pin is not None:
        extra["pin"] = pin
    if speed is not None:
        extra["speed"] = speed
    angles = (0.0, 180.0, 90.0) if sweep else (*_starting_angle(frame), angle)
    calls = tuple(PlannedCall("servo_move", {"angle": value, **extra}) for value in angles)
    if sweep:
        said = frame.text("say_sweep")
    elif pin is None:
        said = frame.text("say_servo", angle=plain(angle))
    else:
        said = frame.text("say_servo_pin", angle=plain(angle), pin=pin)
    return Step(calls, said, target=Target("servo", pin), angle=angle)


def emergency_stop(frame: Frame) -> Step:
    """Stop everything at once."""
    return Step((PlannedCall("motor_emergency_stop", {}),), frame.text("say_estop"))


def plan_stop(frame: Frame) -> Step:
    """'stop' alone is an emergency stop; with a thing it ends that thing only where that is possible."""
    last = frame.state.calls[-1].name if frame.state.calls else ""
    if frame.has("plot") or (
        last == "plot_series" and not frame.has("servo", "motor", "led", "#pin", "#alias")
    ):
        return Step((PlannedCall("telemetry_stop", {}),), frame.text("say_plot_stop"))
    if frame.has("servo", "motor", "sweep", "move"):
        return emergency_stop(frame)
    if frame.has("blink", "led", "breathe", "#pin", "#alias", "tone", "buzzer"):
        named = frame.target()
        target = frame.digital_target() if named else frame.earlier() or Target("led")
        if isinstance(target, Step):
            return target
        if target.kind not in ("led", "pin") or (target.kind == "pin" and target.pin is None):
            return emergency_stop(frame)
        said = frame.text("say_off", thing=frame.thing(target))
        return Step((switched_call(target, 0),), said, target=target)
    return emergency_stop(frame)


def _scaled(value: object, default: float, factor: float, limits: tuple[float, float]) -> float | None:
    """The value times the factor inside its limits; None when it already stands at the limit."""
    present = float(value) if isinstance(value, int | float) else default
    wanted = min(max(present * factor, limits[0]), limits[1])
    return None if abs(wanted - present) < 1e-9 else round(wanted, 4)


def plan_tweak(frame: Frame) -> Step:
    """'faster', '慢一点', 'brighter' after something that has a speed or a brightness."""
    call = frame.state.calls[-1] if frame.state.calls else PlannedCall("", {})
    slower = frame.has("slower")
    if frame.has("brighter", "dimmer"):
        return _tweak_brightness(frame, call)
    if call.name == "led_blink":
        name, default, limits = "interval", DEFAULT_BLINK_INTERVAL, BLINK_INTERVAL
    elif call.name == "led_breath":
        name, default, limits = "duration", DEFAULT_BREATH_SECONDS, BREATH_SECONDS
    elif call.name == "servo_move":
        name, default, limits = "speed", 0.5, SERVO_SPEED
        slower = not slower
    else:
        return Step(say=frame.text("talk_no_tweak"))
    value = _scaled(call.arguments.get(name), default, 2.0 if slower else 0.5, limits)
    if value is None:
        return Step(say=frame.text("talk_limit", limit=plain(limits[1] if slower else limits[0])))
    return _repeated(frame, PlannedCall(call.name, {**call.arguments, name: value}))


def _tweak_brightness(frame: Frame, call: PlannedCall) -> Step:
    duty = call.arguments.get("duty")
    if call.name != "pwm_write" or not isinstance(duty, int | float):
        return frame.ask("ask_brightness", "duty", keep=(Token("concept", "brightness"),))
    wanted = min(max(duty + (0.2 if frame.has("brighter") else -0.2), 0.0), 1.0)
    if wanted == duty:
        return Step(say=frame.text("talk_limit", limit=f"{plain(duty * 100)} %"))
    return _repeated(frame, PlannedCall(call.name, {**call.arguments, "duty": round(wanted, 4)}))


def _repeated(frame: Frame, call: PlannedCall) -> Step:
    return Step((call,), describe(frame, call), target=frame.earlier(), angle=frame.state.angle)


def describe(frame: Frame, call: PlannedCall) -> str:
    """One sentence about a call that was made before."""
    arguments = call.arguments
    pin = arguments.get("pin")
    kind = "led" if call.name.startswith("led_") else "pin"
    thing = frame.thing(Target(kind, pin if isinstance(pin, int) else None))
    if call.name == "led_blink":
        interval = arguments.get("interval")
        detail = frame.text("detail_interval", interval=interval) if interval else ""
        return frame.text("say_blink", thing=thing, times=frame.times(arguments["count"]), detail=detail)
    if call.name == "servo_move":
        return frame.text("say_servo", angle=plain(float(str(arguments["angle"]))))
    if call.name == "led_breath":
        return frame.text(
            "say_breathe", thing=thing, seconds=arguments.get("duration", DEFAULT_BREATH_SECONDS)
        )
    if call.name == "pwm_write":
        percent = plain(round(float(str(arguments["duty"])) * 100, 1))
        return frame.text("say_pwm", thing=thing, percent=percent)
    if call.name in ("led_set", "digital_write"):
        state = arguments.get("state", arguments.get("value"))
        return frame.text("say_on" if state else "say_off", thing=thing)
    return ""


def plan_again(frame: Frame) -> Step:
    """'again', '再来一次': the last calls once more, with another count when one is said."""
    calls = frame.state.calls
    if not calls or any(call.name == "motor_emergency_stop" for call in calls):
        return Step(say=frame.text("talk_nothing_before"))
    said = " ".join(filter(None, (describe(frame, call) for call in calls)))
    return Step(calls, said, target=frame.earlier(), angle=frame.state.angle)


def plan_undo(frame: Frame) -> Step:
    """'undo that': switches a pin or the LED back; other things cannot be taken back."""
    call = frame.state.calls[-1] if frame.state.calls else None
    if call is None or call.name not in ("led_set", "digital_write"):
        return Step(say=frame.text("talk_nothing_to_undo"))
    name = "state" if call.name == "led_set" else "value"
    back = PlannedCall(call.name, {**call.arguments, name: 0 if call.arguments[name] else 1})
    return Step((back,), f"{frame.text('say_undo')} {describe(frame, back)}", target=frame.earlier())
