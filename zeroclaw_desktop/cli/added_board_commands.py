"""``zeroclaw device add``, ``remove`` and the added boards in ``device list`` (HW-5)."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from typing import Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line
from zeroclaw_desktop.cli.session import command_runtime, run

ADDRESSES = "tcp://host:port, unoq://host, mqtt://user@host/base, micropython:PORT or gpio:CHIP"


def add_verbs(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add the verbs to the ``device`` family."""
    adding = verbs.add_parser("add", parents=[common], help="add a board by its address")
    adding.add_argument("address", help=ADDRESSES)
    adding.add_argument("--type", default="", help="kind of the board there (default: by the address)")
    adding.add_argument("--name", default="", help="what to call it")
    adding.add_argument(
        "--ask-password", action="store_true", help="ask for the broker's password, or read it from a pipe"
    )
    adding.set_defaults(run=add_board)
    removing = verbs.add_parser("remove", parents=[common], help="forget an added board and its password")
    removing.add_argument("board", help="its address or its name")
    removing.set_defaults(run=remove_board)


def add_board(options: argparse.Namespace) -> int:
    """Keep an address and say whether the board answers; a window knows it from its next start on."""

    async def main() -> int:
        password = _password() if options.ask_password else ""
        async with command_runtime(verbose=options.verbose) as runtime:
            board_id = await runtime.added.add(options.address, options.type, options.name, password)
            board = runtime.roster.connection(board_id).info
            health = await runtime.added.check(board.port)
        row = {
            "address": board.port,
            "id": board_id,
            "name": board.name,
            "type": board.profile.key,
            "answers": health.answers,
            "note": health.note,
        }
        if options.json:
            print_json(row)
            return DONE
        print_line(f"Added {board.port} as '{board.name}' ({board.profile.name}).")
        print_line(_health(health.answers, health.milliseconds, health.note))
        return DONE

    return run(main)


def _password() -> str:
    """From the terminal without showing it, or the first line of a pipe."""
    if sys.stdin.isatty():
        return getpass.getpass("Password of the broker: ")
    return sys.stdin.readline().rstrip("\r\n")


def _health(answers: bool, milliseconds: float | None, note: str) -> str:
    return (
        f"answers in {milliseconds:.0f} ms" if answers and milliseconds is not None else f"no answer: {note}"
    )


def remove_board(options: argparse.Namespace) -> int:
    """Forget a board."""

    async def main() -> int:
        async with command_runtime(verbose=options.verbose) as runtime:
            address = await runtime.added.forget(options.board)
        if options.json:
            print_json({"removed": address})
        else:
            print_line(f"Removed {address}.")
        return DONE

    return run(main)


async def added_rows(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Rows of the added boards; with ``--check`` each is asked whether it is there."""
    from zeroclaw_desktop.foundation.paths import home_folder
    from zeroclaw_desktop.runtime.reach import added_rows as rows_of

    rows = rows_of(home_folder())
    if not options.check or not rows:
        return rows
    async with command_runtime(verbose=options.verbose) as runtime:
        found = await asyncio.gather(*(runtime.added.check(row["path"]) for row in rows))
    for row, health in zip(rows, found, strict=True):
        row["answers"] = health.answers
        row["hint"] = _health(health.answers, health.milliseconds, health.note)
    return rows
