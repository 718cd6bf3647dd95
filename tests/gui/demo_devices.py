"""Scripted parts of the devices bridge: ports that are asked, names, flashing tools, data sheets, details.

Every call of a page is noted in ``calls``; the answers stand in attributes that a test may change.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.detail_views import BoardDetailsView, FoundView, SheetView
from zeroclaw_desktop.bridge.name_views import AwayBoardView, PinNameView, RoleView
from zeroclaw_desktop.bridge.port_views import AccessView, AskView, MendResultView, MendView
from zeroclaw_desktop.bridge.tool_views import ToolView, WayView
from zeroclaw_desktop.bridge.views import ErrorView

Calls = list[tuple[Any, ...]]

RULE = MendView(
    "udev_rule",
    "Allow access to boards",
    "This file tells the system that whoever sits at this machine may open the ports of boards, and that "
    "ModemManager leaves them alone. The system asks for your password, then the commands below run.",
    "sudo install -D -m 644 /opt/zeroclaw/60-zeroclaw.rules /etc/udev/rules.d/60-zeroclaw.rules\n"
    "sudo udevadm control --reload\n"
    "sudo udevadm trigger --action=add --subsystem-match=tty --subsystem-match=usb",
    "/etc/udev/rules.d/60-zeroclaw.rules",
    '# Boards of makers\nSUBSYSTEM=="tty", ATTRS{idVendor}=="2341|1a86", TAG+="uaccess"\n',
)
DENIED = AccessView(
    "/dev/ttyACM1",
    "not_in_group",
    "You may not open this port: it is open to members of the group dialout only.",
    mend="Allow access…",
)
HELD = AccessView("/dev/ttyUSB0", "held", "In use by screen (4711). Close that program, then ask or connect.")
TAKEN = AccessView(
    "1-4",
    "brltty",
    "CH340 · 1a86:7523: plugged in, but the program brltty has taken it for a Braille display, so there is "
    "no port.",
    mend="Free the chip…",
)
ROLES = [RoleView("", "Name only"), RoleView("led", "LED"), RoleView("switch", "Switch: relay, valve, pump")]
PINS = [
    PinNameView(2, "2", "door", "", (), ""),
    PinNameView(12, "12", "reading lamp", "led"),
    PinNameView(13, "13", "", "", ("signal lamp",)),
    PinNameView(18, "A4 (SDA)", "", "", (), "I2C data"),
]
TOOLS = [
    ToolView("avrdude", "writes to Arduino boards", True, "7.1", "/usr/bin/avrdude", "", "Arduino Uno"),
    ToolView("st-flash", "writes to STM32", False, "", "", "sudo apt install stlink-tools", "Nucleo-F401RE"),
]


class DemoAccess(QObject):
    """Obstacles, mends, questions."""

    changed = Signal()
    identified = Signal(str, str)
    mended = Signal(object)

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.calls = calls
        self.problems: dict[str, AccessView] = {}
        self.without_port: list[AccessView] = []
        self.answers: dict[str, AskView] = {}
        self.running = ""
        self.shown = False

    def set_shown(self, shown: bool) -> None:
        self.shown = shown

    def look(self) -> None:
        self.calls.append(("look",))

    def problem(self, path: str) -> AccessView | None:
        return self.problems.get(path)

    def portless(self) -> list[AccessView]:
        return list(self.without_port)

    def mend(self, place: str) -> MendView | None:
        known = {problem.place: problem for problem in self.without_port} | self.problems
        return RULE if place in known and known[place].mend else None

    def do_mend(self, place: str) -> None:
        self.calls.append(("do_mend", place))
        self.running = RULE.key

    def mending(self) -> str:
        return self.running

    def end_mend(self, error: ErrorView | None = None) -> None:
        """What the system did."""
        self.running = ""
        self.mended.emit(MendResultView(RULE.key, "" if error else "The rule is installed.", error))

    def asked(self, path: str) -> AskView | None:
        return self.answers.get(path)

    def ask(self, path: str) -> None:
        self.calls.append(("ask", path))
        self.answer(AskView(path, True, "Asking the firmware…"))

    def answer(self, view: AskView) -> None:
        """How the question goes on."""
        self.answers[view.path] = view
        self.changed.emit()


class DemoNames(QObject):
    """Names of boards and pins."""

    failed = Signal(str, object)

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.calls = calls
        self.pins = list(PINS)
        self.away_boards: list[AwayBoardView] = []
        self.fault: ErrorView | None = None

    def board_name_problem(self, board_id: str, name: str) -> str:
        return "Another board has this name." if name.strip() == "Greenhouse" else ""

    def rename(self, board_id: str, name: str) -> ErrorView | None:
        self.calls.append(("rename", board_id, name))
        return self.fault

    def forget(self, board_id: str) -> None:
        self.calls.append(("forget", board_id))

    def away(self) -> list[AwayBoardView]:
        return list(self.away_boards)

    def forget_away(self, identity: str) -> None:
        self.calls.append(("forget_away", identity))
        self.away_boards = [board for board in self.away_boards if board.identity != identity]

    def roles(self) -> list[RoleView]:
        return ROLES

    def pin_names(self, board_id: str) -> list[PinNameView]:
        return list(self.pins)

    def pin_name_problem(self, board_id: str, pin: int, name: str, role: str = "") -> str:
        taken = {known.name: known for known in self.pins if known.name and known.number != pin}
        if role and not name:
            return "A role needs a name."
        return f"Pin {taken[name].printed} has this name already." if name in taken else ""

    def name_pin(self, board_id: str, pin: int, name: str, role: str) -> ErrorView | None:
        self.calls.append(("name_pin", board_id, pin, name, role))
        return self.fault


class DemoTools(QObject):
    """Programs and ways."""

    changed = Signal()
    ways_found = Signal(str, str, object)

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.calls = calls
        self.found: list[ToolView] | None = None
        self.busy = False
        self.ways: list[WayView] = [WayView("avrdude", "Boot loader of the Arduino (avrdude)", True)]

    def tools(self) -> list[ToolView] | None:
        return self.found

    def looking(self) -> bool:
        return self.busy

    def look(self) -> None:
        self.calls.append(("look_for_tools",))
        self.busy = True
        self.changed.emit()

    def end_look(self, tools: list[ToolView]) -> None:
        """What was found."""
        self.found, self.busy = tools, False
        self.changed.emit()

    def find_ways(self, board_id: str, firmware: str) -> None:
        self.ways_found.emit(board_id, firmware, list(self.ways))


class DemoDatasheets(QObject):
    """The folder of data sheets."""

    changed = Signal()
    found = Signal(str, str, object)

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.calls = calls
        self.files: list[SheetView] = []
        self.passages: list[FoundView] = []

    def folder(self) -> str:
        return "/home/me/.zeroclaw/datasheets"

    def make_folder(self) -> str:
        self.calls.append(("make_folder",))
        return ""

    def reading(self) -> bool:
        return False

    def refresh(self) -> None:
        self.changed.emit()

    def sheets(self, board_type: str) -> list[SheetView]:
        return list(self.files)

    def search(self, board_type: str, question: str) -> None:
        self.calls.append(("search", board_type, question))
        self.found.emit(board_type, question, list(self.passages))


def demo_details(board_id: str) -> BoardDetailsView:
    """The details of an Uno."""
    return BoardDetailsView(
        board_id,
        (
            ("Kind", "Arduino Uno"),
            ("Chip", "ATmega328P, 16 MHz"),
            ("Port", "/dev/ttyACM0"),
            ("USB id", "2341:0043"),
            ("Serial number", "75833353035351B0"),
            ("Known again by", "2341:0043:75833353035351B0"),
        ),
        (
            ("Firmware", "zeroclaw-arduino"),
            ("Version", "1.0.0"),
            ("Protocol", "1"),
            ("Flashed by", "avrdude"),
        ),
        (("Last answer", "just now"), ("Replies", "4711"), ("Unreadable lines", "0")),
        (("LED", "13"), ("I2C", "A4 (SDA), A5 (SCL)"), ("Pins bear", "5 V, 20 mA each")),
        (("reading lamp", "12, LED"), ("signal lamp", "13 (data sheet)")),
        ("adc_read", "gpio_read", "gpio_write", "ping", "pwm_write"),
        "Opening its port resets the board.",
    )
