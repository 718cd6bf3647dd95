"""Scenes of the Settings page for ``tests/gui/screenshots.py``."""

from __future__ import annotations

from tests.gui.demo_bridge import DemoBridge
from tests.gui.settings.demo_settings import SettingsWorld
from tests.gui.staging import Scene, Staged, window_with
from zeroclaw_desktop.gui.settings.page import SettingsPage


def settings() -> Staged:
    """The top of the page."""
    return Staged(window_with(DemoBridge(), "settings", SettingsPage(SettingsWorld())))  # type: ignore[arg-type]


def settings_refused() -> Staged:
    """A value that is not taken."""
    page = SettingsPage(SettingsWorld())  # type: ignore[arg-type]
    refused = page.rows["plots.window_seconds"].editor
    return Staged(window_with(DemoBridge(), "settings", page), lambda: refused.value_chosen.emit(9999))


SCENES: dict[str, Scene] = {scene.__name__: scene for scene in (settings, settings_refused)}
