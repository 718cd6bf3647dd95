"""A scripted stand-in of the bridge: real QObjects with real signals and a small world behind them.

It lets pages be developed, tested and photographed without the core. Each call that a page makes is noted in
``calls`` of the object, in order, so that a test can say what a click did.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tests.gui.activity.demo_activity import DemoActivity, DemoRecovery
from tests.gui.demo_devices import DemoAccess, DemoDatasheets, DemoNames, DemoTools, demo_details
from tests.gui.demo_simulator import DemoSimulator
from zeroclaw_desktop.bridge.detail_views import BoardDetailsView
from zeroclaw_desktop.bridge.views import (
    AddressKindView,
    ApprovalRuleView,
    BoardKindView,
    BoardView,
    ErrorView,
    FirmwareView,
    FlashView,
    PinView,
    PortView,
    StatusView,
    StopReportView,
)
from zeroclaw_desktop.gui.main_window import PageSpec

SIMULATOR = "sim-uno"
BOARD = "uno-75833"
PWM_PINS = (3, 5, 6, 9, 10, 11)
FIRMWARE = FirmwareView(
    key="zeroclaw-arduino",
    title="ZeroClaw firmware",
    description="Lets the assistant use every pin, with telemetry and a watchdog.",
    size_bytes=11_294,
    version="1.0.0",
)
BLINK = FirmwareView(
    key="blink", title="Blink", description="Blinks the LED on pin 13 and nothing else.", size_bytes=924
)
KINDS = [
    BoardKindView("arduino-nano", "Arduino Nano", "Arduino"),
    BoardKindView("arduino-uno", "Arduino Uno", "Arduino"),
    BoardKindView("esp32-c3", "ESP32-C3-DevKitM-1", "Espressif"),
    BoardKindView("esp32-s3", "ESP32-S3-DevKitC-1", "Espressif"),
    BoardKindView("teapot", "Teapot 3"),
]
SHARED_PORT = PortView(
    path="/dev/ttyACM2",
    description="USB JTAG/serial debug unit",
    chip="",
    usb_id="303a:1001",
    hint="This may be one of: ESP32-C3-DevKitM-1, ESP32-S3-DevKitC-1. Say which one it is to connect.",
    candidates=("esp32-c3", "esp32-s3"),
)
BUSY_PORT = PortView(
    path="/dev/ttyUSB0",
    description="USB serial converter",
    chip="CH340",
    usb_id="1a86:7523",
    hint="",
)
DENIED_PORT = PortView(
    path="/dev/ttyACM1",
    description="Serial port",
    chip="",
    usb_id="",
    hint="You may not open this port. Add yourself to the group dialout, then log in again.",
)


def simulated_board(state: str = "live") -> BoardView:
    """Return the simulated Uno's card."""
    return BoardView(
        board_id=SIMULATOR,
        name="Simulated Arduino Uno",
        board_type="arduino-uno",
        port="sim://uno",
        state=state,
        simulated=True,
        firmware="zeroclaw-arduino 1.0.0" if state == "live" else "",
        system_path="/dev/pts/4",
        facts=(("Chip", "ATmega328P, 16 MHz"), ("Port for others", "/dev/pts/4"), ("Baud rate", "115200")),
    )


def real_board(state: str = "live", error: ErrorView | None = None) -> BoardView:
    """Return a real Uno's card."""
    return BoardView(
        board_id=BOARD,
        name="Arduino Uno",
        board_type="arduino-uno",
        port="/dev/ttyACM0",
        state=state,
        firmware="zeroclaw-arduino 1.0.0" if state == "live" else "",
        error=error,
        facts=(("Chip", "ATmega328P, 16 MHz"), ("USB", "2341:0043"), ("Serial number", "75833353035351B0")),
    )


