"""What a page shows: frozen snapshots without Qt, made by the bridge and drawn by widgets.

Texts in a view are already in the person's language. Times are wall-clock epoch seconds unless a name ends
with ``_ms`` (duration in milliseconds).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.bridge.frame_views import StatusView as StatusView
from zeroclaw_desktop.bridge.frame_views import StopReportView as StopReportView


@dataclass(frozen=True)
class ErrorView:
    """A fault worded for a person, shown where it arose."""

    title: str
    """What went wrong, one sentence."""
    not_done: str = ""
    """What was therefore not done; empty when nothing was asked for."""
    next_step: str = ""
    """What to do now."""
    action: str = ""
    """Key of a button that does the next step (``retry``, ``start_simulator`` ...); empty for none."""
    raw: str = ""
    """The original text, folded below."""
    code: str = ""
    """Stable identifier such as ``0x31`` or ``port_busy``."""


@dataclass(frozen=True)
class BoardView:
    """One board, connected or known."""

    board_id: str
    name: str
    board_type: str
    """Key of ``resources/boards/<board_type>.toml``; '' when not known."""
    port: str
    state: str
    """``offline``, ``connecting``, ``live``, ``flashing``, ``lost`` or ``failed``."""
    simulated: bool = False
    simplified: bool = False
    """True when a simulated board is the pure Python one (no real firmware inside)."""
    firmware: str = ""
    """Name and version that the board reported, e.g. ``zeroclaw-arduino 1.0.0``; '' when it did not."""
    system_path: str = ""
    """Port path that other programs may open (a pseudo terminal for a simulated board)."""
    error: ErrorView | None = None
    facts: tuple[tuple[str, str], ...] = ()
    """Rows for the details list: (label, value)."""
    can_flash: bool = True
    can_erase: bool = False
    """Whether its whole chip can be erased."""
    picture: str = ""
    """Drawing below ``resources/``, or the whole path of one of the person's own; '' for the generic one."""
    note: str = ""
    """What to know of this kind of board; '' when there is nothing to say."""
    added: bool = False
    """The person entered its address, and may remove it again."""
    plugged: bool = True
    """Whether its port is there."""
    update: str = ""
    """Version of the firmware that ships and is newer than the board's; '' when there is none."""


@dataclass(frozen=True)
class AddressKindView:
    """A way to reach a board by its address."""

    key: str
    """``tcp``, ``uno-q``, ``mqtt``, ``micropython`` or ``raspberry-pi``."""
    board_type: str
    """Kind of board that is meant when none is said."""
    any_board: bool
    """Whether the person says which kind of board is there."""
    port: int = 0
    """Usual network port; 0 for none."""


@dataclass(frozen=True)
class BoardKindView:
    """A kind of board that a port may be taken for."""

    key: str
    name: str
    family: str = ""
    """Heading under which it is listed; '' for none."""


@dataclass(frozen=True)
class PortView:
    """A serial port that no board card stands for yet."""

    path: str
    description: str
    chip: str
    """Bridge chip or maker, e.g. ``CH340``; '' when unknown."""
    usb_id: str
    """``1a86:7523`` or ''."""
    hint: str = ""
    """Why it cannot be used, or what to do first; '' when it can."""
    candidates: tuple[str, ...] = ()
    """Keys of the kinds of boards that its USB id may stand for; empty when it may be any."""
    place: str = ""
    """Serial number, and where on the USB it is; tells devices of one kind apart."""


@dataclass(frozen=True)
class PinView:
    """Live state of one pin as last observed on the board."""

    number: int
    name: str
    """Printed name: ``13``, ``A0``."""
    mode: str
    """``input``, ``input_pullup``, ``output``, ``pwm``, ``servo``, ``analog``, ``serial``, ``reserved`` or
    ``unknown``."""
    level: int | None = None
    duty: float | None = None
    """0..1 when the pin carries PWM."""
    volts: float | None = None
    """Voltage of an analog input when known."""
    role: str = ""
    """Name given by the person or the board file (``led``)."""
    other_names: tuple[str, ...] = ()
    """What else is printed at it or said of it (``D13``, ``SDA``)."""
    note: str = ""
    """Why to be careful with it; '' when there is nothing to say."""
    input_only: bool = False
    full_volts: float = 5.0
    """Voltage at which an analog input is full."""
    active_low: bool = False
    """Whether the LED at it shines while it is low."""
    names: tuple[str, ...] = ()
    """The person's names for it, then those of data sheets."""
    strapping: bool = False
    """Whether its level at power-up chooses the boot mode."""
    used_by: str = ""
    """What the board file names it for (a bus, a motor), as the end of a sentence; '' for nothing."""
    conflict: str = ""
    """Why it has to stay off now; '' when it may be driven."""


