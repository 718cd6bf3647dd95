"""The shipped module is what the sources give."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.avr import avr_native


def test_building_again_gives_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("ziglang", reason="needs the package ziglang")
    recorded = re.search(r"\| ziglang \| (\S+) \|", (avr_native.CORE / "BUILT.md").read_text())
    version = subprocess.run(
        [sys.executable, "-m", "ziglang", "version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if recorded is None or recorded[1] != version:
        pytest.skip(f"the shipped module was built by another ziglang than {version}; run build.py")
    output = tmp_path / "avr.wasm"
    subprocess.run([sys.executable, str(avr_native.CORE / "build.py"), str(output)], check=True)
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (output, avr_native.WASM)]
    assert digests[0] == digests[1]
