"""``zeroclaw make``: firmware from a request or a template, checked, compiled, written and heard."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.cli.device_commands import FlashProgressLine, board_to_flash
from zeroclaw_desktop.cli.output import DONE, FAILED, print_error, print_json, print_line, print_note
from zeroclaw_desktop.cli.session import SIMULATED, command_runtime, run
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.synthesis import BuildReport, Finding, FirmwarePlan
    from zeroclaw_desktop.runtime.runtime import Runtime

LISTEN_SECONDS = 3.0
SHOWN_LINES = 5


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add ``make`` to the parser."""
    make = subparsers.add_parser(
        "make",
        parents=[common],
        help="make firmware from words: 'blink the LED three times a second on pin 9'",
    )
    make.add_argument("request", nargs="?", default="", help="what it shall do, in English or Chinese")
    make.add_argument("--list", action="store_true", dest="listing", help="list what can be made")
    make.add_argument("--template", default="", metavar="KIND", help="kind of firmware, instead of words")
    make.add_argument("--board", default=SIMULATED, help="port of the board (default: a simulated one)")
    make.add_argument("--type", default="", help="kind of the board on that port")
    make.add_argument(
        "--dialect", default="", choices=("", "arduino", "micropython", "rust"), help="language of the sketch"
    )
    make.add_argument(
        "--pin", action="append", default=[], metavar="NEED=PIN", help="a pin of your choice: led=9"
    )
    make.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a value of the template: rate=3"
    )
    make.add_argument("--sketch", default="", metavar="FILE", help="your own text in place of the template's")
    make.add_argument("--save", default="", metavar="FILE", help="write the sketch to a file")
    make.add_argument("--plan", action="store_true", help="plan and check, build nothing")
    make.add_argument("--build", action="store_true", help="build, write nothing to a board")
    make.add_argument(
        "--listen",
        type=float,
        default=LISTEN_SECONDS,
        metavar="SECONDS",
        help="how long to hear the board afterwards",
    )
    make.set_defaults(run=make_firmware)


def make_firmware(options: argparse.Namespace) -> int:
    """Plan, check, build, flash, listen; the exit code says whether all that was asked for succeeded."""

    async def main() -> int:
        async with command_runtime(verbose=options.verbose) as runtime:
            if options.listing:
                return _list(runtime, options)
            return await _make(runtime, options)

    return run(main)


