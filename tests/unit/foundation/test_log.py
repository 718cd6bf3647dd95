"""Secrets never reach a log (RT-15, SC-10), ordinary data is left alone; ring numbers, rotation."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroclaw_desktop.foundation import log


@pytest.fixture(autouse=True)
def logging_ended() -> Iterator[None]:
    yield
    log.stop_logging()


SECRET_TEXTS = [
    ("key sk-abcdefghijklmnop in use", "sk-abcdefghijklmnop"),
    ("api_key=abc123secret", "abc123secret"),
    ("API-KEY: abc123secret", "abc123secret"),
    ("OPENAI_API_KEY=abc123secret", "abc123secret"),
    ('{"api_key": "abc123secret", "model": "small"}', "abc123secret"),
    ("{'password': 'two words'}", "two words"),
    ('password = "two words"', "two words"),
    ("wifi_password=hunter22", "hunter22"),
    ("Authorization: Bearer eyJhbGciOi.abc", "eyJhbGciOi.abc"),
    ("token: Bearer eyJhbGciOi.abc", "eyJhbGciOi.abc"),
    ("http://host/?token=abc123secret&x=1", "abc123secret"),
    ("client_secret: abc123secret", "abc123secret"),
]


@pytest.mark.parametrize(("text", "secret"), SECRET_TEXTS)
def test_a_secret_is_masked_and_its_name_stays(text: str, secret: str) -> None:
    masked = log.mask_secrets(text)
    assert secret not in masked
    assert "***" in masked


def test_only_the_secret_is_masked() -> None:
    assert log.mask_secrets('{"api_key": "abc", "model": "small"}') == '{"api_key": "***", "model": "small"}'
    assert log.mask_secrets("http://host/?token=abc&x=1") == "http://host/?token=***&x=1"
    assert log.mask_secrets("at redis://kim:ge@heim@host:1/0.") == "at redis://kim:***@host:1/0."
    assert log.mask_secrets("mqtt://:geheim@host and sim://a:b, c@d") == "mqtt://:***@host and sim://a:b, c@d"


@pytest.mark.parametrize(
    "text",
    [
        "temp:21.5,hum:40",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "task-3f2a91bc77de asked pin 13",
        "6f1c2d3e-0a4b-4c5d-8e9f-001122334455",
        "12 tokens, 3 passwords changed",
        "tokens: 812",
        "the disk-0001-partition is full",
        "basic info of the board",
        "the broker mqtt://host:1883/lab, mail to kim@lab",
        '{"id":"1","cmd":"gpio_write","args":{"pin":13,"value":1}}',
        "开发板已连接：13 号引脚",
    ],
)
def test_ordinary_data_is_not_masked(text: str) -> None:
    assert log.mask_secrets(text) == text


def test_ring_numbers_grow_by_one_and_gaps_can_be_seen() -> None:
    ring = log.RingHandler(capacity=3)
    logger = logging.Logger("zeroclaw.serial.port")
    logger.addHandler(ring)
    for number in range(5):
        logger.warning("line %d", number)
    assert [(record.number, record.message) for record in ring.since(0)] == [
        (3, "line 2"),
        (4, "line 3"),
        (5, "line 4"),
    ]
    assert ring.since(4)[0].subsystem == "serial"
    assert ring.since(5) == []
    ring.clear()
    logger.error("after")
    assert [record.number for record in ring.since(0)] == [6]


def test_ring_masks_message_and_exception() -> None:
    ring = log.start_logging(None)
    try:
        raise ValueError("password=hunter22")
    except ValueError:
        log.logger("runtime").exception("token=%s refused", "abc123")
    (record,) = ring.since(0)
    assert "hunter22" not in record.message
    assert "abc123" not in record.message
    assert "ValueError" in record.message


def test_a_log_call_with_wrong_arguments_does_not_hurt_its_caller(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ring = log.start_logging(None)
    log.logger("runtime").warning("%d boards", "many")
    log.logger("runtime").warning("next")
    assert [record.message for record in ring.since(0)] == ["next"]
    assert "many" in capsys.readouterr().err


def test_ring_takes_records_from_many_threads() -> None:
    ring = log.start_logging(None)
    threads = [
        threading.Thread(target=lambda: [log.logger("serial").info("x") for _ in range(200)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [record.number for record in ring.since(0)] == list(range(1, 801))


def test_file_has_one_json_object_per_line_without_secrets(tmp_path: Path) -> None:
    log.start_logging(tmp_path)
    log.logger("config").warning("password=hunter22\nsecond line 温度")
    try:
        raise OSError("api_key=abc123secret")
    except OSError as error:
        log.logger("config").error("failed", exc_info=error)
    log.stop_logging()
    rows = [json.loads(line) for line in (tmp_path / "zeroclaw.log").read_text("utf-8").splitlines()]
    assert [row["level"] for row in rows] == ["WARNING", "ERROR"]
    assert rows[0]["message"] == "password=***\nsecond line 温度"
    assert "OSError" in rows[1]["exception"]
    assert "abc123secret" not in rows[1]["exception"]


def test_file_rotates_and_keeps_a_bounded_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "FILE_BYTES", 2_000)
    log.start_logging(tmp_path)
    for number in range(500):
        log.logger("runtime").info("record number %d", number)
    log.stop_logging()
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["zeroclaw.log", *(f"zeroclaw.log.{n}" for n in range(1, log.FILE_COUNT + 1))]
    assert all(path.stat().st_size <= 2_000 for path in tmp_path.iterdir())
    assert "record number 499" in (tmp_path / "zeroclaw.log").read_text()


def test_levels_and_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    ring = log.start_logging(None, level="WARNING")
    log.logger("agent").info("quiet")
    assert ring.since(0) == []
    assert capsys.readouterr().err == ""
    ring = log.start_logging(None, verbose=True, level="WARNING")
    log.logger("agent").debug("token=abc123 loud")
    assert [record.level for record in ring.since(0)] == ["DEBUG"]
    shown = capsys.readouterr().err
    assert "loud" in shown
    assert "abc123" not in shown


def test_starting_again_replaces_the_handlers(tmp_path: Path) -> None:
    first = log.start_logging(tmp_path)
    second = log.start_logging(tmp_path)
    log.logger("bus").warning("once")
    assert (len(first.since(0)), len(second.since(0))) == (0, 1)
    log.stop_logging()
    assert len((tmp_path / "zeroclaw.log").read_text().splitlines()) == 1


def test_a_subsystem_that_is_not_listed_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="seriall"):
        log.logger("seriall")
