"""One chat with one agent: messages in, turns run, the last fault remembered, stop words heard first."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence

from zeroclaw_desktop.agent.prompted_provider import PromptedProvider
from zeroclaw_desktop.agent.turn import AgentTurn, Conversation, TurnObserver, TurnResult
from zeroclaw_desktop.contracts.actions import ActionResult, ActionTransition
from zeroclaw_desktop.contracts.chat import ChatMessage, Tool
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.contracts.memory import MemoryEntry
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.providers.offline import BoardFacts, language_of, understand
from zeroclaw_desktop.providers.offline.provider import OfflineProvider
from zeroclaw_desktop.tools.command_tools import command_tools
from zeroclaw_desktop.tools.explain_last import ExplainLastTool
from zeroclaw_desktop.tools.receipted import ReceiptedTool, Record

STOP_COMMAND = "motor_emergency_stop"
TURN_END_SECONDS = 2.0
_STOPPED_TEXT: dict[Language, str] = {
    "en": "Everything is stopped: {cancelled} commands cancelled, {confirmed} of {boards} boards confirmed. "
    "Check the hardware, then release the stop in the window.",
    "zh": "已全部停止：取消了 {cancelled} 条命令，{boards} 块开发板中有 {confirmed} 块已确认。"
    "请检查硬件，然后在窗口中解除停止。",
}


def _language(text: str) -> Language:
    return "zh" if language_of(text) == "zh" else "en"


class ChatService:
    """The chat of the window or of one command line call.

    Args:
        facts: what is known of the boards now.
        more_tools: what the agent may call besides the commands.
        model: returns the model that answers the next turn, None for the offline assistant; raises
            ZeroClawError when it cannot be had.
        remembered_failure: the last failure that the memory knows, for when none was seen in this run.
        record: takes the receipts of what is no command.
    """

    def __init__(
        self,
        executor: Executor,
        stop: EmergencyStop,
        facts: Callable[[], Sequence[BoardFacts]],
        more_tools: Sequence[Tool] = (),
        model: Callable[[], PromptedProvider | None] = lambda: None,
        remembered_failure: Callable[[], Awaitable[MemoryEntry | None]] | None = None,
        record: Record = lambda _draft: None,
    ) -> None:
        self._executor = executor
        self._stop = stop
        self._facts = facts
        self._more_tools = tuple(more_tools)
        self._offline = OfflineProvider(facts)
        self._model = model
        self._remembered_failure = remembered_failure
        self._record = record
        self._conversation = Conversation()
        self._language: Language = "en"
        self._last_fault: ActionResult | None = None
        self._turns: set[asyncio.Task[TurnResult]] = set()
        self._one_at_a_time = asyncio.Lock()

    def tools(self) -> dict[str, Tool]:
        """What the agent may call now."""
        offered: dict[str, Tool] = dict(
            command_tools(self._executor.registry, self._executor.submit, lambda: self._language)
        )
        explain = ExplainLastTool(lambda: self._last_fault, lambda: self._language, self._remembered_failure)
        for tool in (explain, *self._more_tools):
            offered[tool.spec.name] = ReceiptedTool(tool, self._record)
        return offered

    def report(self, transition: ActionTransition) -> None:
        """Remember the last result that did not complete (implements Reporter)."""
        result = transition.result
        if result is not None and not result.ok:
            self._last_fault = result

    @property
    def busy(self) -> bool:
        """Whether a turn is running or waiting for its time."""
        return any(not turn.done() for turn in self._turns)

    async def send(self, text: str, observer: TurnObserver) -> TurnResult:
        """Answer a message of a person at this machine; a second one waits until the first is answered.

        A person's own word to stop is obeyed before any model hears of it.
        """
        if self._means_stop(text):
            self._language = _language(text)
            return await self._stop_everything(text, observer)
        try:
            model = self._model()
        except ZeroClawError as error:
            return TurnResult(f"turn-{uuid.uuid4().hex[:10]}", "failed", "", (), error)
        # Also a model that calls tools by itself may write a call into its text.
        turn = AgentTurn(
            self._conversation,
            model or self._offline,
            self.tools(),
            observer,
            calls_in_text=model is not None,
            native_tools=lambda: model is not None and model.native_tools,
        )
        task = asyncio.get_running_loop().create_task(
            self._in_its_time(turn, text), name=f"chat:{turn.turn_id}"
        )
        self._turns.add(task)
        task.add_done_callback(self._turns.discard)
        return await task

    async def _in_its_time(self, turn: AgentTurn, text: str) -> TurnResult:
        """One turn after the other: two at once would mix their calls and answers in one history."""
        try:
            async with self._one_at_a_time:
                self._language = _language(text)
                return await turn.run(text)
        except asyncio.CancelledError:
            return TurnResult(turn.turn_id, "stopped", "", ())

    def cancel(self) -> None:
        """Stop the running turn and those that wait; what it had started is cancelled by the executor."""
        for turn in list(self._turns):
            turn.cancel()

    def _means_stop(self, text: str) -> bool:
        understood = understand(text, boards=self._facts())
        return any(call.name == STOP_COMMAND for call in understood.calls)

    async def _stop_everything(self, text: str, observer: TurnObserver) -> TurnResult:
        turn_id = f"turn-{uuid.uuid4().hex[:10]}"
        self.cancel()
        report: EmergencyStopChanged = await self._stop.trigger("chat")
        if self._turns:
            # Their calls must have their answers before anything else stands in the history.
            await asyncio.wait(set(self._turns), timeout=TURN_END_SECONDS)
        confirmed = sum(outcome.confirmed for outcome in report.outcomes)
        answer = _STOPPED_TEXT[self._language].format(
            cancelled=report.cancelled, confirmed=confirmed, boards=len(report.outcomes)
        )
        self._conversation.messages += [ChatMessage("user", text), ChatMessage("assistant", answer)]
        observer.state_changed(turn_id, "streaming")
        observer.text_came(turn_id, answer)
        observer.state_changed(turn_id, "idle")
        return TurnResult(turn_id, "done", answer, ())
