"""What HW-5 promises of a board of any kind; each kind's test calls it."""

from __future__ import annotations

from tests.integration.peripherals.bench import Bench
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall
from zeroclaw_desktop.execution.registry import CommandRegistry


class _Listener:
    """Notes which tools a turn called and how they ended."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def state_changed(self, turn_id: str, state: str) -> None:
        """See TurnObserver."""

    def text_came(self, turn_id: str, text: str) -> None:
        """See TurnObserver."""

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        """See TurnObserver."""

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        self.calls.append((call.name, str(answer.data["status"])))


async def chat_switches_the_led(bench: Bench) -> None:
    """The assistant obeys for this kind of board as for a serial one, in both languages."""
    listener = _Listener()
    await bench.runtime.chat.send("turn on the LED", listener)
    await bench.runtime.chat.send("关灯", listener)
    assert listener.calls == [("led_set", "ok")] * 2


def brought(registry: CommandRegistry) -> set[str]:
    """Commands that are offered because a board is there."""
    return {command.name for command in registry.list_commands() if command.asks}


async def commands_come_and_go(bench: Bench, *expected: str, without: tuple[str, ...] = ()) -> None:
    """HW-5: connecting puts the board's commands into registry and agent tools, disconnecting removes them.

    Args:
        bench: with its board connected, the only one.
        expected: commands that this kind of board must bring.
        without: commands that it cannot do.
    """
    registry, chat = bench.runtime.registry, bench.runtime.chat
    while_connected = brought(registry)
    assert set(expected) <= while_connected
    assert while_connected.isdisjoint(without)
    for_models = {name for name in while_connected if registry.resolve(name).for_models}
    assert for_models <= set(chat.tools())
    assert set(without).isdisjoint(chat.tools())
    await bench.connection.disconnect()
    assert brought(registry) == set()
    assert while_connected.isdisjoint(chat.tools())
    assert bench.connection.tools() == frozenset()
    await bench.connection.connect()
    assert brought(registry) == while_connected
    assert for_models <= set(chat.tools())
