"""How another process reaches the running app: a loopback socket with a token in the home folder.

One JSON line in, one out. ``{"token": ..., "cmd": "estop"}`` is what ``zeroclaw estop`` sends;
``{"cmd": "show"}`` asks the window to come to the front (a second start). Orders about approvals are in
``approval_orders.py``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import write_atomically
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.runtime.approval_orders import ApprovalOrders
from zeroclaw_desktop.runtime.control_client import ANSWER_SECONDS, command_file, control_file

LAST_ANSWER_SECONDS = 3.0
MAX_UNHEARD = 64
"""Connections that may be open without having given an order."""
_log = logger("runtime")


class ControlSocket:
    """Serves the orders of other processes of the same user.

    Attributes:
        shows_window: whether it belongs to a window, which a second start brings to the front.
        process_name: name of its address file; the process id when empty.
    """

    def __init__(self, stop: EmergencyStop, approvals: ApprovalOrders) -> None:
        self._stop = stop
        self._approvals = approvals
        self.shows_window = True
        self.process_name = ""
        self._files: list[Path] = []
        self._obeying: set[asyncio.Task[Any]] = set()
        self._server: asyncio.Server | None = None
        self._unheard: dict[asyncio.StreamWriter, None] = {}
        self._token = secrets.token_hex(24)
        self.on_show: Callable[[], None] = lambda: None

    async def start(self) -> None:
        """Listen and write the address down, readable by the user only.

        Raises:
            OSError, ZeroClawError: there is no loopback, or the home folder cannot be written to.
        """
        home_folder()
        self._files = [command_file(self.process_name), *([control_file()] if self.shows_window else [])]
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        for file in self._files:
            write_atomically(file, json.dumps({"port": port, "token": self._token, "pid": os.getpid()}))

    async def stop(self) -> None:
        """End listening, answer what was ordered; removes the files that are still ours; bounded."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        for writer in list(self._unheard):
            writer.transport.abort()
        if self._obeying:
            await asyncio.wait(self._obeying, timeout=LAST_ANSWER_SECONDS)
        for file in self._files:
            with contextlib.suppress(OSError, ValueError):
                if json.loads(file.read_text(encoding="utf-8")).get("pid") == os.getpid():
                    file.unlink()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._make_room()
        self._unheard[writer] = None
        try:
            order = json.loads(await asyncio.wait_for(reader.readline(), ANSWER_SECONDS))
            self._unheard.pop(writer, None)
            task = asyncio.current_task()
            if task is not None:
                self._obeying.add(task)
                task.add_done_callback(self._obeying.discard)
            answer = await self._obey(order)
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        except (ValueError, OSError, TimeoutError, TypeError, AttributeError, RecursionError) as error:
            _log.warning("A control order could not be served: %s", error)
        finally:
            self._unheard.pop(writer, None)
            writer.close()

    def _make_room(self) -> None:
        """Whoever has said nothing for longest goes, so that a flood cannot keep an emergency stop out."""
        while len(self._unheard) >= MAX_UNHEARD:
            oldest = next(iter(self._unheard))
            del self._unheard[oldest]
            oldest.transport.abort()

    async def _obey(self, order: dict[str, Any]) -> dict[str, Any]:
        if not secrets.compare_digest(str(order.get("token", "")), self._token):
            return {"ok": False, "error": "wrong token"}
        if order.get("cmd") == "estop":
            report = await self._stop.trigger(str(order.get("source", "command line"))[:40])
            return {
                "ok": all(outcome.confirmed for outcome in report.outcomes),
                "cancelled": report.cancelled,
                "boards": [vars(outcome) for outcome in report.outcomes],
            }
        if order.get("cmd") == "show":
            self.on_show()
            return {"ok": True}
        answer = self._approvals.obey(order)
        return answer if answer is not None else {"ok": False, "error": "unknown order"}