def idle_pins() -> dict[int, PinView]:
    """Return the 20 pins of an Uno as the firmware leaves them."""
    pins = {number: PinView(number, str(number), "input", 0) for number in range(2, 14)}
    pins[0] = PinView(0, "0", "serial", 1, role="RX")
    pins[1] = PinView(1, "1", "serial", 1, role="TX")
    pins[2] = PinView(2, "2", "input_pullup", 1, role="button")
    pins[13] = PinView(13, "13", "output", 0, role="led")
    for channel in range(6):
        pins[14 + channel] = PinView(14 + channel, f"A{channel}", "analog", None)
    pins[14] = PinView(14, "A0", "analog", volts=2.5, role="knob")
    pins[15] = PinView(15, "A1", "analog", volts=0.725, role="thermometer")
    return pins


class DemoAdded(QObject):
    """Boards that are added by their address."""

    added = Signal(str)
    refused = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []

    def ways(self) -> list[AddressKindView]:
        return [
            AddressKindView("tcp", "arduino-uno", True),
            AddressKindView("uno-q", "arduino-uno-q", False, 9999),
            AddressKindView("mqtt", "arduino-uno", True, 1883),
            AddressKindView("micropython", "esp32-s3", True),
            AddressKindView("raspberry-pi", "raspberry-pi", False),
        ]

    def board_types(self) -> list[BoardKindView]:
        return KINDS

    def serial_ports(self) -> list[str]:
        return ["/dev/ttyACM0", "/dev/ttyUSB0"]

    def add(self, *arguments: Any) -> None:
        self.calls.append(("add", *arguments))

    def remove(self, board_id: str) -> None:
        self.calls.append(("remove", board_id))


