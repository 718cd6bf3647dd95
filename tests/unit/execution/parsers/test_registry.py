"""EX-2: readers by name and by file; third parties come by entry point, a broken one hurts nobody else."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from tests.unit.execution.parsers.faults import refusal
from zeroclaw_desktop.contracts.actions import ActionPayload, Source
from zeroclaw_desktop.execution.error_table import Code, explain_error, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.errors import (
    ParserExistsError,
    ParserNotFoundError,
    ParserUnfitError,
)
from zeroclaw_desktop.execution.parsers.json_text import JsonParser
from zeroclaw_desktop.execution.parsers.plugins import GROUP, GuardedParser
from zeroclaw_desktop.execution.parsers.registry import ParserRegistry, form_of, standard_parsers
from zeroclaw_desktop.execution.payloads import make_payload


class LineParser:
    """A third party's reader: the name of a command on each line."""

    name = "lines"
    description = "One command on each line"
    suffixes: Sequence[str] = (".LST",)

    def parse(self, text: str, *, source: Source) -> Sequence[ActionPayload]:
        if not text:
            raise FaultError([fault(Code.UNREADABLE_TEXT, "empty", line=1, column=1)])
        return [make_payload(line, {}, source=source) for line in text.splitlines()]


def reader(parse: Callable[[], Any], *, seconds: float = 5.0) -> GuardedParser:
    """A third party's reader that does something else."""

    class Odd(LineParser):
        def parse(self, text: str, *, source: Source) -> Any:
            return parse()

    return GuardedParser(Odd(), "odd-package 1.0", seconds=seconds)


def test_the_readers_of_the_product() -> None:
    """EX-2: JSON, text and YAML lists behind one interface."""
    registry = standard_parsers(plugins=False)
    assert [row.parser.name for row in registry.list_parsers()] == ["json", "text", "yaml"]
    assert {row.owner for row in registry.list_parsers()} == {"built-in"}
    texts = {
        "json": '{"action": "led_set", "params": {"state": 1}}',
        "text": "turn on the led",
        "yaml": "- action: led_set\n  params: {state: 1}\n",
    }
    for name, text in texts.items():
        (payload,) = registry.parse(name, text, source="channel")
        assert (payload.action, payload.params, payload.source) == ("led_set", {"state": 1}, "channel")
        assert form_of(text) == name
        assert registry.parse("", text, source="channel")[0].params == {"state": 1}


def test_a_name_and_an_end_of_file_names_belong_to_one_reader() -> None:
    """EX-2, EX-3: a taken name is refused, who has it is said."""
    registry = standard_parsers(plugins=False)
    with pytest.raises(ParserExistsError, match=r"'json' of built-in"):
        registry.register(JsonParser(), "other 2.0")

    class Rival(LineParser):
        suffixes = (".yml",)

    with pytest.raises(ParserExistsError, match="'yaml' of built-in"):
        registry.register(Rival(), "other 2.0")


def test_an_unknown_reader_is_told_with_near_names() -> None:
    """EX-2."""
    registry = standard_parsers(plugins=False)
    with pytest.raises(ParserNotFoundError, match="did you mean json") as caught:
        registry.resolve("jsn")
    assert "json, text, yaml" in caught.value.hint
    with pytest.raises(ParserNotFoundError) as caught:
        registry.for_file("actions.docx")
    assert ".yaml" in caught.value.hint
    with pytest.raises(ParserNotFoundError):
        registry.for_file("actions")


@pytest.mark.parametrize(
    ("name", "parser"), [("a.json", "json"), ("A.YAML", "yaml"), ("b/c.yml", "yaml"), ("d.txt", "text")]
)
def test_a_file_is_read_by_the_end_of_its_name(name: str, parser: str) -> None:
    """EX-2."""
    assert standard_parsers(plugins=False).for_file(name).name == parser


def test_a_reader_can_be_taken_out() -> None:
    """EX-3: live unload."""
    registry = standard_parsers(plugins=False)
    registry.unregister("yaml")
    with pytest.raises(ParserNotFoundError):
        registry.resolve("yaml")
    with pytest.raises(ParserNotFoundError):
        registry.unregister("yaml")


