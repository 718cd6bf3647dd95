"""The offline assistant: understands hardware sentences in English and Chinese without a model or a key.

Pure functions over text. Nothing in here does input or output, waits, or knows of Qt, serial ports or models.
"""

from __future__ import annotations

from zeroclaw_desktop.providers.offline.answers import summarize
from zeroclaw_desktop.providers.offline.model import (
    BoardFacts,
    CallOutcome,
    DialogueState,
    PlannedCall,
    Understanding,
)
from zeroclaw_desktop.providers.offline.normalize import language_of
from zeroclaw_desktop.providers.offline.understanding import understand

__all__ = [
    "BoardFacts",
    "CallOutcome",
    "DialogueState",
    "PlannedCall",
    "Understanding",
    "language_of",
    "summarize",
    "understand",
]
