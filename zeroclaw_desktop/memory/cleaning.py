"""What a draft goes through before it is kept: bounds, secrets masked, recalled text taken out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from zeroclaw_desktop.contracts.memory import CORE, DAILY, MemoryDraft
from zeroclaw_desktop.foundation.log import mask_secrets
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.memory.errors import MemoryRefusedError

MOST_CHARACTERS = 8_000
MOST_NAME = 64
RECALL_BEGIN = "[Memory context]"
RECALL_END = "[/Memory context]"
_RECALL = re.compile(
    r"\[\s*memory\s+context\s*\].*?(?:\[\s*/\s*memory\s+context\s*\]|\Z)", re.IGNORECASE | re.DOTALL
)
_MARK = re.compile(r"\[\s*/?\s*memory\s+context\s*\]", re.IGNORECASE)
_PROTOCOL = re.compile(r"\A\s*(?:\[(?:IMAGE:|cron:|heartbeat task|distilled_)|<tool_(?:result|call)\b)")
_CATEGORY = re.compile(r"[^\W\d][\w-]{0,31}")
AUTONOMOUS_SOURCES = frozenset({"schedule", "sop", "webhook"})
"""Sources of actions at which no person is present."""
_TRUSTED = frozenset({"person", "agent", "import"})


def is_autonomous(source: str) -> bool:
    """Whether a source acts with nobody there to be asked."""
    return source in AUTONOMOUS_SOURCES


def without_recall(text: str) -> str:
    """A text without the blocks that a recall put into it, also nested and unfinished ones.

    What was recalled and stored again would be recalled the next time with a block around it, and so on.
    """
    while True:
        shorter = _MARK.sub(" ", _RECALL.sub(" ", text))
        if shorter == text:  # what was around a mark may have made another one
            return text.strip()
        text = shorter


@dataclass(frozen=True)
class Cleaned:
    """A draft that may be kept, and whether something in it was masked."""

    draft: MemoryDraft
    masked: bool


def clean(draft: MemoryDraft) -> Cleaned:
    """Make a draft fit to be kept.

    A source that is neither the person nor an agent that talks with one cannot set core facts, which are
    told to models for ever: its core drafts become daily ones.

    Raises:
        MemoryRefusedError: nothing is left of the text, it is too long or is a protocol's message, or the
            category is no name.
    """
    if len(draft.text) > 4 * MOST_CHARACTERS:
        raise _too_long(len(draft.text))
    text = without_recall(draft.text)
    if not text:
        raise MemoryRefusedError(
            "There is nothing to remember in this text.", hint="Say what is to be remembered."
        )
    if _PROTOCOL.match(text):
        raise MemoryRefusedError(
            "This is a message between programs and is not remembered.", hint="Say it in words."
        )
    if len(text) > MOST_CHARACTERS:
        raise _too_long(len(text))
    category = checked_category(draft.category)
    if category == CORE and draft.source not in _TRUSTED:
        category = DAILY
    masked = mask_secrets(visible(text, keep="\n\t"))
    cleaned = replace(
        draft,
        text=masked,
        category=category,
        session=_name(draft.session),
        source=_name(draft.source),
        agent=_name(draft.agent),
        board=_name(draft.board),
        details={key: _masked(value) for key, value in draft.details.items()},
        count=max(1, int(draft.count)),
    )
    return Cleaned(cleaned, masked != visible(text, keep="\n\t"))


def _too_long(characters: int) -> MemoryRefusedError:
    return MemoryRefusedError(
        f"The text has {characters} characters; {MOST_CHARACTERS} are remembered at most.",
        hint="Remember the point of it, or several parts.",
        details={"characters": characters, "most": MOST_CHARACTERS},
    )


def checked_category(category: str) -> str:
    """The category as it is kept: lower case.

    Raises:
        MemoryRefusedError: it is no name: a letter, then at most 31 letters, digits, ``_`` or ``-``.
    """
    name = category.strip().lower()
    if not _CATEGORY.fullmatch(name):
        raise MemoryRefusedError(
            f"'{visible(category, MOST_NAME)}' is no category.",
            hint="Use core, daily, conversation, execution, sop or a short name of your own.",
            details={"category": visible(category, MOST_NAME)},
        )
    return name


def _masked(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _masked(item) for key, item in value.items()}
    return mask_secrets(value) if isinstance(value, str) else value


def _name(text: str) -> str:
    return visible(" ".join(text.split()))[:MOST_NAME]
