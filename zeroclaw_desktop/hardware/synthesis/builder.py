"""Builds a plan by the best way that is installed here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.contracts.synthesis import BuildReport, FirmwarePlan
from zeroclaw_desktop.hardware.synthesis.arduino_cli_build import build_with_arduino_cli, find_arduino_cli
from zeroclaw_desktop.hardware.synthesis.avr_build import build_avr, can_build, compiler_missing
from zeroclaw_desktop.hardware.synthesis.build_folder import build_root
from zeroclaw_desktop.hardware.synthesis.errors import BuildError
from zeroclaw_desktop.hardware.synthesis.micropython_build import build_micropython
from zeroclaw_desktop.hardware.synthesis.rust_build import build_rust

KEPT_IMAGES = 40


async def build_plan(
    plan: FirmwarePlan,
    board: BoardProfile,
    runner: ChildRunner,
    on_step: Callable[[str], None] = lambda _step: None,
) -> BuildReport:
    """Build the sketch of a plan. One that has errors is not given to any compiler.

    arduino-cli goes first; where it is missing or has no core for the board, avr-gcc with an installed core.

    Raises:
        BuildError: no compiler is installed, or it did not end in time.
    """
    if not plan.ok:
        errors = tuple(finding for finding in plan.findings if finding.severity == "error")
        return BuildReport(False, "check", 0.0, findings=errors)
    root = await asyncio.to_thread(build_root)
    await asyncio.to_thread(_forget_old, root / "firmware")
    if plan.dialect == "micropython":
        return await build_micropython(plan.sketch, plan.file_name, runner, root)
    if plan.dialect == "rust":
        return await build_rust(plan, board, runner, root)
    program = find_arduino_cli()
    if program:
        try:
            on_step("sketch")
            return await build_with_arduino_cli(program, plan.sketch, plan.file_name, board, runner, root)
        except BuildError as error:
            if error.code != "compiler_missing" or not can_build(board):
                raise
    if not can_build(board):
        raise compiler_missing(board)
    return await build_avr(plan.sketch, plan.file_name, board, runner, root, on_step)


def _forget_old(folder: Path) -> None:
    """Keep the newest images only."""
    try:
        files = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in files[KEPT_IMAGES:]:
            if path.is_file():
                path.unlink()
    except OSError:
        return
