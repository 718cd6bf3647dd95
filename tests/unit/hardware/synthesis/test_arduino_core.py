"""HW-9: which core and compiler are used, and what boards.txt says of a board."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.arduino_core import avr_target, find_core
from zeroclaw_desktop.hardware.synthesis.avr_build import find_toolchain

BOARDS_TXT = """\
# a comment
nano.name=Arduino Nano
nano.build.f_cpu=16000000L
nano.build.board=AVR_NANO
nano.build.core=arduino
nano.build.variant=eightanaloginputs
nano.menu.cpu.atmega328=ATmega328P
nano.menu.cpu.atmega328.upload.maximum_size=30720
nano.menu.cpu.atmega328.upload.maximum_data_size=2048
nano.menu.cpu.atmega328.build.mcu=atmega328p
nano.menu.cpu.atmega168.upload.maximum_size=14336
nano.menu.cpu.atmega168.build.mcu=atmega168
leonardo.build.mcu=atmega32u4
leonardo.build.vid=0x2341
leonardo.build.pid=0x8036
leonardo.build.usb_product="Arduino Leonardo"
leonardo.build.extra_flags={build.usb_flags}
"""


@pytest.fixture
def core_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "avr"
    (folder / "cores" / "arduino").mkdir(parents=True)
    (folder / "boards.txt").write_text(BOARDS_TXT)
    (folder / "platform.txt").write_text("name=Boards\nversion=1.8.6\n")
    monkeypatch.setenv("ZEROCLAW_ARDUINO_CORE", str(folder))
    return folder


def test_options_of_the_board_choose_the_chip(core_folder: Path) -> None:
    core = find_core()
    assert core is not None
    assert (core.root, core.version) == (core_folder, "1.8.6")
    target = avr_target(board_catalog()["arduino-nano"], core)
    assert target is not None
    assert (target.chip, target.flash_bytes, target.ram_bytes) == ("atmega328p", 30_720, 2_048)
    assert (target.board, target.variant) == ("AVR_NANO", "eightanaloginputs")


def test_usb_of_its_own_is_told_to_the_compiler(core_folder: Path) -> None:
    core = find_core()
    assert core is not None
    target = avr_target(board_catalog()["arduino-leonardo"], core)
    assert target is not None
    assert "-DUSB_PID=0x8036" in target.defines
    assert '-DUSB_PRODUCT="Arduino Leonardo"' in target.defines


def test_a_board_that_the_core_does_not_know(core_folder: Path) -> None:
    core = find_core()
    assert core is not None
    assert avr_target(board_catalog()["arduino-mega"], core) is None
    assert avr_target(board_catalog()["esp32"], core) is None


def test_the_compiler_of_an_arduino_installation_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_toolchain() is None
    folder = tmp_path / ".arduino15/packages/arduino/tools/avr-gcc/7.3.0-atmel3.6.1-arduino7/bin"
    folder.mkdir(parents=True)
    for name in ("avr-gcc", "avr-g++", "avr-gcc-ar", "avr-objcopy", "avr-size"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    found = find_toolchain()
    assert found is not None
    assert found.gxx == str(folder / "avr-g++")
