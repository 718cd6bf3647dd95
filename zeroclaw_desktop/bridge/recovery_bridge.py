"""Tasks that the end of the program interrupted: the window shows them until a person has decided (EX-14)."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.activity_views import InterruptedView
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of, fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence
from zeroclaw_desktop.bridge.task_views import TaskWords
from zeroclaw_desktop.contracts.events import InterruptedTasksChanged
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.crash_recovery import InterruptedTask
    from zeroclaw_desktop.runtime.runtime import Runtime


class RecoveryBridge(QObject):
    """Asks the core what there is on each change, so that nothing told before it listened is lost."""

    changed = Signal()
    begun = Signal(str)
    """Id of the task that does an interrupted one again, before anything happens."""
    failed = Signal(object)
    """The decision could not be kept: an ``ErrorView``."""

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        runtime.bus.subscribe(InterruptedTasksChanged, lambda _event: self.changed.emit())
        self.changed.emit()

    def interrupted(self) -> list[InterruptedView]:
        """What waits for a decision, oldest first."""
        if self._runtime is None:
            return []
        words = TaskWords(self._runtime, self._core.language)
        return [self._view(task, words) for task in self._runtime.recovery.offers()]

    def do_again(self, number: int) -> None:
        """Do an interrupted task again, by a person's wish; ``begun`` tells its new id."""
        if self._runtime is not None:
            self._start(self._runtime.recovery.do_again(number, self.begun.emit), "do again")

    def dismiss(self, numbers: Sequence[int]) -> None:
        """Offer these tasks no more, now and later."""
        if self._runtime is not None:
            self._start(self._runtime.recovery.dismiss(tuple(numbers)), "dismiss")

    def _start(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        async def told() -> None:
            try:
                await work
            except ZeroClawError as error:
                self.failed.emit(error_view_of(error, self._core.language))

        self._core.start(told(), name)

    def _view(self, task: InterruptedTask, words: TaskWords) -> InterruptedView:
        from zeroclaw_desktop.bridge.recovery_words import BY_ITSELF, NO_BOARD, REASONS, SAFETY

        plan, entry, language = task.plan, task.plan.entry, self._core.language
        reason = BY_ITSELF[language] if plan.by_itself else REASONS[language][plan.reason_key]
        cause = fault_view(task.fault, language).title if task.fault is not None else ""
        safety = SAFETY[language][task.safety].format(reason=cause)
        can_repeat = plan.payload is not None
        if can_repeat and not task.ready and not task.again_id and not safety:
            safety = NO_BOARD[language]
        return InterruptedView(
            entry.number,
            entry.task_id,
            entry.action,
            action_sentence(entry.action, entry.params, language),
            entry.source,
            words.board(task.board_id or entry.device_id),
            entry.began or entry.seen,
            plan.policy,
            reason,
            safety,
            "" if task.safety == "untouched" else task.safety,
            can_repeat,
            task.ready,
            bool(task.again_id),
        )
