"""HW-9: building with the real avr-gcc, and with arduino-cli as far as a stand-in can play it."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from pathlib import Path

import pytest

from tests.integration.synthesis.sketch_bench import build, needs_compiler, plan
from zeroclaw_desktop.contracts.synthesis import BuildReport, FirmwarePlan, FirmwareWish
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.flashing.flasher import check_kind
from zeroclaw_desktop.hardware.flashing.images import image_from_file
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex
from zeroclaw_desktop.hardware.synthesis.avr_build import build_avr
from zeroclaw_desktop.hardware.synthesis.build_folder import is_plain
from zeroclaw_desktop.hardware.synthesis.builder import build_plan
from zeroclaw_desktop.hardware.synthesis.errors import BuildError
from zeroclaw_desktop.hardware.synthesis.planning import plan_firmware
from zeroclaw_desktop.sandbox.process import ChildProcesses

UNO = board_catalog()["arduino-uno"]
EMPTY = "void setup() {}\nvoid loop() {}\n"


def built(made: FirmwarePlan) -> BuildReport:
    return asyncio.run(build_plan(made, board_catalog()[made.board], ChildProcesses()))


def edited(sketch: str) -> FirmwarePlan:
    return plan_firmware(FirmwareWish("blink", sketch=sketch), UNO)


@needs_compiler
@pytest.mark.parametrize("name", ["王磊 的文件夹", "a b"])
def test_a_home_with_chinese_letters_or_spaces_does_not_matter(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / name
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ZEROCLAW_HOME", str(home / ".zeroclaw"))
    report = built(plan("blink"))
    assert report.ok, report.log
    assert is_plain(Path(report.firmware))
    assert 0 in parse_intel_hex(Path(report.firmware).read_text())


@needs_compiler
def test_the_core_is_compiled_once(tmp_path: Path) -> None:
    first, second = (build(plan(template), tmp_path) for template in ("blink", "servo"))
    assert (first.core_cached, second.core_cached) == (False, True)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("sketch-", "objects-"))]


@needs_compiler
def test_errors_have_the_lines_of_the_sketch(build_folder: Path) -> None:
    sketch = "void setup() {\n  pinMode(9, OUTPUT);\n  digitalWrit(9, HIGH);\n}\nvoid loop() {}\n"
    report = build(edited(sketch), build_folder)
    assert not report.ok
    assert report.firmware == ""
    errors = [finding for finding in report.findings if finding.severity == "error"]
    assert [finding.line for finding in errors] == [3]
    assert "digitalWrit" in errors[0].message["en"]
    assert errors[0].hint["zh"]


@needs_compiler
def test_functions_may_be_used_before_they_are_defined(build_folder: Path) -> None:
    sketch = (
        "void setup() { later(2); }\nvoid loop() {}\n"
        "int later(int value) { return value * doubled(value); }\n"
        "template <typename T>\nT same(T value) { return value; }\n"
        "int doubled(int value) { return same(value) * 2; }\n"
    )
    report = build(edited(sketch), build_folder)
    assert report.ok, report.log


@needs_compiler
def test_a_program_that_is_too_large_is_refused(build_folder: Path) -> None:
    sketch = "volatile char big[3000];\nvoid setup() { big[1] = 1; }\nvoid loop() { big[2]++; }\n"
    report = build(edited(sketch), build_folder)
    assert not report.ok
    (finding,) = [finding for finding in report.findings if finding.severity == "error"]
    assert finding.code == "too_large"
    assert "RAM" in finding.message["en"]
    # 2048 bytes of the ATmega328P; the core itself takes a few.
    assert report.ram is None or report.ram.used > 2048


@needs_compiler
def test_a_missing_setup_is_told(build_folder: Path) -> None:
    report = build(edited("void loop() {}\n"), build_folder)
    assert not report.ok
    assert any("setup" in finding.message["en"] for finding in report.findings)


@needs_compiler
def test_a_library_of_the_core_is_found_and_linked(build_folder: Path) -> None:
    headers = "#include <SPI.h>\n#include <EEPROM.h>\n"
    sketch = headers + "void setup() { SPI.begin(); EEPROM.write(1, 2); }\nvoid loop() {}\n"
    report = build(edited(sketch), build_folder)
    assert report.ok, report.log


@needs_compiler
def test_a_cancel_ends_the_compiler(tmp_path: Path) -> None:
    # A template that expands for ever: only the limit of the compiler or a cancel ends it.
    endless = (
        "template <long N> struct T { static const long a = T<N + 1>::a + T<N * 2>::a; };\n"
        "void setup() { Serial.begin(T<1>::a); }\nvoid loop() {}\n"
    )

    async def main() -> None:
        work = asyncio.create_task(build_avr(endless, "blink.ino", UNO, ChildProcesses(), tmp_path))
        while not any(tmp_path.glob("sketch-*/blink.ino.cpp")):
            await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(main())
    assert not list(tmp_path.glob("sketch-*"))


def test_a_plan_with_errors_is_given_to_no_compiler() -> None:
    report = built(plan_firmware(FirmwareWish("blink", pins={"led": "1"}), UNO))
    assert (report.ok, report.tool) == (False, "check")
    assert [finding.code for finding in report.findings] == ["pin_reserved"]


def test_no_compiler_is_told_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError) as caught:
        built(plan("blink"))
    assert caught.value.code == "compiler_missing"
    assert "apt install arduino-core-avr gcc-avr" in caught.value.hint
    with pytest.raises(BuildError) as caught:
        built(plan("blink", "esp32"))
    assert "arduino-cli core install esp32:esp32" in caught.value.hint


STAND_IN = """#!/usr/bin/env python3
import json, pathlib, sys
arguments = sys.argv[1:]
(pathlib.Path(__file__).parent / "arguments.json").write_text(json.dumps(arguments))
sketch = pathlib.Path(arguments[-1])
source = next(sketch.glob("*.ino"))
assert source.stem == sketch.name
out = pathlib.Path(arguments[arguments.index("--output-dir") + 1])
ANSWER = json.loads('''%s''')
if ANSWER.get("success"):
    out.mkdir()
    (out / (source.name + ".hex")).write_text(":00000001FF\\n")
