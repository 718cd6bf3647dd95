"""Making firmware from a request (HW-9) as data: the wish, the plan, what is wrong with it, the build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from zeroclaw_desktop.contracts.boards import LocalText

Dialect = Literal["arduino", "micropython", "rust"]
DIALECTS: tuple[Dialect, ...] = ("arduino", "micropython", "rust")
Severity = Literal["error", "warning", "note"]
ParamValue = float | int | str


def both(english: str, chinese: str) -> LocalText:
    """A text in both languages."""
    return {"en": english, "zh": chinese}


@dataclass(frozen=True)
class ParamInfo:
    """A value that a template takes.

    Attributes:
        unit: of the value (``Hz``, ``s``, ``°``, ``%``); '' for none.
        kind: ``number``, ``whole``, ``choice`` or ``text``.
        minimum, maximum: range of a number, inclusive.
        choices: what a ``choice`` may be, with the words that mean it.
        reads: how a request tells it: ``rate``, ``period``, ``angle_low``, ``angle_high``, ``count``,
            ``percent``, ``choice``; '' when a request does not.
    """

    key: str
    label: LocalText
    default: ParamValue
    kind: str = "number"
    unit: str = ""
    minimum: float = 0.0
    maximum: float = 0.0
    choices: Mapping[str, LocalText] = field(default_factory=dict)
    reads: str = ""


@dataclass(frozen=True)
class NeedInfo:
    """A pin that a template needs.

    Attributes:
        capabilities: what the pin must be able to do, see ``hardware.synthesis.capabilities``.
        prefer: ``led`` for the LED of the board, ``button`` for its button; '' for any pin.
        words: by which a request names it, of both languages.
    """

    key: str
    label: LocalText
    capabilities: tuple[str, ...]
    prefer: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class TemplateInfo:
    """A kind of firmware that can be made.

    Attributes:
        words: by which a request names it, of both languages.
        shows: names of the telemetry series that it sends.
    """

    key: str
    title: LocalText
    about: LocalText
    words: tuple[str, ...]
    needs: tuple[NeedInfo, ...]
    params: tuple[ParamInfo, ...]
    dialects: tuple[Dialect, ...]
    shows: tuple[str, ...] = ()


@dataclass(frozen=True)
class FirmwareWish:
    """What is wanted, by rules, by a form or by a model; nothing in it has been checked.

    Attributes:
        template: key of the kind of firmware.
        dialect: '' for the best one of the board.
        pins: by need: the pin as it was said (``9``, ``A0``, ``PA5``).
        params: values by key, as they were said.
        unused: pieces of the request that meant nothing here.
        sketch: text that replaces what the template gives; '' for the template's.
    """

    template: str
    dialect: str = ""
    pins: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, ParamValue] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    sketch: str = ""


@dataclass(frozen=True)
class Finding:
    """Something to know before the firmware is written.

    Attributes:
        severity: an ``error`` keeps it from being built.
        code: stable name of the rule (``pin_reserved``).
        line: of the sketch, from 1; 0 when it is about no line.
        need: key of the need that it is about; ''.
        hint: what to do about it.
    """

    severity: Severity
    code: str
    message: LocalText
    hint: LocalText = field(default_factory=dict)
    line: int = 0
    column: int = 0
    need: str = ""


@dataclass(frozen=True)
class PinChoice:
    """The pin of a need.

    Attributes:
        pin: number on the wire; None when no pin could be found.
        name: as printed on the board.
        spelled: as the sketch writes it.
        by: who chose it: ``person``, ``board`` (its own LED) or ``planner``.
        reason: why this one.
        free: names of other pins that would do, best first.
    """

    need: str
    label: LocalText
    pin: int | None
    name: str
    spelled: str
    by: str
    reason: LocalText
    free: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartPlan:
    """A part to have, and how it is connected."""

    name: LocalText
    wiring: tuple[LocalText, ...] = ()


@dataclass(frozen=True)
class LibraryNeed:
    """A library that the sketch uses.

    Attributes:
        name: as its index calls it.
        present: whether it is installed; None when that is not known here.
        install: command that installs it; '' for none.
    """

    name: str
    present: bool | None
    install: str = ""


@dataclass(frozen=True)
class FirmwarePlan:
    """All that is decided about a firmware before it is built.

    Attributes:
        file_name: of the sketch (``blink.ino``).
        edited: whether the sketch is not the template's own.
    """

    template: TemplateInfo
    dialect: Dialect
    board: str
    params: Mapping[str, ParamValue]
    pins: tuple[PinChoice, ...]
    parts: tuple[PartPlan, ...]
    libraries: tuple[LibraryNeed, ...]
    findings: tuple[Finding, ...]
    file_name: str
    sketch: str
    edited: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing keeps it from being built."""
        return not any(finding.severity == "error" for finding in self.findings)


@dataclass(frozen=True)
class MemoryUse:
    """How much of a memory a program takes, in bytes; ``limit`` 0 when it is not known."""

    used: int
    limit: int


@dataclass(frozen=True)
class BuildReport:
    """What came of a build.

    Attributes:
        tool: what built or checked it (``avr-gcc``, ``arduino-cli``, ``micropython``).
        firmware: path of the file to flash; '' when there is none.
        flash, ram: None when the tool does not tell.
        findings: of the compiler, with lines of the sketch.
        checked_only: the program is no machine code; its syntax was checked.
        log: what the tools printed, shortened.
    """

    ok: bool
    tool: str
    seconds: float
    firmware: str = ""
    flash: MemoryUse | None = None
    ram: MemoryUse | None = None
    findings: tuple[Finding, ...] = ()
    checked_only: bool = False
    core_cached: bool = False
    log: str = ""
