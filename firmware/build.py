"""Builds the prebuilt firmware images and their list, or checks the committed ones against a build.

    python firmware/build.py            build all, write firmware/prebuilt/*.hex and images.toml
    python firmware/build.py --check    compare; nothing is written

Standard library only. Needs make, avr-gcc, avr-libc and avr-objcopy; the checksums are checked without them.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path(__file__).resolve().parent
PREBUILT = FIRMWARE / "prebuilt"
IMAGE_LIST = PREBUILT / "images.toml"


@dataclass(frozen=True)
class Image:
    """One image to build: where its Makefile is, and what the list says about it."""

    name: str
    file: str
    folder: str
    version_source: str
    role: str
    title: tuple[str, str]
    description: tuple[str, str]


IMAGES = (
    Image(
        name="zeroclaw-arduino",
        file="zeroclaw-arduino-uno.hex",
        folder="arduino",
        version_source="arduino/main.c",
        role="application",
        title=("ZeroClaw firmware", "ZeroClaw 固件"),
        description=(
            "Board firmware: pins, ADC, PWM, servo, tone, motors, I2C, SPI and telemetry over JSON lines.",
            "开发板固件：通过 JSON 行协议控制引脚、ADC、PWM、舵机、蜂鸣、电机、I2C、SPI 与遥测。",
        ),
    ),
    Image(
        name="zeroclaw-demo",
        file="zeroclaw-demo-uno.hex",
        folder="arduino",
        version_source="arduino/examples/blink_telemetry/main.c",
        role="application",
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
        version_source="simulator/bootloader/bootloader.S",
        role="bootloader",
        title=("Bootloader of the simulated Uno", "模拟 Uno 的引导程序"),
        description=(
            "STK500v1 loader at 0x7E00 that avrdude talks to; for the simulated board.",
            "位于 0x7E00 的 STK500v1 引导程序，供 avrdude 烧录模拟开发板使用。",
        ),
    ),
)


def tool_version(tool: str) -> str:
    """Return the first line of `tool --version`, or an empty text when the tool is not there."""
    if shutil.which(tool) is None:
        return ""
    shown = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()[0].strip()


def version_of(image: Image) -> str:
    """Read the version that the image's source declares; raises ValueError when it declares none."""
    text = (FIRMWARE / image.version_source).read_text(encoding="utf-8")
    found = re.search(r'zc_firmware_version\[\] ZC_ROM = "([^"]+)"|^; version ([\d.]+)$', text, re.M)
    if found is None:
        raise ValueError(f"no version in {image.version_source}")
    return str(found.group(1) or found.group(2))


def build_all(target: Path) -> None:
    """Build every image from nothing into the folder target; raises CalledProcessError when a build fails."""
    for folder in sorted({image.folder for image in IMAGES}):
        with tempfile.TemporaryDirectory() as scratch:
            make = ["make", "--silent", "-C", str(FIRMWARE / folder), f"BUILD={scratch}"]
            subprocess.run(make, check=True)
            for image in IMAGES:
                if image.folder == folder:
                    shutil.copyfile(Path(scratch) / image.file, target / image.file)


def count_bytes(hex_text: str) -> int:
    """Return the number of data bytes of an Intel HEX text (record type 00)."""
    return sum(int(line[1:3], 16) for line in hex_text.splitlines() if line[7:9] == "00")


def describe(image: Image, folder: Path, compiler: str) -> str:
    """Return the image's entry of images.toml."""
    data = (folder / image.file).read_bytes()
    fields = {
        "name": image.name,
        "file": image.file,
        "board": "arduino-uno",
        "chip": "atmega328p",
        "role": image.role,
        "version": version_of(image),
        "sha256": hashlib.sha256(data).hexdigest(),
        "title_en": image.title[0],
        "title_zh": image.title[1],
        "description_en": image.description[0],
        "description_zh": image.description[1],
        "compiler": compiler,
        "command": f"make -C firmware/{image.folder}",
    }
    lines = ["[[image]]", *(f'{key} = "{value}"' for key, value in fields.items())]
    return "\n".join([*lines, f"size = {count_bytes(data.decode('ascii'))}", ""])


def write_list(compiler: str) -> None:
    """Write images.toml for the images in the prebuilt folder."""
    head = "# Prebuilt images; written by firmware/build.py. size: bytes of flash.\n"
    entries = [describe(image, PREBUILT, compiler) for image in IMAGES]
    IMAGE_LIST.write_text("\n".join([head, *entries]), encoding="utf-8")


def check() -> list[str]:
    """Return what is wrong with the committed images, one line each; empty when all is right."""
    listed = tomllib.loads(IMAGE_LIST.read_text(encoding="utf-8"))["image"]
    faults = []
    for entry in listed:
        data = (PREBUILT / entry["file"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            faults.append(f"{entry['file']}: the checksum differs from images.toml")
    if {entry["file"] for entry in listed} != {image.file for image in IMAGES}:
        faults.append("images.toml does not list the images that are built")
    compiler = tool_version("avr-gcc")
    if compiler != listed[0]["compiler"]:
        print(f"not rebuilt: built with '{listed[0]['compiler']}', here is '{compiler or 'no avr-gcc'}'")
        return faults
    with tempfile.TemporaryDirectory() as scratch:
        build_all(Path(scratch))
        for image in IMAGES:
            if (Path(scratch) / image.file).read_bytes() != (PREBUILT / image.file).read_bytes():
                faults.append(f"{image.file}: a build from the sources gives another image")
    return faults


def main() -> int:
    """Run the command line; returns the exit code (1: the check found differences)."""
    parser = argparse.ArgumentParser(description="Build the prebuilt firmware images.")
    parser.add_argument("--check", action="store_true", help="compare the committed images with a build")
    if parser.parse_args().check:
        faults = check()
        print("\n".join(faults) if faults else "prebuilt images: as built")
        return 1 if faults else 0
    compiler = tool_version("avr-gcc")
    if not compiler:
        print("avr-gcc was not found (Debian: gcc-avr avr-libc binutils-avr make)", file=sys.stderr)
        return 2
    build_all(PREBUILT)
    write_list(compiler)
    print(IMAGE_LIST.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
