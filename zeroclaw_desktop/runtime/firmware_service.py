"""Making firmware for the window, the command line and the assistant: one way for all of them (HW-9)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile, NamedPin
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.contracts.synthesis import BuildReport, FirmwarePlan, FirmwareWish, TemplateInfo
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.text import QUOTED, visible
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.synthesis.builder import build_plan
from zeroclaw_desktop.hardware.synthesis.errors import BuildError, WishError
from zeroclaw_desktop.hardware.synthesis.planning import dialects_of, plan_firmware
from zeroclaw_desktop.hardware.synthesis.templates import template_catalog
from zeroclaw_desktop.hardware.telemetry.line_parser import TelemetryParser
from zeroclaw_desktop.providers.offline.firmware_requests import understand_firmware

GENERATED = "generated"
"""What ``flash_firmware`` takes for the firmware that was made last for the board."""
OWN_SKETCH = "own"
"""Key of the template for a sketch that comes without words."""
MAX_SKETCH_BYTES = 256 * 1024
LISTEN_STEP_SECONDS = 0.05
MAX_HEARD = 200
_log = logger("flash")


@dataclass(frozen=True)
class Heard:
    """What a board said in a while.

    Attributes:
        lines: of its console, oldest first.
        values: last value of each series, by its name.
        counts: values of each series.
        seconds: how long was listened.
    """

    lines: tuple[str, ...]
    values: Mapping[str, float]
    counts: Mapping[str, int]
    seconds: float


class FirmwareService:
    """Plans and builds; remembers the last firmware of each board.

    Args:
        roster: boards with their kinds and the names of their pins.
        runner: starts compilers.
    """

    def __init__(self, roster: BoardRoster, runner: ChildRunner) -> None:
        self._roster = roster
        self._runner = runner
        self._made: dict[str, str] = {}
        self._heard_before: dict[str, int] = {}
        """Lines of a board's console before a made firmware was written to it, until somebody listens."""

    @staticmethod
    def templates() -> Sequence[TemplateInfo]:
        """Everything that can be made."""
        return [template.info for template in template_catalog().values()]

    def understand(self, sentence: str) -> FirmwareWish:
        """Read a request, in English or Chinese, by rules.

        Raises:
            WishError: ``unknown_request``; it names nothing that can be made.
        """
        templates = self.templates()
        wish = understand_firmware(sentence, templates)
        if not wish.template:
            known = ", ".join(template.key for template in templates)
            raise WishError(
                f"It is not clear which firmware '{visible(sentence.strip(), QUOTED)}' means.",
                hint=f"Name one of these: {known}.",
                code="unknown_request",
                details={"request": visible(sentence.strip(), QUOTED), "known": known},
            )
        return wish

    async def own_sketch(self, path: Path) -> FirmwareWish:
        """A wish for a sketch in a file (``.ino``).

        Raises:
            WishError: ``sketch_unreadable``; it cannot be read, is no UTF-8 text, or too large.
        """
        try:
            data = await asyncio.to_thread(_first_bytes, path)
            text = data.decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", "") or "it is no UTF-8 text"
            raise _unreadable(path, str(reason)) from error
        if len(data) > MAX_SKETCH_BYTES:
            raise _unreadable(path, f"it has more than {MAX_SKETCH_BYTES // 1024} KiB")
        return FirmwareWish(OWN_SKETCH, "arduino", sketch=text.replace("\r\n", "\n"))

    def board(self, board_id: str, board_type: str = "") -> tuple[BoardProfile, Sequence[NamedPin]]:
        """Kind of a board and the names of its pins; a kind alone has no names.

        Raises:
            WishError, ZeroClawError: there is no such board or kind.
        """
        if board_type:
            profile = board_catalog().get(board_type)
            if profile is None:
                known = ", ".join(board_catalog())
                raise WishError(
                    f"There is no kind of board '{visible(board_type, QUOTED)}'.",
                    hint=f"Known: {known}.",
                    code="unknown_board",
                )
            return profile, ()
        connection = self._roster.connection(board_id)
        return connection.profile, connection.named_pins

    def dialects(self, board_id: str) -> Sequence[str]:
        """The dialects that a board can run, best first."""
        return dialects_of(self.board(board_id)[0])

    async def plan(self, wish: FirmwareWish, board_id: str, board_type: str = "") -> FirmwarePlan:
        """Plan a wish for a board; what is wrong stands in its findings.

        Raises:
            WishError: no such template, dialect or kind of board.
        """
        profile, named = self.board(board_id, board_type)
        return await asyncio.to_thread(plan_firmware, wish, profile, named)

    async def build(
        self, plan: FirmwarePlan, board_id: str = "", on_step: Callable[[str], None] = lambda _step: None
    ) -> BuildReport:
        """Build a plan; the result is what ``flash_firmware`` means by 'generated' for that board.

        Raises:
            BuildError: no compiler, or it did not end in time.
        """
        report = await build_plan(plan, board_catalog()[plan.board], self._runner, on_step)
        if report.ok and report.firmware and board_id:
            self._made[board_id] = report.firmware
        _log.info(
            "%s for %s by %s: %s", plan.file_name, plan.board, report.tool, "built" if report.ok else "no"
        )
        return report

    def resolved(self, board_id: str, request: FlashRequest) -> FlashRequest:
        """A flash request in which 'generated' is the path of the firmware made last for the board.

        Raises:
            FlashError: none was made yet.
        """
        if request.firmware != GENERATED:
            return request
        made = self._made.get(board_id, "")
        if not made or not Path(made).is_file():
            raise FlashError(
                "No firmware was made for this board yet.",
                hint="Make one first: the command firmware_generate, or 'Make firmware' on the Devices page.",
                code="image_unfit",
                details={"file": GENERATED, "reason": "no firmware was made for this board yet"},
            )
        self._heard_before[board_id] = self._roster.connection(board_id).console.total
        return replace(request, firmware=made)

    async def generate(self, board_id: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """The command ``firmware_generate``: plan, check, build.

        Raises:
            WishError, BuildError: it cannot be made; the message has every reason.
        """
        wish = wish_of(params, self.understand)
        board_type = str(params.get("board_type", ""))
        plan = await self.plan(wish, board_id, board_type)
        row = plan_row(plan)
        if not plan.ok:
            raise WishError(
                " ".join(finding.message["en"] for finding in plan.findings if finding.severity == "error"),
                hint=" ".join(finding.hint.get("en", "") for finding in plan.findings if finding.hint),
                code="firmware_refused",
                details={"plan": row, **_reasons(plan.findings)},
            )
        report = await self.build(plan, "" if board_type else board_id)
        if not report.ok:
            errors = [finding for finding in report.findings if finding.severity == "error"]
            raise BuildError(
                " ".join(_with_line(plan, finding.line, finding.message["en"]) for finding in errors[:5]),
                hint=" ".join(finding.hint.get("en", "") for finding in errors[:5] if finding.hint),
                code="build_failed",
                details={"output": report.log[-4_000:], **_reasons(errors)},
            )
        return {**row, **report_row(report)}

    async def listen(self, board_id: str, seconds: float) -> Heard:
        """Hear what a board says for a while, and what it said since a made firmware was written to it."""
        console = self._roster.connection(board_id).console
        parser = TelemetryParser()
        total = self._heard_before.pop(board_id, console.total)
        lines: list[str] = []
        values: dict[str, float] = {}
        counts: dict[str, int] = {}
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while loop.time() - begun < seconds:
            await asyncio.sleep(LISTEN_STEP_SECONDS)
            total, fresh = console.since(total)
            lines += fresh
            for line in fresh:
                parsed = parser.feed_line(line.encode())
                for sample in parsed.samples if parsed is not None and not parsed.is_protocol else ():
                    values[sample.label] = sample.value
                    counts[sample.label] = counts.get(sample.label, 0) + 1
        return Heard(tuple(lines[-MAX_HEARD:]), values, counts, loop.time() - begun)


def wish_of(params: Mapping[str, Any], understand: Callable[[str], FirmwareWish]) -> FirmwareWish:
    """The wish of the parameters of ``firmware_generate``; what is said apart goes before the words.

    Raises:
        WishError: the words name nothing, or a row is not of the form name=value.
    """
    request, template = str(params.get("request", "")), str(params.get("template", ""))
    if not request and not template and params.get("sketch"):
        template = OWN_SKETCH
    wish = FirmwareWish(template) if template else understand(request)
    return replace(
        wish,
        dialect=str(params.get("dialect", "")) or wish.dialect,
        pins={**wish.pins, **_pairs(params.get("pins", ()))},
        params={**wish.params, **_pairs(params.get("params", ()))},
        sketch=str(params.get("sketch", "")),
    )


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_SKETCH_BYTES + 1)


