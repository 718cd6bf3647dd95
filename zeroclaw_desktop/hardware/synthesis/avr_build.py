"""Builds a sketch with avr-gcc and the installed Arduino core, without arduino-cli.

The command lines are those of the core's own ``platform.txt`` (recipes c, cpp, S, ar, c.combine, objcopy).
The objects of the core and of libraries are kept, for each chip and set of flags.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.contracts.synthesis import BuildReport, Finding, MemoryUse, both
from zeroclaw_desktop.hardware.flashing.methods.arduino_cli import install_command as core_install_command
from zeroclaw_desktop.hardware.synthesis.arduino_core import (
    ArduinoCore,
    AvrTarget,
    avr_target,
    find_core,
    tool_path,
)
from zeroclaw_desktop.hardware.synthesis.compiler_messages import read_messages, too_large
from zeroclaw_desktop.hardware.synthesis.errors import BuildError
from zeroclaw_desktop.hardware.synthesis.libraries import find_library, sources_of
from zeroclaw_desktop.hardware.synthesis.prototypes import to_cpp

COMPILE_SECONDS = 120.0
MAX_LOG = 20_000
IDE_VERSION = "10819"
_COMMON = ("-c", "-g", "-Os", "-ffunction-sections", "-fdata-sections", "-flto")
_FLAGS: Mapping[str, tuple[str, ...]] = {
    ".c": ("-std=gnu11", "-fno-fat-lto-objects"),
    ".cpp": ("-std=gnu++11", "-fpermissive", "-fno-exceptions", "-fno-threadsafe-statics"),
    ".S": ("-x", "assembler-with-cpp"),
}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_FLASH_SECTIONS, _RAM_SECTIONS = (".text", ".data", ".bootloader"), (".data", ".bss", ".noinit")
#: avr-gcc 5 does not define what WString.cpp of newer cores takes from float.h.
_DEFINES = ("-DDECIMAL_DIG=__DECIMAL_DIG__",)


@dataclass(frozen=True)
class Toolchain:
    """The programs of avr-gcc."""

    gcc: str
    gxx: str
    ar: str
    objcopy: str
    size: str


def find_toolchain() -> Toolchain | None:
    """The toolchain on the search path or of an Arduino installation; None when any of it is missing."""
    names = ("avr-gcc", "avr-g++", "avr-gcc-ar", "avr-objcopy", "avr-size")
    where = tool_path()
    found = [shutil.which(name, path=where) for name in names]
    return Toolchain(*(path for path in found if path)) if all(found) else None


def can_build(board: BoardProfile) -> bool:
    """Whether avr-gcc and a core that knows the board are installed."""
    core = find_core()
    return find_toolchain() is not None and core is not None and avr_target(board, core) is not None


class Compiler:
    """The tools of one board and a folder for what they make."""

    def __init__(
        self, runner: ChildRunner, tools: Toolchain, core: ArduinoCore, target: AvrTarget, root: Path
    ) -> None:
        self._runner = runner
        self._tools = tools
        self._core = core
        self._target = target
        self._root = root
        self._room = asyncio.Semaphore(max(1, os.cpu_count() or 1))
        self.output: list[str] = []

    def flags(self, suffix: str) -> list[str]:
        """Flags for a kind of source, the same for core, libraries and sketch."""
        target = self._target
        core, variant = self._core.root / "cores" / target.core, self._core.root / "variants" / target.variant
        return [
            *_COMMON,
            *_FLAGS[suffix],
            f"-mmcu={target.chip}",
            f"-DF_CPU={target.clock}",
            f"-DARDUINO={IDE_VERSION}",
            f"-DARDUINO_{target.board}",
            "-DARDUINO_ARCH_AVR",
            *_DEFINES,
            *target.defines,
            f"-I{core}",
            f"-I{variant}",
        ]

    async def run(self, arguments: Sequence[str]) -> bool:
        """Run one tool; its output is kept."""
        async with self._room:
            ended = await self._runner.run(
                arguments, timeout=COMPILE_SECONDS, environment={"LC_ALL": "C", "TMPDIR": str(self._root)}
            )
        if ended.tail.strip():
            self.output.append(ended.tail)
        if ended.timed_out:
            raise BuildError(
                f"The compiler did not end within {COMPILE_SECONDS:g} s.",
                hint="Make the sketch simpler; a template of C++ may expand without end.",
                code="build_timeout",
                details={"seconds": f"{COMPILE_SECONDS:g}"},
            )
        return ended.returncode == 0

    async def compile(self, source: Path, target: Path, extra: Sequence[str]) -> bool:
        """One source to one object."""
        program = self._tools.gxx if source.suffix == ".cpp" else self._tools.gcc
        command = [program, *self.flags(source.suffix), *extra, str(source), "-o", str(target)]
        return await self.run(command)

    async def archive(self, name: str, folders: Sequence[Path], extra: Sequence[str]) -> tuple[Path, bool]:
        """An archive of all sources in some folders, from the cache when they have not changed.

        Returns:
            Its path, and whether it was there.

        Raises:
            BuildError: it does not compile; nothing of it is kept.
        """
        sources = [path for folder in folders for path in _sources(folder)]
        kept = self._root / "cache" / f"{name}-{self._digest(sources, extra)}.a"
        if kept.is_file():
            return kept, True
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._root, prefix="objects-") as place:
            objects = [Path(place, f"{at}-{source.stem}.o") for at, source in enumerate(sources)]
            good = await asyncio.gather(
                *(
                    self.compile(source, target, [*extra, "-w"])
                    for source, target in zip(sources, objects, strict=True)
                )
            )
            made = Path(place, "made.a")
            if all(good) and await self.run([self._tools.ar, "rcs", str(made), *map(str, objects)]):
                os.replace(made, kept)  # another build that makes the same is no trouble
                return kept, False
        raise BuildError(
            f"'{name}' does not compile with this compiler.",
            hint="Install the compiler and the core of the same system, or arduino-cli.",
            code="core_broken",
            details={"name": name, "output": "\n".join(self.output)[-MAX_LOG:]},
        )

    def _digest(self, sources: Sequence[Path], extra: Sequence[str]) -> str:
        marks = [self._tools.gxx, str(os.stat(self._tools.gxx).st_mtime_ns), *extra]
        marks += [flag for suffix in _FLAGS for flag in self.flags(suffix)]
        for source in sources:
            status = source.stat()
            marks.append(f"{source} {status.st_size} {status.st_mtime_ns}")
        return hashlib.sha256("\n".join(marks).encode()).hexdigest()[:16]

    async def link(self, objects: Sequence[Path], elf: Path) -> bool:
        """Recipe c.combine."""
        return await self.run(
            [
                self._tools.gcc,
                "-w",
                "-Os",
                "-g",
                "-flto",
                "-fuse-linker-plugin",
                "-Wl,--gc-sections",
                f"-mmcu={self._target.chip}",
                "-o",
                str(elf),
                *map(str, objects),
                "-lm",
            ]
        )

    async def to_hex(self, elf: Path, image: Path) -> bool:
        """Recipe objcopy.hex."""
        return await self.run([self._tools.objcopy, "-O", "ihex", "-R", ".eeprom", str(elf), str(image)])

    async def sizes(self, elf: Path) -> tuple[int, int]:
        """Bytes of flash and of RAM (recipe.size.regex of the core)."""
        ended = await self._runner.run([self._tools.size, "-A", str(elf)], timeout=COMPILE_SECONDS)
        rows = dict(re.findall(r"^(\.\w+)\s+(\d+)", ended.tail, re.MULTILINE))
        return (
            sum(int(rows.get(name, 0)) for name in _FLASH_SECTIONS),
            sum(int(rows.get(name, 0)) for name in _RAM_SECTIONS),
        )


def _sources(folder: Path) -> list[Path]:
    """C, C++ and assembler files of a folder and of those in it, but not of examples."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in _FLAGS and not {"examples", "extras", "test", "tests"}.intersection(path.parts)
    )


