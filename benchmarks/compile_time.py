"""HW-9: compiling a sketch, with the core of the board cold and cached, against avr-gcc started alone."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks._bench import row
from zeroclaw_desktop.contracts.synthesis import FirmwareWish
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.arduino_core import avr_target, find_core
from zeroclaw_desktop.hardware.synthesis.avr_build import Compiler, build_avr, find_toolchain
from zeroclaw_desktop.hardware.synthesis.planning import plan_firmware
from zeroclaw_desktop.hardware.synthesis.prototypes import to_cpp
from zeroclaw_desktop.sandbox.process import ChildProcesses

ROUNDS = 5
UNO = board_catalog()["arduino-uno"]


async def _alone(sketch: str, folder: Path, *, with_core: bool) -> float:
    """The compilers alone: the same commands, nothing kept and nothing looked up between them."""
    tools, core = find_toolchain(), find_core()
    if tools is None or core is None:
        raise RuntimeError("needs the compiler: sudo apt install gcc-avr arduino-core-avr")
    target = avr_target(UNO, core)
    assert target is not None
    compiler = Compiler(ChildProcesses(), tools, core, target, folder)
    source = folder / "sketch.ino.cpp"
    source.write_text(to_cpp(sketch, "sketch.ino"), encoding="utf-8")
    archive = folder / "core.a"
    started = time.perf_counter()
    await compiler.compile(source, folder / "sketch.o", ["-Wall", "-Wextra"])
    if with_core:
        sources = sorted((core.root / "cores" / target.core).glob("*"))
        sources = [path for path in sources if path.suffix in (".c", ".cpp", ".S")]
        objects = [folder / f"{path.name}.o" for path in sources]
        await asyncio.gather(
            *(compiler.compile(path, made, ["-w"]) for path, made in zip(sources, objects, strict=True))
        )
        await compiler.run([tools.ar, "rcs", str(archive), *map(str, objects)])
    await compiler.link([folder / "sketch.o", archive], folder / "sketch.elf")
    if not await compiler.to_hex(folder / "sketch.elf", folder / "sketch.hex"):
        raise RuntimeError("\n".join(compiler.output))
    await compiler.sizes(folder / "sketch.elf")
    return time.perf_counter() - started


def _folder(name: str, *parts: str) -> Path:
    place = Path(name, *parts)
    place.mkdir()
    return place


async def _measure() -> list[dict[str, Any]]:
    plan = plan_firmware(FirmwareWish("telemetry"), UNO)
    bare_cold, bare_warm, cold, warm = [], [], [], []
    with tempfile.TemporaryDirectory(prefix="zeroclaw-bench-") as name:
        bare = _folder(name, "bare")
        for number in range(ROUNDS):
            bare_cold.append(await _alone(plan.sketch, bare, with_core=True))
            bare_warm.append(await _alone(plan.sketch, bare, with_core=False))
            root = _folder(name, f"ours{number}")
            for times in (cold, warm):
                report = await build_avr(plan.sketch, plan.file_name, UNO, ChildProcesses(), root)
                if not report.ok or report.core_cached != (times is warm):
                    raise RuntimeError(report.log)
                times.append(report.seconds)
    return [
        row("HW-9-alone", "avr-gcc alone, core and sketch", bare_cold, "s", ratio=1.0),
        row("HW-9-cold", "build, core not yet compiled", cold, "s", ratio=_ratio(cold, bare_cold)),
        row("HW-9-alone2", "avr-gcc alone, sketch and link", bare_warm, "s", ratio=1.0),
        row("HW-9-cached", "build, core cached", warm, "s", ratio=_ratio(warm, bare_warm)),
    ]


def _ratio(ours: list[float], alone: list[float]) -> float:
    return statistics.median(ours) / statistics.median(alone)


def run() -> list[dict[str, Any]]:
    """Return the rows."""
    return asyncio.run(_measure())
