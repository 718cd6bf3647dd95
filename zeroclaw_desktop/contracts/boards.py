"""What rooms above the hardware know of boards: profiles as data and a link that only the door may use."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from zeroclaw_desktop.contracts.board_wiring import BoardWiring
from zeroclaw_desktop.contracts.flash_options import FlashProfile, UsbId
from zeroclaw_desktop.contracts.language import Language

LocalText = Mapping[Language, str]
"""A text of a board file in each language."""


@dataclass(frozen=True)
class PinProfile:
    """One pin of a board, from ``resources/boards/*.toml``.

    Attributes:
        number: number used on the wire.
        name: printed name, or the chip's own (``13``, ``A0``, ``PA5``).
        functions: among ``digital`` (missing on a pin that only measures), ``analog``, ``pwm``, ``servo``,
            ``i2c``, ``spi``, ``uart``, ``dac``, ``touch``.
        note: English: why to be careful; '' when there is nothing to say.
        reserved: True when the pin must not be driven (the serial line to the host, the flash chip).
        aliases: other names of it (``D13``, ``SDA``).
        input_only: the pin has no output driver.
        strapping: its level at power-up chooses the boot mode; ``note`` says what it must be.
        notes: ``note`` in each language.
        boot_level: the level without which the board does not start; None where it starts with either.
    """

    number: int
    name: str
    functions: frozenset[str]
    note: str = ""
    reserved: bool = False
    aliases: tuple[str, ...] = ()
    input_only: bool = False
    strapping: bool = False
    notes: LocalText = field(default_factory=dict)
    boot_level: int | None = None


@dataclass(frozen=True)
class PinPolicy:
    """Limits of one pin that no payload can widen (EX-6), from ``[policy]`` of the board file.

    Attributes:
        modes: what the pin may be made: among ``input``, ``input_pullup``, ``output``, ``pwm``, ``servo``.
        max_duty: highest PWM duty, 0..1.
        min_angle, max_angle: servo range in degrees.
        max_on_seconds: longest time that the pin may be active in one go; None for no limit.
        min_off_seconds: shortest rest before it may become active again.
        changes_per_second: how often commands may change it, each on and off of a blink and each step of a
            fade counted, the turn of a servo as one; None for no limit. 0.5: one change in two seconds.
        exclusive: name of a group of which one pin at most may be active; '' for none.
    """

    modes: frozenset[str] = frozenset({"input", "input_pullup", "output", "pwm", "servo"})
    max_duty: float = 1.0
    min_angle: float = 0.0
    max_angle: float = 180.0
    max_on_seconds: float | None = None
    min_off_seconds: float = 0.0
    changes_per_second: float | None = None
    exclusive: str = ""


@dataclass(frozen=True)
class MemoryRegion:
    """A piece of the chip's address space.

    Attributes:
        start: first address.
        bytes: size.
    """

    start: int
    bytes: int


@dataclass(frozen=True)
class ElectricalLimits:
    """What the pins of the chip bear, from its data sheet.

    Attributes:
        volts: supply of the pins; a level above it needs a divider unless the pin is tolerant.
        pin_milliamps: most that one pin may give or take.
        total_milliamps: most that all pins together may; 0 when the data sheet gives no figure.
    """

    volts: float
    pin_milliamps: float
    total_milliamps: float = 0.0


@dataclass(frozen=True)
class RgbLed:
    """A colour LED that takes data and not a level, so that no plain write lights it.

    Attributes:
        pin: wire number of the pin that carries its data.
        kind: its chip, among ``RGB_KINDS``.
    """

    pin: int
    kind: str


RGB_KINDS = ("ws2812",)


@dataclass(frozen=True)
class SerialLine:
    """How to open the board's port.

    Attributes:
        baud: of our firmware.
        settle_seconds: how long the board may take to greet after the port was opened.
        assert_dtr, assert_rts: state of the modem lines on opening; on many boards they reset the chip.
    """

    baud: int = 115_200
    settle_seconds: float = 2.0
    assert_dtr: bool = False
    assert_rts: bool = False


@dataclass(frozen=True)
class BoardProfile:
    """A kind of board.

    Attributes:
        link: how it is talked to: ``serial``, ``micropython``, ``gpio`` or ``tcp``.
        memory: by name; ``flash`` is there unless the board cannot be flashed.
        usb_ids: vendor and product of the board's own port; an id may stand in the files of several boards.
        led_pin: pin of the LED that a level lights; None when the board has none.
        fqbn: Arduino's fully qualified board name; '' when there is none.
        picture: path of its drawing below ``resources/``, or a whole path beside a person's own board file.
        notes: what to know before using the board, by language.
        wiring: where its buses and named motors are.
        family: heading under which lists show it (``Arduino``); '' for none.
        led_active_low: the LED shines while its pin is low.
        rgb_led: the colour LED of the board; None when it has none.
    """

    key: str
    name: str
    chip: str
    pins: tuple[PinProfile, ...]
    led_pin: int | None
    adc_reference_volts: float
    adc_bits: int
    flash: FlashProfile = field(default_factory=FlashProfile)
    memory: Mapping[str, MemoryRegion] = field(default_factory=dict)
    serial: SerialLine = field(default_factory=SerialLine)
    limits: ElectricalLimits | None = None
    link: str = "serial"
    usb_ids: tuple[UsbId, ...] = ()
    fqbn: str = ""
    picture: str = ""
    notes: LocalText = field(default_factory=dict)
    policies: Mapping[int, PinPolicy] = field(default_factory=dict)
    wiring: BoardWiring = field(default_factory=BoardWiring)
    family: str = ""
    led_active_low: bool = False
    rgb_led: RgbLed | None = None

    @property
    def flash_bytes(self) -> int:
        """Size of the flash; 0 when the board has none of its own."""
        region = self.memory.get("flash")
        return region.bytes if region is not None else 0

    def policy(self, number: int) -> PinPolicy:
        """The limits of a pin; a pin that the board file says nothing about has none but its functions'."""
        return self.policies.get(number, PinPolicy())

    def pin(self, number: int) -> PinProfile | None:
        """The pin with this wire number."""
        return next((pin for pin in self.pins if pin.number == number), None)

    def pin_named(self, name: str) -> PinProfile | None:
        """The pin with this name or alias, letters in any case."""
        wanted = name.strip().upper()
        for pin in self.pins:
            if wanted in (pin.name.upper(), *(alias.upper() for alias in pin.aliases)):
                return pin
        return None


@dataclass(frozen=True)
class PinState:
    """A pin as last read back from the board.

    Attributes:
        mode: ``input``, ``input_pullup``, ``output``, ``pwm``, ``servo``, ``serial`` or ``unknown``.
        level: 0, 1 or None when it was not read.
        duty: 0..1 while the pin carries PWM.
        angle: degrees while the pin drives a servo.
        volts: last voltage read from an analog pin.
    """

    number: int
    mode: str = "unknown"
    level: int | None = None
    duty: float | None = None
    angle: float | None = None
    volts: float | None = None

    @property
    def shown(self) -> float | int | None:
        """The one value that describes the pin best."""
        if self.mode == "pwm":
            return self.duty
        return self.angle if self.mode == "servo" else self.level


@dataclass(frozen=True)
class NamedPin:
    """A pin that the person has given a name and a role (EX-6).

    Attributes:
        role: see execution.pin_roles.ROLES; '' for a name alone.
    """

    name: str
    pin: int
    role: str = ""


@dataclass(frozen=True)
class WiredPart:
    """A virtual part at a pin of a simulated board.

    Attributes:
        kind: key of ``resources/simulator/parts.toml`` (``button``, ``tmp36``).
    """

    kind: str
    pin: int


@dataclass(frozen=True)
class BoardInfo:
    """A board as seen now.

    Attributes:
        state: ``offline``, ``connecting``, ``live``, ``flashing``, ``lost`` or ``failed``.
        port: what the app opens; system_path: what other programs may open.
        instance: name of this very device, the same in every program and on every machine that reaches it;
            '' where it is known by ``board_id`` only.
        firmware: name and version reported by the board.
        capabilities: the board's own list, as reported.
        fault_code, fault_message, fault_hint, fault_details: why it is ``failed`` or ``lost``.
        plugged: whether its port is there.
        answer_ms: how long it took to answer when it was last asked whether it is there; None when it was
            not asked since it was connected.
        added: the person entered its address, so it is kept until the person removes it.
        wired: the virtual parts around a simulated board, in order; None where nobody can know.
        heard_at: monotonic time of its last reply or event in this conversation, seconds; None before it.
    """

    board_id: str
    name: str
    profile: BoardProfile
    port: str
    state: str
    simulated: bool = False
    simplified: bool = False
    system_path: str = ""
    firmware: str = ""
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)
    fault_code: str = ""
    fault_message: str = ""
    fault_hint: str = ""
    fault_details: Mapping[str, Any] = field(default_factory=dict)
    plugged: bool = True
    instance: str = ""
    named_pins: tuple[NamedPin, ...] = ()
    answer_ms: float | None = None
    added: bool = False
    wired: tuple[WiredPart, ...] | None = None
    heard_at: float | None = None


@dataclass(frozen=True)
class BoardHealth:
    """What a board said when it was asked whether it is there (HW-5).

    Attributes:
        answers: whether it answered.
        milliseconds: from the question to the answer; None without one.
        note: why there is no answer; '' with one.
    """

    answers: bool
    milliseconds: float | None = None
    note: str = ""


class BoardLink(Protocol):
    """A live conversation with one board. Obtained from BoardAccess with a grant; used by handlers only."""

    @property
    def info(self) -> BoardInfo:
        """The board at the other end."""

    async def request(self, command: str, args: Mapping[str, Any], timeout: float = 5.0) -> Any:
        """Send one protocol request and return its result.

        Args:
            command: protocol command (``gpio_write``).
            args: its arguments.
            timeout: seconds to wait for the reply.
        """

    async def observe(self) -> Mapping[int, PinState]:
        """Read all pins back from the board; keys are pin numbers."""

    async def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""


@dataclass(frozen=True)
class StopOutcome:
    """What the emergency stop reached on one board.

    Attributes:
        wire_ms: milliseconds from the trigger to the stop bytes handed to the operating system, or None.
        confirmed: whether the board answered that its outputs are safe.
    """

    board_id: str
    name: str
    wire_ms: float | None
    confirmed: bool
    note: str = ""


class BoardAccess(Protocol):
    """The execution layer's view of all boards."""

    def boards(self) -> Sequence[BoardInfo]:
        """Every board that is known now."""

    def pin_states(self, board_id: str) -> Mapping[int, PinState]:
        """Pins as last observed; empty when nothing was read yet."""

    def link(self, board_id: str, grant: ExecutionGrant) -> BoardLink:
        """A link for the bearer of a running action's grant; raises when the board is not live."""

    def stop_all(self, triggered_at: float) -> Awaitable[Sequence[StopOutcome]]:
        """Send each live board its stop command ahead of everything queued.

        The bytes are handed over before this returns; the awaitable waits, bounded, for the boards' answers.

        Args:
            triggered_at: monotonic seconds when the stop was asked for.
        """


class ExecutionGrant(Protocol):
    """Proof that an action passed the door and is running. Issued by the executor only."""

    @property
    def task_id(self) -> str:
        """Action that the grant belongs to."""

    @property
    def valid(self) -> bool:
        """False as soon as the action has ended or was cancelled."""
