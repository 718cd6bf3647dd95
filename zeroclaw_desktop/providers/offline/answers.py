"""The answer after the calls: what was done, or what failed, why, what was not done and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zeroclaw_desktop.providers.offline.frame import capitalized, plain, times_text
from zeroclaw_desktop.providers.offline.grammar import grammar
from zeroclaw_desktop.providers.offline.model import CallOutcome, Understanding

MOST_PASSAGES, MOST_QUOTED = 2, 400
"""Passages of data sheets in an answer, and characters of each."""


class _Answer:
    """Words one outcome in one language."""

    def __init__(self, outcome: CallOutcome, language: str, about_led: bool) -> None:
        self.about_led = about_led
        self.arguments = outcome.arguments
        self.result: Mapping[str, object] = outcome.result or {}
        self.name = outcome.name
        self.language = language

    def text(self, key: str, **values: object) -> str:
        return grammar().text(key, self.language, **values)

    def first(self, *keys: str) -> object:
        """The first of the keys that the result, then the arguments, have."""
        for source in (self.result, self.arguments):
            for key in keys:
                if source.get(key) is not None:
                    return source[key]
        return None

    def thing(self, *, led: bool = False) -> str:
        pin = self.first("pin")
        if led:
            return self.text("thing_led") if pin is None else self.text("thing_led_pin", pin=pin)
        return self.text("thing_pin", pin=pin)

    def number(self, *keys: str) -> str:
        value = self.first(*keys)
        return plain(float(value)) if isinstance(value, int | float) else str(value)

    # --- one method for each kind of result
    def blink(self) -> str:
        times = times_text(self.first("count"), self.language)
        return self.text("result_blink", times=times, thing=capitalized(self.thing(led=True)))

    def switched(self) -> str:
        key = "result_on" if self.arguments.get("state") else "result_off"
        return self.text(key, thing=self.thing(led=True))

    def written(self) -> str:
        return self.text("result_high" if self.arguments.get("value") else "result_low", thing=self.thing())

    def level(self) -> str:
        value = self.result.get("value", self.result.get("level"))
        if value is None:
            return self.text("result_no_value", name=self.text("what_digital_read"))
        high = value in (1, True, "1", "high", "HIGH")
        if self.about_led:
            return self.text("result_led_on" if high else "result_led_off", pin=self.first("pin"))
        return self.text("result_is_high" if high else "result_is_low", thing=capitalized(self.thing()))

    def analog(self) -> str:
        value = self.result.get("value", self.result.get("raw"))
        if value is None:
            return self.text("result_no_value", name=self.text("what_analog_read"))
        volts = next((self.result[key] for key in ("volts", "voltage") if key in self.result), None)
        shown = self.text("result_volts", volts=f"{volts:.2f}") if isinstance(volts, int | float) else ""
        return self.text("result_analog", analog=self.arguments.get("pin"), value=value, volts=shown)

    def pwm(self) -> str:
        duty = self.arguments.get("duty")
        percent = plain(round(float(duty) * 100, 1)) if isinstance(duty, int | float) else str(duty)
        return self.text("result_pwm", thing=self.thing(), percent=percent)

    def breath(self) -> str:
        seconds = self.number("duration") if self.first("duration") is not None else "3"
        return self.text("result_breathe", thing=self.thing(led=True), seconds=seconds)

    def servo(self) -> str:
        return self.text("result_servo", angle=self.number("angle"))

    def tone(self) -> str:
        return self.text("result_tone", frequency=self.number("frequency"), thing=self.thing())

    def mode(self) -> str:
        mode = self.arguments.get("mode")
        known = mode in ("input", "input_pullup", "output")
        return self.text("result_mode", thing=self.thing(), mode=self.text(f"mode_{mode}") if known else mode)

    def stop(self) -> str:
        return self.text("result_estop")

    def flash(self) -> str:
        return self.text("result_flash", firmware=self.first("firmware"))

    def made(self) -> str:
        memory = self.result.get("flash")
        used = f"{memory['used']} / {memory['limit']}" if isinstance(memory, Mapping) else "-"
        return self.text("result_make", file=self.result.get("file", ""), used=used)

    def plot(self) -> str:
        signals = self.arguments.get("signals")
        shown = signals if isinstance(signals, list | tuple) else [signals]
        return self.text(
            "result_plot", signals=self.text("list_join").join(str(name).upper() for name in shown)
        )

    def plot_stop(self) -> str:
        return self.text("result_plot_stop")

    def devices(self) -> str:
        found = next((self.result[key] for key in ("devices", "boards", "ports") if key in self.result), None)
        names = [_device_name(device) for device in found] if isinstance(found, list | tuple) else []
        if not names:
            return self.text("result_list_none")
        return self.text("result_list", boards=self.text("list_join").join(names))

    def reset(self) -> str:
        return self.text("result_reset")

    def info(self) -> str:
        facts = [
            f"{key} {value}" for key, value in self.result.items() if isinstance(value, str | int | float)
        ]
        return self.text("result_info", facts=self.text("list_join").join(facts) or "-")

    def explained(self) -> str:
        text = self.first("text", "explanation", "message")
        return str(text) if text else self.text("result_no_value", name=self.text("what_explain_last"))

    def looked_up(self) -> str:
        """Passages with their documents; they are quoted, so that they are not taken for our own words."""
        passages = self.result.get("passages")
        rows = [row for row in passages if isinstance(row, Mapping)] if isinstance(passages, list) else []
        quoted = [
            self.text(
                "result_datasheet",
                document=row.get("document", ""),
                place=row.get("section") or row.get("place", ""),
                text=_shortened(str(row.get("text", ""))),
            )
            for row in rows[:MOST_PASSAGES]
        ]
        return "\n\n".join(quoted) or self.text("result_datasheet_none")

    def remembered(self) -> str:
        key = "result_known" if self.result.get("known_already") else "result_remembered"
        masked = self.text("result_masked") if self.result.get("secret_masked") else ""
        return f"{self.text(key)} {masked}".strip()

    def recalled(self) -> str:
        """What is remembered, quoted, so that it is not taken for our own words."""
        memories = self.result.get("memories")
        rows = [row for row in memories if isinstance(row, Mapping)] if isinstance(memories, list) else []
        quoted = [
            self.text("result_recalled", when=row.get("when", ""), text=_shortened(str(row.get("text", ""))))
            for row in rows[:MOST_PASSAGES]
        ]
        return "\n\n".join(quoted) or self.text("result_recalled_none")

    def forgotten(self) -> str:
        texts = self.result.get("texts")
        shown = [_shortened(str(text)) for text in texts] if isinstance(texts, list) else []
        if self.result.get("forgotten"):
            return self.text("result_forgotten", text=self.text("list_join").join(shown))
        if shown:
            return self.text("result_forget_which", texts="\n".join(f"- {text}" for text in shown))
        return self.text("result_recalled_none")


_WORDED: dict[str, Callable[[_Answer], str]] = {
    "led_blink": _Answer.blink,
    "led_set": _Answer.switched,
    "led_breath": _Answer.breath,
    "digital_write": _Answer.written,
    "digital_read": _Answer.level,
    "pin_mode": _Answer.mode,
    "analog_read": _Answer.analog,
    "pwm_write": _Answer.pwm,
    "servo_move": _Answer.servo,
    "tone": _Answer.tone,
    "board_info": _Answer.info,
    "board_reset": _Answer.reset,
    "device_list": _Answer.devices,
    "motor_emergency_stop": _Answer.stop,
    "flash_firmware": _Answer.flash,
    "firmware_generate": _Answer.made,
    "plot_series": _Answer.plot,
    "telemetry_stop": _Answer.plot_stop,
    "explain_last": _Answer.explained,
    "datasheet_search": _Answer.looked_up,
    "memory_store": _Answer.remembered,
    "memory_recall": _Answer.recalled,
    "memory_forget": _Answer.forgotten,
}


def _shortened(text: str) -> str:
    plain_text = " ".join(text.split())
    return plain_text if len(plain_text) <= MOST_QUOTED else plain_text[:MOST_QUOTED].rsplit(" ", 1)[0] + " …"


def _device_name(device: object) -> str:
    if isinstance(device, Mapping):
        for key in ("name", "board_name", "title", "port", "id", "device_id"):
            if device.get(key):
                return str(device[key])
    return str(device)


def _what(name: str, language: str) -> str:
    texts = grammar().texts[language]
    return texts.get(f"what_{name}", name)


def _sentence(text: str, language: str) -> str:
    """The text with a full stop at its end."""
    stop = "。" if language == "zh" else "."
    return text if not text or text[-1] in ".!?。！？" else text + stop


def _outcome_line(outcome: CallOutcome, language: str, about_led: bool) -> str:
    data, what = grammar(), _what(outcome.name, language)
    if outcome.status == "ok" and outcome.dry_run:
        return data.text("dry_line", language, what=what)
    if outcome.status == "ok":
        worded = _WORDED.get(outcome.name)
        return (
            worded(_Answer(outcome, language, about_led))
            if worded
            else data.text("result_other", language, name=what)
        )
    if outcome.status == "cancelled":
        return data.text("cancel_line", language, what=what)
    cause = _sentence(outcome.error or data.text("cause_unknown", language), language)
    if outcome.error_code is not None:
        cause = f"{cause[:-1]} (0x{outcome.error_code:02X}){cause[-1]}"
    key = "refuse_line" if outcome.status == "refused" else "fail_line"
    return data.text(key, language, what=what, cause=cause)


def summarize(
    understanding: Understanding, results: Sequence[CallOutcome], language: str | None = None
) -> str:
    """Return the answer after the calls of an understanding ran.

    Args:
        understanding: what was understood.
        results: how its calls ended, in order; calls without an outcome count as not done.
        language: 'en' or 'zh'; by default the sentence's own.
    """
    language = language or understanding.language
    data = grammar()
    if not understanding.calls and not results:
        return understanding.question or understanding.say or ""
    about_led = understanding.state.target is not None and understanding.state.target.kind == "led"
    lines = [
        _outcome_line(outcome, language, about_led) for outcome in results if outcome.status != "skipped"
    ]
    left = [_what(outcome.name, language) for outcome in results if outcome.status == "skipped"]
    left += [_what(call.name, language) for call in understanding.calls[len(results) :]]
    if left:
        names = data.text("list_join", language).join(left)
        lines.append(data.text("skip_line", language, what=names))
    bad = [outcome for outcome in results if outcome.status in ("failed", "refused")]
    if bad:
        hint = next((outcome.hint for outcome in bad if outcome.hint), "")
        step = data.text("next_step", language, hint=_sentence(hint, language)) if hint else ""
        lines.append(step or data.text("next_default", language))
    return ("" if language == "zh" else " ").join(lines)
