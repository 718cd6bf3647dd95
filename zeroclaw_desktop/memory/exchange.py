"""Memories as files: JSON lines, which keep everything, and Markdown for people, which keeps it too.

In Markdown each entry is a heading, a comment with its fields as JSON, and its text as a quotation, so that
no text can look like the next entry. Snapshots of ZeroClaw (``MEMORY_SNAPSHOT.md``) are read as well.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.memory import MemoryDraft, MemoryEntry
from zeroclaw_desktop.memory.append_log import draft_from
from zeroclaw_desktop.memory.cleaning import clean
from zeroclaw_desktop.memory.errors import MemoryFileError, MemoryRefusedError
from zeroclaw_desktop.memory.memory import Memory

MOST_FILE_BYTES = 256 * 1024 * 1024
PIECE = 100
"""Entries that are read or written between two turns of the loop."""
_COMMENT = re.compile(r"<!-- (\{.*\}) -->")
_SNAPSHOT = re.compile(r"^### (?:🔑 )?`([^`\n]+)`\s*$", re.MULTILINE)


@dataclass(frozen=True)
class ImportReport:
    """What became of a file.

    Attributes:
        merged: entries that were there already.
        bad: (line, what is wrong) of what was left out, the first hundred.
    """

    taken: int
    merged: int
    bad: tuple[tuple[int, str], ...]
    left_out: int


def entry_row(entry: MemoryEntry) -> dict[str, object]:
    """An entry as it is written: what a draft has, so that reading it gives the same entry."""
    return {
        "key": entry.key,
        "text": entry.text,
        "category": entry.category,
        "session": entry.session,
        "source": entry.source,
        "agent": entry.agent,
        "board": entry.board,
        "pinned": entry.pinned,
        "sensitivity": entry.sensitivity,
        "count": entry.count,
        "created": entry.created,
        "details": dict(entry.details),
    }


def json_lines(entries: Iterable[MemoryEntry]) -> Iterator[str]:
    """Each entry as one line of JSON, its end included."""
    for entry in entries:
        yield json.dumps(entry_row(entry), ensure_ascii=False) + "\n"


def markdown(entries: Iterable[MemoryEntry]) -> Iterator[str]:
    """Each entry as a section."""
    for entry in entries:
        fields = entry_row(entry)
        del fields["text"]
        # A comment ends at "-->": the angle bracket is written as JSON may write it.
        comment = json.dumps(fields, ensure_ascii=False).replace(">", "\\u003e").replace("<", "\\u003c")
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.created))
        quoted = "\n".join(f"> {line}" for line in entry.text.split("\n"))
        yield f"## {entry.number} · {entry.category} · {day}\n<!-- {comment} -->\n\n{quoted}\n\n"


async def export(memory: Memory, path: Path, *, category: str = "") -> int:
    """Write all entries, or those of a category, to a file; ``.md`` is Markdown, everything else JSON lines.

    The file is written beside its place and moved there when it is whole; only its owner may read it.

    Returns:
        How many entries were written.

    Raises:
        MemoryFileError: it cannot be written.
    """
    await memory.settled()
    as_markdown = path.suffix.lower() in (".md", ".markdown")
    beside = path.with_name(f".{path.name}.new")
    count, last = 0, 0
    try:
        beside.unlink(missing_ok=True)
        beside.touch(mode=0o600)
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            if as_markdown:
                file.write("# Memory\n\n")
            while piece := await memory.after(last, PIECE, category):
                written = "".join(markdown(piece) if as_markdown else json_lines(piece))
                await memory.on_worker(lambda: file.write(written))  # noqa: B023
                count, last = count + len(piece), piece[-1].number
        beside.replace(path)
    except OSError as error:
        raise MemoryFileError(
            f"The file {path} cannot be written: {error.strerror}.",
            hint="Choose another place.",
            details={"path": str(path), "reason": str(error.strerror)},
        ) from error
    finally:
        beside.unlink(missing_ok=True)
    return count


async def import_file(memory: Memory, path: Path) -> ImportReport:
    """Take in a file that ``export`` wrote, or a snapshot of ZeroClaw; what cannot be kept is left out.

    Raises:
        MemoryFileError: the file cannot be read or is too large.
    """
    text = await memory.on_worker(lambda: _read(path))
    as_markdown = path.suffix.lower() in (".md", ".markdown")
    taken = merged = left_out = 0
    bad: list[tuple[int, str]] = []
    drafts: list[MemoryDraft] = []
    for line, found in _markdown_drafts(text) if as_markdown else _json_drafts(text):
        if isinstance(found, str):
            left_out += 1
            bad.append((line, found))
            continue
        try:
            clean(found)
        except MemoryRefusedError as error:
            left_out += 1
            bad.append((line, error.message))
            continue
        drafts.append(found)
        if len(drafts) == PIECE:
            merged += sum(told.merged for told in await memory.take_in(drafts))
            taken += len(drafts)
            drafts = []
    if drafts:
        merged += sum(told.merged for told in await memory.take_in(drafts))
        taken += len(drafts)
    return ImportReport(taken, merged, tuple(bad[:100]), left_out)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_FILE_BYTES:
            raise MemoryFileError(
                f"The file {path} is larger than {MOST_FILE_BYTES // 1024 // 1024} MB.",
                hint="Divide it.",
                details={"path": str(path), "reason": "size"},
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise MemoryFileError(
            f"The file {path} is no UTF-8 text.",
            hint="Save it as UTF-8.",
            details={"path": str(path), "reason": "UTF-8"},
        ) from error
    except OSError as error:
        raise MemoryFileError(
            f"The file {path} cannot be read: {error.strerror}.",
            hint="Check its name and permissions.",
            details={"path": str(path), "reason": str(error.strerror)},
        ) from error


def _json_drafts(text: str) -> Iterator[tuple[int, MemoryDraft | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _draft(line, None)


def _draft(fields: str, text: str | None) -> MemoryDraft | str:
    try:
        row = json.loads(fields)
        if text is not None and isinstance(row, dict):
            row["text"] = text
        return draft_from(row)
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return str(error)


def _markdown_drafts(text: str) -> Iterator[tuple[int, MemoryDraft | str]]:
    if not any(_COMMENT.fullmatch(line) for line in text.split("\n")):
        yield from _snapshot_drafts(text)
        return
    fields, began, quoted = "", 0, list[str]()
    for number, line in enumerate([*text.split("\n"), "## "], 1):
        comment = _COMMENT.fullmatch(line)
        if line.startswith("## ") and fields:
            yield began, _draft(fields, "\n".join(quoted))
            fields = ""
        elif comment and not fields:
            fields, began, quoted = comment[1], number, []
        elif fields and line.startswith(">"):
            quoted.append(line[2:] if line.startswith("> ") else line[1:])


def _snapshot_drafts(text: str) -> Iterator[tuple[int, MemoryDraft | str]]:
    heads = list(_SNAPSHOT.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        body = text[head.end() : end]
        kept = [
            line for line in body.split("\n") if line.strip() != "---" and not line.startswith("*Created:")
        ]
        line = text.count("\n", 0, head.start()) + 1
        yield line, MemoryDraft("\n".join(kept).strip(), source="import")
