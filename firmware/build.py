"""Builds the prebuilt firmware images and their list, or checks the committed ones against a build.

    python firmware/build.py                  build all, write firmware/prebuilt/ and its images.toml
    python firmware/build.py --only stm32     the same for the images of one folder
    python firmware/build.py --check          compare; nothing is written
    python firmware/build.py --sketch FOLDER  put the Arduino sketch for Espressif's chips together in FOLDER

Standard library only. Needs make and the compilers of the images: avr-gcc with avr-libc, arm-none-eabi-gcc
with the headers of newlib (Debian: gcc-avr avr-libc binutils-avr gcc-arm-none-eabi libnewlib-arm-none-eabi).
The checksums are checked without them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path(__file__).resolve().parent
PREBUILT = FIRMWARE / "prebuilt"
IMAGE_LIST = PREBUILT / "images.toml"
VERSION_FILE = "protocol/zc_version.h"
PYTHON_FILES = "micropython"
"""Folder whose image is an archive of its files."""
COMPILERS = {"arduino": "avr-gcc", "simulator/bootloader": "avr-gcc"}
DEFAULT_COMPILER = "arm-none-eabi-gcc"
SHARED_WITH_SKETCH = (
    "zc_board.h",
    "zc_pins.c",
    "zc_serial.c",
    "zc_i2c_lines.c",
    "zc_spi_lines.c",
    "zc_uart_lines.c",
)
UF2_BLOCK = 512
ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Image:
    """One image to build: where its Makefile is, and what the list says about it.

    Attributes:
        boards: keys of the boards that take it; each gets a row of its own.
        role: ``application``, ``bootloader``, or ``micropython`` for files of a board that runs MicroPython.
    """

    name: str
    file: str
    folder: str
    boards: tuple[str, ...]
    chip: str
    title: tuple[str, str]
    description: tuple[str, str]
    role: str = "application"
    version_source: str = VERSION_FILE

    @property
    def kind(self) -> str:
        """``hex``, ``uf2`` or ``python``."""
        return {".hex": "hex", ".uf2": "uf2", ".zip": "python"}[Path(self.file).suffix]

    @property
    def compiler(self) -> str:
        """Its compiler; '' when it needs none."""
        return "" if self.folder == PYTHON_FILES else COMPILERS.get(self.folder, DEFAULT_COMPILER)


TITLE = ("ZeroClaw firmware", "ZeroClaw 固件")
WITH_MOTORS = (
    "Board firmware: pins, ADC, PWM, servo, tone, motors, I2C, SPI and telemetry over JSON lines.",
    "开发板固件：通过 JSON 行协议控制引脚、ADC、PWM、舵机、蜂鸣、电机、I2C、SPI 与遥测。",
)


def _protocol(name: str, key: str, folder: str, boards: tuple[str, ...], chip: str, ending: str) -> Image:
    return Image(name, f"zeroclaw-{key}.{ending}", folder, boards, chip, TITLE, WITH_MOTORS)


NANOS = ("arduino-nano", "arduino-nano-old")
IMAGES = (
    _protocol("zeroclaw-arduino", "arduino-uno", "arduino", ("arduino-uno",), "atmega328p", "hex"),
    Image(
        name="zeroclaw-demo",
        file="zeroclaw-demo-uno.hex",
        folder="arduino",
        boards=("arduino-uno",),
        chip="atmega328p",
        title=("Blink and telemetry demo", "闪灯与遥测演示"),
        description=(
            "Blinks the LED on pin 13 every half second, prints the temperature on A1 and the light on A0.",
            "13 号引脚的 LED 每半秒闪烁一次，并输出 A1 的温度和 A0 的光照值。",
        ),
    ),
    Image(
        name="bootloader",
        file="bootloader-uno.hex",
        folder="simulator/bootloader",
        boards=("arduino-uno",),
        chip="atmega328p",
        version_source="simulator/bootloader/bootloader.S",
        role="bootloader",
        title=("Bootloader of the simulated Uno", "模拟 Uno 的引导程序"),
        description=(
            "STK500v1 loader at 0x7E00 that avrdude talks to; for the simulated board.",
            "位于 0x7E00 的 STK500v1 引导程序，供 avrdude 烧录模拟开发板使用。",
        ),
    ),
    _protocol("zeroclaw-arduino", "arduino-nano", "arduino", NANOS, "atmega328p", "hex"),
    _protocol("zeroclaw-arduino", "arduino-mega", "arduino", ("arduino-mega",), "atmega2560", "hex"),
    _protocol("zeroclaw-stm32", "nucleo-f401re", "stm32", ("nucleo-f401re",), "stm32f401re", "hex"),
    _protocol("zeroclaw-stm32", "nucleo-f411re", "stm32", ("nucleo-f411re",), "stm32f411re", "hex"),
    _protocol("zeroclaw-pico", "raspberry-pi-pico", "pico", ("raspberry-pi-pico",), "rp2040", "uf2"),
    _protocol("zeroclaw-pico", "raspberry-pi-pico-w", "pico", ("raspberry-pi-pico-w",), "rp2040", "uf2"),
    Image(
        name="zeroclaw-micropython",
        file="zeroclaw-micropython.zip",
        folder=PYTHON_FILES,
        boards=("raspberry-pi-pico", "raspberry-pi-pico-w", "esp32"),
        chip="",
        role="micropython",
        title=("ZeroClaw firmware in MicroPython", "MicroPython 版 ZeroClaw 固件"),
        description=(
            "The same protocol as files for a board that runs MicroPython.",
            "同一协议的 MicroPython 文件，供已运行 MicroPython 的开发板使用。",
        ),
    ),
)


def tool_version(tool: str) -> str:
    """Return the first line of `tool --version`, or an empty text when the tool is not there."""
    if not tool or shutil.which(tool) is None:
        return ""
    shown = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()[0].strip()


def version_of(image: Image) -> str:
    """Read the version that the image's source declares; raises ValueError when it declares none."""
    text = (FIRMWARE / image.version_source).read_text(encoding="utf-8")
    found = re.search(r'ZC_FIRMWARE_VERSION "([^"]+)"|^; version ([\d.]+)$', text, re.M)
    if found is None:
        raise ValueError(f"no version in {image.version_source}")
    return str(found.group(1) or found.group(2))