@dataclass(frozen=True)
class FirmwareView:
    """An image that can be flashed to a board."""

    key: str
    """Identifier to hand to ``DevicesBridge.start_flash``."""
    title: str
    description: str
    size_bytes: int
    version: str = ""
    restore_point: bool = False
    """Whether it is what was on the board before."""


@dataclass(frozen=True)
class FlashView:
    """State of one flash job; each phase is reported by the flashing tool itself."""

    board_id: str
    phase: str
    """``check``, ``prepare``, ``backup``, ``copy``, ``write``, ``verify``, ``reset``, ``handshake``; then
    ``done``, ``failed`` or ``cancelled``."""
    percent: float | None = None
    """0..100 within the phase; None when the tool says nothing about it."""
    message: str = ""
    firmware: str = ""
    """Greeting of the new firmware once the handshake is done."""
    seconds: float = 0.0
    error: ErrorView | None = None
    """Of a job that is done: what the board printed that does not look well."""
    can_cancel: bool = True
    restore_point: str = ""
    """Path of what was saved before; '' when nothing was."""
    verified: bool = True
    """Whether what was written was compared with what the board holds."""


@dataclass(frozen=True)
class ToolCallView:
    """One command on its way through the execution layer."""

    call_id: str
    turn_id: str
    name: str
    title: str
    """One sentence: 'Blink the LED 3 times on pin 13'."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    state: str = "pending"
    """``pending``, ``validated``, ``waiting``, ``running``; then ``completed``, ``failed``, ``cancelled`` or
    ``refused``."""
    duration_ms: float | None = None
    result: str = ""
    pins: tuple[tuple[int, str, str], ...] = ()
    """(pin, before, after) as far as known."""
    permission: str = ""
    error: ErrorView | None = None
    board: str = ""
    """Name of the board that the command is for; '' when it is for none."""
    dry_run: bool = False
    """True when everything but the wire happened."""
    receipt: int = 0
    """Number of its receipt in the chain; 0 while there is none."""


@dataclass(frozen=True)
class ApprovalView:
    """A question that only a person may answer."""

    approval_id: str
    turn_id: str
    sentence: str
    """What will move: 'Set pin 7 high on Arduino Uno'."""
    reason: str
    """Why it asks."""
    pins: tuple[tuple[int, str, str], ...] = ()
    board: str = ""
    """Name of the board whose pins will change."""
    scope_once: str = ""
    """What 'Allow once' covers, in words."""
    expires_in_s: float = 120.0
    asked_by: str = ""
    """Who asks, in words."""
    risk: str = ""
    """How far it may reach, in words."""
    scope_remembered: str = ""
    """Exactly what an answer for longer covers; '' when it may not be given."""
    remembered_ends: str = ""
    """When such an answer ends; for a question that may not be remembered, that it may not."""
    again: str = ""
    """Why it asks once more, '' the first time."""


@dataclass(frozen=True)
class ApprovalRuleView:
    """An answer that is remembered."""

    rule_id: str
    covers: str
    """Exactly what it allows, in words."""
    length: str
    """Until when, in words."""
    uses: int
    made_by: str
    """``window`` or ``command line``."""


@dataclass(frozen=True)
class SeriesView:
    """One plotted series."""

    source_id: str
    label: str
    unit: str = ""
    last: float | None = None
    count: int = 0
    rate_hz: float = 0.0


@dataclass(frozen=True)
class MarkerView:
    """Something that happened, on the time axis of the plots (seconds of the telemetry clock)."""

    t: float
    text: str
    kind: str
    """``action``, ``flash``, ``stop`` or ``note``."""


@dataclass(frozen=True)
class LogRecordView:
    """One log line."""

    number: int
    time: float
    level: str
    """``DEBUG``, ``INFO``, ``WARNING``, ``ERROR`` or ``CRITICAL``."""
    subsystem: str
    message: str


@dataclass(frozen=True)
class SettingView:
    """One row of the settings page, made from the configuration schema."""

    key: str
    """Path in the file: ``ui.theme``."""
    section: str
    title: str
    description: str
    kind: str
    """``choice``, ``int``, ``float``, ``bool``, ``text``, ``address``."""
    value: Any
    default: Any
    choices: tuple[tuple[Any, str], ...] = ()
    """(value, text) for a ``choice``."""
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    needs_restart: bool = False
    note: str = ""
    """What became of the setting, '' when there is nothing to say."""
    note_kind: str = "success"
    """``success`` or ``warning``."""
