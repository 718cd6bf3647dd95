"""Takes pictures of the Settings page for people to look at.

Usage: ``python tests/gui/settings/pictures.py FOLDER``.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QWidget

if __package__ in (None, ""):
    root = Path(__file__).resolve().parents[3]
    # A package in the environment brings a folder of the same name; ours must win.
    sys.modules["tests"] = types.ModuleType("tests")
    sys.modules["tests"].__path__ = [str(root / "tests")]
    sys.path.insert(0, str(root))

from tests.gui.demo_bridge import DemoBridge, demo_pages
from tests.gui.screenshots import settle
from tests.gui.settings.demo_settings import SettingsWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec
from zeroclaw_desktop.gui.settings.page import SettingsPage
from zeroclaw_desktop.gui.theme import install_theme


def main() -> None:
    """Take the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])
    dress = install_theme(application, "light")
    translator = TsTranslator(sorted((asset_root() / "resources" / "i18n").rglob("*.ts")))
    for language, mode, width, height in (
        ("en", "light", 1280, 800),
        ("en", "dark", 1920, 1080),
        ("zh", "dark", 1280, 800),
    ):
        if language == "zh":
            QCoreApplication.installTranslator(translator)
        dress.set_mode(mode)
        world = SettingsWorld()
        world.settings.set_value("ui.language", language)
        world.settings.set_value("ui.theme", mode)
        page = SettingsPage(world)  # type: ignore[arg-type]
        page.rows["plots.window_seconds"].editor.value_chosen.emit(9999)

        def made(shown: QWidget = page) -> QWidget:
            return shown

        bridge = DemoBridge()
        others = [spec for spec in demo_pages(bridge) if spec.key != "settings"]
        window = MainWindow(
            bridge,  # type: ignore[arg-type]
            [*others, PageSpec("settings", "Settings", "settings", made, at_bottom=True)],
        )
        window.show_page("settings")
        window.resize(width, height)
        window.show()
        settle(300)
        path = folder / f"settings-{mode}-{language}-{width}.png"
        window.grab().save(str(path))
        print(path)
        window.close()
        window.deleteLater()
        settle(1)


if __name__ == "__main__":
    main()
