"""UI-1 to UI-4 without widgets: what the bridge says while the main job is done on the simulated board."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.views import ApprovalView, ErrorView, FirmwareView, FlashView, ToolCallView
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage


class Heard:
    """Everything that the chat said."""

    def __init__(self, live: Live) -> None:
        chat = live.bridge.chat
        self.text = ""
        self.cards: list[ToolCallView] = []
        self.outcomes: list[str] = []
        self.questions: list[ApprovalView] = []
        self.closed: list[str] = []
        chat.answer_delta.connect(lambda _turn, piece: setattr(self, "text", self.text + piece))
        chat.tool_call_changed.connect(self.cards.append)
        chat.answer_finished.connect(lambda _turn, outcome: self.outcomes.append(outcome))
        chat.approval_requested.connect(self.questions.append)
        chat.approval_closed.connect(lambda _approval, text: self.closed.append(text))


@pytest.mark.parametrize(
    ("sentence", "title", "language"),
    [
        ("blink the led 3 times", "Blink the LED 3 times", "en"),
        ("让LED闪烁3次", "LED 闪烁 3 次", "zh"),
    ],
)
def test_the_blink_sentence_blinks_and_is_told(live: Live, sentence: str, title: str, language: str) -> None:
    live.bridge.settings.set_value("ui.language", language)
    live.start_board()
    heard = Heard(live)
    assert live.bridge.core.runtime is not None
    process = live.bridge.core.runtime.simulators.process("sim-uno")
    before = len(process.rising_edges(13))
    live.bridge.chat.send(sentence)
    live.until(lambda: bool(heard.outcomes), "the answer")
    live.run(process.query())
    assert len(process.rising_edges(13)) - before == 3
    assert heard.outcomes == ["done"]
    states = list(dict.fromkeys(card.state for card in heard.cards))
    assert states == ["pending", "validated", "running", "completed"]
    assert heard.cards[-1].title == title
    assert heard.cards[-1].pins[0][0] == 13
    assert heard.cards[-1].duration_ms is not None
    assert heard.text


@pytest.mark.parametrize(("decision", "level", "state"), [("once", 1, "completed"), ("deny", 0, "refused")])
def test_a_raw_pin_asks_a_person(live: Live, decision: str, level: int, state: str) -> None:
    live.start_board()
    heard = Heard(live)
    live.bridge.chat.send("set pin 7 high")
    live.until(lambda: bool(heard.questions), "the question")
    question = heard.questions[0]
    assert question.pins == ((7, "low", "high"),)
    assert live.level(7) == 0
    live.bridge.chat.answer_approval(question.approval_id, decision)
    live.until(lambda: bool(heard.outcomes), "the answer")
    assert live.level(7) == level
    assert heard.cards[-1].state == state
    assert len(heard.closed) == 1


def test_stopping_a_turn_stops_the_board(live: Live) -> None:
    live.start_board()
    heard = Heard(live)
    live.bridge.chat.send("blink the led 50 times")
    live.until(lambda: any(card.state == "running" for card in heard.cards), "running")
    live.bridge.chat.stop_turn()
    live.until(lambda: bool(heard.outcomes), "the end of the turn", 3.0)
    assert heard.outcomes == ["stopped"]
    assert heard.cards[-1].state == "cancelled"
    assert live.level(13) == 0
    live.bridge.chat.send("turn on the led")
    live.until(lambda: len(heard.outcomes) == 2, "the next answer")
    assert live.level(13) == 1


def test_the_button_stops_latches_and_is_released(live: Live) -> None:
    live.start_board()
    live.bridge.devices.run_command("sim-uno", "led_set", {"state": 1})
    live.until(lambda: live.shown(13) == 1, "the LED to go on")
    live.bridge.safety.stop_everything("button")
    live.until(live.bridge.safety.latched, "the stop")
    report = live.bridge.safety.report()
    assert report.boards[0][2] is not None
    assert live.level(13) == 0
    failures: list[ErrorView] = []
    live.bridge.devices.command_failed.connect(lambda _board, error: failures.append(error))
    live.bridge.devices.run_command("sim-uno", "led_set", {"state": 1})
    live.until(lambda: bool(failures), "the refusal")
    assert failures[0].code == "0x34"
    live.bridge.safety.release()
    assert not live.bridge.safety.latched()
    live.bridge.devices.run_command("sim-uno", "led_set", {"state": 1})
    live.until(lambda: live.shown(13) == 1, "the LED to go on again")


def test_the_chat_word_stop_stops(live: Live) -> None:
    live.start_board()
    heard = Heard(live)
    live.bridge.chat.send("blink the led 50 times")
    live.until(lambda: any(card.state == "running" for card in heard.cards), "running")
    live.bridge.chat.send("全部停止")
    live.until(live.bridge.safety.latched, "the stop")
    live.until(lambda: len(heard.outcomes) == 2, "both turns to end")
    assert live.level(13) == 0


def test_flashing_tells_phases_and_greeting(live: Live) -> None:
    board = live.start_board()
    states: list[FlashView] = []
    live.bridge.devices.flash_changed.connect(states.append)
    choices = live.bridge.devices.firmware_choices(board)
    assert [choice.key for choice in choices] == ["zeroclaw-arduino", "zeroclaw-demo"]
    live.bridge.devices.start_flash(board, "zeroclaw-demo")
    live.until(lambda: bool(states) and states[-1].phase == "done", "the end of flashing", 30)
    assert states[-1].firmware.startswith("zeroclaw-demo")
    live.until(
        lambda: {"temp", "light"} <= {series.label for series in live.bridge.plots.series()}, "demo telemetry"
    )


def test_a_file_that_does_not_fit_is_told_in_the_language(live: Live) -> None:
    board = live.start_board()
    live.bridge.settings.set_value("ui.language", "zh")
    found: list[tuple[str, str, object]] = []
    live.bridge.devices.firmware_checked.connect(lambda *what: found.append(what))
    live.bridge.devices.check_firmware_file(board, "/nowhere/x.hex")
    live.until(lambda: bool(found), "the check")
    assert found[0][:2] == (board, "/nowhere/x.hex")
    assert isinstance(found[0][2], ErrorView)
    assert "固件" in found[0][2].title


def test_the_loop_of_the_window_goes_on_while_a_file_is_read(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading is on another thread, however long it takes; the loop of the window answers meanwhile."""
    board = live.start_board()
    release, threads = threading.Event(), []

    def slow(path: Path, _profile: object) -> FirmwareImage:
        threads.append(threading.current_thread())
        release.wait()
        return FirmwareImage(str(path), {"en": "x", "zh": "x"}, {"en": "", "zh": ""}, path, 16)

    monkeypatch.setattr("zeroclaw_desktop.runtime.runtime.image_from_file", slow)
    found: list[tuple[str, str, object]] = []
    live.bridge.devices.firmware_checked.connect(lambda *what: found.append(what))
    live.bridge.devices.check_firmware_file(board, "/somewhere/x.hex")
    live.until(lambda: bool(threads), "the reading")
    assert threads[0] is not threading.main_thread()
    assert found == []
    release.set()
    live.until(lambda: bool(found), "the check")
    assert found[0][2] == FirmwareView("/somewhere/x.hex", "x", "", 16)


