"""Builds and runs the two native test programs: our core and simavr, with the same case runner."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.integration.avr.instruction_cases import RESULT, Case

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
CORE = REPOSITORY / "firmware" / "simulator" / "avr"
WASM = REPOSITORY / "firmware" / "prebuilt" / "avr.wasm"
PROGRAM_COUNTER_MASK = 0x3FFF


def require_simavr() -> None:
    """Skip the test where simavr or a C compiler is missing."""
    if shutil.which("gcc") is None or not Path("/usr/include/simavr/sim_avr.h").exists():
        pytest.skip("needs the apt packages gcc, simavr, libsimavr-dev and libelf-dev")


def require_avr_gcc() -> None:
    """Skip the test where the AVR compiler is missing."""
    if shutil.which("avr-gcc") is None:
        pytest.skip("needs the apt packages gcc-avr and avr-libc")


def core_sources() -> list[Path]:
    """The C files of the core without the exports of the module."""
    return [path for path in sorted(CORE.glob("*.c")) if path.name != "host.c"]


def compile_program(output: Path, sources: Sequence[Path], *options: str) -> Path:
    """Compile C files with the host's compiler, warnings being errors."""
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{HERE}", *map(str, sources), *options]
    subprocess.run([*command, "-o", str(output)], check=True)
    return output


def run_cases(program: Path, cases: Sequence[Case]) -> npt.NDArray[np.void]:
    """Run cases and return one RESULT row per step, the program counter cut to its 14 bits.

    simavr keeps 16 bits after RET; the ATmega328P has a program counter of 14 bits (datasheet section 6.2).
    """
    data = b"".join(case.encode() for case in cases)
    output = subprocess.run([str(program)], input=data, capture_output=True, check=True).stdout
    results = np.frombuffer(output, RESULT).copy()
    results["pc"] &= PROGRAM_COUNTER_MASK
    return results


def operation_names() -> set[str]:
    """Names of the operations that decode.h lists, without the prefix OP_."""
    text = (CORE / "decode.h").read_text()
    return set(re.findall(r"\bOP_(\w+)\b", text)) - {"COUNT", "FIRST_TWO_WORDS"}
