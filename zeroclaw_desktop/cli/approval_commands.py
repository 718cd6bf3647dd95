"""``zeroclaw approvals``: questions and remembered answers of the program that runs with a window (SC-11)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line
from zeroclaw_desktop.foundation.errors import ZeroClawError

_REASONS: Mapping[str, tuple[str, str]] = {
    "unknown": ("No question with this id waits.", "zeroclaw approvals lists those that do."),
    "answered": ("The question was answered meanwhile.", ""),
    "not_rememberable": (
        "An answer to this question is never remembered.",
        "Allow it once: leave --scope out.",
    ),
    "scope": ("The running program does not know this scope.", "Update the program that runs."),
    "unknown_rule": ("There is no remembered answer with this id.", "zeroclaw approvals rules lists them."),
}


class NoWindowError(ZeroClawError):
    """No program with a window runs, so nobody is asked anything."""

    default_code = "no_window"


class ApprovalRefusedError(ZeroClawError):
    """The running program did not take the answer."""

    default_code = "approval_refused"


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``approvals`` family to the parser."""
    approvals = subparsers.add_parser(
        "approvals",
        parents=[common],
        help="answer the questions of the window, and revoke remembered answers",
    )
    approvals.set_defaults(run=list_questions)
    behind = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    behind.add_argument("--json", action="store_true", help="print one JSON document")
    behind.add_argument("-v", "--verbose", action="store_true", help="log to standard error")
    verbs = approvals.add_subparsers(dest="verb")
    listing = verbs.add_parser("list", parents=[behind], help="list what waits for an answer")
    listing.set_defaults(run=list_questions)
    allow = verbs.add_parser("allow", parents=[behind], help="allow what a question is about")
    allow.add_argument("id", metavar="ID", help="of the question, as in the list")
    allow.add_argument(
        "--scope",
        choices=("once", "hour", "session"),
        default="once",
        help="this time only (default), for an hour, or until the window closes",
    )
    allow.set_defaults(run=allow_question)
    deny = verbs.add_parser("deny", parents=[behind], help="refuse what a question is about")
    deny.add_argument("id", metavar="ID", help="of the question, as in the list")
    deny.set_defaults(run=deny_question)
    rules = verbs.add_parser("rules", parents=[behind], help="list the remembered answers")
    rules.set_defaults(run=list_rules)
    revoke = verbs.add_parser("revoke", parents=[behind], help="end a remembered answer")
    revoke.add_argument("id", metavar="ID", help="of the answer, as in the rules")
    revoke.set_defaults(run=revoke_rule)


def _order(order: dict[str, Any]) -> dict[str, Any]:
    """Ask the running program.

    Raises:
        NoWindowError, ApprovalRefusedError.
    """
    from zeroclaw_desktop.runtime.control_client import order_running_app

    answer = order_running_app(order)
    if answer is None:
        raise NoWindowError(
            "No window runs, so nothing waits for an answer.", hint="Open it: zeroclaw window"
        )
    if not answer.get("ok"):
        reason = str(answer.get("reason", ""))
        message, hint = _REASONS.get(reason, (f"It was refused: {answer.get('error', 'no reason')}.", ""))
        raise ApprovalRefusedError(message, hint=hint, details={"reason": reason})
    return answer


def list_questions(options: argparse.Namespace) -> int:
    """Print what waits: who, what, why, and what each answer would cover."""
    rows = _order({"cmd": "approvals"})["approvals"]
    if options.json:
        print_json({"approvals": rows})
        return DONE
    for row in rows:
        print_line(f"{row['id']}  {row['action']}({row['params']})  {row['seconds_left']:.0f} s left")
        board = f" on {row['board']}" if row["board"] else ""
        print_line(f"  asked by {row['source']}{board}; risk: {row['risk']}")
        print_line(f"  needs '{row['needs']}', and {row['source']} may go up to '{row['ceiling']}' unasked")
        for pin, before, after, mode in row["changes"]:
            print_line(f"  pin {pin} ({mode}): {'?' if before is None else before} -> {after}")
        if row["again"]:
            print_line("  asked again: the board or a pin changed meanwhile")
        print_line("  --scope once: this command, this time only")
        if row["covers"]:
            print_line(f"  --scope hour, session: {row['covers']}")
        else:
            print_line("  the answer is never remembered")
    if not rows:
        print_line("No question waits.")
    return DONE


def _done(options: argparse.Namespace, order: dict[str, Any], text: str) -> int:
    _order(order)
    if options.json:
        print_json({"ok": True, "id": options.id})
    else:
        print_line(text)
    return DONE


def allow_question(options: argparse.Namespace) -> int:
    """Allow it, once or for longer."""
    order = {"cmd": "approval_allow", "id": options.id, "scope": options.scope}
    return _done(options, order, f"Allowed ({options.scope}).")


def deny_question(options: argparse.Namespace) -> int:
    """Refuse it."""
    return _done(options, {"cmd": "approval_deny", "id": options.id}, "Not allowed.")


def list_rules(options: argparse.Namespace) -> int:
    """Print the remembered answers with what they cover and how often they were used."""
    rows = _order({"cmd": "approval_rules"})["rules"]
    if options.json:
        print_json({"rules": rows})
        return DONE
    for row in rows:
        left = row["seconds_left"]
        ends = "until the window closes" if left is None else f"for {left / 60:.0f} more min"
        print_line(f"{row['id']}  {ends}, used {row['uses']} times, by {row['made_by']}")
        print_line(f"  {row['covers']}")
    if not rows:
        print_line("No answer is remembered.")
    return DONE


def revoke_rule(options: argparse.Namespace) -> int:
    """End a remembered answer; what it allowed has to ask again."""
    return _done(options, {"cmd": "approval_revoke", "id": options.id}, "Revoked; it asks again from now on.")