# -- third parties ---------------------------------------------------------------------------------------
@pytest.fixture
def package(tmp_path: Path) -> Iterator[Callable[[str], list[EntryPoint]]]:
    """Installs a package with the source of one module for the time of a test; gives its entry points."""

    def install(source: str) -> list[EntryPoint]:
        (tmp_path / "third_party_reader.py").write_text(source, encoding="utf-8")
        sys.path.insert(0, str(tmp_path))
        return [
            EntryPoint("lines", "third_party_reader:make", GROUP),
            EntryPoint("absent", "third_party_reader:nothing", GROUP),
        ]

    yield install
    sys.path[:] = [entry for entry in sys.path if entry != str(tmp_path)]
    sys.modules.pop("third_party_reader", None)


GOOD = """
from zeroclaw_desktop.execution.payloads import make_payload
class Reader:
    name, description, suffixes = "lines", "One command on each line", [".lst"]
    def parse(self, text, *, source):
        return [make_payload(line, {}, source=source) for line in text.splitlines()]
make = Reader
"""


def test_a_third_party_registers_by_entry_point(package: Any, caplog: pytest.LogCaptureFixture) -> None:
    """EX-2: the good one is there, the one whose object is missing is told and left out."""
    registry = standard_parsers(plugins=False)
    with caplog.at_level(logging.WARNING):
        problems = registry.add_plugins(package(GOOD))
    assert [row.parser.name for row in registry.list_parsers()] == ["json", "lines", "text", "yaml"]
    payloads = registry.parse("lines", "board_info\ndevice_list", source="sop")
    assert [(one.action, one.source) for one in payloads] == [("board_info", "sop"), ("device_list", "sop")]
    assert registry.for_file("todo.LST").name == "lines"
    (problem,) = problems
    assert problem.name == "absent"
    assert "AttributeError" in problem.reason
    assert "absent" in caplog.text


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('at import')", "RuntimeError: at import"),
        ("import a_module_that_is_not_there", "ModuleNotFoundError"),
        ("def make(:", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def make(): raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def make(needed): pass", "TypeError"),
        ("make = object", "needs name, description, suffixes and parse"),
        (GOOD.replace('"lines"', '"two words"'), "its name must be a word"),
        (GOOD.replace('"lines"', "None"), "its name must be a word"),
        (GOOD.replace('[".lst"]', '".lst"'), "its suffixes must be a list"),
        (GOOD.replace('[".lst"]', "[1]"), "its suffixes must be a list"),
        (GOOD.replace('"lines"', '"json"'), "same name"),
        (GOOD.replace('".lst"', '".json"'), "reads the same files"),
        ("class Bad(Exception):\n    def __str__(self): raise Bad\ndef make(): raise Bad", "Bad"),
    ],
)
def test_a_broken_package_is_told_and_hurts_nobody(package: Any, source: str, reason: str) -> None:
    """EX-2: whatever it does when it is loaded."""
    registry = standard_parsers(plugins=False)
    problems = registry.add_plugins(package(source)[:1])
    assert reason in problems[0].reason
    assert len(registry.list_parsers()) == 3


def test_the_group_of_entry_points_is_the_published_one() -> None:
    """EX-2: packages name this group; it may not change."""
    assert GROUP == "zeroclaw_desktop.parsers"
    assert ParserRegistry().add_plugins() == []


