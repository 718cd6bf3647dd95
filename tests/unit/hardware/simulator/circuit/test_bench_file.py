"""HW-10: layout and wiring of each simulated board are kept across restarts; a damaged file harms nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.simulator.circuit.bench_file import BenchFile, KeptBoard
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import LiveBench

UNO = board_catalog()["arduino-uno"]


def test_a_bench_comes_back_as_it_was(tmp_path: Path) -> None:
    live = LiveBench(UNO)
    live.add("servo")
    live.wire("servo-1", "signal", 10)
    live.set_setting("led-1", "colour", "green")
    live.turn("potentiometer-1", 0.125)
    path = tmp_path / "boards.json"
    BenchFile(path).keep(KeptBoard("sim-uno", "arduino-uno", live.bench))
    BenchFile(path).keep(KeptBoard("sim-esp32", "esp32", None, shown=False))
    again = BenchFile(path)
    assert [board.board_id for board in again.boards()] == ["sim-uno", "sim-esp32"]
    kept = again.find("sim-uno")
    assert kept is not None
    assert LiveBench(UNO, kept.bench).bench == live.bench
    other = again.find("sim-esp32")
    assert other is not None
    assert not other.shown


def test_a_command_reads_the_file_and_never_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "boards.json"
    BenchFile(path, writes=False).keep(KeptBoard("sim-uno", "arduino-uno"))
    assert not path.exists()


def test_a_wire_that_the_rules_forbid_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "boards.json"
    part = {"id": "led-1", "kind": "led", "wires": {"anode": 0}}
    knob = {"id": "potentiometer-1", "kind": "potentiometer", "wires": {"slider": 14}, "value": 7}
    row = {"id": "sim-uno", "kind": "arduino-uno", "parts": [part, knob]}
    path.write_text(json.dumps({"version": 1, "boards": [row]}), encoding="utf-8")
    kept = BenchFile(path).find("sim-uno")
    assert kept is not None
    live = LiveBench(UNO, kept.bench)
    assert [(wire.part.part_id, wire.pin) for wire in live.bench.wires()] == [("potentiometer-1", 14)]
    assert live.bench.part("potentiometer-1").value == 1.0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"boards": 3}', '{"boards": [1, {"id": 3}, {"id": "x"}]}', "\udcff"],
)
def test_a_damaged_file_begins_anew(tmp_path: Path, content: str) -> None:
    path = tmp_path / "boards.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert BenchFile(path).boards() == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
parts = st.fixed_dictionaries(
    {},
    optional={
        "id": json_values | st.sampled_from(["led-1", "motor-2", "led-999999"]),
        "kind": json_values | st.sampled_from(["led", "motor", "button"]),
        "settings": json_values,
        "wires": json_values | st.dictionaries(st.sampled_from(["anode", "speed"]), st.integers(-1, 60)),
        "value": json_values,
    },
)


@given(rows=st.lists(parts, max_size=6))
def test_no_file_gives_a_bench_that_cannot_be_used(
    rows: list[dict[str, object]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("boards") / "boards.json"
    content = {"version": 1, "boards": [{"id": "sim-uno", "kind": "arduino-uno", "parts": rows}]}
    path.write_text(json.dumps(content), encoding="utf-8")
    kept = BenchFile(path).find("sim-uno")
    assert kept is not None
    live = LiveBench(UNO, kept.bench)
    assert {wire.pin for wire in live.bench.wires()} <= set(range(2, 20))
    live.drives()