def build_folder(folder: str, target: Path) -> None:
    """Build the images of a folder from nothing into target; raises CalledProcessError when a build fails."""
    images = [image for image in IMAGES if image.folder == folder]
    if folder == PYTHON_FILES:
        for image in images:
            (target / image.file).write_bytes(archive(FIRMWARE / folder))
        return
    with tempfile.TemporaryDirectory() as scratch:
        make = [
            *("make", "--silent", f"--jobs={os.cpu_count() or 1}", "-C", str(FIRMWARE / folder)),
            *(f"BUILD={scratch}", f"PYTHON={sys.executable}"),
        ]
        subprocess.run(make, check=True)
        for image in images:
            shutil.copyfile(Path(scratch) / image.file, target / image.file)


def archive(folder: Path) -> bytes:
    """The .py files of a folder as an archive that is the same on every computer."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for path in sorted(folder.glob("*.py")):
            entry = zipfile.ZipInfo(path.name, ARCHIVE_DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            file.writestr(entry, path.read_bytes().replace(b"\r\n", b"\n"))
    return buffer.getvalue()


def count_bytes(image: Image, data: bytes) -> int:
    """Return how much of the flash an image fills: data of an Intel HEX or UF2 file, files of an archive."""
    if image.kind == "hex":
        lines = data.decode("ascii").splitlines()
        return sum(int(line[1:3], 16) for line in lines if line[7:9] == "00")
    if image.kind == "uf2":
        return sum(int.from_bytes(data[at + 16 : at + 20], "little") for at in range(0, len(data), UF2_BLOCK))
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return sum(entry.file_size for entry in file.infolist())


def describe(image: Image, board: str, compiler: str) -> str:
    """Return the image's entry of images.toml for one of its boards."""
    data = (PREBUILT / image.file).read_bytes()
    fields = {
        "name": image.name,
        "file": image.file,
        "kind": image.kind,
        "board": board,
        "chip": image.chip,
        "role": image.role,
        "version": version_of(image),
        "sha256": hashlib.sha256(data).hexdigest(),
        "title_en": image.title[0],
        "title_zh": image.title[1],
        "description_en": image.description[0],
        "description_zh": image.description[1],
        "compiler": compiler,
        "command": f"make -C firmware/{image.folder}" if compiler else "python firmware/build.py",
    }
    lines = ["[[image]]", *(f'{key} = "{value}"' for key, value in fields.items())]
    return "\n".join([*lines, f"size = {count_bytes(image, data)}", ""])


