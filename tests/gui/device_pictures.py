"""Scenes of the Devices page: ports that are asked, names, details, tools, dropped files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.gui.demo_bridge import (
    BOARD,
    BUSY_PORT,
    DENIED_PORT,
    SHARED_PORT,
    DemoBridge,
    demo_pages,
    real_board,
    simulated_board,
)
from tests.gui.demo_devices import DENIED, HELD, PINS, TAKEN, TOOLS
from tests.gui.staging import Scene, Staged
from zeroclaw_desktop.bridge.detail_views import FoundView, SheetView
from zeroclaw_desktop.bridge.name_views import AwayBoardView
from zeroclaw_desktop.bridge.port_views import AskView
from zeroclaw_desktop.bridge.tool_views import WayView
from zeroclaw_desktop.bridge.views import PinView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.main_window import MainWindow

MODEM = replace(
    HELD,
    place="/dev/ttyACM2",
    kind="modem_manager",
    sentence="ModemManager runs here. It asks every new port whether it is a modem, so the board may be "
    "busy or restart in the first half minute.",
    serious=False,
    mend="Keep it away…",
)
AWAY = [
    AwayBoardView("10c4:ea60:0A51C3", "Greenhouse", "ESP32 DevKitC  ·  4 named pins  ·  10c4:ea60:0A51C3"),
    AwayBoardView("1a86:7523@1-1.3", "Arduino Nano", "Arduino Nano  ·  1 named pin  ·  1a86:7523@1-1.3"),
]


def _staged(bridge: DemoBridge, act: Callable[[DevicesPage], None] = lambda _page: None) -> Staged:
    window = MainWindow(bridge, demo_pages(bridge))  # type: ignore[arg-type]
    window.show_page("devices")
    page = window.page("devices")
    assert isinstance(page, DevicesPage)
    return Staged(window, lambda: act(page))


def _ports_bridge() -> DemoBridge:
    bridge = DemoBridge()
    devices = bridge.devices
    devices.loose_ports = [BUSY_PORT, replace(DENIED_PORT, hint=""), SHARED_PORT]
    devices.access.problems = {HELD.place: HELD, DENIED.place: DENIED, MODEM.place: MODEM}
    devices.access.without_port = [TAKEN]
    devices.names.away_boards = list(AWAY)
    return bridge


def ports_closed() -> Staged:
    """Ports that are held, closed and watched by others, a chip without a port, boards that are away."""
    return _staged(_ports_bridge())


def ports_asked() -> Staged:
    """A port that has answered with its chip, one that is being asked."""
    bridge = _ports_bridge()
    access = bridge.devices.access
    access.problems, access.without_port = {}, []
    kinds = (("arduino-uno", "Arduino Uno"), ("arduino-nano", "Arduino Nano"))
    chip = "Its boot loader names the chip ATmega328P. These boards have it; choose yours."
    access.answers[BUSY_PORT.path] = AskView(BUSY_PORT.path, False, chip, kinds)
    access.answers[DENIED_PORT.path] = AskView(DENIED_PORT.path, True, "Asking the boot loader (Espressif)…")
    return _staged(bridge)


def mend_rule() -> Staged:
    """What opens a port, before it is done."""
    return _staged(_ports_bridge(), lambda page: page.sheets.mend.open_for(DENIED.place))


def board_update() -> Staged:
    """A board with an older firmware, a pin with names, its menu's neighbours."""
    bridge = DemoBridge(replace(real_board(), update="1.1.0", name="Desk Uno"))
    bridge.devices.set_pin(BOARD, PinView(12, "12", "output", 1, names=("reading lamp",), strapping=True))

    def act(page: DevicesPage) -> None:
        page.cards[BOARD].picture.pin_clicked.emit(12)

    return _staged(bridge, act)


def board_esp32() -> Staged:
    """A board with reserved pins and pins that choose the boot mode."""
    esp32 = replace(
        real_board(),
        name="ESP32 DevKitC",
        board_type="esp32",
        picture="boards/esp32.svg",
        port="/dev/ttyUSB0",
    )
    bridge = DemoBridge(esp32)
    pins = {number: PinView(number, str(number), "input", 0) for number in range(40)}
    careful = "at power-up it has to be low (flash voltage)"
    for number in (0, 2, 5, 12, 15):
        pins[number] = PinView(number, str(number), "output", number % 2, note=careful, strapping=True)
    for number in range(6, 12):
        pins[number] = PinView(number, str(number), "reserved", note="the flash chip")
    pins[13] = PinView(13, "13", "output", 0, conflict="pin 14 of the group 'bridge' is active")
    bridge.devices.pin_states[BOARD] = pins

    def act(page: DevicesPage) -> None:
        page.cards[BOARD].picture.pin_clicked.emit(12)

    return _staged(bridge, act)


def rename_board() -> Staged:
    """The name of a board, with what is wrong with it."""

    def act(page: DevicesPage) -> None:
        page.sheets.open_for("rename", page.cards[BOARD].board())
        page.sheets.rename.field.setText("Greenhouse")

    return _staged(DemoBridge(real_board(), simulated_board()), act)


