"""Firmware, restore points and flash jobs as the window shows them. No Qt."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from zeroclaw_desktop.bridge.error_text import error_view
from zeroclaw_desktop.bridge.views import FirmwareView, FlashView
from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.events import FlashProgressed

ENDED = ("done", "failed", "cancelled")
_RESTORE_TITLE: dict[Language, str] = {"en": "What was on the board on {0}", "zh": "{0} 时开发板上的内容"}
_RESTORE_FACTS: dict[Language, str] = {
    "en": "Restore point, read before a flash. {0}",
    "zh": "还原点，在一次烧录之前读出。{0}",
}


class _Image(Protocol):
    """What is shown of a firmware."""

    @property
    def key(self) -> str: ...
    @property
    def title(self) -> Mapping[Language, str]: ...
    @property
    def description(self) -> Mapping[Language, str]: ...
    @property
    def size(self) -> int: ...
    @property
    def version(self) -> str: ...
    @property
    def restore_point(self) -> bool: ...


class _Point(Protocol):
    """What is shown of a restore point."""

    @property
    def path(self) -> Path: ...
    @property
    def when(self) -> str: ...
    @property
    def chip(self) -> str: ...
    @property
    def bytes(self) -> int: ...


def firmware_view(image: _Image, language: Language) -> FirmwareView:
    """A firmware that ships, or a file that was checked."""
    return FirmwareView(
        image.key,
        image.title[language],
        image.description[language],
        image.size,
        image.version,
        image.restore_point,
    )


def restore_view(point: _Point, language: Language) -> FirmwareView:
    """A restore point that can be written back."""
    when = point.when
    with contextlib.suppress(ValueError):
        when = f"{datetime.fromisoformat(point.when):%Y-%m-%d %H:%M}"
    title = _RESTORE_TITLE[language].format(when)
    facts = _RESTORE_FACTS[language].format(point.chip)
    return FirmwareView(str(point.path), title, facts, point.bytes, restore_point=True)


def flash_view(event: FlashProgressed, language: Language) -> FlashView:
    """State of a job; a fault of one that is done is a warning."""
    error = None
    if event.fault_code:
        error = error_view(event.fault_code, event.fault_message, event.fault_hint, event.details, language)
    return FlashView(
        event.board_id,
        event.phase,
        event.percent,
        event.message,
        event.firmware,
        event.seconds,
        error,
        event.phase not in ENDED,
        str(event.details.get("restore_point", "")),
        bool(event.details.get("verified", True)),
    )
