"""A scripted stand-in of the bridge that makes firmware: plans and builds are those that a test hands in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.maker_bridge import WishDraft
from zeroclaw_desktop.bridge.maker_views import (
    BuildView,
    FindingView,
    HeardView,
    MemoryView,
    NeedView,
    ParamView,
    PlanView,
    TemplateView,
)
from zeroclaw_desktop.bridge.views import ErrorView

TEMPLATES = [
    TemplateView("blink", "Blink an LED", "Switches an LED on and off at an even rate."),
    TemplateView("button", "Button and LED", "A button switches an LED; bouncing contacts are waited out."),
    TemplateView("servo", "Servo sweep", "Moves a hobby servo to and fro between two angles."),
    TemplateView("analog", "Analog sensor", "Measures a voltage: potentiometer, light or soil sensor."),
]
SKETCH = """\
// Blink an LED on the Arduino Uno. Made with ZeroClaw Desktop.
//   pin 9: the LED

const uint8_t LED_PIN = 9;
const float BLINKS_PER_SECOND = 3.0;

void setup() {
  pinMode(LED_PIN, OUTPUT);
}

void loop() {
  digitalWrite(LED_PIN, millis() / 167 % 2);
}
"""
PLAN = PlanView(
    template="blink",
    title="Blink an LED",
    dialect="arduino",
    dialects=(("arduino", "Arduino (C++)"), ("micropython", "MicroPython")),
    needs=(NeedView("led", "The LED", 9, "9", "you chose it", ("9", "2", "4", "7")),),
    params=(
        ParamView("rate", "Flashes per second", "Hz", "number", "3"),
        ParamView("mode", "Mode", "", "choice", "even", (("even", "even"), ("double", "double"))),
    ),
    parts=(("LED with a resistor of 220 Ω to 1 kΩ", ("pin 9 → resistor → long leg of the LED",)),),
    findings=(),
    file_name="blink.ino",
    sketch=SKETCH,
    edited=False,
    ok=True,
)
WARNING = FindingView("warning", "A pin cannot feed a servo.")
FAULT = FindingView(
    "error", "Pin 1 is not free: serial line to the computer (TX).", "These would do: 2, 3.", 4
)
BUILT = BuildView("done", "", "avr-gcc", 0.4, MemoryView(3_740, 32_256), MemoryView(391, 2_048))
HEARD = HeardView((("led", "1"),), ("led:0", "led:1"), 2.0)
UNCLEAR = ErrorView(
    "It is not clear which firmware 'make me a coffee' means.", next_step="Name one of these."
)


class DemoMaker(QObject):
    """Answers at once; notes each call."""

    draft_made = Signal(str, object)
    plan_changed = Signal(str, object)
    build_changed = Signal(str, object)
    heard = Signal(str, object)
    failed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.plan_view = PLAN
        self.build_view = BUILT

    def templates(self) -> list[TemplateView]:
        return TEMPLATES

    def understand(self, board_id: str, sentence: str) -> None:
        self.calls.append(("understand", sentence))
        if "coffee" in sentence:
            self.failed.emit(board_id, UNCLEAR)
        else:
            self.draft_made.emit(board_id, WishDraft("blink"))

    def plan(self, board_id: str, draft: WishDraft) -> None:
        self.calls.append(("plan", replace(draft, pins=dict(draft.pins), params=dict(draft.params))))
        edited = bool(draft.sketch)
        view = replace(self.plan_view, edited=edited, sketch=draft.sketch or self.plan_view.sketch)
        self.plan_changed.emit(board_id, view)

    def build(self, board_id: str, draft: WishDraft) -> None:
        self.calls.append(("build", draft.sketch))
        self.build_changed.emit(board_id, BuildView("running", "sketch"))
        self.build_changed.emit(board_id, self.build_view)

    def cancel_build(self) -> None:
        self.calls.append(("cancel_build",))

    def listen(self, board_id: str) -> None:
        self.calls.append(("listen", board_id))

    def stop_listening(self) -> None:
        self.calls.append(("stop_listening",))