def _list(runtime: Runtime, options: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = [
        {
            "key": template.key,
            "title": {**template.title},
            "about": {**template.about},
            "dialects": list(template.dialects),
            "pins": [need.key for need in template.needs],
            "params": {
                param.key: {"default": param.default, "unit": param.unit} for param in template.params
            },
        }
        for template in runtime.firmware.templates()
    ]
    if options.json:
        print_json({"templates": rows})
        return DONE
    for row in rows:
        print_line(f"{row['key']:<10} {row['title']['en']:<34} {row['about']['en']}")
        values = ", ".join(f"{key}={value['default']}" for key, value in row["params"].items())
        print_line(f"{'':<10} pins: {', '.join(row['pins']) or 'none'}; values: {values or 'none'}")
    return DONE


async def _make(runtime: Runtime, options: argparse.Namespace) -> int:
    from zeroclaw_desktop.runtime.firmware_service import plan_row, report_row, wish_of
    from zeroclaw_desktop.runtime.paper_board import SIMULATED_NAMES
    from zeroclaw_desktop.runtime.simulators import UNO_TYPE

    writes = not (options.plan or options.build)
    params = {
        "request": options.request,
        "template": options.template,
        "dialect": options.dialect,
        "pins": options.pin,
        "params": options.set,
        "sketch": _text_of(options.sketch),
    }
    wish = wish_of(params, runtime.firmware.understand)
    board_type = options.type or (UNO_TYPE if options.board in SIMULATED_NAMES else "")
    board_id = ""
    if writes or not board_type:
        options.type = board_type or UNO_TYPE
        board_id = await board_to_flash(runtime, options)
    plan = await runtime.firmware.plan(wish, board_id, "" if board_id else board_type)
    if options.save:
        _save(Path(options.save), plan.sketch)
    row: dict[str, Any] = {"ok": plan.ok, "plan": plan_row(plan)}
    if not options.json:
        print_plan(plan)
    if options.plan or not plan.ok:
        return _end(row, plan.ok, options)
    report = await runtime.firmware.build(plan, board_id)
    row |= {"ok": report.ok, "build": report_row(report)}
    if not options.json:
        print_build(plan, report)
    if options.build or not report.ok:
        return _end(row, report.ok, options)
    return await _flash_and_listen(runtime, board_id, row, options)


async def _flash_and_listen(
    runtime: Runtime, board_id: str, row: dict[str, Any], options: argparse.Namespace
) -> int:
    from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
    from zeroclaw_desktop.execution.payloads import make_payload
    from zeroclaw_desktop.runtime.firmware_service import GENERATED

    show = FlashProgressLine(quiet=options.json)
    runtime.bus.subscribe(FlashProgressed, show.progressed)
    if options.verbose:
        runtime.bus.subscribe(FlashLogged, lambda event: print_note(event.line))
    payload = make_payload("flash_firmware", {"firmware": GENERATED}, source="manual", device_id=board_id)
    result = await runtime.executor.submit(payload)
    show.finish()
    if not result.ok:
        fault = result.faults[0]
        error = ZeroClawError(
            fault.message,
            hint=str(fault.details.get("hint", "")),
            code=str(fault.details.get("kind", fault.symbol)),
        )
        print_error(error, as_json=options.json)
        return FAILED
    row["flash"] = dict(result.value)
    greeting = result.value["firmware"]
    if not options.json:
        print_line(f"On the board. It greets as {greeting or 'something else'}.")
    heard = await runtime.firmware.listen(board_id, max(0.0, options.listen))
    row["heard"] = {
        "seconds": round(heard.seconds, 2),
        "lines": list(heard.lines),
        "values": dict(heard.values),
        "counts": dict(heard.counts),
    }
    if not options.json:
        print_line(f"It says in {heard.seconds:.0f} s:")
        for name, value in heard.values.items():
            print_line(f"  {name}: {value:g} ({heard.counts[name]} values)")
        for line in heard.lines[-SHOWN_LINES:] if not heard.values else ():
            print_line(f"  {line}")
        if not heard.lines:
            print_line("  nothing")
    return _end(row, True, options)


def _end(row: dict[str, Any], ok: bool, options: argparse.Namespace) -> int:
    if options.json:
        print_json(row)
    return DONE if ok else FAILED


def _text_of(file: str) -> str:
    if not file:
        return ""
    try:
        return Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, RuntimeError) as error:
        raise ZeroClawError(f"The sketch {file} cannot be read: {error}", code="bad_input") from error


def _save(path: Path, text: str) -> None:
    try:
        path.expanduser().write_text(text, encoding="utf-8")
    except (OSError, RuntimeError) as error:
        raise ZeroClawError(f"The sketch cannot be written to {path}: {error}", code="bad_input") from error


def print_plan(plan: FirmwarePlan) -> None:
    """Print pins, parts and what is wrong, for a person."""
    values = ", ".join(f"{key} {value}" for key, value in plan.params.items() if value != "")
    print_line(
        f"{plan.template.title['en']}: {plan.dialect} for {plan.board}" + (f", {values}" if values else "")
    )
    for choice in plan.pins:
        print_line(f"  {choice.label['en']}: pin {choice.name or '?'} ({choice.reason['en']})")
    for part in plan.parts:
        print_line(f"  needs: {part.name['en']}")
        for line in part.wiring:
            print_line(f"    {line['en']}")
    for finding in plan.findings:
        _print_finding(plan.file_name, finding)


def print_build(plan: FirmwarePlan, report: BuildReport) -> None:
    """Print sizes and the compiler's messages, for a person."""
    for finding in report.findings:
        _print_finding(plan.file_name, finding)
    if not report.ok:
        print_note(f"zeroclaw: not built ({report.tool}).")
        return
    sizes = [
        f"{name} {use.used} of {use.limit} bytes ({use.used / use.limit:.0%})"
        for name, use in (("flash", report.flash), ("RAM", report.ram))
        if use is not None and use.limit
    ]
    verb = "Checked" if report.checked_only else "Built"
    print_line(
        f"{verb} by {report.tool} in {report.seconds:.2f} s" + (f": {', '.join(sizes)}." if sizes else ".")
    )


def _print_finding(file_name: str, finding: Finding) -> None:
    place = f"{file_name}:{finding.line}: " if finding.line else ""
    print_note(f"  {finding.severity}: {place}{finding.message['en']}")
    if finding.hint.get("en"):
        print_note(f"    {finding.hint['en']}")