def forget_board() -> Staged:
    """Asked before it is forgotten."""
    return _staged(
        DemoBridge(real_board()), lambda page: page.sheets.open_for("forget", page.cards[BOARD].board())
    )


def pin_names() -> Staged:
    """The table of names, one of them taken twice."""
    bridge = DemoBridge(real_board())
    rest = [replace(PINS[0], number=number, printed=str(number), name="") for number in range(3, 12)]
    bridge.devices.names.pins = [PINS[0], *rest, *PINS[1:]]

    def act(page: DevicesPage) -> None:
        page.sheets.open_for("pins", page.cards[BOARD].board())
        page.sheets.pin_names.rows()[4].field.setText("reading lamp")
        page.sheets.pin_names.rows()[5].role.setCurrentIndex(1)

    return _staged(bridge, act)


def board_details() -> Staged:
    """Everything about a board, with data sheets that were searched."""
    bridge = DemoBridge(replace(real_board(), update="1.1.0"))
    sheets = bridge.devices.datasheets
    sheets.files = [
        SheetView("/x/old.pdf", "old.pdf", "", "The data sheet old.pdf cannot be read: it is damaged."),
        SheetView("/x/arduino-uno.md", "arduino-uno.md", "arduino-uno · passages: 12 · names of pins: 3"),
        SheetView("/x/motor-driver.pdf", "motor-driver.pdf", "all boards · passages: 84"),
    ]
    sheets.passages = [
        FoundView(
            "motor-driver.pdf",
            "page 7",
            "The driver stands 2 A for each channel. Above 1.2 A it needs a heat sink; see figure 9 for the "
            "derating over the ambient temperature.",
        )
    ]

    def act(page: DevicesPage) -> None:
        page.sheets.open_for("sheets", page.cards[BOARD].board())
        panel = page.sheets.details.datasheets
        panel.field.setText("current of the driver")
        panel.search()

    return _staged(bridge, act)


def details_no_sheets() -> Staged:
    """Details while there is no data sheet."""
    return _staged(
        DemoBridge(real_board()), lambda page: page.sheets.open_for("sheets", page.cards[BOARD].board())
    )


def details_of_board() -> Staged:
    """What is known of a board."""
    bridge = DemoBridge(replace(real_board(), update="1.1.0"))
    return _staged(bridge, lambda page: page.sheets.open_for("details", page.cards[BOARD].board()))


def flashing_tools() -> Staged:
    """The programs that write firmware."""

    def act(page: DevicesPage) -> None:
        page.sheets.tools.open_tools()
        page._devices.tools.end_look(TOOLS * 3)  # type: ignore[attr-defined]

    return _staged(DemoBridge(real_board()), act)


def flash_ways() -> Staged:
    """The flash sheet of a board with several ways, one of which needs a program."""
    bridge = DemoBridge(real_board())
    reason = "The program 'st-flash', which writes through a debug probe, is not installed."
    bridge.devices.tools.ways = [
        WayView("stm32-mass-storage", "Drive of the ST-LINK", True),
        WayView(
            "st-flash", "Debug probe (st-flash)", False, reason, "st-flash", "sudo apt install stlink-tools"
        ),
    ]

    def act(page: DevicesPage) -> None:
        page.open_flash(BOARD)
        page.flash_sheet.next_button.click()
        page.flash_sheet.way.fold.click()
        page.flash_sheet.way.choice.setCurrentIndex(2)

    return _staged(bridge, act)


def flash_one_way() -> Staged:
    """The flash sheet where one way works and another needs a program."""
    bridge = DemoBridge(real_board())
    missing = WayView("arduino-cli", "Arduino core (arduino-cli)", False, "'arduino-cli' is not installed.")
    bridge.devices.tools.ways = [WayView("avrdude", "Boot loader of the Arduino (avrdude)", True), missing]

    def act(page: DevicesPage) -> None:
        page.open_flash(BOARD)
        page.flash_sheet.next_button.click()

    return _staged(bridge, act)


def drop_which() -> Staged:
    """A dropped file that two boards take."""
    bridge = DemoBridge(real_board(), simulated_board())
    return _staged(bridge, lambda page: page.open_drop("/home/me/firmware/robot.hex"))


def drop_refused() -> Staged:
    """A dropped file that no board takes."""
    return _staged(DemoBridge(simulated_board()), lambda page: page.open_drop("/home/me/robot/robot.ino"))


def board_away() -> Staged:
    """A board that was pulled out."""
    return _staged(DemoBridge(replace(real_board("offline"), plugged=False), simulated_board()))


SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        ports_closed,
        ports_asked,
        mend_rule,
        board_update,
        board_esp32,
        rename_board,
        forget_board,
        pin_names,
        board_details,
        details_no_sheets,
        details_of_board,
        flashing_tools,
        flash_ways,
        flash_one_way,
        drop_which,
        drop_refused,
        board_away,
    )
}
