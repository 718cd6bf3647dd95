"""What stands in the transcript, in order; Qt-free. The view draws it, the page feeds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ErrorView, ToolCallView

FINAL_STATES = ("completed", "failed", "cancelled", "refused")
"""States in which a tool call changes no more."""


@dataclass
class UserEntry:
    """Something that the person wrote."""

    message_id: str
    text: str


@dataclass
class AnswerEntry:
    """A piece of running text of an answer; a tool call in between starts a new piece."""

    turn_id: str
    text: str = ""
    complete: bool = False
    """True once nothing more comes; only then it is rendered as Markdown."""


@dataclass
class ToolEntry:
    """A command on its way."""

    call: ToolCallView


@dataclass
class NoteEntry:
    """One line about what happened: ``stopped``, ``failed`` or ``approval``."""

    kind: str
    text: str = ""


@dataclass
class FailureEntry:
    """Why an answer could not be made."""

    error: ErrorView


@dataclass
class PlotEntry:
    """Series that were pinned into the conversation; see ``PinnedPlot``."""

    plot_id: str
    series: tuple[tuple[str, str], ...]
    window_s: float
    at: float
    removed: bool = False
    """Whether the person took it out again."""


Entry = UserEntry | AnswerEntry | ToolEntry | NoteEntry | FailureEntry | PlotEntry


@dataclass
class Transcript:
    """The entries of one conversation; each method returns the numbers of those that are new or changed."""

    entries: list[Entry] = field(default_factory=list)
    _open_text: dict[str, int] = field(default_factory=dict)
    _calls: dict[str, int] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)
    _explained: set[str] = field(default_factory=set)

    def add_user(self, message_id: str, text: str) -> list[int]:
        """Add what the person wrote."""
        return [self._add(UserEntry(message_id, text))]

    def add_text(self, turn_id: str, piece: str) -> list[int]:
        """Add a piece of an answer; text of a turn that has ended is dropped."""
        if turn_id in self._ended:
            return []
        number = self._open_text.get(turn_id)
        if number is None:
            piece = piece.lstrip()
            if not piece:
                return []
            number = self._open_text[turn_id] = self._add(AnswerEntry(turn_id))
        entry = self.entries[number]
        if isinstance(entry, AnswerEntry):
            entry.text += piece
        return [number]

    def set_call(self, call: ToolCallView) -> list[int]:
        """Add a tool call, or change the one with the same ``call_id``."""
        number = self._calls.get(call.call_id)
        if number is not None:
            self.entries[number] = ToolEntry(call)
            return [number]
        changed = self._complete_text(call.turn_id)
        number = self._calls[call.call_id] = self._add(ToolEntry(call))
        return [*changed, number]

    def finish(self, turn_id: str, outcome: str) -> list[int]:
        """End a turn.

        Args:
            turn_id: the turn.
            outcome: ``done``; ``stopped`` and ``failed`` leave a note, unless ``fail`` has told why already.
        """
        if turn_id in self._ended:
            return []
        changed = self._complete_text(turn_id)
        self._ended.add(turn_id)
        if outcome != "done" and turn_id not in self._explained:
            changed.append(self._add(NoteEntry(outcome)))
        return changed

    def fail(self, turn_id: str, error: ErrorView) -> list[int]:
        """Tell why an answer could not be made; once for each turn."""
        if turn_id in self._explained:
            return []
        self._explained.add(turn_id)
        return [*self._complete_text(turn_id), self._add(FailureEntry(error))]

    def add_note(self, kind: str, text: str) -> list[int]:
        """Add one line about what happened."""
        return [self._add(NoteEntry(kind, text))]

    def show_plots(self, plots: Sequence[PlotEntry]) -> list[int]:
        """Add the plots that are not there yet, and mark those that are no longer pinned."""
        known = {entry.plot_id: number for number, entry in self.plots()}
        wanted = {plot.plot_id for plot in plots}
        changed = [number for plot_id, number in known.items() if plot_id not in wanted]
        for number in changed:
            entry = self.entries[number]
            if isinstance(entry, PlotEntry):
                entry.removed = True
        return [*changed, *(self._add(plot) for plot in plots if plot.plot_id not in known)]

    def plots(self) -> list[tuple[int, PlotEntry]]:
        """Every plot with its number."""
        return [(number, one) for number, one in enumerate(self.entries) if isinstance(one, PlotEntry)]

    def call(self, call_id: str) -> ToolCallView | None:
        """Return the newest view of a tool call."""
        number = self._calls.get(call_id)
        entry = self.entries[number] if number is not None else None
        return entry.call if isinstance(entry, ToolEntry) else None

    def last_user_text(self) -> str:
        """Return what the person wrote last, '' when nothing."""
        texts = (entry.text for entry in reversed(self.entries) if isinstance(entry, UserEntry))
        return next(texts, "")

    def _add(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries) - 1

    def _complete_text(self, turn_id: str) -> list[int]:
        number = self._open_text.pop(turn_id, None)
        if number is None:
            return []
        entry = self.entries[number]
        if isinstance(entry, AnswerEntry):
            entry.text = entry.text.rstrip()
            entry.complete = True
        return [number]


def pins_of_call(call: ToolCallView) -> tuple[int, ...]:
    """Return the pins that a tool call speaks of: those it reported, else its argument ``pin``."""
    if call.pins:
        return tuple(number for number, _, _ in call.pins)
    pin = call.arguments.get("pin")
    return (pin,) if isinstance(pin, int) and not isinstance(pin, bool) else ()
