"""``zeroclaw device``: list, flash, ask which board is on a port, name boards and pins.

Adding boards by their address is in ``added_board_commands``.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from zeroclaw_desktop.cli import added_board_commands
from zeroclaw_desktop.cli.output import DONE, FAILED, print_error, print_json, print_line, print_note
from zeroclaw_desktop.cli.session import SIMULATED, command_runtime, run
from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.foundation.errors import ZeroClawError


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``device`` family to the parser."""
    device = subparsers.add_parser("device", help="boards and their firmware")
    verbs = device.add_subparsers(dest="verb", required=True)
    listing = verbs.add_parser("list", parents=[common], help="list ports and boards")
    listing.add_argument("--check", action="store_true", help="ask the added boards whether they are there")
    listing.set_defaults(run=list_devices)
    added_board_commands.add_verbs(verbs, common)
    flash = verbs.add_parser("flash", parents=[common], help="write firmware to a board")
    flash.add_argument("--board", default=SIMULATED, help="port of the board (default: a simulated one)")
    flash.add_argument("--type", default="arduino-uno", help="kind of the board on that port")
    flash.add_argument("--firmware", default="default", help="shipped firmware, a file or a restore point")
    flash.add_argument(
        "--method",
        default="",
        metavar="WAY",
        help="way of writing, such as uf2 or openocd (default: the best)",
    )
    flash.add_argument(
        "--by-hand", action="store_true", help="the board was put into its boot mode by its buttons"
    )
    flash.add_argument(
        "--save-first",
        action=argparse.BooleanOptionalAction,
        help="keep what is on the board before its first flash (default: as in the settings)",
    )
    flash.set_defaults(run=flash_device)
    erase = verbs.add_parser("erase", parents=[common], help="erase everything on a board's chip")
    erase.add_argument("--board", required=True, help="port of the board")
    erase.add_argument("--type", required=True, help="kind of the board on that port")
    erase.add_argument("--confirm", default="", metavar="NAME", help="name of the board, so that it is meant")
    erase.add_argument(
        "--by-hand", action="store_true", help="the board was put into its boot mode by its buttons"
    )
    erase.add_argument(
        "--save-first",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep what is on the board before (default: yes)",
    )
    erase.set_defaults(run=erase_device)
    ask = verbs.add_parser("ask", parents=[common], help="find out which board is on a port; may restart it")
    ask.add_argument("port", help="path of the port, as in 'device list'")
    ask.set_defaults(run=ask_port)
    naming = verbs.add_parser("name", parents=[common], help="name a board, or one of its pins")
    naming.add_argument(
        "board", help="sim-uno, simulated:KIND, the path of a port, or the address of an added board"
    )
    naming.add_argument("name", help="the name; '' takes it away")
    naming.add_argument("--pin", default="", help="number or name of the pin that is named")
    naming.add_argument("--role", default="", help="what the pin is for: led, switch, dimmer, buzzer")
    naming.set_defaults(run=name_device)


def list_devices(options: argparse.Namespace) -> int:
    """Print USB serial ports, what is known of them, the simulated boards, and who drives which."""

    async def main() -> int:
        from zeroclaw_desktop.config.store import ConfigStore
        from zeroclaw_desktop.foundation.paths import config_file
        from zeroclaw_desktop.runtime.reach import list_rows, rows_with_holders

        rows = list_rows() + await added_board_commands.added_rows(options)
        try:
            rows = await rows_with_holders(rows, ConfigStore(config_file()))
        except ZeroClawError as error:
            print_note(f"zeroclaw: who drives which board is not known: {error.message}")
            print_note(f"  {error.hint}")
        if options.json:
            print_json({"devices": rows})
            return DONE
        for row in rows:
            print_line(f"{row['path']:<24} {row['name']:<40} {row['usb_id']:<10} {row['hint']}")
        return DONE

    return run(main)


def ask_port(options: argparse.Namespace) -> int:
    """Ask the firmware on a port, then its boot loader; the exit code says whether anything answered."""

    async def main() -> int:
        from zeroclaw_desktop.runtime.port_identification import identify_port

        async with command_runtime(verbose=options.verbose) as runtime:
            steps = (lambda _step: None) if options.json else lambda step: print_note(f"asking: {step}")
            found = await identify_port(options.port, runtime.children, steps)
        row = {
            "kinds": list(found.kinds),
            "certain": found.certain,
            "firmware": found.firmware,
            "chip": found.chip,
            "prints": found.prints,
        }
        if options.json:
            print_json(row)
        elif found.kinds:
            sure = "it is" if found.certain else f"chip {found.chip}; it may be"
            print_line(f"{options.port}: {sure} {', '.join(found.kinds)}")
        else:
            heard = "it prints something, but neither" if found.prints else "neither"
            print_line(f"{options.port}: {heard} its firmware nor a boot loader answers")
        return DONE if found.kinds else FAILED

    return run(main)


