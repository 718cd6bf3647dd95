"""``zeroclaw device list`` and ``zeroclaw device flash``."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from zeroclaw_desktop.cli.output import DONE, FAILED, print_error, print_json, print_line, print_note
from zeroclaw_desktop.cli.session import SIMULATED, command_runtime, run
from zeroclaw_desktop.foundation.errors import ZeroClawError


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``device`` family to the parser."""
    device = subparsers.add_parser("device", help="boards and their firmware")
    verbs = device.add_subparsers(dest="verb", required=True)
    listing = verbs.add_parser("list", parents=[common], help="list ports and boards")
    listing.set_defaults(run=list_devices)
    flash = verbs.add_parser("flash", parents=[common], help="write firmware to a board")
    flash.add_argument("--board", default=SIMULATED, help="port of the board (default: a simulated one)")
    flash.add_argument("--type", default="arduino-uno", help="kind of the board on that port")
    flash.add_argument("--firmware", default="default", help="shipped firmware or a .hex file")
    flash.set_defaults(run=flash_device)


def list_devices(options: argparse.Namespace) -> int:
    """Print USB serial ports, what is known of them, the simulated boards, and who drives which."""

    async def main() -> int:
        from zeroclaw_desktop.config.store import ConfigStore
        from zeroclaw_desktop.foundation.paths import config_file
        from zeroclaw_desktop.runtime.reach import list_rows, rows_with_holders

        rows = list_rows()
        try:
            rows = await rows_with_holders(rows, ConfigStore(config_file()))
        except ZeroClawError as error:
            print_note(f"zeroclaw: who drives which board is not known: {error.message}")
            print_note(f"  {error.hint}")
        if options.json:
            print_json({"devices": rows})
            return DONE
        for row in rows:
            print_line(f"{row['path']:<24} {row['name']:<28} {row['usb_id']:<10} {row['hint']}")
        return DONE

    return run(main)


def flash_device(options: argparse.Namespace) -> int:
    """Flash a board with progress; the exit code says whether the new firmware was verified."""

    async def main() -> int:
        from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
        from zeroclaw_desktop.execution.payloads import make_payload

        async with command_runtime(verbose=options.verbose) as runtime:
            show = _Progress(quiet=options.json)
            runtime.bus.subscribe(FlashProgressed, show.progressed)
            if options.verbose:
                runtime.bus.subscribe(FlashLogged, lambda event: print_note(event.line))
            board_id = await _board_to_flash(runtime, options)
            payload = make_payload(
                "flash_firmware", {"firmware": options.firmware}, source="manual", device_id=board_id
            )
            result = await runtime.executor.submit(payload)
            show.finish()
            if result.ok:
                row = {"ok": True, **result.value}
                if options.json:
                    print_json(row)
                else:
                    print_line(f"Verified. The board greets as {row['firmware'] or 'something else'}.")
                return DONE
            fault = result.faults[0]
            print_error(
                ZeroClawError(
                    fault.message,
                    hint=str(fault.details.get("hint", "")),
                    code=str(fault.details.get("kind", fault.symbol)),
                ),
                as_json=options.json,
            )
            return FAILED

    return run(main)


async def _board_to_flash(runtime: Any, options: argparse.Namespace) -> str:
    """A board need not answer to be flashed: it may have any firmware or none."""
    from zeroclaw_desktop.runtime.reach import reach_board

    try:
        return await reach_board(runtime, options.board, options.type)
    except ZeroClawError as error:
        if error.code != "no_handshake":
            raise
        return str(options.board)


class _Progress:
    """Draws phases and percent on standard error."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet or not sys.stderr.isatty()
        self._phase = ""

    def progressed(self, event: Any) -> None:
        """Show a FlashProgressed event."""
        if self._quiet:
            return
        if event.phase != self._phase and self._phase:
            sys.stderr.write("\n")
        self._phase = event.phase
        percent = "" if event.percent is None else f"{event.percent:5.1f} %"
        sys.stderr.write(f"\r{event.phase:<10} {percent}")
        sys.stderr.flush()

    def finish(self) -> None:
        """End the last line."""
        if not self._quiet and self._phase:
            sys.stderr.write("\n")
