"""Nothing that a firmware writes into the I/O registers may hang the core or break its memory."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integration.avr import avr_native

ROUNDS = 150


def test_random_register_writes_under_the_sanitizers(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs the apt package gcc")
    seed = random.SystemRandom().getrandbits(31)
    print("seed", seed)
    program = avr_native.compile_program(
        tmp_path / "register_fuzz",
        [avr_native.HERE / "register_fuzz.c", *avr_native.core_sources()],
        f"-I{avr_native.CORE}",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    )
    output = subprocess.run(
        [str(program), str(seed), str(ROUNDS)], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    lines = [line.split() for line in output.splitlines()]
    assert len(lines) == ROUNDS
    assert all(int(cycles) > 0 for cycles, _ in lines)
