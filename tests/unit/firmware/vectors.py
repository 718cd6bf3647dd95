"""The protocol's test vectors: reading them, and comparing what a board did with what they say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIRMWARE = Path(__file__).resolve().parents[3] / "firmware"
VECTOR_FOLDER = FIRMWARE / "protocol" / "vectors"


@dataclass(frozen=True)
class Case:
    """One case of a vector file; ``needs`` says how a board must be made for it (vectors/README.md)."""

    file: str
    name: str
    steps: tuple[dict[str, Any], ...]
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PinState:
    """What a pin does: mode letter as in the `state` reply, level 0/1, and duty, microseconds or hertz."""

    mode: str
    level: int
    value: int


def load_cases() -> list[Case]:
    """Return the cases that every board must pass, in the files' order."""
    return _read_cases(VECTOR_FOLDER)


def load_optional_cases() -> list[Case]:
    """Return the cases of commands that a board may leave out: buses and motors."""
    return _read_cases(VECTOR_FOLDER / "optional")


def _read_cases(folder: Path) -> list[Case]:
    cases = []
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        cases += [
            Case(path.stem, case["name"], tuple(case["steps"]), frozenset(case.get("needs", ())))
            for case in document["cases"]
        ]
    return cases


def request_bytes(step: dict[str, Any]) -> bytes | None:
    """Return the bytes that a step sends to the board, None when it sends none."""
    if "send" in step:
        return f"{step['send']}\n".encode()
    if "send_raw" in step:
        return str(step["send_raw"]).encode()
    if "send_hex" in step:
        return bytes.fromhex(step["send_hex"])
    return None


def check_replies(step: dict[str, Any], lines: list[bytes], where: str) -> None:
    """Assert that the lines a board sent are those of the step."""
    if "replies" in step:
        assert [json.loads(line) for line in lines] == step["replies"], where
    if "lines" in step:
        assert [line.decode() for line in lines] == step["lines"], where
    if "capabilities" in step:
        (line,) = lines
        found = json.loads(json.loads(line)["result"])
        assert {key: found.get(key) for key in step["capabilities"]} == step["capabilities"], where
    if "state" in step:
        (line,) = lines
        found = json.loads(line)["result"]
        assert {key: found.get(key) for key in step["state"]} == step["state"], where


def all_refused(lines: list[bytes]) -> bool:
    """Whether a step was answered by errors and by nothing else."""
    return bool(lines) and all(json.loads(line).get("ok") is False for line in lines)


def check_pins(step: dict[str, Any], pins: dict[int, PinState], where: str) -> None:
    """Assert that the pins are as the step says."""
    value_of_mode = {"p": "pwm", "s": "servo", "t": "tone"}
    for number, expected in step.get("pins", {}).items():
        pin = pins[int(number)]
        found = {"mode": pin.mode, "level": pin.level, value_of_mode.get(pin.mode, "value"): pin.value}
        assert {key: found.get(key) for key in expected} == expected, f"{where}: pin {number}"
