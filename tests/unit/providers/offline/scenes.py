"""Boards and shorthand for the tests of the offline assistant."""

from __future__ import annotations

from collections.abc import Sequence

from zeroclaw_desktop.providers.offline import (
    BoardFacts,
    DialogueState,
    PlannedCall,
    Understanding,
    understand,
)

UNO = BoardFacts(
    board_id="sim-uno",
    board_name="Simulated Arduino Uno",
    board_type="arduino-uno",
    led_pin=13,
    digital_pins=tuple(range(2, 20)),
    analog_pins=("A0", "A1", "A2", "A3", "A4", "A5"),
    pwm_pins=(3, 5, 6, 9, 10, 11),
    servo_pins=(9, 10),
    aliases={},
)
NAMED_UNO = BoardFacts(
    board_id="sim-uno",
    board_name="Simulated Arduino Uno",
    board_type="arduino-uno",
    led_pin=13,
    digital_pins=UNO.digital_pins,
    analog_pins=UNO.analog_pins,
    pwm_pins=UNO.pwm_pins,
    servo_pins=UNO.servo_pins,
    aliases={"fan": 5, "led": 13, "red led": 7, "thermometer": 15, "蜂鸣器": 8, "water pump": 4, "button": 2},
)
NANO = BoardFacts(
    board_id="nano-1",
    board_name="Arduino Nano",
    board_type="arduino-nano",
    led_pin=13,
    digital_pins=tuple(range(2, 20)),
    analog_pins=("A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7"),
    pwm_pins=(3, 5, 6, 9, 10, 11),
    servo_pins=(9, 10),
)
BARE_CHIP = BoardFacts(
    board_id="bare",
    board_name="Bare chip",
    board_type="generic",
    led_pin=None,
    digital_pins=(0, 1, 2, 3),
    analog_pins=("A0",),
    pwm_pins=(1,),
    servo_pins=(2,),
)

Calls = list[tuple[str, dict[str, object]]]


def calls_of(understanding: Understanding) -> Calls:
    """The calls as plain pairs."""
    return [(call.name, call.arguments) for call in understanding.calls]


def do(name: str, **arguments: object) -> Calls:
    """One expected call."""
    return [(name, arguments)]


def talk(sentences: Sequence[str], boards: Sequence[BoardFacts] = (UNO,)) -> list[Understanding]:
    """Say the sentences one after another, each with the state of the one before."""
    state: DialogueState | None = None
    heard: list[Understanding] = []
    for sentence in sentences:
        heard.append(understand(sentence, boards=boards, state=state))
        state = heard[-1].state
    return heard


def planned(*pairs: tuple[str, dict[str, object]]) -> tuple[PlannedCall, ...]:
    """Planned calls from pairs."""
    return tuple(PlannedCall(name, arguments) for name, arguments in pairs)
