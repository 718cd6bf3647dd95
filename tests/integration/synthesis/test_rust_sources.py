"""HW-9: Rust sources for ESP32 and Nucleo: a whole project, and plain words where it cannot be built."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from zeroclaw_desktop.contracts.synthesis import FirmwareWish
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.planning import plan_firmware
from zeroclaw_desktop.hardware.synthesis.rust_build import PLATFORMS, build_rust
from zeroclaw_desktop.hardware.synthesis.templates import template_catalog
from zeroclaw_desktop.sandbox.process import ChildProcesses

KINDS = [key for key, template in template_catalog().items() if "rust" in template.sources]


def test_the_kinds_of_the_specification_have_rust_sources() -> None:
    assert {"blink", "button", "telemetry"} <= set(KINDS)


def project(kind: str, board: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a project on a computer without cargo."""
    monkeypatch.setenv("PATH", str(root))
    plan = plan_firmware(FirmwareWish(kind, "rust"), board_catalog()[board])
    assert plan.ok, plan.findings
    report = asyncio.run(build_rust(plan, board_catalog()[board], ChildProcesses(), root))
    assert not report.ok
    (finding,) = report.findings
    assert "cargo is missing" in finding.message["en"]
    assert "rustup.rs" in finding.hint["zh"]
    return root / "rust" / f"{kind}-{board}"


def has_rust() -> bool:
    """Whether a compiler answers; rustup's own command may stand there without one."""
    if shutil.which("rustc") is None:
        return False
    return (
        subprocess.run(["rustc", "--version"], capture_output=True, check=False, timeout=30).returncode == 0
    )


@pytest.mark.parametrize("board", PLATFORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_project_is_whole(kind: str, board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(kind, board, tmp_path, monkeypatch)
    manifest = tomllib.loads((folder / "Cargo.toml").read_text())
    assert manifest["package"]["name"] == "zeroclaw-firmware"
    settings = tomllib.loads((folder / ".cargo" / "config.toml").read_text())
    assert settings["build"]["target"] == PLATFORMS[board].target
    assert "pub fn program() -> !" in (folder / "src" / "main.rs").read_text()
    for path in folder.rglob("*"):
        assert not path.is_file() or "@" not in path.read_text().replace("//@", "")


@pytest.mark.skipif(not has_rust(), reason="needs the Rust compiler: https://rustup.rs")
@pytest.mark.parametrize("kind", KINDS)
def test_sources_for_a_nucleo_are_sound_rust(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Types and borrows are checked for this computer; only the linker needs the chip's own target."""
    path = os.environ["PATH"]
    folder = project(kind, "nucleo-f401re", tmp_path, monkeypatch)
    monkeypatch.setenv("PATH", path)
    ended = subprocess.run(
        [
            *("rustc", "--edition", "2021", "--crate-type", "lib", "--emit=metadata", "-C", "panic=abort"),
            *("-D", "warnings", "-o", str(tmp_path / "out.rmeta"), str(folder / "src" / "main.rs")),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
