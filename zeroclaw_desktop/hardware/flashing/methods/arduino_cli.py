"""``arduino-cli upload`` (GPL, a child process): the core of the board knows how it is written."""

from __future__ import annotations

import re
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import ArduinoCliOptions, AvrdudeOptions
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.flashing.failures import Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit, unfit
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.methods.avrdude import CAUSES as AVRDUDE_CAUSES
from zeroclaw_desktop.hardware.flashing.methods.avrdude import follow_bars
from zeroclaw_desktop.hardware.flashing.stm32_program import flat_program
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool
from zeroclaw_desktop.hardware.simulator.intel_hex import to_intel_hex

UPLOAD_SECONDS = 300.0
ARDUINO_CLI = ToolSpec(
    "arduino-cli",
    ("arduino-cli",),
    Words("builds sketches and writes them with the core of the board", "用开发板的核心编译并写入程序"),
    {
        "linux": "curl -fsSL https://raw.githubusercontent.com/arduino/arduino-cli/master/install.sh "
        "| BINDIR=~/.local/bin sh",
        "darwin": "brew install arduino-cli",
        "win32": "winget install ArduinoSA.CLI",
    },
    version=("version",),
)
CORE_INDEXES = {
    "STMicroelectronics": "https://github.com/stm32duino/BoardManagerFiles/raw/main/"
    "package_stmicroelectronics_index.json",
    "rp2040": "https://github.com/earlephilhower/arduino-pico/releases/download/global/"
    "package_rp2040_index.json",
    "esp32": "https://espressif.github.io/arduino-esp32/package_esp32_index.json",
    "esp8266": "https://arduino.esp8266.com/stable/package_esp8266com_index.json",
}
"""Where the cores come from that are not Arduino's own."""
CAUSES = (
    Cause(
        r"platform \S+ is not installed|platform '\S+' not found",
        "core_missing",
        "arduino-cli has no core for this board yet. Nothing was written.",
        "Install it: {install}",
    ),
    Cause(
        r"unknown fqbn|board \S+ not found|invalid option",
        "core_missing",
        "The core of arduino-cli does not know this board ({fqbn}). Nothing was written.",
        "Update the core: {install}",
    ),
    *AVRDUDE_CAUSES,
    Cause(
        r"no upload port found|no device found on|port .* not found|could not open port",
        "port_missing",
        "The port could not be opened.",
        "Plug the board in again, or choose another port.",
    ),
)
_PERCENT = re.compile(r"(?:writ|download|upload|program)\w*\b.*?(\d{1,3}(?:\.\d+)?) ?%", re.IGNORECASE)
_BEGUN = re.compile(r"^(?:writing|erasing|downloading|programming|flashing)\b", re.IGNORECASE)


def full_name(profile: BoardProfile) -> str:
    """The fully qualified board name with its options."""
    options = profile.flash.options["arduino-cli"]
    assert isinstance(options, ArduinoCliOptions)
    return f"{profile.fqbn}:{options.options}" if options.options else profile.fqbn


def install_command(fqbn: str) -> str:
    """What installs or updates the core of a board."""
    vendor, architecture, *_ = [*fqbn.split(":"), ""]
    command = f"arduino-cli core install {vendor}:{architecture}"
    index = CORE_INDEXES.get(vendor, "")
    return f"{command} --additional-urls {index}" if index else command


class ArduinoCli:
    """See FlashMethod."""

    key = "arduino-cli"
    image_kinds = frozenset({"hex", "bin", "elf", "uf2"})
    needs_port = True
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(ARDUINO_CLI)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_fit(image, profile)
        if profile.fqbn.startswith(("esp32:", "esp8266:")):
            raise unfit(image.path, "arduino-cli writes this board from a whole build only; use esptool")
        if image.kind == "uf2" and not profile.fqbn.startswith("rp2040:"):
            raise unfit(image.path, "the core of this board does not take .uf2 files")

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        fqbn = full_name(job.profile)
        avrdude = job.profile.flash.options.get("avrdude")
        rates = str(avrdude.baud) if isinstance(avrdude, AvrdudeOptions) else "?"
        details = {"rates": rates, "fqbn": fqbn, "install": install_command(fqbn)}
        run = ToolRun(job, "arduino-cli", CAUSES, details)

        def on_line(line: str) -> None:
            percent = _PERCENT.search(line)
            if percent and float(percent[1]) <= 100.0:
                run.report("write", float(percent[1]))
            elif _BEGUN.match(line) and not run.wrote:
                run.report("write", None)

        await run.must_run(
            [
                *job.tool.argv,
                "upload",
                "--fqbn", fqbn,
                "--port", job.port,
                "--input-file", str(self._file(job)),
                "--verify",
                "--verbose",
                "--no-color",
            ],
            timeout=UPLOAD_SECONDS,
            on_line=on_line,
            on_growth=follow_bars(lambda progress: run.report(progress.phase, progress.percent)),
        )  # fmt: skip
        return run.seconds

    @staticmethod
    def _file(job: FlashJob) -> Path:
        """What was checked, in the format that the core takes: AVR wants .hex, RP2040 .uf2, others .bin."""
        image = job.image
        if image.kind == "uf2":
            path = job.folder / "firmware.uf2"
            path.write_bytes(image.original)
        elif ":avr:" in job.profile.fqbn or image.kind == "hex":
            path = job.folder / "firmware.hex"
            path.write_text(to_intel_hex(image.segments), encoding="ascii")
        else:
            path = job.folder / "firmware.bin"
            path.write_bytes(flat_program(image))
        return path