def raised(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    ("parse", "reason"),
    [
        (lambda: raised(ValueError("no idea")), "ValueError: no idea"),
        (lambda: raised(SystemExit(1)), "SystemExit: 1"),
        (lambda: raised(RecursionError()), "RecursionError"),
        (lambda: raised(TimeoutError("its own")), "TimeoutError: its own"),
        (lambda: None, "no list of actions"),
        (list, "no list of actions"),
        (lambda: "led_set", "no list of actions"),
        (lambda: [{"action": "led_set"}], "something else"),
        (lambda: [make_payload("a", {}, source="agent")] * 300, "something else"),
        (lambda: [make_payload("a", {"x": {1, 2}}, source="agent")], "not JSON serializable"),
        (lambda: [make_payload("a", {"x": float("nan")}, source="agent")], "not JSON compliant"),
        (lambda: [replace(make_payload("a", {}, source="agent"), constraints=None)], "TypeError"),  # type: ignore[arg-type]
        (lambda: raised(FaultError([])), "FaultError"),
        (lambda: raised(FaultError(["x"])), "AttributeError"),  # type: ignore[list-item]
    ],
)
def test_a_reader_that_fails_is_named_with_its_package(
    parse: Callable[[], Any], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-2, EX-10: one fault with a code and texts in both languages; the log has the rest."""
    with caplog.at_level(logging.ERROR):
        found = refusal(reader(parse), "x", "agent")
    assert found.code == Code.PARSER_FAULT
    assert "odd-package 1.0" in found.message
    assert reason in found.message
    for lang in ("en", "zh"):
        told = explain_error(found.code, lang, found.details)  # type: ignore[arg-type]
        assert "lines" in told
        assert "odd-package 1.0" in told
    assert "odd-package 1.0" in caplog.text


def test_a_reader_that_never_answers_is_left_behind(caplog: pytest.LogCaptureFixture) -> None:
    """EX-2: the caller goes on after the time limit."""
    release = threading.Event()
    with caplog.at_level(logging.ERROR):
        found = refusal(reader(release.wait, seconds=0.05), "x")
    assert "did not answer within 0.05 s" in found.message
    assert "did not answer" in caplog.text
    release.set()
    for thread in threading.enumerate():
        if thread.name.startswith("reader"):
            thread.join(5.0)


def test_a_reader_that_hangs_leaves_one_thread_behind_and_is_tried_again_when_it_is_back() -> None:
    """EX-2: bounded: while it hangs it is not called again."""
    release, calls = threading.Event(), []

    def parse() -> list[ActionPayload]:
        calls.append(1)
        release.wait()
        return [make_payload("board_info", source="manual")]

    hanging = reader(parse, seconds=0.05)
    for _ in range(5):
        refusal(hanging, "x")
    assert "still hangs" in refusal(hanging, "x").message
    assert len(calls) == 1
    release.set()
    for thread in threading.enumerate():
        if thread.name.startswith("reader"):
            thread.join(5.0)
    assert [payload.action for payload in hanging.parse("x", source="manual")] == ["board_info"]


def test_a_reader_that_hangs_does_not_keep_the_program_from_ending() -> None:
    script = """
import threading
from tests.unit.execution.parsers.test_registry import reader
from zeroclaw_desktop.execution.errors import FaultError
try:
    reader(threading.Event().wait, seconds=0.05).parse("x", source="manual")
except FaultError as error:
    print(error.faults[0].symbol)
"""
    root = Path(__file__).resolve().parents[4]
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=root, check=True
    )
    assert ended.stdout.split() == ["PARSER_FAULT"]


def test_the_faults_that_a_reader_states_are_passed_on() -> None:
    """EX-2: expected what and where, as from the product's own readers."""
    guarded = GuardedParser(LineParser(), "lines 1.0")
    assert (guarded.name, guarded.suffixes) == ("lines", (".lst",))
    assert refusal(guarded, "").code == Code.UNREADABLE_TEXT


def test_a_reader_cannot_raise_its_rights() -> None:
    """EX-6: a payload that poses as a person's is refused whoever wrote the reader."""
    found = refusal(reader(lambda: [make_payload("digital_write", {}, source="manual")]), "x", "agent")
    assert (found.code, found.param) == (Code.MALFORMED_PAYLOAD, "source")


def test_a_reader_gives_plain_values_only() -> None:
    """EX-1: nothing of the reader's own making goes further than this."""

    class Number(int):
        def __le__(self, _other: object) -> bool:
            return True

    guarded = reader(lambda: [make_payload("servo_move", {"angle": Number(999)}, source="agent")])
    (payload,) = guarded.parse("x", source="agent")
    assert type(payload.params["angle"]) is int
    assert json.dumps(payload.params) == '{"angle": 999}'


def test_what_is_no_reader_is_refused() -> None:
    """EX-2."""
    with pytest.raises(ParserUnfitError, match="It is no reader"):
        GuardedParser(object(), "x")
