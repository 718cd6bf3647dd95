"""``zeroclaw estop`` beside a running app (EX-16): the app stops its own boards and reports."""

from __future__ import annotations

import asyncio
import json

from tests.helpers.execution import Door
from tests.unit.cli.conftest import Zeroclaw
from zeroclaw_desktop.runtime.approval_orders import ApprovalOrders
from zeroclaw_desktop.runtime.approvals import ApprovalDesk
from zeroclaw_desktop.runtime.control_client import control_file
from zeroclaw_desktop.runtime.control_socket import ControlSocket


async def test_the_app_is_told_and_its_report_printed(zeroclaw: Zeroclaw) -> None:
    door = Door()
    control = ControlSocket(door.stop, ApprovalOrders(ApprovalDesk(door.bus)))
    await control.start()
    await door.do("led_set", {"state": 1})
    try:
        ended = await asyncio.to_thread(zeroclaw, "estop", "--json")
        shown = await asyncio.to_thread(zeroclaw, "estop")
    finally:
        await control.stop()
    assert ended.code == 0, ended.err
    assert ended.row["ok"] is True
    assert [(board["board_id"], board["confirmed"]) for board in ended.row["boards"]] == [("uno", True)]
    assert shown.out.startswith("uno: stopped")
    assert door.stop.latched
    assert door.stop.last.source == "command line"
    assert door.boards.level(13) == 0


async def test_an_app_that_does_not_know_the_token_counts_as_none(zeroclaw: Zeroclaw) -> None:
    """The file is of an earlier app and its port belongs to another one by now."""
    door = Door()
    control = ControlSocket(door.stop, ApprovalOrders(ApprovalDesk(door.bus)))
    await control.start()
    files = [control_file(), *control_file().parent.rglob("commands/*.json")]
    for file in files:
        row = json.loads(file.read_text())
        file.write_text(json.dumps({**row, "token": "of an earlier app"}))
    try:
        ended = await asyncio.to_thread(zeroclaw, "estop", "--json")
    finally:
        await control.stop()
    assert (ended.code, ended.row["ok"], ended.row["boards"]) == (1, False, [])
    assert not door.stop.latched
