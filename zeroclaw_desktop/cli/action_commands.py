"""``zeroclaw exec``, ``chat``, ``estop`` and ``selftest``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.cli.exec_input import add_input_options, payloads_of
from zeroclaw_desktop.cli.output import DONE, FAILED, print_error, print_json, print_line, print_note
from zeroclaw_desktop.cli.session import SIMULATED, command_runtime, run
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, ActionResult
    from zeroclaw_desktop.runtime.runtime import Runtime


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands that do something to the parser."""
    execute = subparsers.add_parser("exec", parents=[common], help="run actions: JSON, sentences or a file")
    add_input_options(execute)
    execute.set_defaults(run=execute_payload)
    chat = subparsers.add_parser("chat", parents=[common], help="say one sentence to the assistant")
    chat.add_argument("sentence")
    chat.set_defaults(run=chat_once)
    for parser in (execute, chat):
        parser.add_argument(
            "--board", default=SIMULATED, help="port of a board, or simulated:KIND (default: a simulated Uno)"
        )
    stop = subparsers.add_parser("estop", parents=[common], help="stop everything now")
    stop.add_argument("--board", default="", help="tell the board on this port directly")
    stop.set_defaults(run=emergency_stop)
    selftest = subparsers.add_parser(
        "selftest", parents=[common], help="do the whole main job on the simulated board"
    )
    selftest.set_defaults(run=run_selftest)


def execute_payload(options: argparse.Namespace) -> int:
    """Run the actions in their order, up to the first that fails; the reports go to standard output."""

    async def main() -> int:
        from zeroclaw_desktop.cli.results import fault_row
        from zeroclaw_desktop.execution.errors import FaultError

        try:
            return await _run_actions(payloads_of(options), options)
        except FaultError as error:
            if options.json:
                print_json({"ok": False, "errors": [fault_row(fault) for fault in error.faults]})
            else:
                print_error(error, as_json=False)
            return FAILED

    return run(main)


async def _run_actions(payloads: Sequence[ActionPayload], options: argparse.Namespace) -> int:
    from zeroclaw_desktop.cli.results import result_row
    from zeroclaw_desktop.execution.errors import FaultError
    from zeroclaw_desktop.runtime.reach import reach_board

    results: list[ActionResult] = []
    async with command_runtime(verbose=options.verbose) as runtime:
        if any(runtime.needs_board(payload.action) for payload in payloads):
            await reach_board(runtime, options.board)
        if len(payloads) > 1:
            # Half a plan is not carried out because of a fault that could be seen before.
            faults = [fault for payload in payloads for fault in _faults_before(runtime, payload)]
            if faults:
                raise FaultError(faults)
        for payload in payloads:
            results.append(await runtime.executor.submit(payload))
            if not options.json:
                _print_result(results[-1])
            if not results[-1].ok:
                break
    left = len(payloads) - len(results)
    ok = left == 0 and results[-1].ok
    if options.json:
        rows = [result_row(result) for result in results]
        print_json(rows[0] if options.payload is not None else {"ok": ok, "results": rows, "not_run": left})
    elif left:
        print_note(f"Not run: {left} more.")
    return DONE if ok else FAILED


def _faults_before(runtime: Runtime, payload: ActionPayload) -> Sequence[ActionFault]:
    from zeroclaw_desktop.execution.errors import FaultError

    try:
        runtime.executor.prepare(payload)
    except FaultError as error:
        return error.faults
    return ()


def _print_result(result: ActionResult) -> None:
    from zeroclaw_desktop.cli.results import fault_lines

    dry = " (dry run: nothing was sent)" if result.dry_run else ""
    print_line(f"{result.state.value} {result.action} {dict(result.value)}{dry}")
    for line in fault_lines(result):
        print_note(line)


def chat_once(options: argparse.Namespace) -> int:
    """Answer one sentence; text streams as it comes."""

    async def main() -> int:
        from zeroclaw_desktop.cli.results import StreamingObserver
        from zeroclaw_desktop.runtime.reach import reach_board

        async with command_runtime(verbose=options.verbose) as runtime:
            await reach_board(runtime, options.board)
            result = await runtime.chat.send(options.sentence, StreamingObserver(quiet=options.json))
            good = result.outcome == "done" and all(
                answer.data.get("status") == "ok" for _, answer in result.calls
            )
            if options.json:
                calls = [
                    {"name": call.name, "arguments": dict(call.arguments), **answer.data}
                    for call, answer in result.calls
                ]
                print_json({"ok": good, "answer": result.text, "calls": calls})
            else:
                print_line("")
            return DONE if good else FAILED

    return run(main)


def emergency_stop(options: argparse.Namespace) -> int:
    """Stop the running app and all running commands; without any, tell the board on a port directly."""
    from zeroclaw_desktop.runtime.control_client import order_all

    if not options.board:
        answers = [row for row in order_all({"cmd": "estop", "source": "command line"}) if "boards" in row]
        if answers:
            return _print_stop(_together(answers), options)
    return run(lambda: _stop_directly(options))


async def _stop_directly(options: argparse.Namespace) -> int:
    from zeroclaw_desktop.runtime.reach import genuine_ports, reach_board

    ports = [options.board] if options.board else genuine_ports()
    async with command_runtime(verbose=options.verbose, needs_home=False) as runtime:
        for port in ports:
            try:
                await reach_board(runtime, port)
            except ZeroClawError as error:
                print_error(error, as_json=False)
        report = await runtime.stop_everything.trigger("command line")
        boards = [vars(outcome) for outcome in report.outcomes]
        ok = bool(boards) and all(outcome.confirmed for outcome in report.outcomes)
        note = "" if boards else "No running app and no board was found."
        return _print_stop({"ok": ok, "cancelled": 0, "boards": boards, "note": note}, options)


def _together(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """The reports of several programs as one."""
    return {
        "ok": all(answer["ok"] for answer in answers),
        "cancelled": sum(answer["cancelled"] for answer in answers),
        "boards": [board for answer in answers for board in answer["boards"]],
    }


def _print_stop(answer: dict[str, Any], options: argparse.Namespace) -> int:
    if options.json:
        print_json(answer)
    else:
        for board in answer["boards"]:
            state = "stopped" if board["confirmed"] else f"NOT confirmed ({board['note']})"
            print_line(f"{board['name']}: {state}")
        print_line(answer.get("note") or f"{answer['cancelled']} commands cancelled.")
    return DONE if answer["ok"] else FAILED


def run_selftest(options: argparse.Namespace) -> int:
    """Run the self-test and print each figure."""

    async def main() -> int:
        from zeroclaw_desktop.runtime.selftest import SelfTest

        def show(row: dict[str, Any]) -> None:
            if not options.json:
                mark = "ok  " if row["ok"] else "FAIL"
                print_line(f"{mark} {row['name']:<16} {row['ms']:>9.1f} ms  {row['detail']}")

        async with command_runtime(verbose=options.verbose) as runtime:
            report = await SelfTest(runtime, show).run()
        if options.json:
            print_json(report)
        return DONE if report["ok"] else FAILED

    return run(main)
