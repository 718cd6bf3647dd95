"""Takes a picture of every page in both themes and both languages, for people to look at.

Usage: ``python tests/gui/screenshots.py FOLDER [--size 1280x800] [--theme light] [--language en]
[--scene NAME]``; each option may be given more than once.
The pages show a scripted world (``demo_bridge.py``); nothing of the core is needed.
"""

from __future__ import annotations

import argparse
import sys
import types
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

if __package__ in (None, ""):
    root = Path(__file__).resolve().parents[2]
    # A package in the environment brings a folder of the same name; ours must win.
    sys.modules["tests"] = types.ModuleType("tests")
    sys.modules["tests"].__path__ = [str(root / "tests")]
    sys.path.insert(0, str(root))

from tests.gui import device_pictures as devices
from tests.gui.activity import pictures as activity
from tests.gui.chat import pictures as chat
from tests.gui.dashboard import pictures as dashboard
from tests.gui.demo_bridge import (
    BOARD,
    BUSY_PORT,
    DENIED_PORT,
    SIMULATOR,
    DemoBridge,
    demo_pages,
    real_board,
    simulated_board,
)
from tests.gui.demo_simulator import DemoSimulator
from tests.gui.firmware_maker import pictures as firmware_maker
from tests.gui.logs import pictures as logs
from tests.gui.plots import pictures as plots
from tests.gui.settings import pictures as settings
from tests.gui.staging import Scene, Staged, settle
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import ErrorView, FlashView, PinView
from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.main_window import MainWindow
from zeroclaw_desktop.gui.theme import install_theme


def _window(bridge: DemoBridge, page: str) -> MainWindow:
    window = MainWindow(bridge, demo_pages(bridge))  # type: ignore[arg-type]
    window.show_page(page)
    return window


def _devices(window: MainWindow) -> DevicesPage:
    page = window.page("devices")
    assert isinstance(page, DevicesPage)
    return page


def welcome() -> MainWindow:
    """First start."""
    return _window(DemoBridge(), "welcome")


def devices_empty() -> MainWindow:
    """No board, no port."""
    return _window(DemoBridge(), "devices")


def devices_simulator() -> MainWindow:
    """The simulated Uno at work: LED on, PWM, servo, a chosen pin."""
    bridge = DemoBridge(simulated_board())
    for pin in (
        PinView(13, "13", "output", 1, role="led"),
        PinView(9, "9", "pwm", duty=0.35, role="fan"),
        PinView(6, "6", "servo"),
    ):
        bridge.devices.set_pin(SIMULATOR, pin)
    window = _window(bridge, "devices")
    _devices(window).cards[SIMULATOR].picture.pin_clicked.emit(13)
    return window


def devices_bench() -> MainWindow:
    """A simulated Uno with every kind of part, a fault, and a wire that is refused."""
    window = devices_simulator()
    page = _devices(window)
    simulator = page._devices.simulator
    for kind in ("servo", "motor", "buzzer", "rgb_led", "ntc"):
        simulator.add_part(SIMULATOR, kind)
    wires = (("servo-1", "signal", 10), ("motor-1", "speed", 9), ("motor-1", "direction", 8))
    for part, terminal, pin in (*wires, ("rgb_led-1", "red", 3), ("rgb_led-1", "green", 5)):
        simulator.wire(SIMULATOR, part, terminal, pin)
    simulator.waves[10] = (50.0, 0.075)  # type: ignore[attr-defined]
    page._devices.set_pin(SIMULATOR, PinView(10, "10", "servo"))  # type: ignore[attr-defined]
    page._devices.set_pin(SIMULATOR, PinView(3, "3", "pwm", duty=0.8))  # type: ignore[attr-defined]
    page._devices.set_pin(SIMULATOR, PinView(5, "5", "pwm", duty=0.4))  # type: ignore[attr-defined]
    simulator.set_fault(SIMULATOR, "slow", True)
    panel = page.cards[SIMULATOR].parts
    assert panel is not None
    panel.rows["ntc-1"].wire("divider", 7)
    return window


def devices_bench_empty() -> MainWindow:
    """A simulated board without parts."""
    window = devices_simulator()
    simulator = _devices(window)._devices.simulator
    for part in ("button-1", "potentiometer-1", "tmp36-1", "led-1"):
        simulator.remove_part(SIMULATOR, part)
    return window