def _libraries(text: str) -> list[Path]:
    """The libraries of a sketch and of their own headers, each once, those that need others first."""
    found: list[Path] = []
    waiting = [text]
    while waiting:
        for header in _INCLUDE.findall(waiting.pop()):
            library = find_library(header.strip())
            if library is not None and library not in found:
                found.append(library)
                folder = sources_of(library)
                texts = [*folder.glob("*.h"), *folder.glob("*.cpp")]
                waiting += [path.read_text(encoding="utf-8", errors="replace") for path in texts]
    return found


async def build_avr(
    sketch: str,
    file_name: str,
    board: BoardProfile,
    runner: ChildRunner,
    root: Path,
    on_step: Callable[[str], None] = lambda _step: None,
) -> BuildReport:
    """Compile and link a sketch; a cancel ends the compiler.

    Args:
        file_name: of the sketch, ASCII.
        root: folder for the work, with a plain path.
        on_step: told ``core``, ``sketch``, ``link`` as each begins.

    Raises:
        BuildError: no compiler or core, or it did not end in time. A fault of the sketch is a finding.
    """
    started = time.monotonic()
    tools, core = find_toolchain(), find_core()
    target = avr_target(board, core) if core is not None else None
    if tools is None or core is None or target is None:
        raise compiler_missing(board)
    job = Compiler(runner, tools, core, target, root)
    work = Path(tempfile.mkdtemp(dir=root, prefix="sketch-"))
    try:
        return await _build_in(job, sketch, file_name, target, core, work, root, started, on_step)
    finally:
        await asyncio.to_thread(shutil.rmtree, work, ignore_errors=True)