def test_a_lost_board_is_told_and_comes_back(live: Live) -> None:
    board = live.start_board()
    live.bridge.devices.simulator.set_fault(board, "unplug", True)
    live.until(lambda: live.bridge.devices.boards()[0].state == "lost", "the loss")
    error = live.bridge.devices.boards()[0].error
    assert error is not None
    assert error.title
    live.bridge.devices.simulator.set_fault(board, "unplug", False)
    live.until(lambda: live.bridge.devices.boards()[0].state == "live", "the return")


def test_live_signals_become_series_with_columns(live: Live) -> None:
    board = live.start_board()
    live.bridge.plots.start_demo_signals()
    live.until(lambda: any(view.count > 20 for view in live.bridge.plots.series()), "samples")
    now = live.bridge.plots.now()
    times, low, high = live.bridge.plots.columns(board, "a0", now - 10, now, 100)
    assert len(times) == len(low) == len(high) > 0
    live.bridge.devices.simulator.turn(board, "potentiometer-1", 1.0)
    live.until(
        lambda: any(view.label == "a0" and (view.last or 0) > 1000 for view in live.bridge.plots.series()),
        "the knob on the plot",
    )


def test_the_button_and_thermometer_reach_the_pins(live: Live) -> None:
    board = live.start_board()
    live.bridge.devices.run_command(board, "pin_mode", {"pin": 2, "mode": "input_pullup"})
    live.until(lambda: live.shown(2) == 1, "the pull-up")
    live.bridge.devices.simulator.close_contact(board, "button-1", True)
    live.until(lambda: live.shown(2) == 0, "the button")
    live.bridge.devices.simulator.close_contact(board, "button-1", False)
    live.until(lambda: live.shown(2) == 1, "the release")
    live.bridge.devices.simulator.turn(board, "tmp36-1", 50.0)
    live.until(lambda: live.bridge.devices.pins(board)[15].volts == pytest.approx(1.0), "the thermometer")
    assert live.shown(2) == 1, "the thermometer does not disturb the button"


def test_console_lines_come_in_batches(live: Live) -> None:
    board = live.start_board()
    received: list[str] = []
    live.bridge.devices.console_received.connect(lambda _board, text: received.append(text))
    live.bridge.devices.send_console(board, '{"id":"c1","cmd":"ping"}')
    live.until(lambda: any('"c1"' in text for text in received), "the answer on the console")
    assert sum(text.count('"c1"') for text in received) == 1, "each line comes once"


def test_settings_are_written_and_refused_with_the_reason(live: Live) -> None:
    assert live.bridge.settings.set_value("ui.theme", "dark") is None
    error = live.bridge.settings.set_value("plots.window_seconds", 1)
    assert error is not None
    assert "5 to 600" in error.title
    assert 'theme = "dark"' in (live.bridge.core.config.path).read_text(encoding="utf-8")
