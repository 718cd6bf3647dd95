"""What HW-5 promises of a board of any kind; each kind's test calls it."""

from __future__ import annotations

from tests.integration.peripherals.bench import Bench
from zeroclaw_desktop.execution.registry import CommandRegistry


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