async def _build_in(
    job: Compiler,
    sketch: str,
    file_name: str,
    target: AvrTarget,
    core: ArduinoCore,
    work: Path,
    root: Path,
    started: float,
    on_step: Callable[[str], None],
) -> BuildReport:
    stem = Path(file_name).stem
    libraries = await asyncio.to_thread(_libraries, sketch)
    includes = [f"-I{sources_of(library)}" for library in libraries]
    on_step("sketch")
    source, compiled = work / f"{stem}.ino.cpp", work / f"{stem}.o"
    source.write_text(to_cpp(sketch, file_name), encoding="utf-8")
    good = await job.compile(source, compiled, ["-Wall", "-Wextra", *includes])
    cached = True
    archives: list[Path] = []
    elf, image = work / f"{stem}.elf", work / f"{stem}.hex"
    if good:
        on_step("core")
        for library in libraries:
            if _sources(sources_of(library)):
                path, kept = await job.archive(library.name, [sources_of(library)], includes)
                archives.append(path)
                cached = cached and kept
        # The variants of boards are headers only, as a rule; a few have a source.
        folders = [core.root / "cores" / target.core, core.root / "variants" / target.variant]
        path, kept = await job.archive("core", folders, [])
        cached = cached and kept
        on_step("link")
        good = await job.link([compiled, *archives, path], elf) and await job.to_hex(elf, image)
    log = "\n".join(job.output)
    findings = list(read_messages(log, file_name))
    if not good:
        if not any(finding.severity == "error" for finding in findings):
            reason = log.strip().splitlines()[-1:] or ["the compiler failed"]
            findings.append(Finding("error", "compiler", both(reason[0], reason[0])))
        seconds = time.monotonic() - started
        return BuildReport(
            False, "avr-gcc", seconds, findings=tuple(findings), core_cached=cached, log=log[-MAX_LOG:]
        )
    flash, ram = await job.sizes(elf)
    for used, limit, region in ((flash, target.flash_bytes, "text"), (ram, target.ram_bytes, "data")):
        if limit and used > limit:
            findings.append(too_large(region, used - limit))
            good = False
    kept_image = ""
    if good:
        digest = hashlib.sha256(image.read_bytes()).hexdigest()[:12]
        folder = root / "firmware"
        folder.mkdir(exist_ok=True)
        place = folder / f"{stem}-{digest}.hex"
        os.replace(image, place)
        kept_image = str(place)
    return BuildReport(
        good,
        "avr-gcc",
        time.monotonic() - started,
        kept_image,
        MemoryUse(flash, target.flash_bytes),
        MemoryUse(ram, target.ram_bytes),
        tuple(findings),
        core_cached=cached,
        log=log[-MAX_LOG:],
    )


def compiler_missing(board: BoardProfile) -> BuildError:
    """The error for a board whose sketches cannot be compiled here, with what to install."""
    avr = board.fqbn.startswith("arduino:avr:")
    core = core_install_command(board.fqbn)
    install = "sudo apt install arduino-core-avr gcc-avr" if avr and os.name == "posix" else core
    return BuildError(
        f"Nothing on this computer can compile sketches for the {board.name}.",
        hint=f"Install it: {install}" if avr else f"Install arduino-cli, then: {core}",
        code="compiler_missing",
        details={"board": board.name, "install": install},
    )
