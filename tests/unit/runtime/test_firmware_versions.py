"""HW-6: a board is offered the firmware that ships when it is newer than its own, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, shipped_images
from zeroclaw_desktop.runtime import firmware_versions
from zeroclaw_desktop.runtime.firmware_versions import newer_firmware, version_of

UNO = board_catalog()["arduino-uno"]


@pytest.fixture
def ships_1_10(monkeypatch: pytest.MonkeyPatch) -> FirmwareImage:
    image = replace(shipped_images(UNO)[0], key="zeroclaw-arduino", version="1.10.0")
    monkeypatch.setattr(firmware_versions, "shipped_images", lambda _profile: [image])
    return image


@pytest.mark.parametrize("version", ["1.9.9", "0.4", "1.9.0-dev", "1.2.0"])
def test_an_older_one_is_updated(ships_1_10: FirmwareImage, version: str) -> None:
    assert newer_firmware(UNO, f"zeroclaw-arduino {version}") is ships_1_10


@pytest.mark.parametrize(
    "greeting",
    [
        "zeroclaw-arduino 1.10.0",
        "zeroclaw-arduino 1.10",
        "zeroclaw-arduino 2.0.0",
        "zeroclaw-arduino",
        "zeroclaw-demo 1.0.0",
        "firmata 1.0.0",
        "",
    ],
)
def test_the_same_a_newer_and_a_strange_one_are_left_alone(ships_1_10: FirmwareImage, greeting: str) -> None:
    assert newer_firmware(UNO, greeting) is None


def test_versions_are_compared_as_numbers() -> None:
    assert version_of("1.10.0") > version_of("1.9")  # type: ignore[operator]
    assert version_of("1.0") == version_of("1")
    assert version_of("next") is None
