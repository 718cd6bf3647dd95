"""``python -m zeroclaw_desktop.debug_cli --payload JSON``: one payload, every transition timed (EX-17)."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence

from zeroclaw_desktop.cli.main import BAD_USE_CODES, LastDefence
from zeroclaw_desktop.cli.output import BAD_USE, DONE, FAILED, INTERRUPTED, print_error, print_json
from zeroclaw_desktop.cli.results import result_row
from zeroclaw_desktop.cli.session import SIMULATED, command_runtime
from zeroclaw_desktop.cli.standard_input import read_text
from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.executor import transition_row
from zeroclaw_desktop.execution.parsers.json_text import JsonParser
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.runtime.reach import reach_board


class TransitionPrinter:
    """Prints each transition with the time since the first one; implements Reporter."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._start: float | None = None

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        if self._start is None:
            self._start = transition.monotonic
        elapsed = (transition.monotonic - self._start) * 1000
        if self._as_json:
            print_json({**transition_row(transition), "since_start_ms": round(elapsed, 3)})
        else:
            note = f"  ({transition.note})" if transition.note else ""
            print(f"{elapsed:10.3f} ms  {transition.state.value}{note}", flush=True)


async def _run(options: argparse.Namespace) -> int:
    text = read_text() if options.payload == "-" else options.payload
    (payload,) = JsonParser().parse(text, source="manual")
    async with command_runtime(verbose=options.verbose) as runtime:
        runtime.executor.reporters.append(TransitionPrinter(as_json=options.json))
        await reach_board(runtime, options.board)
        result = await runtime.executor.submit(payload)
        row = result_row(result)
        print(json.dumps(row, ensure_ascii=False, indent=None if options.json else 2))
        return DONE if result.ok else FAILED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one payload against the simulated board, or the board on ``--board PORT``."""
    parser = argparse.ArgumentParser(prog="python -m zeroclaw_desktop.debug_cli")
    parser.add_argument("--payload", required=True, help="JSON, or - for standard input")
    parser.add_argument(
        "--board", default=SIMULATED, help="port of a board, or simulated:KIND (default: a simulated Uno)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on each line")
    parser.add_argument("-v", "--verbose", action="store_true", help="log to standard error")
    options = parser.parse_args(arguments)
    defence = LastDefence()
    with defence:
        return _exit_code(options)
    return defence.code


def _exit_code(options: argparse.Namespace) -> int:
    try:
        return asyncio.run(_run(options))
    except FaultError as error:
        for fault in error.faults:
            print(f"0x{fault.code:02X} {fault.symbol}: {fault.message}", file=sys.stderr)
        return FAILED
    except ZeroClawError as error:
        print_error(error, as_json=options.json)
        return BAD_USE if error.code in BAD_USE_CODES else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
