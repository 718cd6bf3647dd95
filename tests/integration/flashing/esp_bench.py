"""The real esptool, our engine around it, and a double of the chip's loader."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.helpers.esp_loader import LoaderDouble
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.flashing.images import image_from_file
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.methods.esptool import Esptool
from zeroclaw_desktop.sandbox.process import ChildProcesses


@dataclass
class Heard:
    """A FlashListener that keeps everything."""

    phases: list[tuple[str, float | None]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def phase(self, name: str, percent: float | None, message: str) -> None:
        self.phases.append((name, percent))

    def line(self, text: str) -> None:
        self.lines.append(text)

    def percents(self, phase: str) -> list[float]:
        return [percent for name, percent in self.phases if name == phase and percent is not None]


class EspBench:
    """One board; ``flash`` does what the flow does, without the flow."""

    def __init__(self, double: LoaderDouble, profile: BoardProfile, folder: Path) -> None:
        self.double = double
        self.profile = profile
        self.heard = Heard()
        self.method = Esptool()
        self.folder = folder

    def job(self, content: bytes | Path, name: str = "firmware.bin", *, by_hand: bool = False) -> FlashJob:
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path = content
        image = image_from_file(path, self.profile)
        self.method.check(image, self.profile)
        work = self.folder / "job"
        work.mkdir(exist_ok=True)
        return FlashJob(
            self.profile,
            image,
            str(self.double.path),
            self.method.find_tool(),
            ChildProcesses(),
            self.heard,
            work,
            by_hand,
        )

    async def flash(
        self, content: bytes | Path, name: str = "firmware.bin", *, by_hand: bool = False
    ) -> ChipIdentity:
        job = self.job(content, name, by_hand=by_hand)
        identity = await self.method.identify(job)
        await self.method.write(replace(job, identity=identity))
        return identity
