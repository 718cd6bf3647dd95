"""HW-5 in the window: a board is added by its address, connected, shown with its health, and removed."""

from __future__ import annotations

import asyncio

from tests.gui.live.conftest import Live
from tests.helpers.network_board import NetworkBoard
from zeroclaw_desktop.bridge.views import BoardView, ErrorView


def shown(live: Live) -> list[BoardView]:
    return [board for board in live.bridge.devices.boards() if board.added]


def test_a_board_is_added_and_removed(live: Live) -> None:
    added = live.bridge.devices.added
    assert {way.key for way in added.ways()} == {"tcp", "uno-q", "mqtt", "micropython", "raspberry-pi"}
    assert "esp32-c3" in {kind.key for kind in added.board_types()}

    async def serve(done: asyncio.Event) -> None:
        async with NetworkBoard() as board:
            port = board.url.rpartition(":")[2]
            added.add("tcp", {"host": "127.0.0.1", "port": port}, "arduino-uno", "Roof")
            await done.wait()

    done = asyncio.Event()
    task = live.loop.create_task(serve(done))
    live.until(lambda: any(board.state == "live" for board in shown(live)), "a live board")
    (board,) = shown(live)
    assert (board.name, board.can_flash) == ("Roof", False)
    live.until(lambda: any(label == "Answers within" for label, _ in shown(live)[0].facts), "its health")
    added.remove(board.board_id)
    live.until(lambda: not shown(live), "its removal")
    done.set()
    live.run(asyncio.wait_for(task, 5.0))


def test_a_wrong_address_is_refused_with_its_reason(live: Live) -> None:
    refused: list[ErrorView] = []
    live.bridge.devices.added.refused.connect(refused.append)
    live.bridge.devices.added.add("tcp", {"host": "", "port": ""})
    live.until(lambda: bool(refused), "the reason")
    assert refused[0].code == "board_address"
    assert refused[0].next_step
    assert shown(live) == []
