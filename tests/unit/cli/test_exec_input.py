"""EX-2: what ``zeroclaw exec`` takes: a payload, sentences, or a file."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

import pytest

from zeroclaw_desktop.cli.exec_input import MAX_FILE_BYTES, add_input_options, payloads_of
from zeroclaw_desktop.cli.standard_input import InputError
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.errors import ParserNotFoundError


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_input_options(parser)
    return parser.parse_args(arguments)


def actions(*arguments: str) -> list[str]:
    return [payload.action for payload in payloads_of(options(*arguments))]


def test_a_payload_on_the_command_line() -> None:
    """EX-2."""
    assert actions("--payload", '{"action": "board_info"}') == ["board_info"]


def test_a_payload_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """EX-2."""
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO('{"action": "board_info"}'.encode("utf-8-sig")))
    )
    assert actions("--payload", "-") == ["board_info"]


def test_sentences_on_the_command_line() -> None:
    """EX-2."""
    assert actions("--text", "打开灯，然后把舵机转到90度") == ["led_set", "servo_move"]
    with pytest.raises(FaultError, match="column 1"):
        actions("--text", "dance")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "- action: led_set\n- action: board_info\n"),
        ("a.YML", "- action: led_set\n- action: board_info\n"),
        ("a.txt", "turn on the led\nboard info"),
    ],
)
def test_a_file_is_read_by_its_name(tmp_path: Path, name: str, text: str) -> None:
    """EX-2: with or without a byte order mark."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8-sig")
    assert actions("--file", str(file)) == ["led_set", "board_info"]


def test_the_form_of_a_file_can_be_said(tmp_path: Path) -> None:
    """EX-2."""
    file = tmp_path / "actions"
    file.write_text('{"action": "board_info"}', encoding="utf-8")
    assert actions("--file", str(file), "--format", "json") == ["board_info"]
    with pytest.raises(ParserNotFoundError, match="No reader takes files like 'actions'"):
        actions("--file", str(file))
    with pytest.raises(ParserNotFoundError, match="did you mean json"):
        actions("--file", str(file), "--format", "jsn")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """EX-2: missing, a folder, not UTF-8, far too large."""
    with pytest.raises(InputError, match="cannot be read"):
        actions("--file", str(tmp_path / "none.yaml"))
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        actions("--file", str(folder))
    latin = tmp_path / "latin.txt"
    latin.write_bytes("h\u00f6r auf".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        actions("--file", str(latin))
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(InputError, match="larger than"):
        actions("--file", str(large))


@pytest.mark.parametrize("arguments", [[], ["--payload", "{}", "--text", "x"]])
def test_exactly_one_way_must_be_given(arguments: list[str]) -> None:
    """EX-2."""
    with pytest.raises(SystemExit):
        options(*arguments)