print(json.dumps(ANSWER))
sys.exit(0 if ANSWER.get("success") else 1)
"""


def play_arduino_cli(folder: Path, answer: object, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a stand-in on the path that prints an answer in the form of arduino-cli 1.x."""
    program = folder / "arduino-cli"
    program.write_text(STAND_IN % json.dumps(answer).replace("\\", "\\\\"))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "arguments.json"


def test_arduino_cli_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [
        {"name": "text", "size": 924, "max_size": 30720},
        {"name": "data", "size": 9, "max_size": 2048},
    ]
    answer = {
        "compiler_out": "",
        "compiler_err": "",
        "builder_result": {"build_path": "x", "executable_sections_size": sizes},
        "success": True,
    }
    arguments = play_arduino_cli(tmp_path, answer, monkeypatch)
    report = built(plan("blink", "arduino-nano-old"))
    assert (report.ok, report.tool) == (True, "arduino-cli")
    assert report.flash is not None
    assert (report.flash.used, report.flash.limit) == (924, 30720)
    assert report.ram is not None
    assert (report.ram.used, report.ram.limit) == (9, 2048)
    assert Path(report.firmware).read_text() == ":00000001FF\n"
    asked = json.loads(arguments.read_text())
    assert asked[:2] == ["compile", "--json"]
    assert asked[asked.index("--fqbn") + 1] == "arduino:avr:nano:cpu=atmega328old"


def test_errors_of_arduino_cli_have_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {
        "compiler_out": "",
        "compiler_err": "/x/blink/blink.ino:5:3: error: 'pinMod' was not declared in this scope\n",
        "builder_result": {},
        "success": False,
        "error": "Error during build: exit status 1",
    }
    play_arduino_cli(tmp_path, answer, monkeypatch)
    report = built(plan("blink"))
    assert not report.ok
    assert [(finding.line, finding.severity) for finding in report.findings] == [(5, "error")]


@needs_compiler
def test_without_its_core_avr_gcc_does_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {
        "success": False,
        "error": "Error during build: Platform 'arduino:avr' not found: platform not installed",
    }
    play_arduino_cli(tmp_path, answer, monkeypatch)
    report = built(plan("blink"))
    assert (report.ok, report.tool) == (True, "avr-gcc")


def test_an_answer_that_is_no_json_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "arduino-cli"
    program.write_text("#!/bin/sh\necho flag provided but not defined: -json\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(BuildError) as caught:
        built(plan("blink"))
    assert "1.0" in caught.value.hint


def test_micropython_is_kept_as_a_file() -> None:
    made = plan_firmware(FirmwareWish("blink", "micropython"), board_catalog()["raspberry-pi-pico"])
    report = built(made)
    assert report.ok
    assert report.checked_only
    assert Path(report.firmware).read_text() == made.sketch
    pico = board_catalog()["raspberry-pi-pico"]
    image = image_from_file(Path(report.firmware), pico)
    assert [method.key for method in check_kind(image, pico)] == ["mpremote"]


def test_mpy_cross_is_asked_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "mpy-cross"
    program.write_text(
        "#!/bin/sh\nprintf '  File \"blink.py\", line 7\\nSyntaxError: invalid syntax\\n' >&2\nexit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    made = plan_firmware(FirmwareWish("blink", "micropython"), board_catalog()["raspberry-pi-pico"])
    report = built(made)
    assert (report.ok, report.tool) == (False, "mpy-cross")
    assert [(finding.line, finding.message["en"]) for finding in report.findings] == [
        (7, "SyntaxError: invalid syntax")
    ]
