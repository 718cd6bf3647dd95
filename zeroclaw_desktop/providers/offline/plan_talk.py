"""Answers in words: greetings, help, honest refusals, explanations of words, pin names."""

from __future__ import annotations

from dataclasses import replace

from zeroclaw_desktop.providers.offline.frame import Frame, Step
from zeroclaw_desktop.providers.offline.lexer import tokenize

_MEANINGS = {
    "blink": "blink", "breathe": "breathe", "pwm": "pwm", "duty": "pwm", "servo": "servo", "analog": "analog",
    "#analog": "analog", "estop": "estop", "upload": "upload", "flash": "upload", "firmware": "upload",
    "tone": "tone", "mode": "mode", "pullup": "mode", "led": "led", "pin": "pin", "#pin": "pin",
}  # fmt: skip
_EXAMPLES = {
    "servo": "servo", "move": "servo", "#analog": "read", "read": "read", "temperature": "read", "pwm": "pwm",
    "brightness": "pwm", "dim": "pwm", "upload": "flash", "firmware": "flash", "plot": "plot",
    "blink": "blink", "on": "switch", "off": "switch", "led": "blink",
}  # fmt: skip


def _first(frame: Frame, table: dict[str, str], default: str) -> str:
    return next((found for feature, found in table.items() if frame.has(feature)), default)


def plan_meaning(frame: Frame) -> Step:
    """'what does blink mean?': explains the word and moves nothing."""
    quoted = " ".join(str(token.value) for token in frame.tokens if token.kind == "quoted")
    if quoted:
        frame = replace(frame, tokens=tokenize(quoted))
    meaning = frame.text(f"mean_{_first(frame, _MEANINGS, 'none')}")
    return Step(say=frame.text("talk_meaning", meaning=meaning))


def plan_howto(frame: Frame) -> Step:
    """'how do I turn on the LED?': gives the sentence to say."""
    return Step(
        say=frame.text("talk_howto", example=frame.text(f"example_{_first(frame, _EXAMPLES, 'blink')}"))
    )


def plan_hypothetical(frame: Frame) -> Step:
    """'should I ...?', 'what happens if ...?': nothing is moved."""
    example = frame.text(f"example_{_first(frame, _EXAMPLES, 'blink')}")
    return Step(say=frame.text("talk_hypothetical", example=example))


def plan_name(frame: Frame) -> Step:
    """'the fan is on pin 5': remembers the name for this conversation."""
    pins = [int(t.value) for t in frame.tokens if t.kind == "pin"]
    name = frame.unplaced_name() or " ".join(
        str(t.value) for t in frame.tokens if t.kind in ("alias", "word", "quoted")
    )
    if not name and frame.has("led"):
        name = "led"
    if len(pins) != 1 or not name or len(name) > 40:
        return Step(say=frame.text("talk_named_bad"))
    if pins[0] not in frame.board.digital_pins:
        values = frame.listed(frame.board.digital_pins)
        return frame.ask("ask_pin_range", "pin", keep=frame.without_targets(), value=pins[0], pins=values)
    return Step(say=frame.text("talk_named", pin=pins[0], name=name), names=((name, pins[0]),))


def plan_flash_unclear(frame: Frame) -> Step:
    """'flash' alone means the LED or the firmware: asks."""
    return frame.ask("ask_flash", "flash")


def plan_wait(frame: Frame) -> Step:
    """Waiting alone: not built."""
    return Step(say=frame.text("talk_wait"))


def plan_device_only(frame: Frame) -> Step:
    """'the LED': asks what to do with it."""
    target = frame.digital_target()
    if isinstance(target, Step):
        return target
    return Step(question=frame.text("ask_state", thing=frame.thing(target)), slot="state", target=target)
