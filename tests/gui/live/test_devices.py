"""HW-2, HW-11, HW-14 on the real core: ports are asked, names reach pins and chat, data sheets, tools."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.detail_views import FoundView
from zeroclaw_desktop.bridge.port_views import MendResultView
from zeroclaw_desktop.bridge.tool_views import WayView
from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.runtime import port_access
from zeroclaw_desktop.runtime.port_access import Access, AccessProblem
from zeroclaw_desktop.runtime.port_mending import Mend, stop_brltty
from zeroclaw_desktop.sandbox.process import ChildProcesses


@pytest.fixture
def clone(live: Live) -> Iterator[BoardProcess]:
    """A board with our firmware on a port that nobody knows."""
    process = BoardProcess("clone", ChildProcesses(), lambda: None)
    live.run(process.start())
    yield process
    live.run(process.stop())


def test_a_board_that_names_itself_is_connected_at_once(live: Live, clone: BoardProcess) -> None:
    devices, path = live.bridge.devices, clone.system_path
    steps: list[str] = []

    def note() -> None:
        view = devices.access.asked(path)
        if view is not None:
            steps.append(view.sentence)

    devices.access.changed.connect(note)
    devices.access.ask(path)
    live.until(lambda: any(board.state == "live" for board in devices.boards()), "a live board", 30.0)
    assert steps[0] == "Asking the firmware…"
    assert "Arduino Uno" in steps[-1]
    assert [(board.board_type, board.port) for board in devices.boards()] == [("arduino-uno", path)]


def test_a_busy_port_names_its_holder_when_it_is_asked(live: Live, clone: BoardProcess) -> None:
    devices, path = live.bridge.devices, clone.system_path
    other = live.run(
        ChildProcesses().spawn(["python3", "-c", f"f = open({path!r}); print('open', flush=True); input()"])
    )
    try:
        assert live.run(other.read_line()) == b"open\n"
        devices.access.ask(path)
        live.until(lambda: (view := devices.access.asked(path)) is not None and view.error is not None, "no")
    finally:
        live.run(other.end())
    view = devices.access.asked(path)
    assert view is not None
    assert view.error is not None
    assert "python3" in view.error.title


def test_names_are_kept_and_shown_and_understood(live: Live) -> None:
    board = live.start_board()
    names, devices = live.bridge.devices.names, live.bridge.devices
    assert names.rename(board, "Test bench") is None
    assert devices.boards()[0].name == "Test bench"
    assert names.pin_name_problem(board, 12, "A0")
    assert names.name_pin(board, 12, "reading lamp", "led") is None
    assert devices.pins(board)[12].names == ("reading lamp",)
    assert [pin.name for pin in names.pin_names(board) if pin.number == 12] == ["reading lamp"]
    outcomes: list[str] = []
    live.bridge.chat.answer_finished.connect(lambda _turn, outcome: outcomes.append(outcome))
    live.bridge.chat.send("turn on the reading lamp")
    live.until(lambda: bool(outcomes), "the answer")
    assert live.level(12) == 1


def test_a_pin_is_switched_through_the_one_door(live: Live) -> None:
    board = live.start_board()
    seen: list[ActionTransition] = []
    runtime = live.bridge.core.runtime
    assert runtime is not None
    runtime.bus.subscribe(ActionTransition, seen.append)
    live.bridge.devices.run_command(board, "digital_write", {"pin": 13, "value": 1})
    live.until(lambda: bool(seen) and seen[-1].result is not None, "the action ends")
    live.until(lambda: live.shown(13) == 1, "the pin goes high")
    assert live.level(13) == 1
    assert {(step.payload.action, step.payload.source) for step in seen} == {("digital_write", "manual")}


def test_data_sheets_are_found(live: Live, own_state_folder: Path) -> None:
    sheets = live.bridge.devices.datasheets
    folder = Path(sheets.make_folder())
    (folder / "arduino-uno.md").write_text("# Fan\nThe fan needs 12 V.\n\n## Pin Aliases\nfan: 5\n")
    (folder / "broken.pdf").write_bytes(b"no pdf")
    looked: list[bool] = []
    sheets.changed.connect(lambda: looked.append(True))
    sheets.refresh()
    live.until(lambda: bool(looked), "the files are read")
    broken, uno = sheets.sheets("arduino-uno")
    assert broken.fault
    assert uno.name == "arduino-uno.md"
    found: list[list[FoundView]] = []
    sheets.found.connect(lambda _board, _question, passages: found.append(passages))
    sheets.search("arduino-uno", "how many volts for the fan")
    live.until(lambda: bool(found), "an answer")
    assert found[0][0].document == "arduino-uno.md"
    assert "12 V" in found[0][0].excerpt
    said: list[str] = []
    outcomes: list[str] = []
    live.bridge.chat.answer_delta.connect(lambda _turn, piece: said.append(piece))
    live.bridge.chat.answer_finished.connect(lambda _turn, outcome: outcomes.append(outcome))
    live.bridge.chat.send("what do the data sheets say about the fan?")
    live.until(lambda: bool(outcomes), "the answer")
    assert "arduino-uno.md, Fan: “The fan needs 12 V.”" in "".join(said)
    board = live.start_board()
    assert live.bridge.devices.pins(board)[5].names == ("fan",)
    details = live.bridge.devices.details(board)
    assert details is not None
    assert ("fan", "5 (data sheet)") in details.names


def test_tools_and_ways_are_found_without_holding_up_the_window(live: Live) -> None:
    board = live.start_board()
    tools = live.bridge.devices.tools
    tools.look()
    assert tools.looking()
    live.until(lambda: tools.tools() is not None, "the list", 30.0)
    listed = {tool.name: tool for tool in tools.tools() or []}
    assert listed["esptool"].found
    assert all(tool.install for tool in listed.values())
    ways: list[list[WayView]] = []
    tools.ways_found.connect(lambda _board, _firmware, found: ways.append(found))
    tools.find_ways(board, "default")
    live.until(lambda: bool(ways), "the ways")
    assert "avrdude" in [way.key for way in ways[0]]
    tools.find_ways(board, "/nowhere.hex")
    live.until(lambda: len(ways) == 2, "the ways of nothing")
    assert ways[1] == []


@pytest.mark.parametrize(("answer", "done"), [('exec "$@"', True), ("exit 126", False)])
def test_a_mend_is_done_after_the_password_and_told(
    live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, done: bool
) -> None:
    """The system's password dialog is played by a script that agrees, or is dismissed."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "pkexec").write_text(f"#!/bin/sh\n{answer}\n")
    (programs / "pkexec").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    touched = tmp_path / "touched"
    mend = Mend("join_group", (("touch", str(touched)),))
    problem = AccessProblem("/dev/ttyUSB9", "not_in_group", "dialout", mend=mend)
    monkeypatch.setattr(port_access, "look_at_access", lambda _ports: Access({problem.place: problem}))
    access = live.bridge.devices.access
    results: list[MendResultView] = []
    access.mended.connect(results.append)
    access.look()
    live.until(lambda: access.problem(problem.place) is not None, "the obstacle is seen")
    view = access.mend(problem.place)
    assert view is not None
    assert view.commands == f"sudo touch {touched}"
    access.do_mend(problem.place)
    assert access.mending() == "join_group"
    live.until(lambda: bool(results), "the mend ends")
    assert touched.exists() == done
    assert (results[0].error is None) == done
    assert access.mending() == ""


def test_a_board_without_a_port_is_told_when_it_still_has_none(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right after it was plugged in every board is without a port for a moment."""
    taken = AccessProblem("1-4", "brltty", "CH340", "1a86:7523", stop_brltty())
    monkeypatch.setattr(port_access, "look_at_access", lambda _ports: Access({}, (taken,)))
    access = live.bridge.devices.access
    changes: list[int] = []
    access.changed.connect(lambda: changes.append(len(access.portless())))
    access.look()
    live.until(lambda: bool(changes), "the first look")
    assert changes[-1] == 0
    access.look()
    live.until(lambda: changes[-1] == 1, "the second look")
    assert "brltty" in access.portless()[0].sentence
