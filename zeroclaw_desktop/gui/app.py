"""Entry of the window: settings, theme, first paint; then the core."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from types import TracebackType

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop import __version__
from zeroclaw_desktop.bridge.app_bridge import AppBridge
from zeroclaw_desktop.bridge.event_loop import AppLoop
from zeroclaw_desktop.bridge.single_instance import follow_second_starts, show_running_window
from zeroclaw_desktop.bridge.translation import WindowLanguage
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger, start_logging
from zeroclaw_desktop.foundation.paths import config_file, home_folder, log_folder
from zeroclaw_desktop.gui.main_window import MainWindow
from zeroclaw_desktop.gui.pages import page_specs
from zeroclaw_desktop.gui.theme import choose_style, install_theme, theme

SIGNAL_POLL_MILLISECONDS = 300
_log = logger("gui")


class _Closing(QObject):
    """Turns the last window's close into the orderly end."""

    asked = Signal()

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        application.setQuitOnLastWindowClosed(False)
        application.lastWindowClosed.connect(self.asked)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="zeroclaw-desktop", description="Talk to your hardware.")
    parser.add_argument("--simulator", action="store_true", help="start with a simulated Arduino Uno")
    parser.add_argument("--verbose", action="store_true", help="log to standard error as well")
    parser.add_argument("--version", action="version", version=f"zeroclaw-desktop {__version__}")
    return parser.parse_args(arguments)


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.critical("Uncaught fault", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


def _catch_uncaught() -> None:
    """No fault vanishes: main thread and worker threads alike end up in the log."""
    sys.excepthook = _log_uncaught

    def from_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)

    threading.excepthook = from_thread


def _end_by_signal(quit_app: object) -> QTimer:
    """Ctrl+C and SIGTERM end the app in order; the timer lets Python see the signal."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: quit_app())  # type: ignore[operator]
    timer = QTimer()
    timer.timeout.connect(lambda: None)
    timer.start(SIGNAL_POLL_MILLISECONDS)
    return timer


def _follow_settings(bridge: AppBridge, language: WindowLanguage) -> None:
    def changed(key: str, value: object) -> None:
        if key == "ui.theme":
            theme().set_mode(str(value))
        elif key == "ui.language":
            language.use(bridge.core.language)
            bridge.devices.boards_changed.emit()

    bridge.settings.setting_changed.connect(changed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window and run until it is closed; returns the exit code."""
    options = _parse(arguments)
    if show_running_window():
        print("ZeroClaw Desktop is running already; its window was brought to the front.")
        return 0
    try:
        ring = start_logging(log_folder(), verbose=options.verbose)
        config = ConfigStore(config_file())
    except ZeroClawError as error:
        print(f"zeroclaw-desktop: {error.message}\n  {error.hint}", file=sys.stderr)
        return 1
    _catch_uncaught()
    choose_style()
    QGuiApplication.setDesktopFileName("zeroclaw-desktop")
    application = QApplication(sys.argv[:1])
    application.setApplicationName("ZeroClaw Desktop")
    application.setApplicationVersion(__version__)
    install_theme(application, config.get("ui.theme"))
    bridge = AppBridge(config, ring)
    language = WindowLanguage(application)
    language.use(bridge.core.language)
    window = MainWindow(bridge, page_specs(bridge), home_folder())
    _follow_settings(bridge, language)
    if options.simulator:
        bridge.core_ready.connect(bridge.devices.start_simulator)
    closing = _Closing(application)
    loop = AppLoop(application, bridge.start, bridge.stop)
    closing.asked.connect(loop.quit)
    keep_awake = _end_by_signal(loop.quit)

    def bring_to_front() -> None:
        window.showNormal() if window.isMinimized() else window.show()
        window.raise_()
        window.activateWindow()

    follow_second_starts(bridge, bring_to_front)
    window.show()
    loop.run()
    keep_awake.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