class DemoDevices(QObject):
    """Boards, ports, pins, flashing, console."""

    boards_changed = Signal()
    ports_changed = Signal()
    current_board_changed = Signal(str)
    pins_changed = Signal(str)
    flash_changed = Signal(object)
    flash_log_added = Signal(str, str)
    firmware_checked = Signal(str, str, object)
    console_received = Signal(str, str)
    console_skipped = Signal(str)
    facts_changed = Signal()
    console_unfinished = Signal(str, str)
    command_failed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.added = DemoAdded()
        self.known: dict[str, BoardView] = {}
        self.loose_ports: list[PortView] = []
        self.pin_states: dict[str, dict[int, PinView]] = {}
        self.flashes: dict[str, FlashView] = {}
        self.checks_files = True
        """False: the check of a file takes until a test emits ``firmware_checked``."""
        self.can_save = False
        self.console: dict[str, list[str]] = {}
        self.simulator = DemoSimulator(lambda board_id: self.pins(board_id), self.calls, KINDS)
        self.access = DemoAccess(self.calls)
        self.names = DemoNames(self.calls)
        self.tools = DemoTools(self.calls)
        self.datasheets = DemoDatasheets(self.calls)
        self._current = ""

    def details(self, board_id: str) -> BoardDetailsView | None:
        return demo_details(board_id) if board_id in self.known else None

    def add_board(self, board: BoardView) -> None:
        """Plug a board in, or replace its card."""
        self.known[board.board_id] = board
        self.pin_states.setdefault(board.board_id, idle_pins())
        if board.simulated:
            self.simulator.add_bench(board.board_id, board.board_type)
        self.console.setdefault(board.board_id, [])
        if not self._current:
            self._current = board.board_id
        self.boards_changed.emit()

    def set_pin(self, board_id: str, pin: PinView) -> None:
        """Change one pin."""
        self.pin_states[board_id][pin.number] = pin
        self.pins_changed.emit(board_id)

    def set_flash(self, view: FlashView) -> None:
        """Report a flash state."""
        self.flashes[view.board_id] = view
        self.flash_changed.emit(view)

    def boards(self) -> list[BoardView]:
        return list(self.known.values())

    def ports(self) -> list[PortView]:
        return list(self.loose_ports)

    def pins(self, board_id: str) -> list[PinView]:
        return [pin for _, pin in sorted(self.pin_states.get(board_id, {}).items())]

    def current_board_id(self) -> str:
        return self._current

    def set_current_board(self, board_id: str) -> None:
        self.calls.append(("set_current_board", board_id))
        self._current = board_id
        self.current_board_changed.emit(board_id)

    def connect_board(self, board_id: str) -> None:
        self.calls.append(("connect_board", board_id))

    def disconnect_board(self, board_id: str) -> None:
        self.calls.append(("disconnect_board", board_id))

    def connect_port(self, path: str, board_type: str) -> None:
        self.calls.append(("connect_port", path, board_type))

    def board_types(self) -> list[BoardKindView]:
        return KINDS

    def start_simulator(self) -> None:
        self.calls.append(("start_simulator",))
        self.add_board(simulated_board())

    def stop_simulator(self, board_id: str) -> None:
        self.calls.append(("stop_simulator", board_id))
        self.known.pop(board_id, None)
        self.boards_changed.emit()

    def firmware_choices(self, board_id: str) -> list[FirmwareView]:
        return [FIRMWARE, BLINK]

    def firmware_endings(self, board_id: str) -> tuple[str, ...]:
        return (".hex", ".bin", ".elf")

    def offers_saving(self, board_id: str) -> bool:
        return self.can_save

    def saves_first(self) -> bool:
        return True

    def skip_saving(self, board_id: str) -> None:
        self.calls.append(("skip_saving", board_id))

    def check_firmware_file(self, board_id: str, path: str) -> None:
        self.calls.append(("check_firmware_file", board_id, path))
        if self.checks_files:
            self.firmware_checked.emit(board_id, path, self.checked_file(path))

    def checked_file(self, path: str) -> FirmwareView | ErrorView:
        """What comes of the check of a file."""
        if path.endswith(".hex"):
            return FirmwareView(f"file:{path}", path.rsplit("/", 1)[-1], "Intel HEX file", 4_096)
        return ErrorView(
            title="This file is not an Intel HEX image.",
            not_done="Nothing was written to the board.",
            next_step="Choose a .hex file.",
            raw="line 1: record does not start with ':'",
            code="hex_format",
        )

    def start_flash(
        self,
        board_id: str,
        firmware_key: str,
        *,
        save_first: bool | None = None,
        by_hand: bool = False,
        method: str = "",
    ) -> None:
        ways = [name for name, wanted in (("save_first", save_first), ("by_hand", by_hand)) if wanted]
        ways += [method] if method else []
        self.calls.append(("start_flash", board_id, firmware_key, *ways))
        self.set_flash(FlashView(board_id, "check", None, "Looking for the bootloader"))

    def start_erase(self, board_id: str, *, save_first: bool) -> None:
        self.calls.append(("start_erase", board_id, save_first))
        self.set_flash(FlashView(board_id, "check"))

    def cancel_flash(self, board_id: str) -> None:
        self.calls.append(("cancel_flash", board_id))
        self.set_flash(FlashView(board_id, "cancelled", None, can_cancel=False))

    def flash_state(self, board_id: str) -> FlashView | None:
        return self.flashes.get(board_id)

    def console_lines(self, board_id: str) -> list[str]:
        return list(self.console.get(board_id, []))

    def console_kept(self, board_id: str) -> list[tuple[float, str]]:
        return [(0.0, line) for line in self.console_lines(board_id)]

    def choose_console(
        self, board_id: str, *, encoding: str | None = None, hexadecimal: bool | None = None
    ) -> list[str]:
        self.calls.append(("choose_console", board_id, encoding, hexadecimal))
        return self.console_lines(board_id)

    def send_console(self, board_id: str, text: str, line_end: str = "") -> None:
        self.calls.append(("send_console", board_id, text, *([line_end] if line_end else [])))

    def run_command(self, board_id: str, action: str, params: dict[str, Any]) -> None:
        self.calls.append(("run_command", board_id, action, params))


class DemoSafety(QObject):
    """The emergency stop."""

    stop_changed = Signal(object)

    def __init__(self, devices: DemoDevices) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self._devices = devices
        self._report = StopReportView(latched=False)

    def stop_everything(self, source: str = "button") -> None:
        self.calls.append(("stop_everything", source))
        outcomes = tuple((board.name, "all pins off", 1.8) for board in self._devices.boards())
        self._report = StopReportView(latched=True, source=source, cancelled=1, boards=outcomes)
        self.stop_changed.emit(self._report)

    def release(self) -> None:
        self.calls.append(("release",))
        self._report = StopReportView(latched=False)
        self.stop_changed.emit(self._report)

    def report(self) -> StopReportView:
        return self._report

    def latched(self) -> bool:
        return self._report.latched


