"""Readers of third parties: found by entry point, called at arm's length.

Their code is not ours: it may raise anything, end the program, never return, or give something else than
payloads. So it runs on a thread of its own with a time limit, and what it gives is built anew from plain
values and checked like any payload. A fault becomes a sentence that names the reader and its package.
"""

from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from types import TracebackType
from typing import Any, Generic, TypeVar

from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, Source
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.envelope import payload_of
from zeroclaw_desktop.execution.parsers.errors import ParserUnfitError
from zeroclaw_desktop.execution.parsers.places import Place, printable
from zeroclaw_desktop.execution.parsers.protocol import Parser
from zeroclaw_desktop.foundation.log import logger

GROUP = "zeroclaw_desktop.parsers"
LOAD_SECONDS = 10.0
PARSE_SECONDS = 5.0
MAX_ACTIONS = 256
LONGEST_REASON = 200

T = TypeVar("T")
_log = logger("execution")


@dataclass(frozen=True)
class PluginProblem:
    """Why a third party's reader is not there.

    Attributes:
        name: name of the entry point.
        owner: package and version that brought it.
        reason: what went wrong, one sentence.
    """

    name: str
    owner: str
    reason: str


class _PluginFailedError(Exception):
    """A call into a third party's code did not give a value; ``behind`` is the thread that still hangs."""

    def __init__(self, reason: str, behind: threading.Thread | None = None) -> None:
        super().__init__(reason)
        self.behind = behind


class GuardedParser:
    """A third party's reader behind the guard; implements Parser.

    Raises:
        ParserUnfitError: it lacks what a reader must have.
    """

    def __init__(self, inner: Any, owner: str, *, seconds: float = PARSE_SECONDS) -> None:
        self._inner = inner
        self._owner = owner
        self._seconds = seconds
        self._behind: threading.Thread | None = None
        try:
            traits = call_guarded(lambda: _traits(inner), LOAD_SECONDS)
        except _PluginFailedError as error:
            raise ParserUnfitError(f"It is no reader: {error}.") from error
        self.name, self.description, self.suffixes = traits

    def parse(self, text: str, *, source: Source) -> tuple[ActionPayload, ...]:
        """See Parser; whatever goes wrong inside is a FaultError with code 0x07.

        While an earlier call still hangs no other one is made, so that one thread at most is left behind.
        """
        if self._behind is not None and self._behind.is_alive():
            raise FaultError([self._fault("it still hangs in an earlier text")])
        try:
            rows = call_guarded(lambda: _plain_rows(self._inner.parse(text, source=source)), self._seconds)
        except _PluginFailedError as error:
            cause, self._behind = error.__cause__, error.behind
            if isinstance(cause, FaultError) and _are_faults(cause.faults):
                raise cause from None
            _log.error("reader '%s' (%s) failed: %s", self.name, self._owner, error, exc_info=cause)
            raise FaultError([self._fault(str(error))]) from error
        return tuple(payload_of(row, source, lambda _path: Place(1, 1)) for row in rows)

    def _fault(self, reason: str) -> ActionFault:
        return fault(
            Code.PARSER_FAULT,
            f"The reader '{self.name}' ({self._owner}) failed: {reason}.",
            parser=self.name,
            owner=self._owner,
            reason=reason,
        )


class _Outcome(Generic[T]):
    """What became of a call: its value, or whatever it raised, the end of the program included."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self.error: BaseException | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        self.error = error
        return True


def call_guarded(work: Callable[[], T], seconds: float) -> T:
    """Call foreign code on a thread of its own.

    Args:
        work: the call.
        seconds: how long it may take. A thread cannot be ended: one that goes on is left behind, as a daemon
            that does not keep the program from ending.

    Raises:
        _PluginFailedError: it raised something (kept as the cause), tried to end the program, or took
            too long (with the thread that was left behind).
    """
    outcome: _Outcome[T] = _Outcome()

    def call() -> None:
        with outcome:
            outcome.values.append(work())

    thread = threading.Thread(target=call, name="reader", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise _PluginFailedError(f"it did not answer within {seconds:g} s", thread)
    if outcome.error is not None:
        # Not str(error): the text of a foreign exception is foreign code as well.
        lines = traceback.format_exception_only(outcome.error)
        raise _PluginFailedError(printable(lines[-1].strip(), LONGEST_REASON)) from outcome.error
    return outcome.values[0]


def _traits(inner: Any) -> tuple[str, str, tuple[str, ...]]:
    """Name, description and suffixes of what should be a reader."""
    if not isinstance(inner, Parser) or not callable(inner.parse):
        raise TypeError("it needs name, description, suffixes and parse()")
    name, description = inner.name, inner.description
    suffixes = inner.suffixes
    if not isinstance(name, str) or not name.isidentifier():
        raise TypeError("its name must be a word")
    if not isinstance(description, str):
        raise TypeError("its description must be text")
    if isinstance(suffixes, str) or not all(isinstance(end, str) and end.startswith(".") for end in suffixes):
        raise TypeError("its suffixes must be a list such as ['.toml']")
    return name, description, tuple(end.lower() for end in suffixes)


def _plain_rows(given: Any) -> list[dict[str, Any]]:
    """Payloads as JSON objects, so that nothing of the reader's own making goes further."""
    if not isinstance(given, (list, tuple)) or not given:
        raise TypeError("it gave no list of actions")
    if len(given) > MAX_ACTIONS or not all(isinstance(payload, ActionPayload) for payload in given):
        raise TypeError(f"it gave something else than up to {MAX_ACTIONS} actions")
    rows = [{**vars(payload), "constraints": vars(payload.constraints)} for payload in given]
    plain: list[dict[str, Any]] = json.loads(json.dumps(rows, allow_nan=False))
    return plain


def _are_faults(faults: Sequence[Any]) -> bool:
    return bool(faults) and all(isinstance(one, ActionFault) for one in faults)


def _make(point: EntryPoint) -> Any:
    return point.load()()


def load_plugins(
    found: Iterable[EntryPoint] | None = None,
) -> tuple[list[tuple[GuardedParser, str]], list[PluginProblem]]:
    """Load every third party's reader; a broken one does not keep the others away.

    Args:
        found: entry points; by default those of the group ``zeroclaw_desktop.parsers``.

    Returns:
        (reader, owner) of those that work, and the problems of the others, each logged as well.
    """
    readers: list[tuple[GuardedParser, str]] = []
    problems: list[PluginProblem] = []
    for point in entry_points(group=GROUP) if found is None else found:
        owner = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
        try:
            made = call_guarded(partial(_make, point), LOAD_SECONDS)
            readers.append((GuardedParser(made, owner), owner))
        except (_PluginFailedError, ParserUnfitError) as error:
            problems.append(PluginProblem(point.name, owner, str(error)))
            _log.warning("the reader '%s' of %s was left out: %s", point.name, owner, error)
    return readers, problems