def devices_boards_and_ports() -> MainWindow:
    """A board that was lost, a simulated one, and two ports."""
    lost = ErrorView(
        title="The Arduino Uno on /dev/ttyACM0 is gone.",
        not_done="The last command, 'Blink the LED', was not finished.",
        next_step="Check the cable. The board connects again by itself when it is back.",
        action="reconnect",
        raw="SerialException: device reports readiness to read but returned no data",
        code="0x21",
    )
    bridge = DemoBridge(real_board("lost", lost), simulated_board())
    bridge.devices.loose_ports = [BUSY_PORT, DENIED_PORT]
    window = _window(bridge, "devices")
    page = _devices(window)
    page.cards[BOARD].console_fold.setChecked(True)
    page.cards[BOARD].console.add_text("ready\na0:512 a1:148\na0:513 a1:148")
    return window


def add_board() -> MainWindow:
    """A board behind a broker is entered."""
    window = devices_simulator()
    sheet = _devices(window).add_sheet
    sheet.open_sheet()
    sheet.choose_way("mqtt")
    sheet.fields["host"].setText("192.168.1.20")
    sheet.fields["topic"].setText("greenhouse")
    sheet.fields["user"].setText("bench")
    sheet.fields["password"].setText("secret")
    return window


def add_board_micropython() -> MainWindow:
    """A board with MicroPython on a serial port."""
    window = devices_simulator()
    sheet = _devices(window).add_sheet
    sheet.open_sheet()
    sheet.choose_way("micropython")
    return window


def add_board_refused() -> MainWindow:
    """An address that is not understood."""
    window = _window(DemoBridge(), "devices")
    sheet = _devices(window).add_sheet
    sheet.open_sheet()
    sheet.choose_way("tcp")
    sheet.fields["host"].setText("192.168.1.20")
    error = ErrorView(
        "The address of the board is not understood: the port is missing.",
        next_step="Write it like tcp://192.168.1.20:9999.",
    )
    window.page("devices")._devices.added.refused.emit(error)  # type: ignore[union-attr]
    return window


def flash_choose() -> MainWindow:
    """Flash sheet, first state."""
    window = _window(DemoBridge(simulated_board()), "devices")
    _devices(window).open_flash(SIMULATOR)
    return window


def flash_file() -> MainWindow:
    """Flash sheet while a file is being checked, for longer than a moment."""
    window = flash_choose()
    sheet = _devices(window).flash_sheet
    sheet._devices.checks_files = False  # type: ignore[attr-defined]
    sheet.take_file("/home/me/robot.hex")
    sheet._slow_check.timeout.emit()
    return window


def flash_check() -> MainWindow:
    """Flash sheet, second state."""
    window = flash_choose()
    _devices(window).flash_sheet.next_button.click()
    return window


def _flash(window: MainWindow, view: FlashView) -> MainWindow:
    sheet = _devices(window).flash_sheet
    sheet.next_button.click()
    page = _devices(window)
    bridge = page._devices
    for line in ("avrdude: AVR device initialized", "avrdude: Device signature = 0x1e950f (ATmega328P)"):
        bridge.flash_log_added.emit(SIMULATOR, line)
    bridge.set_flash(view)  # type: ignore[attr-defined]
    return window


def flash_write() -> MainWindow:
    """Flash sheet while writing."""
    view = FlashView(SIMULATOR, "write", 62.0, "11.0 KiB of 17.8 KiB", seconds=2.1)
    return _flash(flash_check(), view)


def flash_save() -> MainWindow:
    """Flash sheet that asks whether to save first."""
    bridge = DemoBridge(simulated_board())
    bridge.devices.can_save = True
    window = _window(bridge, "devices")
    _devices(window).open_flash(SIMULATOR)
    _devices(window).flash_sheet.next_button.click()
    return window


def flash_backup() -> MainWindow:
    """Flash sheet while it saves."""
    return _flash(flash_save(), FlashView(SIMULATOR, "backup", 38.0, seconds=22.0))


def flash_boot_mode() -> MainWindow:
    """Flash sheet when a board is not in its boot mode."""
    error = ErrorView(
        title="The board runs its program instead of waiting for a new one.",
        next_step="Hold the BOOT button, press and release EN (or RST), let go of BOOT.",
        action="boot_mode",
        raw="A fatal error occurred: Failed to connect to ESP32: Wrong boot mode detected (0x13)!",
        code="wrong_boot_mode",
    )
    view = FlashView(SIMULATOR, "failed", None, seconds=9.0, error=error, can_cancel=False)
    return _flash(flash_check(), view)


