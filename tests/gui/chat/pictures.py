"""Takes pictures of the Chat page for people to look at: ``python tests/gui/chat/pictures.py FOLDER``."""

from __future__ import annotations

import argparse
import sys
import types
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QWidget

if __package__ in (None, ""):
    root = Path(__file__).resolve().parents[3]
    # A package in the environment brings a folder of the same name; ours must win.
    sys.modules["tests"] = types.ModuleType("tests")
    sys.modules["tests"].__path__ = [str(root / "tests")]
    sys.path.insert(0, str(root))

from tests.gui.chat.demo_chat import NO_BOARD, SIMULATOR, ChatWorld, approval, blink_call, simulated_board
from tests.gui.demo_bridge import demo_pages
from tests.gui.screenshots import settle
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import PinView
from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.chat.page import ChatPage
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec
from zeroclaw_desktop.gui.theme import install_theme

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


def window_with(world: ChatWorld) -> tuple[MainWindow, ChatPage]:
    """Return a window that shows the Chat page of a world."""
    page = ChatPage(world)  # type: ignore[arg-type]

    def chat_page() -> QWidget:
        return page

    others = [spec for spec in demo_pages(world) if spec.key != "chat"]
    specs = [PageSpec("chat", "Chat", "chat", chat_page), *others]
    window = MainWindow(world, specs)  # type: ignore[arg-type]
    window.show_page("chat")
    return window, page


def empty() -> MainWindow:
    """No board, no message."""
    return window_with(ChatWorld())[0]


def ready() -> MainWindow:
    """The simulated board is there, nothing was said."""
    return window_with(ChatWorld(simulated_board()))[0]


def _at_work() -> tuple[MainWindow, ChatWorld]:
    world = ChatWorld(simulated_board())
    world.plots.add_demo_series()
    window, _ = window_with(world)
    chat = world.chat
    chat.say("Blink the LED three times")
    chat.answer_started.emit("t1")
    chat.tool_call_changed.emit(
        blink_call(
            "completed",
            duration_ms=3012.4,
            result="Pin 13 blinked 3 times, 500 ms on, 500 ms off.",
            pins=((13, "low", "low"),),
        )
    )
    chat.answer_delta.emit("t1", CODE_ANSWER)
    chat.answer_finished.emit("t1", "done")
    return window, world


def running() -> MainWindow:
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


def asking() -> MainWindow:
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
    world.chat.approval_requested.emit(approval())
    return window


def fault() -> MainWindow:
    """A command failed, an answer was stopped."""
    world = ChatWorld()
    window, _ = window_with(world)
    world.chat.say("Blink the LED three times")
    world.chat.tool_call_changed.emit(blink_call("failed", error=NO_BOARD, duration_ms=1.2))
    world.chat.answer("t1", "There is no board to blink on. Start the simulator, then ask again.")
    world.chat.say("Count to a million")
    world.chat.answer("t2", "One, two, three, four", outcome="stopped")
    return window


SCENES: dict[str, Callable[[], MainWindow]] = {
    scene.__name__: scene for scene in (empty, ready, running, asking, fault)
}


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("--size", "--theme", "--language", "--scene"):
        parser.add_argument(name, action="append", default=[])
    wanted = parser.parse_args()
    application = QApplication(sys.argv[:1])
    dress = install_theme(application, "light")
    translator = TsTranslator(sorted((asset_root() / "resources" / "i18n").rglob("*.ts")))
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for language in wanted.language or ["en", "zh"]:
        if language == "zh":
            QCoreApplication.installTranslator(translator)
        for mode in wanted.theme or ["light", "dark"]:
            dress.set_mode(mode)
            for size in wanted.size or ["1280x800", "1920x1080"]:
                for scene in wanted.scene or SCENES:
                    window = SCENES[scene]()
                    window.resize(*(int(part) for part in size.split("x")))
                    window.show()
                    settle(400)
                    path = wanted.folder / f"chat-{scene}-{mode}-{language}-{size.split('x')[0]}.png"
                    window.grab().save(str(path))
                    print(path)
                    window.close()
                    window.deleteLater()
                    settle(1)
        QCoreApplication.removeTranslator(translator)


if __name__ == "__main__":
    main()
