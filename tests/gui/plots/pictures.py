"""Takes pictures of the Plots page: ``python tests/gui/plots/pictures.py FOLDER [scene ...]``."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

if __package__ in (None, ""):
    root = Path(__file__).resolve().parents[3]
    # A package in the environment brings a folder of the same name; ours must win.
    sys.modules["tests"] = types.ModuleType("tests")
    sys.modules["tests"].__path__ = [str(root / "tests")]
    sys.path.insert(0, str(root))

from tests.gui.demo_bridge import demo_pages, simulated_board
from tests.gui.plots.plot_world import PlotWorld, fill_workbench
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.theme import install_theme


def point(page: PlotsPage, fraction: float, height: float) -> None:
    """Put the crosshair somewhere over the plot."""
    canvas = page.canvas
    at = QPointF(canvas.axis().left + fraction * canvas.axis().width, height * canvas.height())
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        canvas.mapToGlobal(at),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QCoreApplication.sendEvent(canvas, move)


def empty(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """No series yet."""
    return lambda page: None


def live(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Following, panels by unit."""
    fill_workbench(world.plots)
    return lambda page: None


def stacked(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """One panel for each series, crosshair."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.set_mode("stack")
        point(page, 0.55, 0.4)
        page.controls.show()

    return act


def held(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Paused while samples go on, crosshair, a hidden series."""
    fill_workbench(world.plots)

    def act(page: PlotsPage) -> None:
        page.toggle_pause()
        later = np.arange(60, 75, 0.05)
        world.plots.time = 75.0
        world.plots.feed("a0", later, np.sin(later))
        page.model.toggle(3)
        page.refresh_series()
        point(page, 0.4, 0.3)

    return act


def many(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Forty dense series, stacked."""
    times = np.arange(0, 40, 0.001)
    for number in range(40):
        values = np.sin(times * (number + 1) / 3) * (number + 1) + np.sin(times * 90)
        world.plots.feed(f"channel_{number:02d}", times, values, "mV")
    world.plots.time = 40.0
    return lambda page: page.set_mode("stack")


def dense(world: PlotWorld) -> Callable[[PlotsPage], None]:
    """Eight series of 10,000 samples a second in one panel."""
    times = np.arange(0, 31, 0.0001)
    noise = np.random.default_rng(3)
    for number in range(8):
        values = number * 1.4 + np.sin(times * (number + 2)) + noise.normal(0, 0.15, len(times))
        world.plots.feed(f"s{number}", times, values, "V")
    world.plots.time = 31.0
    return lambda page: None


SCENES = {scene.__name__: scene for scene in (empty, live, stacked, held, many, dense)}


def settle(milliseconds: int = 250) -> None:
    """Let the window lay itself out and paint."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def take(scene: str, size: tuple[int, int], path: Path) -> None:
    """Show a scene and write its picture."""
    world = PlotWorld(simulated_board())
    act = SCENES[scene](world)

    def page() -> QWidget:
        return PlotsPage(world)  # type: ignore[arg-type]

    pages = [spec for spec in demo_pages(world) if spec.key != "plots"]
    pages.insert(2, PageSpec("plots", "Plots", "plots", page))
    window = MainWindow(world, pages)  # type: ignore[arg-type]
    window.resize(*size)
    window.show_page("plots")
    window.show()
    settle()
    shown = window.page("plots")
    assert isinstance(shown, PlotsPage)
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
