"""What a reader of payloads must have, and what a reader of sentences must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from zeroclaw_desktop.contracts.actions import ActionPayload, Source


@runtime_checkable
class Parser(Protocol):
    """One form in which actions can be written.

    A third party registers one in the entry point group ``zeroclaw_desktop.parsers``: the entry point names a
    class or a function that is called without arguments and gives an object like this.
    """

    @property
    def name(self) -> str:
        """Short name by which it is chosen (``json``)."""

    @property
    def description(self) -> str:
        """One line for people."""

    @property
    def suffixes(self) -> Sequence[str]:
        """Ends of names of files in this form (``.json``), lower case; may be empty."""

    def parse(self, text: str, *, source: Source) -> Sequence[ActionPayload]:
        """Read a text completely.

        Args:
            text: what came.
            source: who it came from. The payloads carry it; only for ``manual`` may a text name another one
                (a person may try what an agent may do, an agent may not pass for a person).

        Returns:
            The actions in their order; at least one.

        Raises:
            FaultError: what was expected and where, all faults together.
        """


@dataclass(frozen=True)
class SentenceAction:
    """What one sentence asks for.

    Attributes:
        action: name of a command.
        params: its parameters as the sentence gives them, unchecked.
        offset: where the sentence begins in the text.
    """

    action: str
    params: Mapping[str, Any] = field(default_factory=dict)
    offset: int = 0


class SentenceReader(Protocol):
    """Turns sentences into actions; the composition root may hand in another than the built-in one."""

    def read(self, text: str) -> Sequence[SentenceAction]:
        """Read every sentence of a text.

        Raises:
            NotUnderstoodError: where the reading stopped and what was expected there.
        """