def flash_trouble() -> MainWindow:
    """Flash sheet at the end, when the board does not start well."""
    error = ErrorView(
        title="The board restarts because its supply voltage breaks down.",
        next_step="Take a shorter and thicker USB cable, or a power supply of its own.",
        raw="Brownout detector was triggered",
        code="brown_out",
    )
    kept = "/home/me/.zeroclaw/backups/a4-cf-12-34-56-78/2026-11-30-181402.bin"
    view = FlashView(SIMULATOR, "done", 100.0, "", "", 31.0, error, False, kept)
    return _flash(flash_check(), view)


def flash_failed() -> MainWindow:
    """Flash sheet after a failure."""
    error = ErrorView(
        title="The bootloader did not answer.",
        not_done="Nothing was written; the old firmware is still on the board.",
        next_step="Close other programs that use the port, press Reset on the board, then try again.",
        action="retry",
        raw="avrdude: stk500_recv(): programmer is not responding",
        code="not_in_sync",
    )
    view = FlashView(SIMULATOR, "failed", None, seconds=4.0, error=error, can_cancel=False)
    return _flash(flash_check(), view)


def flash_done() -> MainWindow:
    """Flash sheet at the end."""
    greeting = "zeroclaw-arduino 1.0.0"
    view = FlashView(SIMULATOR, "done", 100.0, firmware=greeting, seconds=3.4, can_cancel=False)
    return _flash(flash_check(), view)


def escape_held() -> MainWindow:
    """Esc has been held for half of its time."""
    window = devices_simulator()
    window.header.stop_button.set_held(0.5)
    return window


def stopped() -> MainWindow:
    """The emergency stop is latched."""
    window = devices_simulator()
    window.stop_everything()
    return window


def shortcuts() -> MainWindow:
    """The list of keys."""
    window = welcome()
    window.show_shortcuts()
    return window


SCENES: dict[str, Scene] = {
    **{
        scene.__name__: lambda scene=scene: Staged(scene())  # type: ignore[misc]
        for scene in (
            welcome,
            devices_empty,
            devices_simulator,
            devices_bench,
            devices_bench_empty,
            devices_boards_and_ports,
            add_board,
            add_board_micropython,
            add_board_refused,
            flash_choose,
            flash_file,
            flash_check,
            flash_save,
            flash_backup,
            flash_write,
            flash_boot_mode,
            flash_trouble,
            flash_failed,
            flash_done,
            escape_held,
            stopped,
            shortcuts,
        )
    },
    **devices.SCENES,
    **activity.SCENES,
    **chat.SCENES,
    **firmware_maker.SCENES,
    **plots.SCENES,
    **dashboard.SCENES,
    **logs.SCENES,
    **settings.SCENES,
}


def take(scene: str, folder: Path, theme: str, language: str, size: tuple[int, int]) -> Path:
    """Show a scene and write its picture; returns the file."""
    staged = SCENES[scene]()
    window = staged.window
    window.resize(*size)
    window.show()
    settle()
    staged.act()
    settle(150)
    path = folder / f"{scene}-{theme}-{language}-{size[0]}.png"
    window.grab().save(str(path))
    window.close()
    window.deleteLater()
    settle(1)
    return path


def main() -> None:
    """Take the pictures that the command line asks for (all by default)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", action="append", default=[])
    parser.add_argument("--theme", action="append", default=[])
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--scene", action="append", default=[])
    wanted = parser.parse_args()
    application = QApplication(sys.argv[:1])
    dress = install_theme(application, "light")
    translator = TsTranslator(sorted((asset_root() / "resources" / "i18n").rglob("*.ts")))
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for language in wanted.language or ["en", "zh"]:
        DemoSimulator.language = "zh" if language == "zh" else "en"
        if language == "zh":
            QCoreApplication.installTranslator(translator)
        for theme in wanted.theme or ["light", "dark"]:
            dress.set_mode(theme)
            for size in wanted.size or ["1280x800", "1920x1080"]:
                width, height = (int(part) for part in size.split("x"))
                for scene in wanted.scene or SCENES:
                    print(take(scene, wanted.folder, theme, language, (width, height)))
        QCoreApplication.removeTranslator(translator)


if __name__ == "__main__":
    main()
