"""Scenes of the Chat page for ``tests/gui/screenshots.py``."""

from __future__ import annotations

from tests.gui.chat.demo_chat import (
    NO_BOARD,
    SIMULATOR,
    ChatWorld,
    blink_call,
    rememberable_approval,
    simulated_board,
)
from tests.gui.demo_simulator import DemoSimulator
from tests.gui.staging import Scene, Staged, window_with
from zeroclaw_desktop.bridge.views import ApprovalRuleView, PinView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.gui.chat.page import ChatPage
from zeroclaw_desktop.gui.main_window import MainWindow

CODE_ANSWER = """The LED on **pin 13** blinked three times. In a sketch of your own it looks like this:

```cpp
// Blink the built-in LED three times.
void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  for (int i = 0; i < 3; i++) {
    digitalWrite(LED_BUILTIN, HIGH);
    delay(500);
    digitalWrite(LED_BUILTIN, LOW);
    delay(500);
  }
}
```

- `delay(500)` waits half a second
- pin 13 is the LED named *L*

| Pin | Before | After |
| --- | --- | --- |
| 13 | low | low |
"""


def show(world: ChatWorld) -> MainWindow:
    """Return a window that shows the Chat page of a world."""
    return window_with(world, "chat", ChatPage(world))  # type: ignore[arg-type]


def chat_empty() -> MainWindow:
    """No board, no message."""
    return show(ChatWorld())


def chat_ready() -> MainWindow:
    """The simulated board is there, nothing was said."""
    return show(ChatWorld(simulated_board()))


def _at_work() -> tuple[MainWindow, ChatWorld]:
    world = ChatWorld(simulated_board())
    world.plots.add_demo_series()
    window = show(world)
    chat = world.chat
    chat.say("Blink the LED three times")
    chat.answer_started.emit("t1")
    chat.tool_call_changed.emit(
        blink_call(
            "completed",
            duration_ms=3012.4,
            result="Pin 13 blinked 3 times, 500 ms on, 500 ms off.",
            pins=((13, "low", "low"),),
            receipt=41,
        )
    )
    chat.answer_delta.emit("t1", CODE_ANSWER)
    chat.answer_finished.emit("t1", "done")
    return window, world


def chat_running() -> MainWindow:
    """A second command runs."""
    window, world = _at_work()
    world.chat.say("让LED亮起来，风扇开到 40%")
    world.chat.turn_state_changed.emit("executing")
    world.devices.set_pin(SIMULATOR, PinView(13, "13", "output", 1, role="led"))
    world.devices.set_pin(SIMULATOR, PinView(9, "9", "pwm", duty=0.4, role="fan"))
    world.chat.tool_call_changed.emit(
        blink_call(
            "completed",
            call_id="c2",
            turn_id="t2",
            name="led_set",
            title="Turn the LED on pin 13 on",
            arguments={"pin": 13, "on": True},
            pins=((13, "low", "high"),),
            duration_ms=6.4,
        )
    )
    world.chat.tool_call_changed.emit(
        blink_call(
            call_id="c3",
            turn_id="t2",
            name="pwm_write",
            title="Set pin 9 to 40 %",
            arguments={"pin": 9, "duty": 0.4},
        )
    )
    return window


def chat_asking() -> MainWindow:
    """An approval waits."""
    window, world = _at_work()
    world.chat.say("Switch the heater on")
    world.chat.turn_state_changed.emit("awaiting_approval")
    world.chat.tool_call_changed.emit(
        blink_call(
            "waiting",
            call_id="c2",
            turn_id="t2",
            name="digital_write",
            title="Set pin 7 high",
            arguments={"pin": 7, "level": 1},
        )
    )
    language: Language = "zh" if DemoSimulator.language == "zh" else "en"
    world.approvals.known = [ApprovalRuleView("rule-1", "", "", 1, "window")]
    world.chat.approval_requested.emit(rememberable_approval(language))
    return window


def chat_fault() -> MainWindow:
    """A command failed, an answer was stopped."""
    world = ChatWorld()
    window = show(world)
    world.chat.say("Blink the LED three times")
    world.chat.tool_call_changed.emit(blink_call("failed", error=NO_BOARD, duration_ms=1.2))
    world.chat.answer("t1", "There is no board to blink on. Start the simulator, then ask again.")
    world.chat.say("Count to a million")
    world.chat.answer("t2", "One, two, three, four", outcome="stopped")
    return window


SCENES: dict[str, Scene] = {
    scene.__name__: lambda scene=scene: Staged(scene())  # type: ignore[misc]
    for scene in (chat_empty, chat_ready, chat_running, chat_asking, chat_fault)
}
