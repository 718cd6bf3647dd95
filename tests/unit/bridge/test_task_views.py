"""Tasks of the journal in words (EX-14, EX-10): interrupted ones, reasons, boards, units. No Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from tests.helpers.execution import Door
from tests.unit.execution.journal.journal_world import World, crash, payload_of
from zeroclaw_desktop.bridge import recovery_words
from zeroclaw_desktop.bridge.activity_views import HistoryQuery
from zeroclaw_desktop.bridge.task_views import TaskWords, journal_filter, journal_steps, journal_view
from zeroclaw_desktop.execution.recovery import REASONS
from zeroclaw_desktop.runtime.crash_recovery import Safety


class Boards:
    """What the words need of the runtime."""

    def __init__(self, *board_ids: str) -> None:
        door = Door(*board_ids)
        self.roster, self.registry = door.boards, door.registry


def words(*board_ids: str, language: Any = "en") -> TaskWords:
    return TaskWords(Boards(*board_ids), language)  # type: ignore[arg-type]


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


def test_every_reason_has_words_in_both_languages() -> None:
    for language, reasons in recovery_words.REASONS.items():
        assert set(reasons) == set(REASONS)
        assert all(is_chinese(text) is (language == "zh") for text in reasons.values())


def test_every_state_of_a_board_has_words_in_both_languages() -> None:
    for language, states in recovery_words.SAFETY.items():
        assert set(states) == set(get_args(Safety))
        told = [text for state, text in states.items() if state != "untouched"]
        assert all(is_chinese(text) is (language == "zh") for text in told)


@pytest.mark.parametrize(
    ("board_ids", "asked", "name"),
    [
        (("a",), "a", "Board a"),
        (("a", "b"), "a", "Board a (a)"),
        (("a",), "gone-board", "gone-board"),
        (("a",), "sim-uno", "Simulated Arduino Uno"),
        (("a",), "", ""),
    ],
)
def test_a_board_is_told_by_name_and_by_id_where_several_are_there(
    board_ids: tuple[str, ...], asked: str, name: str
) -> None:
    assert words(*board_ids).board(asked) == name


def test_units_are_written_as_people_write_them() -> None:
    units = words("a").units("servo_move")
    assert units["angle"] == "°"
    assert words("a").units("tone")["frequency"] == "Hz"
    assert words("a").units("warp_drive") == {}
    assert "pin" not in units


async def test_an_interrupted_task_has_no_end_and_shows_what_was_planned(tmp_path: Path) -> None:
    """EX-12: what was asked is told, what was read back is not invented."""
    await crash(tmp_path, left := payload_of())
    world = await World(tmp_path).start()
    entry = await world.journal.task(left.task_id)
    assert entry is not None
    for _ in range(2):  # before and after it is closed
        view = journal_view(entry, words("a"), at_work=False)
        assert (view.state, view.elapsed_ms, view.can_cancel) == ("interrupted", None, False)
        assert view.commanded == ((7, "?", "high"),)
        assert view.observed == {}
        steps = journal_steps(entry, at_work=False)
        assert (steps[-1].state, steps[-1].timed) == ("INTERRUPTED", False)
        assert all(step.timed for step in steps[:-1])
        await world.journal.close_interrupted([entry], "interrupted")
        entry = await world.journal.task(left.task_id)
        assert entry is not None
    await world.stop()


async def test_a_task_that_another_program_is_at_is_at_work(tmp_path: Path) -> None:
    world = await World(tmp_path).start()
    payload = payload_of()
    await world.journal.before(payload, world.door.executor.prepare(payload))
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    view = journal_view(entry, words("a"), at_work=True)
    assert (view.state, view.elsewhere) == ("running", True)
    assert all(step.state != "INTERRUPTED" for step in journal_steps(entry, at_work=True))
    await world.journal.after(payload, await world.door.do("digital_read", {"pin": 7}, device_id="a"))
    await world.stop()


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "set pin 7 HIGH", True),
        ("en", "pin 8", False),
        ("zh", "引脚 7 置为高电平", True),
        ("en", "digital_write", True),
        ("en", "board a", True),
        ("en", "manual", True),
        ("en", "", True),
    ],
)
async def test_the_search_finds_what_the_list_shows(
    tmp_path: Path, language: Any, text: str, found: bool
) -> None:
    world = await World(tmp_path).start()
    await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    wanted = journal_filter(HistoryQuery(text=text), words("a", language=language))
    assert bool(await world.journal.history(wanted)) is found
    await world.stop()