def listed_compilers() -> dict[str, str]:
    """File -> compiler that the committed list tells; empty when there is no list."""
    if not IMAGE_LIST.exists():
        return {}
    return {
        row["file"]: row["compiler"] for row in tomllib.loads(IMAGE_LIST.read_text(encoding="utf-8"))["image"]
    }


def write_list(built: set[str]) -> None:
    """Write images.toml; images of folders that were not built keep the compiler of the former list."""
    head = "# Prebuilt images; written by firmware/build.py. size: bytes of flash, or of files.\n"
    former = listed_compilers()
    entries = []
    for image in IMAGES:
        compiler = tool_version(image.compiler) if image.folder in built else former[image.file]
        entries += [describe(image, board, compiler) for board in image.boards]
    IMAGE_LIST.write_text("\n".join([head, *entries]), encoding="utf-8")


def check() -> list[str]:
    """Return what is wrong with the committed images, one line each; empty when all is right."""
    listed = tomllib.loads(IMAGE_LIST.read_text(encoding="utf-8"))["image"]
    faults = []
    for entry in listed:
        data = (PREBUILT / entry["file"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            faults.append(f"{entry['file']}: the checksum differs from images.toml")
    wanted = {(image.file, board) for image in IMAGES for board in image.boards}
    if {(entry["file"], entry["board"]) for entry in listed} != wanted:
        faults.append("images.toml does not list the images that are built")
    compilers = listed_compilers()
    for folder in dict.fromkeys(image.folder for image in IMAGES):
        images = [image for image in IMAGES if image.folder == folder]
        here, there = tool_version(images[0].compiler), compilers.get(images[0].file, "")
        if here != there:
            print(f"{folder}: not rebuilt: built with '{there}', here is '{here or 'no such compiler'}'")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            build_folder(folder, Path(scratch))
            for image in images:
                if (Path(scratch) / image.file).read_bytes() != (PREBUILT / image.file).read_bytes():
                    faults.append(f"{image.file}: a build from the sources gives another image")
    return faults


def make_sketch(folder: Path) -> None:
    """Put the sketch for Espressif's chips together: Arduino compiles what lies in the sketch's folder."""
    sketch = FIRMWARE / "esp32" / "zeroclaw_esp32"
    target = folder / sketch.name
    target.mkdir(parents=True, exist_ok=True)
    sources = [*sketch.iterdir(), *(FIRMWARE / "protocol").glob("zc_*.[ch]")]
    for path in [*sources, *(FIRMWARE / "shared" / name for name in SHARED_WITH_SKETCH)]:
        shutil.copyfile(path, target / path.name)
    print(
        f"Open {target / sketch.name}.ino with the Arduino IDE, or: arduino-cli compile --fqbn BOARD {target}"
    )


def main() -> int:
    """Run the command line; returns the exit code (1: differences found, 2: a compiler is missing)."""
    parser = argparse.ArgumentParser(description="Build the prebuilt firmware images.")
    folders = list(dict.fromkeys(image.folder for image in IMAGES))
    parser.add_argument("--check", action="store_true", help="compare the committed images with a build")
    parser.add_argument("--only", choices=folders, help="build the images of one folder")
    parser.add_argument(
        "--sketch", type=Path, metavar="FOLDER", help="put the sketch for ESP32 and ESP8266 there"
    )
    options = parser.parse_args()
    if options.sketch is not None:
        make_sketch(options.sketch)
        return 0
    if options.check:
        faults = check()
        print("\n".join(faults) if faults else "prebuilt images: as built")
        return 1 if faults else 0
    wanted = [options.only] if options.only else folders
    needed = {image.compiler for image in IMAGES if image.folder in wanted} - {""}
    missing = sorted(tool for tool in needed if not tool_version(tool))
    if missing:
        print(
            f"Not found: {', '.join(missing)}; what to install stands at the top of build.py", file=sys.stderr
        )
        return 2
    for folder in wanted:
        build_folder(folder, PREBUILT)
    write_list(set(wanted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
