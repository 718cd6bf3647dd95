"""EX-1, EX-2, EX-5: fuzzing of the readers and of the parameter schema finds nothing.

The seeds are replayed on every machine; where atheris is installed each target is fuzzed for its share of
``ZEROCLAW_FUZZ_SECONDS`` (60 by default).
"""

from __future__ import annotations

import importlib.util
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import targets
from tests.fuzz.targets import TARGETS
from zeroclaw_desktop.contracts.actions import ActionPayload, Source
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.parsers.places import Place, unreadable
from zeroclaw_desktop.execution.parsers.protocol import Parser
from zeroclaw_desktop.execution.payloads import make_payload

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).resolve().parent / "corpus"
SECONDS = float(os.environ.get("ZEROCLAW_FUZZ_SECONDS", "60"))
SEEDS = [(target, file) for target in TARGETS for file in sorted((CORPUS / target).iterdir())]
SLOWEST_INPUT_SECONDS = 10
MOST_MEMORY_MB = 1024


@pytest.mark.parametrize(("target", "file"), SEEDS, ids=lambda value: getattr(value, "name", value))
def test_a_seed_breaks_no_promise(target: str, file: Path) -> None:
    """EX-2, EX-5: each seed, whatever it once broke."""
    TARGETS[target](file.read_bytes())


def test_every_target_has_seeds() -> None:
    """EX-2: and nothing else lies in the corpus."""
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)
    for target in TARGETS:
        assert len([name for name, _file in SEEDS if name == target]) >= 10


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None,
    reason="needs atheris (Linux on x86-64): install it with 'pip install atheris==3.0.0'",
)
@pytest.mark.parametrize("target", list(TARGETS))
def test_fuzzing_finds_nothing(target: str, tmp_path: Path) -> None:
    """EX-1, EX-2, EX-5: only FaultError, places within the text, no rights gained, all within the schema."""
    share = max(1, round(SECONDS / len(TARGETS)))
    found = tmp_path / "found"
    found.mkdir()
    (tmp_path / "new").mkdir()
    ended = subprocess.run(
        [
            sys.executable, "-m", "tests.fuzz.harness", target,
            f"-max_total_time={share}", f"-timeout={SLOWEST_INPUT_SECONDS}",
            f"-rss_limit_mb={MOST_MEMORY_MB}", "-max_len=2048", "-print_final_stats=1",
            f"-artifact_prefix={found}/",
            str(tmp_path / "new"), str(CORPUS / target),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=share + 120,
        check=False,
    )  # fmt: skip
    inputs = [file.read_bytes() for file in sorted(found.iterdir())]
    assert ended.returncode == 0, f"{inputs}\n{ended.stdout[-3000:]}\n{ended.stderr[-3000:]}"
    assert inputs == []
    runs = re.search(r"number_of_executed_units: (\d+)", ended.stderr)
    assert runs is not None
    assert int(runs.group(1)) > len(SEEDS)


class _Poser:
    """A reader that lets everybody pass for a person."""

    name, description, suffixes = "poser", "", ()

    def parse(self, text: str, *, source: Source) -> list[ActionPayload]:
        return [make_payload(text, {}, source="manual")]


class _Crasher(_Poser):
    def parse(self, text: str, *, source: Source) -> list[ActionPayload]:
        raise IndexError(text)


class _Pointer(_Poser):
    def parse(self, text: str, *, source: Source) -> list[ActionPayload]:
        raise FaultError([unreadable(Place(1, len(text) + 2), Words("a", "b"), Words("c", "d"))])


@pytest.mark.parametrize(
    ("parser", "error"), [(_Poser(), AssertionError), (_Crasher(), IndexError), (_Pointer(), AssertionError)]
)
def test_a_broken_promise_is_noticed(parser: Parser, error: type[Exception]) -> None:
    """EX-2: the watchers themselves are tested with planted faults."""
    with pytest.raises(error):
        targets.read_and_check(parser, b"\0board_info")


@pytest.mark.parametrize(
    ("param", "value"),
    [
        (Param("int"), True),
        (Param("int"), 1.0),
        (Param("float"), math.nan),
        (Param("float", minimum=0), -0.1),
        (Param("str", maximum=1), "ab"),
        (Param("str", pattern="a"), "b"),
        (Param("int", choices=(0, 1)), 2),
        (Param("list", items=Param("int", minimum=0)), [1, -1]),
        (Param("dict", fields={"x": Param("int", required=True)}), {}),
        (Param("dict", fields={"x": Param("int")}), {"y": 1}),
    ],
)
def test_what_is_outside_a_schema_is_noticed(param: Param, value: object) -> None:
    """EX-5."""
    assert not targets.conforms(param, value)