def name_device(options: argparse.Namespace) -> int:
    """Give a board or a pin a name; a window knows it from its next start on."""

    async def main() -> int:
        from zeroclaw_desktop.foundation.paths import home_folder
        from zeroclaw_desktop.runtime.board_names import name_board

        known = name_board(home_folder(), options.board, options.name, options.pin, options.role)
        pins = [{"name": pin.name, "pin": pin.pin, "role": pin.role} for pin in known.pins]
        if options.json:
            print_json({"identity": known.identity, "name": known.name, "pins": pins})
            return DONE
        print_line(f"{known.identity}: {known.name or '(its own name)'}")
        for pin in known.pins:
            print_line(f"  pin {pin.pin}: {pin.name}{f' ({pin.role})' if pin.role else ''}")
        return DONE

    return run(main)


def flash_device(options: argparse.Namespace) -> int:
    """Flash a board with progress; the exit code says whether the new firmware was verified."""

    async def main() -> int:
        from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
        from zeroclaw_desktop.execution.payloads import make_payload

        async with command_runtime(verbose=options.verbose) as runtime:
            show = FlashProgressLine(quiet=options.json)
            runtime.bus.subscribe(FlashProgressed, show.progressed)
            if options.verbose:
                runtime.bus.subscribe(FlashLogged, lambda event: print_note(event.line))
            board_id = await board_to_flash(runtime, options)
            params = {
                "firmware": options.firmware,
                "method": options.method,
                "by_hand": options.by_hand,
            }
            if options.save_first is not None:
                params["save_first"] = options.save_first
            payload = make_payload("flash_firmware", params, source="manual", device_id=board_id)
            result = await runtime.executor.submit(payload)
            show.finish()
            if result.ok:
                row = {"ok": True, **result.value}
                if options.json:
                    print_json(row)
                else:
                    done = "Verified" if row["verified"] else "Written"
                    print_line(f"{done}. The board greets as {row['firmware'] or 'something else'}.")
                    if row["restore_point"]:
                        print_line(f"What was on it is saved in {row['restore_point']}.")
                    if row["warning"]:
                        print_note(row["warning"])
                return DONE
            return _told(result.faults[0], options)

    return run(main)


def _told(fault: ActionFault, options: argparse.Namespace) -> int:
    error = ZeroClawError(
        fault.message,
        hint=str(fault.details.get("hint", "")),
        code=str(fault.details.get("kind", fault.symbol)),
    )
    print_error(error, as_json=options.json)
    return FAILED


def erase_device(options: argparse.Namespace) -> int:
    """Erase a board's chip; its name must be given, or typed when it is asked for."""

    async def main() -> int:
        from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
        from zeroclaw_desktop.execution.payloads import make_payload

        async with command_runtime(verbose=options.verbose) as runtime:
            show = FlashProgressLine(quiet=options.json)
            runtime.bus.subscribe(FlashProgressed, show.progressed)
            if options.verbose:
                runtime.bus.subscribe(FlashLogged, lambda event: print_note(event.line))
            board_id = await board_to_flash(runtime, options)
            name = runtime.roster.connection(board_id).name
            params = {
                "confirm": options.confirm or _typed(name, options),
                "by_hand": options.by_hand,
                "save_first": options.save_first,
            }
            payload = make_payload("erase_flash", params, source="manual", device_id=board_id)
            result = await runtime.executor.submit(payload)
            show.finish()
            if not result.ok:
                return _told(result.faults[0], options)
            row = {"ok": True, **result.value}
            if options.json:
                print_json(row)
            else:
                print_line("Erased. The board does nothing until a firmware is written.")
                if row["restore_point"]:
                    print_line(f"What was on it is saved in {row['restore_point']}.")
            return DONE

    return run(main)


def _typed(name: str, options: argparse.Namespace) -> str:
    """What the person types at a terminal; '' where nobody can be asked."""
    if options.json or not sys.stdin.isatty():
        return ""
    print_note("Everything on the chip will be erased: program, boot loader, settings and files.")
    return input(f"Type the board's name to go on ({name}): ")


async def board_to_flash(runtime: Any, options: argparse.Namespace) -> str:
    """A board need not answer to be flashed, and one in its boot mode may have no port."""
    from zeroclaw_desktop.runtime.reach import reach_board

    try:
        return await reach_board(runtime, options.board, options.type)
    except ZeroClawError as error:
        if error.code not in ("no_handshake", "port_missing"):
            raise
        return str(options.board)


class FlashProgressLine:
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
