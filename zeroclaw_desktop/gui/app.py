"""Entry of the window: settings, theme, first paint; only then the event loop and the core."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from zeroclaw_desktop import __version__
from zeroclaw_desktop.bridge.single_instance import show_running_window
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import add_log_file, logger, start_logging
from zeroclaw_desktop.foundation.paths import config_file, home_folder, log_folder

# isort: split
# PySide reads the source of every module that is imported after it, so what knows no Qt comes first.
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop.bridge.app_bridge import AppBridge
from zeroclaw_desktop.gui.main_window import MainWindow
from zeroclaw_desktop.gui.pages import page_specs
from zeroclaw_desktop.gui.theme import choose_style, install_theme, theme

if TYPE_CHECKING:
    from argparse import ArgumentParser

SIGNAL_POLL_MILLISECONDS = 300
SWITCH_SECONDS = 0.001
"""How long the window waits for a thread that computes, instead of Python's 5 ms: a port that is flooded
made gaps of 100 ms in the event loop, each of many calls of Qt waiting once."""
DEFAULT_SIMULATOR = "uno"
NO_DISPLAY = """zeroclaw-desktop: there is no display to open a window on.
  Start it in a desktop session, or set DISPLAY (ssh -X does).
  The command line works without one: zeroclaw --help"""
_log = logger("gui")


class _Options(NamedTuple):
    simulators: tuple[str, ...] = ()
    verbose: bool = False


def _parse(arguments: Sequence[str]) -> _Options:
    if not arguments:
        return _Options()
    import argparse

    parser = argparse.ArgumentParser(prog="zeroclaw-desktop", description="Talk to your hardware.")
    parser.add_argument(
        "--simulator",
        nargs="?",
        const=DEFAULT_SIMULATOR,
        default="",
        metavar="KIND[,KIND]",
        help="start with simulated boards: an Arduino Uno, or these kinds (uno,esp32)",
    )
    parser.add_argument("--verbose", action="store_true", help="log to standard error as well")
    parser.add_argument("--version", action="version", version=f"zeroclaw-desktop {__version__}")
    found = parser.parse_args(arguments)
    return _Options(_kinds(parser, found.simulator), found.verbose)


def _kinds(parser: ArgumentParser, words: str) -> tuple[str, ...]:
    """Keys of the kinds of boards that are named; ends the program for one that is not known."""
    if words in ("", DEFAULT_SIMULATOR):
        return (words,) if words else ()
    from zeroclaw_desktop.runtime.simulators import kind_named

    keys = []
    for word in words.split(","):
        try:
            keys.append(kind_named(word).key)
        except ZeroClawError as error:
            parser.error(f"{error.message} {error.hint}")
    return tuple(keys)


def display_present() -> bool:
    """Whether a window can be opened; Qt itself would end the process without a readable word."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


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


def _end_by_signal(quit_app: Callable[[], None]) -> QTimer:
    """Ctrl+C and SIGTERM end the app in order; the timer lets Python see the signal."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: quit_app())
    timer = QTimer()
    timer.timeout.connect(lambda: None)
    timer.start(SIGNAL_POLL_MILLISECONDS)
    return timer


def _follow_language(bridge: AppBridge, application: QApplication) -> None:
    from zeroclaw_desktop.bridge.translation import WindowLanguage

    language = WindowLanguage(application)
    language.use(bridge.core.language)

    def changed(key: str, value: object) -> None:
        if key == "ui.theme":
            theme().set_mode(str(value))
        elif key == "ui.language":
            language.use(bridge.core.language)
            bridge.devices.boards_changed.emit()

    bridge.settings.setting_changed.connect(changed)


def _paint_first(application: QApplication) -> None:
    """Bring the frame to the screen before asyncio, the core and the pages are imported."""
    application.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    gc.enable()


def _run(application: QApplication, bridge: AppBridge, window: MainWindow) -> None:
    """Live until the window is closed."""
    from zeroclaw_desktop.bridge.event_loop import AppLoop

    loop = AppLoop(application, bridge.start, bridge.stop)
    application.lastWindowClosed.connect(loop.quit)
    keep_awake = _end_by_signal(loop.quit)

    def bring_to_front() -> None:
        if window.isMinimized():
            window.showNormal()
        window.raise_()
        window.activateWindow()

    bridge.follow_second_starts(bring_to_front)
    loop.run()
    keep_awake.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window and run until it is closed; returns the exit code."""
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    if show_running_window():
        print("ZeroClaw Desktop is running already; its window was brought to the front.")
        return 0
    if not display_present():
        print(NO_DISPLAY, file=sys.stderr)
        return 1
    try:
        home = home_folder()
        ring = start_logging(None, verbose=options.verbose)
        config = ConfigStore(config_file())
    except ZeroClawError as error:
        print(f"zeroclaw-desktop: {error.message}\n  {error.hint}", file=sys.stderr)
        return 1
    _catch_uncaught()
    sys.setswitchinterval(SWITCH_SECONDS)
    choose_style()
    QGuiApplication.setDesktopFileName("zeroclaw-desktop")
    application = QApplication(sys.argv[:1])
    application.setApplicationName("ZeroClaw Desktop")
    application.setApplicationVersion(__version__)
    application.setQuitOnLastWindowClosed(False)
    install_theme(application, config.get("ui.theme"))
    bridge = AppBridge(config, ring)
    if bridge.core.language != "en":
        _follow_language(bridge, application)
    window = MainWindow(bridge, page_specs(bridge), home)
    if options.simulators == (DEFAULT_SIMULATOR,):
        bridge.core_ready.connect(lambda: bridge.devices.start_simulator())
    elif options.simulators:
        bridge.core_ready.connect(lambda: bridge.devices.simulator.add_boards(options.simulators))
    window.show()
    _paint_first(application)
    if bridge.core.language == "en":
        _follow_language(bridge, application)
    add_log_file(log_folder())
    _run(application, bridge, window)
    return 0


if __name__ == "__main__":
    sys.exit(main())
