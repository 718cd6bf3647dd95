"""Scenes of the Settings page for ``tests/gui/screenshots.py``."""

from __future__ import annotations

from tests.gui.demo_bridge import DemoBridge
from tests.gui.settings.demo_settings import SettingsWorld
from tests.gui.staging import Scene, Staged, window_with
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.settings.page import SettingsPage


def settings() -> Staged:
    """The top of the page."""
    return Staged(window_with(DemoBridge(), "settings", SettingsPage(SettingsWorld())))  # type: ignore[arg-type]


def settings_refused() -> Staged:
    """A value that is not taken."""
    page = SettingsPage(SettingsWorld())  # type: ignore[arg-type]
    refused = page.rows["plots.window_seconds"].editor
    return Staged(window_with(DemoBridge(), "settings", page), lambda: refused.value_chosen.emit(9999))


def settings_notes() -> Staged:
    """What became of settings, good and bad, and an address whose password was not taken."""
    world = SettingsWorld()
    page = SettingsPage(world)  # type: ignore[arg-type]
    world.settings.tell("device.name", "In use: boards are shared by the Redis at bench:6379.", "success")
    away = "The Redis at bench:6379 does not answer. Nothing new is moved until it does; stopping works."
    world.settings.tell("reports.address", away, "warning")
    refused = ErrorView(
        "This system has no keyring that keeps passwords safe.",
        "",
        "Install and start one (GNOME Keyring, KWallet). Or leave the password out of the address and set "
        "ZEROCLAW_SHARED_REDIS_URL_PASSWORD.",
    )
    return Staged(
        window_with(DemoBridge(), "settings", page),
        lambda: world.settings.answer("reports.address", "", refused),
    )


SCENES: dict[str, Scene] = {scene.__name__: scene for scene in (settings, settings_refused, settings_notes)}
