"""Fixtures of the differential tests: the native test programs, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.avr import avr_native


@pytest.fixture(scope="session")
def simavr_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The case runner on simavr."""
    avr_native.require_simavr()
    sources = [avr_native.HERE / "case_runner.c", avr_native.HERE / "simavr_target.c"]
    output = tmp_path_factory.mktemp("native") / "simavr_cases"
    return avr_native.compile_program(output, sources, "-Wno-sign-compare", "-lsimavr", "-lelf")


@pytest.fixture(scope="session")
def core_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The case runner on our core, with the compiler's run-time checks on."""
    avr_native.require_simavr()
    own = [avr_native.HERE / "case_runner.c", avr_native.HERE / "core_target.c"]
    sources = [*own, *avr_native.core_sources()]
    output = tmp_path_factory.mktemp("native") / "core_cases"
    return avr_native.compile_program(
        output, sources, f"-I{avr_native.CORE}", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"
    )
