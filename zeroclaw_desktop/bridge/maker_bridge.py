"""Making firmware for the window: plan, check, build, hear; writing goes through the devices' bridge."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.maker_views import (
    BuildView,
    TemplateView,
    build_view,
    heard_view,
    plan_view,
    template_views,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.synthesis import FirmwarePlan, FirmwareWish
    from zeroclaw_desktop.runtime.runtime import Runtime

HEAR_SECONDS = 0.4
"""How often the window is told what the board says."""
HEAR_LONGEST_SECONDS = 600.0


@dataclass
class WishDraft:
    """What the person has chosen so far in the sheet.

    Attributes:
        pins: by need, as named on the board; only those that the person has chosen.
        params: by key; only those that the person has set.
        sketch: the text of the editor; '' for the template's.
    """

    template: str
    dialect: str = ""
    pins: dict[str, str] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    sketch: str = ""
    unused: tuple[str, ...] = ()


class MakerBridge(QObject):
    """Everything about making firmware; each answer carries the board that it is for."""

    draft_made = Signal(str, object)
    """(board, WishDraft) of a request that was understood."""
    plan_changed = Signal(str, object)
    build_changed = Signal(str, object)
    heard = Signal(str, object)
    failed = Signal(str, object)
    """(board, ErrorView): it could not be planned or built."""

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._turn = 0
        self._building: asyncio.Task[object] | None = None
        self._listening = ""

    # -- what there is --------------------------------------------------------------------------------
    def templates(self) -> list[TemplateView]:
        """Kinds of firmware."""
        runtime = self._core.runtime
        return template_views(runtime.firmware.templates(), self._core.language) if runtime else []

    # -- planning -------------------------------------------------------------------------------------
    def understand(self, board_id: str, sentence: str) -> None:
        """Read a request; ``draft_made`` or ``failed`` tells what came of it."""
        runtime = self._core.runtime
        if runtime is None:
            return
        try:
            wish = runtime.firmware.understand(sentence)
        except ZeroClawError as error:
            self.failed.emit(board_id, error_view_of(error, self._core.language))
            return
        params = {key: str(value) for key, value in wish.params.items()}
        self.draft_made.emit(
            board_id, WishDraft(wish.template, wish.dialect, dict(wish.pins), params, unused=wish.unused)
        )

    def read_sketch(self, board_id: str, path: str) -> None:
        """Take a sketch of the person's own; ``draft_made`` or ``failed`` tells what came of it."""
        runtime = self._core.runtime
        if runtime is not None:
            self._core.start(self._read_sketch(runtime, board_id, path), "read sketch")

    async def _read_sketch(self, runtime: Runtime, board_id: str, path: str) -> None:
        try:
            wish = await runtime.firmware.own_sketch(Path(path))
        except ZeroClawError as error:
            self.failed.emit(board_id, error_view_of(error, self._core.language))
            return
        self.draft_made.emit(board_id, WishDraft(wish.template, wish.dialect, sketch=wish.sketch))

    def plan(self, board_id: str, draft: WishDraft) -> None:
        """Plan a draft; ``plan_changed`` has the answer to the newest call only."""
        runtime = self._core.runtime
        if runtime is not None:
            self._turn += 1
            self._core.start(self._plan(runtime, board_id, _wish(draft), self._turn), "plan firmware")

    async def _plan(self, runtime: Runtime, board_id: str, wish: FirmwareWish, turn: int) -> None:
        plan = await self._planned(runtime, board_id, wish)
        if plan is not None and turn == self._turn:
            dialects = runtime.firmware.dialects(board_id)
            self.plan_changed.emit(board_id, plan_view(plan, dialects, self._core.language))

    async def _planned(self, runtime: Runtime, board_id: str, wish: FirmwareWish) -> FirmwarePlan | None:
        try:
            return await runtime.firmware.plan(wish, board_id)
        except ZeroClawError as error:
            self.failed.emit(board_id, error_view_of(error, self._core.language))
            return None

    # -- building -------------------------------------------------------------------------------------
    def build(self, board_id: str, draft: WishDraft) -> None:
        """Build a draft; news come by ``build_changed``."""
        runtime = self._core.runtime
        if runtime is not None and self._building is None:
            self.build_changed.emit(board_id, BuildView("running"))
            self._core.start(self._build(runtime, board_id, _wish(draft)), "build firmware")

    async def _build(self, runtime: Runtime, board_id: str, wish: FirmwareWish) -> None:
        self._building = asyncio.current_task()
        try:
            plan = await self._planned(runtime, board_id, wish)
            if plan is None:
                self.build_changed.emit(board_id, BuildView("failed"))
                return
            report = await runtime.firmware.build(
                plan,
                board_id,
                lambda step: self.build_changed.emit(board_id, BuildView("running", step)),
            )
            self.build_changed.emit(board_id, build_view(report, self._core.language))
        except asyncio.CancelledError:
            self.build_changed.emit(board_id, BuildView("failed"))
        except ZeroClawError as error:
            self.failed.emit(board_id, error_view_of(error, self._core.language))
            self.build_changed.emit(board_id, BuildView("failed"))
        finally:
            self._building = None

    def cancel_build(self) -> None:
        """End the compiler."""
        if self._building is not None:
            self._building.cancel()

    # -- hearing --------------------------------------------------------------------------------------
    def listen(self, board_id: str) -> None:
        """Tell by ``heard`` what a board says, until ``stop_listening``."""
        runtime = self._core.runtime
        if runtime is not None and self._listening != board_id:
            self._listening = board_id
            self._core.start(self._listen(runtime, board_id), "hear firmware")

    async def _listen(self, runtime: Runtime, board_id: str) -> None:
        values: dict[str, float] = {}
        lines: tuple[str, ...] = ()
        seconds = 0.0
        while self._listening == board_id and seconds < HEAR_LONGEST_SECONDS:
            heard = await runtime.firmware.listen(board_id, HEAR_SECONDS)
            values |= heard.values
            lines = (*lines, *heard.lines)[-200:]
            seconds += heard.seconds
            whole = replace(heard, lines=lines, values=values, seconds=seconds)
            if self._listening == board_id:
                self.heard.emit(board_id, heard_view(whole))

    def stop_listening(self) -> None:
        """Nobody looks any more."""
        self._listening = ""


def _wish(draft: WishDraft) -> FirmwareWish:
    from zeroclaw_desktop.contracts.synthesis import FirmwareWish

    return FirmwareWish(
        draft.template, draft.dialect, dict(draft.pins), dict(draft.params), draft.unused, draft.sketch
    )
