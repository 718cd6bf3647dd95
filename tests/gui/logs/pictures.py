"""Takes pictures of the Logs page: ``python tests/gui/logs/pictures.py FOLDER [scene ...]``."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

if __package__ in (None, ""):
    root = Path(__file__).resolve().parents[3]
    # A package in the environment brings a folder of the same name; ours must win.
    sys.modules["tests"] = types.ModuleType("tests")
    sys.modules["tests"].__path__ = [str(root / "tests")]
    sys.path.insert(0, str(root))

from tests.gui.demo_bridge import demo_pages, simulated_board
from tests.gui.logs.log_world import LogWorld, records
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import LogRecordView
from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.logs.log_filter import LogFilter
from zeroclaw_desktop.gui.logs.page import LogsPage
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec
from zeroclaw_desktop.gui.theme import install_theme

TRACE = (
    "Flash job failed\nTraceback (most recent call last):\n"
    '  File "flasher.py", line 88, in run\n    await tool.write(image)\n'
    "ToolFailedError: avrdude ended with 1"
)


def empty(world: LogWorld) -> Callable[[LogsPage], None]:
    """Nothing yet."""
    return lambda page: None


def filled(world: LogWorld) -> Callable[[LogsPage], None]:
    """Many records, following."""
    world.logs.kept = records(400)
    return lambda page: None


def searched(world: LogWorld) -> Callable[[LogsPage], None]:
    """A search, scrolled up, with new records below."""
    world.logs.kept = records(800)

    def act(page: LogsPage) -> None:
        page.set_filter(LogFilter(text="uno"))
        page.view.verticalScrollBar().setValue(300)
        world.logs.write(*records(40, 801))

    return act


def chosen(world: LogWorld) -> Callable[[LogsPage], None]:
    """A record of many lines, selected, and the pause."""
    world.logs.kept = [
        *records(40),
        LogRecordView(41, 1_767_360_009.0, "CRITICAL", "hardware.flashing", TRACE),
    ]

    def act(page: LogsPage) -> None:
        page.toggle_pause()
        world.logs.write(*records(14, 42))
        page.view.setCurrentIndex(page.model.index(40))

    return act


def unmatched(world: LogWorld) -> Callable[[LogsPage], None]:
    """Filters that hide everything."""
    world.logs.kept = records(40)
    return lambda page: page.set_filter(LogFilter("ERROR", text="mqtt"))


SCENES = {scene.__name__: scene for scene in (empty, filled, searched, chosen, unmatched)}


def settle(milliseconds: int = 200) -> None:
    """Let the window lay itself out and paint."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def take(scene: str, size: tuple[int, int], path: Path) -> None:
    """Show a scene and write its picture."""
    world = LogWorld(simulated_board())
    act = SCENES[scene](world)

    def page() -> QWidget:
        return LogsPage(world)  # type: ignore[arg-type]

    pages = [PageSpec("logs", "Logs", "logs", page) if s.key == "logs" else s for s in demo_pages(world)]
    window = MainWindow(world, pages)  # type: ignore[arg-type]
    window.resize(*size)
    window.show_page("logs")
    window.show()
    settle()
    shown = window.page("logs")
    assert isinstance(shown, LogsPage)
    act(shown)
    settle(120)
    window.grab().save(str(path))
    window.close()
    window.deleteLater()
    settle(1)


def main() -> None:
    """Take all pictures, or those of the named scenes."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])
    dress = install_theme(application, "light")
    translator = TsTranslator(sorted((asset_root() / "resources" / "i18n").rglob("*.ts")))
    for scene in sys.argv[2:] or SCENES:
        for theme, language, size in (
            ("light", "en", (1280, 800)),
            ("dark", "zh", (1280, 800)),
            ("dark", "en", (1920, 1080)),
        ):
            if language == "zh":
                QCoreApplication.installTranslator(translator)
            dress.set_mode(theme)
            take(scene, size, folder / f"{scene}-{theme}-{language}-{size[0]}.png")
            QCoreApplication.removeTranslator(translator)


if __name__ == "__main__":
    main()
