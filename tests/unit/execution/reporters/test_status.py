"""The status shape (EX-12): exact keys, honest values, always one line of valid JSON."""

from __future__ import annotations

import json
import types

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.execution.reporters.reports import transition
from zeroclaw_desktop.contracts.actions import ActionFault, ActionResult, ActionState
from zeroclaw_desktop.execution.reporters import status_line, status_row

KEYS = [
    "task_id", "action", "state", "elapsed_ms", "error_code", "hardware_states", "device_id", "seq", "source",
]  # fmt: skip


def result_of(**changes: object) -> ActionResult:
    result = transition(**changes).result  # type: ignore[arg-type]
    assert result is not None
    return result


def test_the_shape_is_that_of_the_specification() -> None:
    """EX-12: these nine fields, no more and no less."""
    row = status_row(result_of(seq=7, task_id="task_001"))
    assert list(row) == KEYS
    assert row == {
        "task_id": "task_001",
        "action": "servo_move",
        "state": "COMPLETED",
        "elapsed_ms": 2304.123,
        "error_code": 0,
        "hardware_states": {"servo_1": {"angle": 90}},
        "device_id": "uno",
        "seq": 7,
        "source": "agent",
    }


def test_a_fault_gives_its_code_and_nothing_is_invented() -> None:
    """EX-12: the code of the first fault; no snapshot means an empty one."""
    fault = ActionFault(0x31, "TIMEOUT", "too late")
    row = status_row(result_of(state=ActionState.FAILED, faults=(fault,), hardware_states={}))
    assert (row["state"], row["error_code"], row["hardware_states"]) == ("FAILED", 0x31, {})


def test_a_dry_run_says_so_on_the_wire() -> None:
    """EX-15: the report says that nothing moved; an ordinary report has the exact shape."""
    assert json.loads(status_line(result_of(dry_run=True)))["dry_run"] is True
    assert list(json.loads(status_line(result_of()))) == KEYS


def test_odd_readings_do_not_lose_the_report() -> None:
    """EX-12: NaN and infinities are not JSON; what has no JSON form is told as text."""
    states = {
        "t": float("nan"),
        "list": [1.5, float("-inf")],
        "raw": b"\x01",
        "frozen": types.MappingProxyType({"level": 1}),
        "text": "温度\n\ud800",
    }
    line = status_line(result_of(hardware_states=states))
    read = json.loads(line, parse_constant=lambda name: f"not JSON: {name}")["hardware_states"]
    assert b"\n" not in line
    assert read["t"] is None
    assert read["list"] == [1.5, None]
    assert read["raw"] == str(b"\x01")
    assert read["frozen"] == {"level": 1}
    assert read["text"].startswith("温度\n")


def test_a_snapshot_that_contains_itself_ends() -> None:
    """EX-12: a fault of a handler's snapshot costs its depth, not the report."""
    loop: dict[str, object] = {}
    loop["self"] = loop
    assert json.loads(status_line(result_of(hardware_states=loop)))["task_id"] == "task-1"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), JSON_VALUES, max_size=4))
def test_every_snapshot_becomes_one_line_of_strict_json(states: dict[str, object]) -> None:
    """EX-12: one line, UTF-8, no NaN, whatever the handler reports."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    line = status_line(result_of(hardware_states=states))
    assert b"\n" not in line
    assert set(json.loads(line.decode("utf-8"), parse_constant=refuse)["hardware_states"]) == {
        json.loads(json.dumps(key)) for key in states
    }