def _unreadable(path: Path, reason: str) -> WishError:
    name = visible(path.name, QUOTED)
    return WishError(
        f"The sketch {name} cannot be read: {reason}.",
        hint="Choose an .ino file that is saved as UTF-8.",
        code="sketch_unreadable",
        details={"file": name, "reason": reason},
    )


def _pairs(rows: Any) -> dict[str, str]:
    """``["led=9"]`` as a mapping.

    Raises:
        WishError: a row has no sign of equality.
    """
    found: dict[str, str] = {}
    for row in rows:
        key, sign, value = str(row).partition("=")
        if not sign or not key.strip():
            raise WishError(
                f"'{visible(str(row), QUOTED)}' is not of the form name=value.", code="firmware_wish"
            )
        found[key.strip()] = value.strip()
    return found


def _reasons(findings: Sequence[Any]) -> dict[str, str]:
    errors = [finding for finding in findings if finding.severity == "error"]
    return {
        "reason": " ".join(finding.message["en"] for finding in errors),
        "reason_zh": "".join(finding.message["zh"] for finding in errors),
        "advice": " ".join(finding.hint.get("en", "") for finding in errors).strip(),
        "advice_zh": "".join(finding.hint.get("zh", "") for finding in errors),
    }


def _with_line(plan: FirmwarePlan, line: int, text: str) -> str:
    return f"{plan.file_name}:{line}: {text}" if line else text


