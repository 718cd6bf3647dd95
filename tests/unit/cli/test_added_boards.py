"""``zeroclaw device add``, ``remove`` and the added boards in ``device list`` (HW-5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Zeroclaw

NOBODY = "tcp://127.0.0.1:1"


def test_a_board_is_added_listed_checked_and_removed(zeroclaw: Zeroclaw) -> None:
    """That it does not answer now is told, and it is kept all the same."""
    added = zeroclaw("device", "add", NOBODY, "--name", "Roof", "--type", "esp32", "--json")
    assert added.code == 0
    assert (added.row["address"], added.row["name"], added.row["type"]) == (NOBODY, "Roof", "esp32")
    assert (added.row["answers"], bool(added.row["note"])) == (False, True)
    listed = zeroclaw("device", "list", "--json").row["devices"]
    (row,) = [row for row in listed if row.get("added")]
    assert (row["path"], row["name"], row["type"]) == (NOBODY, "Roof", "esp32")
    checked = zeroclaw("device", "list", "--check", "--json").row["devices"]
    (row,) = [row for row in checked if row.get("added")]
    assert row["answers"] is False
    assert zeroclaw("device", "remove", "roof", "--json").row == {"removed": NOBODY}
    assert not any(row.get("added") for row in zeroclaw("device", "list", "--json").row["devices"])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["add", "tcp://board"], 1, "port is missing"),
        (["add", NOBODY, "--type", "teapot"], 2, "no kind of board 'teapot'"),
        (["add", "mqtt://:secret@broker/x"], 1, "no user"),
        (["remove", "nothing"], 2, "No board 'nothing' was added"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_kept(
    zeroclaw: Zeroclaw, own_state_folder: Path, arguments: list[str], code: int, said: str
) -> None:
    ended = zeroclaw("device", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert "secret" not in ended.err
    assert not (own_state_folder / "known-boards.toml").exists()


def test_a_pin_of_an_added_board_is_named(zeroclaw: Zeroclaw) -> None:
    zeroclaw("device", "add", NOBODY)
    named = zeroclaw("device", "name", NOBODY, "fan", "--pin", "5", "--role", "dimmer", "--json")
    assert named.row["pins"] == [{"name": "fan", "pin": 5, "role": "dimmer"}]
    assert named.row["identity"] == NOBODY
