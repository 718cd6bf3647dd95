"""Text of a PDF, page by page, read by a child process: a damaged or hostile file can only hurt that one.

Run as ``python -m zeroclaw_desktop.hardware.datasheets.pdf_pages FILE``; prints JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.errors import ZeroClawError

MOST_PAGES = 2_000
MOST_PAGE_CHARACTERS = 20_000
READ_SECONDS = 120.0
MARK = b"\x1e"
"""Record separator: before the answer, after whatever the library had to say."""


class DataSheetError(ZeroClawError):
    """A file cannot be read as a data sheet."""

    default_code = "datasheet_unreadable"


def unreadable_file(file: Path, reason: str) -> DataSheetError:
    """The error for a file that cannot be read; the reason ends a sentence."""
    return DataSheetError(
        f"The data sheet {file.name} cannot be read: {reason}.",
        hint="Open it in another program; save it anew, or as text.",
        details={"file": file.name, "reason": reason},
    )


async def read_pdf(file: Path, runner: ChildRunner) -> list[str]:
    """Text of each page.

    Raises:
        DataSheetError: it is no PDF, is locked by a password, or takes too long.
    """
    answer = bytearray()
    ended = await runner.run(
        [sys.executable, "-m", __name__, str(file)], timeout=READ_SECONDS, on_output=answer.extend
    )
    _, _, body = bytes(answer).partition(MARK)
    try:
        row = json.loads(body)
        pages = [str(page) for page in row["pages"]]
    except (ValueError, KeyError, TypeError) as error:
        reason = "it takes too long" if ended.timed_out else _reason(body)
        raise unreadable_file(file, reason) from error
    return pages


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["reason"])
    except (ValueError, KeyError, TypeError):
        return "it is damaged"


def main() -> int:
    """Print the pages, or why there are none."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(sys.argv[1])
        if reader.is_encrypted and not reader.decrypt(""):
            answer: dict[str, object] = {"reason": "it is locked by a password"}
        else:
            texts = [page.extract_text() for page in reader.pages[:MOST_PAGES]]
            answer = {"pages": [text[:MOST_PAGE_CHARACTERS] for text in texts]}
    except (PyPdfError, OSError, ValueError, KeyError, TypeError, RecursionError, AttributeError) as error:
        answer = {"reason": str(error).rstrip(".") or type(error).__name__}
    sys.stdout.buffer.write(MARK + json.dumps(answer).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