def plan_row(plan: FirmwarePlan) -> dict[str, Any]:
    """A plan as plain data."""
    return {
        "template": plan.template.key,
        "dialect": plan.dialect,
        "board": plan.board,
        "params": dict(plan.params),
        "pins": [
            {
                "need": choice.need,
                "label": choice.label["en"],
                "pin": choice.pin,
                "name": choice.name,
                "by": choice.by,
                "reason": choice.reason["en"],
                "free": list(choice.free),
            }
            for choice in plan.pins
        ],
        "parts": [
            {"name": part.name["en"], "wiring": [line["en"] for line in part.wiring]} for part in plan.parts
        ],
        "libraries": [vars(library) for library in plan.libraries],
        "findings": [finding_row(finding) for finding in plan.findings],
        "file": plan.file_name,
        "edited": plan.edited,
        "sketch": plan.sketch,
    }


def finding_row(finding: Any) -> dict[str, Any]:
    """A finding as plain data, English."""
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message["en"],
        "hint": finding.hint.get("en", ""),
        "line": finding.line,
        "column": finding.column,
    }


def report_row(report: BuildReport) -> dict[str, Any]:
    """A build as plain data."""
    return {
        "built": report.ok,
        "tool": report.tool,
        "seconds": round(report.seconds, 3),
        "firmware": report.firmware,
        "flash": vars(report.flash) if report.flash else None,
        "ram": vars(report.ram) if report.ram else None,
        "messages": [finding_row(finding) for finding in report.findings],
        "core_cached": report.core_cached,
        "checked_only": report.checked_only,
    }
