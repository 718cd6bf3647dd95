"""The built-in engine (AG-12): the same everywhere, of length one, near for what is alike."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.memory.embedding import HashedNgramEngine
from zeroclaw_desktop.memory.vector_matrix import VectorMatrix, pack

ENGINE = HashedNgramEngine()
SAMPLES = ["the greenhouse fan is on pin 7", "客厅温度传感器读数异常", "", "ﬁlter ＡＢＣ 😀 \ud800"]
_CHILD = (
    "import hashlib; from zeroclaw_desktop.memory.embedding import HashedNgramEngine as E;"
    "from tests.unit.memory.test_embedding import SAMPLES;"
    "print(hashlib.sha256((E().embed(SAMPLES) * 1000).round().astype('i4').tobytes()).hexdigest())"
)


def cosine(first: str, second: str) -> float:
    vectors = ENGINE.embed([first, second])
    return float(vectors[0] @ vectors[1])


def test_vectors_do_not_depend_on_the_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", _CHILD], env={**_environment(), "PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True, timeout=60,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


def _environment() -> dict[str, str]:
    import os
    from pathlib import Path

    root = str(Path(__file__).resolve().parents[3])
    return {**os.environ, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1"}


@given(st.text(max_size=300))
def test_every_vector_has_length_one_or_is_zero(text: str) -> None:
    length = float(np.linalg.norm(ENGINE.embed([text])[0]))
    assert length == pytest.approx(1.0, abs=1e-5) or length == 0.0


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("heating the greenhouse", "greenhouse heater", "motor driver voltage"),
        ("温度传感器", "客厅的温度", "电机驱动电压"),
        ("favourite colour", "favorite color", "serial port"),
        ("GPIO13 接线", "gpio13", "gpio接口"),
    ],
)
def test_what_is_alike_is_nearer(text: str, near: str, far: str) -> None:
    assert cosine(text, near) > cosine(text, far)


def test_full_width_and_case_do_not_matter() -> None:
    assert cosine("ＧＰＩＯ １３", "gpio 13") == pytest.approx(1.0, abs=1e-5)


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=30), st.text(min_size=1, max_size=60))
def test_the_matrix_of_bytes_gives_the_cosines_of_the_vectors(known: list[str], asked: str) -> None:
    vectors, question = ENGINE.embed(known), ENGINE.embed([asked])[0]
    matrix = VectorMatrix(ENGINE.dimensions)
    matrix.append([pack(vector) for vector in vectors])
    assert np.allclose(matrix.similarities(question), vectors @ question, atol=0.01)


def test_a_dense_vector_is_compared_as_well() -> None:
    chance = np.random.default_rng(5)
    vectors = chance.standard_normal((50, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = VectorMatrix(384)
    matrix.append([pack(vector) for vector in vectors])
    assert np.allclose(matrix.similarities(vectors[3]), vectors @ vectors[3], atol=0.01)
