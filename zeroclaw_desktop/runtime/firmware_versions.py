"""Whether a newer firmware of ours ships than the one that a board has."""

from __future__ import annotations

import re

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, shipped_images

_VERSION = re.compile(r"\d+(?:\.\d+){0,3}")


def newer_firmware(profile: BoardProfile, greeting: str) -> FirmwareImage | None:
    """The shipped image that is newer than what a board has; None when there is none, or it is not ours.

    Args:
        greeting: name and version as the board reported them: ``zeroclaw-arduino 1.0.0``.
    """
    name, _, version = greeting.partition(" ")
    there = version_of(version)
    if not name.startswith("zeroclaw") or there is None:
        return None
    for image in shipped_images(profile):
        shipped = version_of(image.version)
        if image.key == name and shipped is not None and shipped > there:
            return image
    return None


def version_of(text: str) -> tuple[int, ...] | None:
    """``1.1.0`` as numbers that can be compared; None when it begins with no number."""
    found = _VERSION.match(text)
    if found is None:
        return None
    numbers = [int(part) for part in found[0].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
