"""What holds for every text: no error, no call outside the command's limits, the same answer each time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.providers.offline.scenes import BARE_CHIP, NAMED_UNO, NANO, UNO
from zeroclaw_desktop.providers.offline import BoardFacts, DialogueState, PlannedCall, language_of, understand
from zeroclaw_desktop.providers.offline.grammar import grammar

WORDS = sorted(grammar().phrases)
FRAGMENTS = st.one_of(
    st.sampled_from(WORDS),
    st.integers(-1000, 100000).map(str),
    st.floats(-10, 1000, allow_nan=False).map(lambda value: f"{value:.3f}"),
    st.sampled_from(
        ["%", "s", "ms", "°", "次", "秒", "度", "号", "Hz", ",", ".", "?", "and", "然后", "A0", "A9", "pin 5"]
    ),
    st.text(max_size=5),
)
SENTENCES = st.one_of(st.text(max_size=80), st.lists(FRAGMENTS, max_size=9).map(" ".join))
BOARDS = st.sampled_from([[], [UNO], [NAMED_UNO], [BARE_CHIP], [UNO, NANO]])


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _real(value: object, low: float, high: float) -> bool:
    return isinstance(value, float) and low <= value <= high


def _fits(call: PlannedCall, boards: list[BoardFacts]) -> bool:
    """Whether the arguments are what the command's schema takes, on some connected board."""
    given_arguments = dict(call.arguments)
    device = given_arguments.pop("device_id", None)
    if device is not None and device not in [board.board_id for board in boards]:
        return False
    pins = [pin for board in boards for pin in board.digital_pins]
    analog = [pin for board in boards for pin in board.analog_pins]
    pwm = [pin for board in boards for pin in board.pwm_pins]
    servo = [pin for board in boards for pin in board.servo_pins]
    checks = {
        "led_blink": {
            "count": lambda v: _whole(v, 1, 100),
            "interval": lambda v: _real(v, 0.05, 5.0),
            "pin": lambda v: v in pins,
        },
        "led_set": {"state": lambda v: _whole(v, 0, 1), "pin": lambda v: v in pins},
        "led_breath": {"duration": lambda v: _real(v, 1.0, 60.0), "pin": lambda v: v in pwm},
        "digital_write": {"pin": lambda v: v in pins, "value": lambda v: _whole(v, 0, 1)},
        "digital_read": {"pin": lambda v: v in pins},
        "pin_mode": {"pin": lambda v: v in pins, "mode": lambda v: v in ("input", "input_pullup", "output")},
        "analog_read": {"pin": lambda v: v in analog},
        "pwm_write": {"pin": lambda v: v in pwm, "duty": lambda v: _real(v, 0.0, 1.0)},
        "servo_move": {
            "angle": lambda v: _real(v, 0.0, 180.0),
            "pin": lambda v: v in servo,
            "speed": lambda v: _real(v, 0.1, 1.0),
        },
        "tone": {
            "pin": lambda v: v in pins,
            "frequency": lambda v: _whole(v, 31, 20000),
            "duration": lambda v: _real(v, 0.01, 10.0),
        },
        "flash_firmware": {"firmware": lambda v: isinstance(v, str) and 0 < len(v) <= 64},
        "plot_series": {
            "signals": lambda v: isinstance(v, list) and 1 <= len(v) <= 8,
            "period": lambda v: _real(v, 0.01, 60.0),
        },
        "board_info": {}, "board_reset": {}, "device_list": {}, "motor_emergency_stop": {},
        "telemetry_stop": {}, "explain_last": {},
        "datasheet_search": {
            "question": lambda v: isinstance(v, str) and v.strip() != "",
            "board_type": lambda v: isinstance(v, str),
        },
        "memory_store": {"text": lambda v: isinstance(v, str) and v.strip() != ""},
        "memory_recall": {"question": lambda v: isinstance(v, str) and v.strip() != ""},
        "memory_forget": {"text": lambda v: isinstance(v, str) and v.strip() != ""},
    }  # fmt: skip
    allowed = checks.get(call.name)
    if allowed is None:
        return False
    return all(name in allowed and allowed[name](value) for name, value in given_arguments.items())


REQUIRED = {
    "led_blink": {"count"},
    "led_set": {"state"},
    "digital_write": {"pin", "value"},
    "digital_read": {"pin"},
    "pin_mode": {"pin", "mode"},
    "analog_read": {"pin"},
    "pwm_write": {"pin", "duty"},
    "servo_move": {"angle"},
    "tone": {"pin", "frequency", "duration"},
    "flash_firmware": {"firmware"},
    "plot_series": {"signals", "period"},
}


@given(SENTENCES, BOARDS)
@settings(max_examples=400)
def test_any_text_gives_calls_within_the_limits_or_words(sentence: str, boards: list[BoardFacts]) -> None:
    understanding = understand(sentence, boards=boards)
    for call in understanding.calls:
        assert _fits(call, boards), call
        assert REQUIRED.get(call.name, set()) <= set(call.arguments), call
    assert understanding.calls or understanding.say or understanding.question
    assert not (understanding.calls and understanding.question)
    assert understanding.language in ("en", "zh")


@given(st.lists(SENTENCES, min_size=2, max_size=4), BOARDS)
@settings(max_examples=200)
def test_any_conversation_stays_within_the_limits(sentences: list[str], boards: list[BoardFacts]) -> None:
    state: DialogueState | None = None
    for sentence in sentences:
        understanding = understand(sentence, boards=boards, state=state)
        assert all(_fits(call, boards) for call in understanding.calls), understanding.calls
        state = understanding.state


@given(SENTENCES)
@settings(max_examples=100)
def test_the_same_sentence_always_means_the_same(sentence: str) -> None:
    assert understand(sentence, boards=[UNO]) == understand(sentence, boards=[UNO])


@given(st.text(max_size=60))
def test_the_language_is_always_one_of_two(sentence: str) -> None:
    assert language_of(sentence) in ("en", "zh")


def test_the_grammar_is_loaded_once() -> None:
    assert grammar() is grammar()
