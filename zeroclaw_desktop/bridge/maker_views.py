"""What the sheet that makes firmware shows; texts are in the person's language. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.synthesis import (
        BuildReport,
        Finding,
        FirmwarePlan,
        MemoryUse,
        ParamInfo,
        ParamValue,
        PinChoice,
        TemplateInfo,
    )
    from zeroclaw_desktop.runtime.firmware_service import Heard

DIALECT_NAMES = {"arduino": "Arduino (C++)", "micropython": "MicroPython", "rust": "Rust"}


@dataclass(frozen=True)
class TemplateView:
    """A kind of firmware that can be made."""

    key: str
    title: str
    about: str


@dataclass(frozen=True)
class NeedView:
    """A pin that the firmware needs."""

    key: str
    label: str
    pin: int | None
    name: str
    """Name of the chosen pin; '' when there is none."""
    reason: str
    choices: tuple[str, ...]
    """Names of pins that would do, the chosen one first."""


@dataclass(frozen=True)
class ParamView:
    """A value that the firmware takes."""

    key: str
    label: str
    unit: str
    kind: str
    """``number``, ``whole``, ``choice`` or ``text``."""
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    """(key, text) of a choice."""


@dataclass(frozen=True)
class FindingView:
    """Something to know: ``error``, ``warning`` or ``note``."""

    severity: str
    text: str
    hint: str = ""
    line: int = 0


@dataclass(frozen=True)
class PlanView:
    """All that was decided, before anything is built."""

    template: str
    title: str
    dialect: str
    dialects: tuple[tuple[str, str], ...]
    """(key, name) of those that this board can run."""
    needs: tuple[NeedView, ...]
    params: tuple[ParamView, ...]
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    """(name, lines of wiring) of each part."""
    findings: tuple[FindingView, ...]
    file_name: str
    sketch: str
    edited: bool
    ok: bool

    def pins(self) -> tuple[int, ...]:
        """Numbers of the chosen pins."""
        return tuple(need.pin for need in self.needs if need.pin is not None)


@dataclass(frozen=True)
class MemoryView:
    """How full a memory will be; ``limit`` 0 when it is not known."""

    used: int
    limit: int


@dataclass(frozen=True)
class BuildView:
    """A build as it stands.

    Attributes:
        state: ``running``, ``done`` or ``failed``.
        step: ``core``, ``sketch`` or ``link`` while it runs.
    """

    state: str
    step: str = ""
    tool: str = ""
    seconds: float = 0.0
    flash: MemoryView | None = None
    ram: MemoryView | None = None
    findings: tuple[FindingView, ...] = ()
    checked_only: bool = False
    log: str = ""


@dataclass(frozen=True)
class HeardView:
    """What the board says after it was written."""

    values: tuple[tuple[str, str], ...] = field(default_factory=tuple)
    lines: tuple[str, ...] = ()
    seconds: float = 0.0


def template_views(templates: Sequence[TemplateInfo], language: Language) -> list[TemplateView]:
    """All kinds of firmware."""
    return [
        TemplateView(template.key, template.title[language], template.about[language])
        for template in templates
    ]


def finding_view(finding: Finding, language: Language) -> FindingView:
    """One finding."""
    return FindingView(
        finding.severity, finding.message[language], finding.hint.get(language, ""), finding.line
    )


def _need_view(choice: PinChoice, language: Language) -> NeedView:
    names = (choice.name, *choice.free) if choice.name else choice.free
    reason = choice.reason[language]
    label = choice.label[language]
    return NeedView(choice.need, label[:1].upper() + label[1:], choice.pin, choice.name, reason, names)


def _param_view(param: ParamInfo, value: ParamValue, language: Language) -> ParamView:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    choices = tuple((key, words[language]) for key, words in param.choices.items())
    return ParamView(param.key, param.label[language], param.unit, param.kind, text, choices)


def plan_view(plan: FirmwarePlan, dialects: Sequence[str], language: Language) -> PlanView:
    """A plan; ``dialects`` are those of the board."""
    usable = [dialect for dialect in dialects if dialect in plan.template.dialects]
    return PlanView(
        plan.template.key,
        plan.template.title[language],
        plan.dialect,
        tuple((dialect, DIALECT_NAMES[dialect]) for dialect in usable),
        tuple(_need_view(choice, language) for choice in plan.pins),
        tuple(_param_view(param, plan.params[param.key], language) for param in plan.template.params),
        tuple((part.name[language], tuple(line[language] for line in part.wiring)) for part in plan.parts),
        tuple(finding_view(finding, language) for finding in plan.findings),
        plan.file_name,
        plan.sketch,
        plan.edited,
        plan.ok,
    )


def _memory(use: MemoryUse | None) -> MemoryView | None:
    return MemoryView(use.used, use.limit) if use is not None else None


def build_view(report: BuildReport, language: Language) -> BuildView:
    """A build that has ended."""
    return BuildView(
        "done" if report.ok else "failed",
        "",
        report.tool,
        report.seconds,
        _memory(report.flash),
        _memory(report.ram),
        tuple(finding_view(finding, language) for finding in report.findings),
        report.checked_only,
        report.log,
    )


def heard_view(heard: Heard) -> HeardView:
    """What was heard so far."""
    values = tuple((name, f"{value:g}") for name, value in heard.values.items())
    return HeardView(values, heard.lines, heard.seconds)