class DemoQuestions(QObject):
    """The chat as far as the frame listens to it."""

    approval_requested = Signal(object)
    approval_closed = Signal(str, str)


class DemoRules(QObject):
    """Remembered answers; ``calls`` notes which were revoked."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.known: list[ApprovalRuleView] = []
        self.calls: list[str] = []

    def rules(self) -> list[ApprovalRuleView]:
        return list(self.known)

    def revoke(self, rule_id: str) -> None:
        self.calls.append(rule_id)
        self.known = [rule for rule in self.known if rule.rule_id != rule_id]
        self.changed.emit()


class DemoValues(QObject):
    """Settings by key, as far as frame and plots use them."""

    setting_changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, Any] = {"execution.dry_run": False, "plots.window_seconds": 30}

    def value(self, key: str) -> Any:
        return self.values[key]

    def set_value(self, key: str, value: Any) -> ErrorView | None:
        self.values[key] = value
        self.setting_changed.emit(key, value)
        return None


class DemoBridge(QObject):
    """The parts of the bridge that the frame, the Devices page and the Activity page use."""

    status_changed = Signal(object)
    core_ready = Signal()

    def __init__(self, *boards: BoardView) -> None:
        super().__init__()
        self.devices = DemoDevices()
        self.safety = DemoSafety(self.devices)
        self.chat: QObject = DemoQuestions()
        self.settings: QObject = DemoValues()
        self.activity = DemoActivity()
        self.recovery = DemoRecovery()
        self.approvals = DemoRules()
        for board in boards:
            self.devices.add_board(board)
        self.devices.boards_changed.connect(lambda: self.status_changed.emit(self.status()))

    def status(self) -> StatusView:
        board = self.devices.known.get(self.devices.current_board_id())
        if board is None:
            return StatusView("No board", "offline", "Offline assistant", "")
        return StatusView(f"{board.name} on {board.port}", board.state, "Offline assistant", "a0, a1 · 20 Hz")


def demo_pages(bridge: DemoBridge) -> list[PageSpec]:
    """Return the pages of the window; Devices and Activity are real ones, the others are blank."""

    def devices_page() -> QWidget:
        from zeroclaw_desktop.gui.devices import DevicesPage

        return DevicesPage(bridge.devices)  # type: ignore[arg-type]

    def activity_page() -> QWidget:
        from zeroclaw_desktop.gui.activity.page import ActivityPage

        return ActivityPage(bridge)  # type: ignore[arg-type]

    return [
        PageSpec("chat", "Chat", "chat", QWidget),
        PageSpec("devices", "Devices", "devices", devices_page),
        PageSpec("plots", "Plots", "plots", QWidget),
        PageSpec("dashboard", "Dashboard", "dashboard", QWidget),
        PageSpec("activity", "Activity", "activity", activity_page),
        PageSpec("logs", "Logs", "logs", QWidget),
        PageSpec("settings", "Settings", "settings", QWidget, at_bottom=True),
    ]


def play_flash(devices: DemoDevices, board_id: str, step_ms: int = 40) -> QTimer:
    """Run through a successful flash job; the timer returned must be kept."""
    script = [("prepare", None), ("write", 0.0), ("write", 55.0), ("write", 100.0), ("verify", 60.0)]
    script += [("reset", None), ("handshake", None)]
    timer = QTimer(devices)

    def advance() -> None:
        if script:
            phase, percent = script.pop(0)
            devices.flash_log_added.emit(board_id, f"avrdude: {phase}")
            devices.set_flash(FlashView(board_id, phase, percent, seconds=1.2))
            return
        timer.stop()
        greeting = "zeroclaw-arduino 1.0.0"
        devices.set_flash(
            FlashView(board_id, "done", 100.0, firmware=greeting, seconds=3.4, can_cancel=False)
        )

    timer.timeout.connect(advance)
    timer.start(step_ms)
    return timer
