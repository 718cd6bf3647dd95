"""Rust firmware: a project as source; built where cargo, the target and the crates are there already.

Nothing is fetched here: crates come with ``cargo fetch``, which the person starts.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.contracts.synthesis import BuildReport, Finding, FirmwarePlan, both
from zeroclaw_desktop.foundation.errors import AssetMissingError
from zeroclaw_desktop.hardware.synthesis.errors import WishError
from zeroclaw_desktop.hardware.synthesis.templates import shared_source

BUILD_SECONDS = 900.0
MAX_LOG = 20_000


@dataclass(frozen=True)
class RustPlatform:
    """What a chip needs.

    Attributes:
        target: name of the compiler's target.
        folder: of the shared project files below ``firmware/templates/rust``.
        feature: of the crates, for this chip.
        flasher: program that writes the result.
    """

    target: str
    folder: str
    feature: str
    flasher: str


_XTENSA = "xtensa-esp32-none-elf"
PLATFORMS: Mapping[str, RustPlatform] = {
    "esp32": RustPlatform(_XTENSA, "esp32", "esp32", "espflash"),
    "esp32-s2": RustPlatform("xtensa-esp32s2-none-elf", "esp32", "esp32s2", "espflash"),
    "esp32-s3": RustPlatform("xtensa-esp32s3-none-elf", "esp32", "esp32s3", "espflash"),
    "esp32-c3": RustPlatform("riscv32imc-unknown-none-elf", "esp32", "esp32c3", "espflash"),
    "esp32-c6": RustPlatform("riscv32imac-unknown-none-elf", "esp32", "esp32c6", "espflash"),
    "nucleo-f401re": RustPlatform("thumbv7em-none-eabihf", "stm32f4", "stm32f401", "probe-rs"),
    "nucleo-f411re": RustPlatform("thumbv7em-none-eabihf", "stm32f4", "stm32f411", "probe-rs"),
}
"""By board; a board that is not here has no Rust sources."""
FILES: Mapping[str, str] = {
    "Cargo.toml": "Cargo.toml",
    "config.toml": ".cargo/config.toml",
    "board.rs": "src/board.rs",
    "build.rs": "build.rs",
    "memory.x": "memory.x",
}
"""Shared files of a platform and their place in the project; a platform need not have all of them."""


async def build_rust(plan: FirmwarePlan, board: BoardProfile, runner: ChildRunner, root: Path) -> BuildReport:
    """Write the project; build it where that works without fetching anything.

    Args:
        root: folder for the work, with a plain path.

    Raises:
        WishError: the board has no Rust sources.
    """
    started = time.monotonic()
    platform = PLATFORMS.get(board.key)
    if platform is None:
        raise WishError(f"There are no Rust sources for the {board.name}.", code="unknown_dialect")
    project = root / "rust" / f"{plan.template.key}-{board.key}"
    _write(project, plan, platform)
    cargo = shutil.which("cargo")
    if cargo is None:
        return _source_only(project, started, "cargo", "https://rustup.rs")
    ended = await runner.run(
        [cargo, "build", "--release", "--offline", "--manifest-path", str(project / "Cargo.toml"),
         "--config", str(project / ".cargo" / "config.toml")],
        timeout=BUILD_SECONDS,
        environment={"CARGO_TARGET_DIR": str(root / "rust-target"), "CARGO_TERM_COLOR": "never"},
    )  # fmt: skip
    log = ended.tail[-MAX_LOG:]
    elf = root / "rust-target" / platform.target / "release" / "zeroclaw-firmware"
    if ended.returncode == 0 and elf.is_file():
        digest = hashlib.sha256(elf.read_bytes()).hexdigest()[:12]
        folder = root / "firmware"
        folder.mkdir(exist_ok=True)
        place = folder / f"{plan.template.key}-{digest}.elf"
        shutil.copyfile(elf, place)
        return BuildReport(True, "cargo", time.monotonic() - started, str(place), log=log)
    if re.search(r"target may not be installed|can't find crate for `core`", log):
        return _source_only(project, started, platform.target, f"rustup target add {platform.target}", log)
    if re.search(r"no matching package|--offline|failed to (?:load source|download)|unable to update", log):
        manifest = project / "Cargo.toml"
        return _source_only(project, started, "crates", f"cargo fetch --manifest-path {manifest}", log)
    reason = next((line for line in log.splitlines() if line.startswith("error")), "cargo failed")
    finding = Finding("error", "compiler", both(reason, reason))
    return BuildReport(False, "cargo", time.monotonic() - started, findings=(finding,), log=log)


def _write(project: Path, plan: FirmwarePlan, platform: RustPlatform) -> None:
    (project / "src").mkdir(parents=True, exist_ok=True)
    (project / ".cargo").mkdir(exist_ok=True)
    (project / "src" / "main.rs").write_text(plan.sketch, encoding="utf-8")
    for name, place_of in FILES.items():
        try:
            text = shared_source(f"rust/{platform.folder}/{name}")
        except AssetMissingError:
            continue
        text = text.replace("@TARGET@", platform.target).replace("@FEATURE@", platform.feature)
        place = project / place_of
        temporary = place.with_suffix(".new")
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, place)


def _source_only(project: Path, started: float, missing: str, install: str, log: str = "") -> BuildReport:
    """The project is there; what is missing to build it is said."""
    message = both(
        f"The Rust project was written but not built: {missing} is missing here. It is in {project}.",
        f"已写出 Rust 工程但未编译：缺少 {missing}。位置：{project}。",
    )
    hint = both(f"Install it: {install}", f"安装：{install}")
    finding = Finding("error", "rust_missing", message, hint)
    return BuildReport(False, "cargo", time.monotonic() - started, findings=(finding,), log=log)
