"""HW-9: every template compiles for every AVR board and fits, with the installed avr-gcc and Arduino core."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.synthesis.sketch_bench import build, needs_compiler, plan
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.flashing.images import image_from_file
from zeroclaw_desktop.hardware.synthesis.templates import template_catalog

pytestmark = needs_compiler
AVR_BOARDS = [key for key, board in board_catalog().items() if board.fqbn.startswith("arduino:avr:")]
CHOICES = [
    (template.info.key, param.key, choice)
    for template in template_catalog().values()
    for param in template.info.params
    for choice in param.choices
    if choice != param.default
]


@pytest.mark.parametrize("board", AVR_BOARDS)
@pytest.mark.parametrize("template", template_catalog())
def test_template_compiles_and_fits(template: str, board: str, build_folder: Path) -> None:
    report = build(plan(template, board), build_folder)
    assert report.ok, report.log
    assert report.findings == ()
    profile = board_catalog()[board]
    assert report.flash is not None
    assert report.ram is not None
    # The board files have the figures of the data sheets; the core's limits must agree with them.
    assert report.flash.limit == profile.flash_bytes - profile.flash.bootloader_bytes
    assert report.ram.limit == profile.memory["ram"].bytes
    assert 0 < report.flash.used <= report.flash.limit
    assert 0 < report.ram.used < report.ram.limit
    # The flasher takes it: chip, place and boot loader are looked at again there (HW-6).
    assert image_from_file(Path(report.firmware), profile).kind == "hex"


@pytest.mark.parametrize(("template", "param", "choice"), CHOICES)
def test_every_choice_compiles(template: str, param: str, choice: str, build_folder: Path) -> None:
    report = build(plan(template, params={param: choice}), build_folder)
    assert report.ok, report.log
    assert report.findings == ()
