"""``zeroclaw memory``: list, search, add, edit, pin, forget, export, import, count what is remembered."""

from __future__ import annotations

import argparse
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.cli.output import DONE, FAILED, print_json, print_line, print_note

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.memory import MemoryEntry
    from zeroclaw_desktop.memory.memory import Memory

USUAL_LIMIT = 20
MOST_LISTED = 1_000
MOST_CHARACTERS = 160


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``memory`` family to the parser."""
    memory = subparsers.add_parser("memory", help="what is remembered")
    verbs = memory.add_subparsers(dest="verb", required=True)

    def verb(name: str, run: Callable[[argparse.Namespace], int], words: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = verbs.add_parser(name, parents=[common], help=words)
        parser.set_defaults(run=run)
        return parser

    listed = verb("list", list_entries, "the newest memories, pinned ones first")
    listed.add_argument("--category", default="", help="only these")
    listed.add_argument("--limit", type=_limit, default=USUAL_LIMIT, metavar="N", help="default: 20")
    search = verb("search", search_entries, "memories that fit a question, best first")
    search.add_argument("question")
    search.add_argument("--category", default="", help="only these")
    search.add_argument("--limit", type=_limit, default=None, metavar="N", help="default: the setting")
    add = verb("add", add_entry, "remember something")
    add.add_argument("text")
    add.add_argument("--category", default="core", help="core (default), daily, conversation or a name")
    add.add_argument("--board", default="", metavar="ID", help="the board that it is about")
    add.add_argument("--pin", action="store_true", help="it neither ages nor is forgotten by itself")
    add.add_argument("--private", action="store_true", help="not to be shown to models elsewhere")
    edit = verb("edit", edit_entry, "give a memory another text")
    edit.add_argument("number", type=int)
    edit.add_argument("text")
    edit.add_argument("--category", default="", help="another category as well")
    pin = verb("pin", pin_entry, "pin a memory: it neither ages nor is forgotten by itself")
    pin.add_argument("number", type=int)
    pin.add_argument("--off", action="store_true", help="unpin it")
    forget = verb("forget", forget_entries, "forget memories")
    what = forget.add_mutually_exclusive_group(required=True)
    what.add_argument("number", type=int, nargs="*", default=[])
    what.add_argument("--category", default="", help="every memory of a category")
    what.add_argument("--all", action="store_true", help="every memory")
    export = verb("export", export_entries, "write memories to a file")
    export.add_argument("file", type=Path, help=".md is Markdown, everything else JSON lines")
    export.add_argument("--category", default="", help="only these")
    take = verb("import", import_entries, "read memories from a file that export wrote")
    take.add_argument("file", type=Path)
    verb("stats", show_statistics, "how much is remembered")


def _limit(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_LISTED:
        raise argparse.ArgumentTypeError(f"must be 1 to {MOST_LISTED}")
    return number


def _visit(work: Callable[[Memory], Awaitable[int]], options: argparse.Namespace) -> int:
    from zeroclaw_desktop.cli.session import run
    from zeroclaw_desktop.foundation.log import start_logging, stop_logging
    from zeroclaw_desktop.runtime.memory_visit import visited_memory

    async def main() -> int:
        async with visited_memory() as memory:
            return await work(memory)

    start_logging(None, verbose=options.verbose)
    try:
        return run(main)
    finally:
        stop_logging()


def entry_row(entry: MemoryEntry) -> dict[str, Any]:
    """An entry as JSON."""
    return {**asdict(entry), "details": dict(entry.details)}


def _entry_line(entry: MemoryEntry, score: float | None = None) -> str:
    text = " ".join(entry.text.split())
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS] + "…"
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.created))
    marks = f"{' pinned' if entry.pinned else ''}{' private' if entry.sensitivity == 'private' else ''}"
    often = f" x{entry.count}" if entry.count > 1 else ""
    rated = "" if score is None else f"  {score:.2f}"
    return f"{entry.number:>6}  {day}  {entry.category}{marks}{often}{rated}  {text}"


def list_entries(options: argparse.Namespace) -> int:
    """Print the newest entries."""

    async def work(memory: Memory) -> int:
        entries = await memory.newest(options.category, options.limit)
        if options.json:
            print_json({"memories": [entry_row(entry) for entry in entries]})
            return DONE
        for entry in entries:
            print_line(_entry_line(entry))
        if not entries:
            print_line("Nothing is remembered.")
        return DONE

    return _visit(work, options)


def search_entries(options: argparse.Namespace) -> int:
    """Print what fits a question."""
    from zeroclaw_desktop.contracts.memory import MemoryQuestion

    async def work(memory: Memory) -> int:
        kinds = (options.category,) if options.category else ()
        hits = await memory.recall(MemoryQuestion(options.question, options.limit, categories=kinds))
        if options.json:
            rows = [
                {
                    **entry_row(hit.entry),
                    "score": hit.score,
                    "relevance": hit.relevance,
                    "vector": hit.vector,
                    "keyword": hit.keyword,
                }
                for hit in hits
            ]
            print_json({"memories": rows})
            return DONE
        for hit in hits:
            print_line(_entry_line(hit.entry, hit.score))
        if not hits:
            print_line("Nothing fits.")
        return DONE

    return _visit(work, options)


def add_entry(options: argparse.Namespace) -> int:
    """Remember a text."""
    from zeroclaw_desktop.contracts.memory import MemoryDraft

    async def work(memory: Memory) -> int:
        secrecy = "private" if options.private else "normal"
        draft = MemoryDraft(
            options.text,
            options.category,
            board=options.board,
            pinned=options.pin,
            sensitivity="private" if secrecy == "private" else "normal",
        )
        told = await memory.remember(draft)
        if options.json:
            print_json({"ok": True, **asdict(told)})
            return DONE
        print_line(f"{told.number} was known already." if told.merged else f"Remembered as {told.number}.")
        if told.masked:
            print_note("What looked like a password or a key was replaced by ***.")
        return DONE

    return _visit(work, options)


def edit_entry(options: argparse.Namespace) -> int:
    """Change the text of an entry."""

    async def work(memory: Memory) -> int:
        entry = await memory.edit(options.number, options.text, category=options.category)
        if options.json:
            print_json({"ok": True, "memory": entry_row(entry)})
        else:
            print_line(_entry_line(entry))
        return DONE

    return _visit(work, options)


def pin_entry(options: argparse.Namespace) -> int:
    """Pin or unpin an entry."""

    async def work(memory: Memory) -> int:
        await memory.pin(options.number, pinned=not options.off)
        if options.json:
            print_json({"ok": True, "number": options.number, "pinned": not options.off})
        else:
            print_line(f"{options.number} is {'no longer ' if options.off else ''}pinned.")
        return DONE

    return _visit(work, options)


def forget_entries(options: argparse.Namespace) -> int:
    """Forget entries by number or by category, or all of them."""

    async def work(memory: Memory) -> int:
        if options.number:
            gone = await memory.forget(tuple(options.number))
        else:
            gone = await memory.forget_all(options.category)
        missing = len(set(options.number)) - gone if options.number else 0
        if options.json:
            print_json({"ok": missing <= 0, "forgotten": gone})
        else:
            print_line(f"{gone} forgotten.")
        if missing > 0:
            print_note(f"{missing} of the numbers are of no memory.")
        return FAILED if missing > 0 else DONE

    return _visit(work, options)


def export_entries(options: argparse.Namespace) -> int:
    """Write entries to a file."""
    from zeroclaw_desktop.memory.exchange import export

    async def work(memory: Memory) -> int:
        count = await export(memory, options.file, category=options.category)
        if options.json:
            print_json({"ok": True, "file": str(options.file), "memories": count})
        else:
            print_line(f"{count} memories are in {options.file}.")
        return DONE

    return _visit(work, options)


def import_entries(options: argparse.Namespace) -> int:
    """Read entries from a file; exit code 1 when some were left out."""
    from zeroclaw_desktop.memory.exchange import import_file

    async def work(memory: Memory) -> int:
        report = await import_file(memory, options.file)
        if options.json:
            bad = [{"line": line, "reason": reason} for line, reason in report.bad]
            print_json(
                {
                    "ok": not bad,
                    "taken": report.taken,
                    "merged": report.merged,
                    "left_out": report.left_out,
                    "bad": bad,
                }
            )
        else:
            print_line(f"{report.taken} memories read, {report.merged} of them were known already.")
            for line, reason in report.bad:
                print_note(f"line {line}: {reason}")
            if report.left_out > len(report.bad):
                print_note(f"… and {report.left_out - len(report.bad)} more")
        return FAILED if report.left_out else DONE

    return _visit(work, options)


def show_statistics(options: argparse.Namespace) -> int:
    """Print the counts."""

    async def work(memory: Memory) -> int:
        counted = await memory.statistics()
        if options.json:
            print_json(asdict(counted))
            return DONE
        for category, count in counted.by_category.items():
            print_line(f"{category:<24} {count:>8,}")
        print_line(f"{'all':<24} {counted.entries:>8,}, {counted.pinned:,} pinned")
        waiting = f", {counted.without_vector:,} wait for a vector" if counted.without_vector else ""
        print_line(f"embedded by {counted.engine}{waiting}")
        return DONE

    return _visit(work, options)
