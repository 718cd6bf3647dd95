"""A wired stop button (EX-16): an input of a board that stops everything when it is pulled to ground.

The setting ``execution.stop_input`` names it as ``<board id>/d<pin>``. The pin gets its pull-up through the
door, so a cut wire to a normally closed button can be used as well: ``<board id>/d<pin>/nc``.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.events import BoardsChanged, BoardSignalChanged
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

SAMPLE_SECONDS = 60.0
"""Changes are reported at once; the samples between only show that the input lives."""
_FORM = re.compile(r"(?P<board>[^/\s]+)/d(?P<pin>\d{1,2})(?P<closed>/nc)?")
_log = logger("runtime")


@dataclass(frozen=True)
class StopInputSetting:
    """Where the button is.

    Attributes:
        pressed_level: level of the pin while it is pressed.
    """

    board_id: str
    pin: int
    pressed_level: int


def read_stop_input(text: str) -> StopInputSetting | None:
    """Read the setting; None when it is empty or not of the form ``sim-uno/d4``."""
    match = _FORM.fullmatch(text.strip())
    if match is None:
        return None
    return StopInputSetting(match["board"], int(match["pin"]), 1 if match["closed"] else 0)


class StopInput:
    """Arms the input whenever its board becomes live and stops everything when it is pressed.

    Args:
        setting: the present text of the setting.
    """

    def __init__(
        self,
        bus: EventBus,
        boards: BoardAccess,
        executor: Executor,
        stop: EmergencyStop,
        setting: Callable[[], str],
    ) -> None:
        self._boards = boards
        self._executor = executor
        self._stop = stop
        self._setting = setting
        self._tasks = TaskSupervisor("stop input")
        self._armed: StopInputSetting | None = None
        bus.subscribe(BoardsChanged, lambda _event: self.look())
        bus.subscribe(BoardSignalChanged, self._changed)

    def look(self) -> None:
        """Arm the input when its board is live, forget it when it is not."""
        wanted = read_stop_input(self._setting())
        live = wanted is not None and any(
            board.board_id == wanted.board_id and board.state == "live" for board in self._boards.boards()
        )
        if not live or wanted is None:
            self._armed = None
        elif wanted != self._armed:
            self._armed = wanted
            self._tasks.start(self._arm(wanted), "arm")

    async def _arm(self, wanted: StopInputSetting) -> None:
        mode = await self._do("pin_mode", {"pin": wanted.pin, "mode": "input_pullup"}, wanted.board_id)
        signals = {"signals": [f"d{wanted.pin}"], "period": SAMPLE_SECONDS}
        watched = await self._do("plot_series", signals, wanted.board_id)
        for result in (mode, watched):
            if not result.ok:
                _log.error("The stop input does not work: %s", result.faults[0].message)
                return
        _log.info("Pin %d of %s is a stop input", wanted.pin, wanted.board_id)
        await asyncio.sleep(0)
        level = await self._do("digital_read", {"pin": wanted.pin}, wanted.board_id)
        if level.ok and level.value["value"] == wanted.pressed_level:
            await self._stop.trigger(f"stop input d{wanted.pin}")

    async def _do(self, action: str, params: dict[str, object], board_id: str) -> ActionResult:
        return await self._executor.submit(make_payload(action, params, source="manual", device_id=board_id))

    def _changed(self, event: BoardSignalChanged) -> None:
        armed = self._armed
        if armed is None or event.board_id != armed.board_id or event.signal != f"d{armed.pin}":
            return
        if event.value == armed.pressed_level and not self._stop.latched:
            self._tasks.start(self._stop.trigger(f"stop input d{armed.pin}"), "stop")

    async def stop(self) -> None:
        """End what is under way."""
        await self._tasks.stop()
