"""Names of boards and pins as the person gives them, and the boards that are known and away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.board_views import board_title, other_names
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.name_views import AwayBoardView, PinNameView, RoleView
from zeroclaw_desktop.bridge.name_words import away_facts, problem_text, role_views
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ErrorView
    from zeroclaw_desktop.contracts.boards import BoardInfo
    from zeroclaw_desktop.runtime.runtime import Runtime


class BoardNamesBridge(QObject):
    """Renames and forgets; every change is kept in the list of known boards at once."""

    failed = Signal(str, object)
    """(board, ErrorView) of what could not be written down."""

    def __init__(self, core: CoreAccess, parent: QObject) -> None:
        super().__init__(parent)
        self._core = core

    def _board(self, board_id: str) -> tuple[Runtime | None, BoardInfo | None]:
        runtime = self._core.runtime
        boards = runtime.roster.boards() if runtime is not None else ()
        return runtime, next((board for board in boards if board.board_id == board_id), None)

    # -- boards ---------------------------------------------------------------------------------------
    def board_name_problem(self, board_id: str, name: str) -> str:
        """Why a board must not get this name; '' when it may."""
        from zeroclaw_desktop.runtime.board_names import MOST_CHARACTERS

        language = self._core.language
        runtime, _board = self._board(board_id)
        chosen = " ".join(name.split())
        if len(chosen) > MOST_CHARACTERS:
            return problem_text("too_long", str(MOST_CHARACTERS), language)
        boards = runtime.roster.boards() if runtime is not None else ()
        taken = {
            text.casefold()
            for board in boards
            if board.board_id != board_id
            for text in (board.name, board_title(board, language))
        }
        return problem_text("board_taken", "", language) if chosen.casefold() in taken else ""

    def rename(self, board_id: str, name: str) -> ErrorView | None:
        """Give a board a name; '' gives it its own one back. Returns why it is not kept."""
        runtime, board = self._board(board_id)
        if runtime is None or board is None:
            return None
        try:
            runtime.roster.rename(board_id, name)
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        return None

    def forget(self, board_id: str) -> None:
        """Disconnect a board and drop what was remembered of it; ``failed`` tells when that is not kept."""
        runtime, board = self._board(board_id)
        if runtime is not None and board is not None:
            self._core.start(self._forget(runtime, board_id), "forget")

    async def _forget(self, runtime: Runtime, board_id: str) -> None:
        try:
            await runtime.roster.forget(board_id)
        except ZeroClawError as error:
            self.failed.emit(board_id, error_view_of(error, self._core.language))

    def away(self) -> list[AwayBoardView]:
        """Boards that have a name or named pins and are not plugged in."""
        runtime = self._core.runtime
        if runtime is None:
            return []
        names = {profile.key: profile.name for profile in runtime.board_types()}
        views = []
        for board in runtime.roster.away():
            kind = names.get(board.kind, "")
            facts = away_facts(kind, len(board.pins), board.identity, self._core.language)
            views.append(AwayBoardView(board.identity, board.name or kind or board.identity, facts))
        return views

    def forget_away(self, identity: str) -> None:
        """Drop what was remembered of a board that is away."""
        runtime = self._core.runtime
        if runtime is None:
            return
        try:
            runtime.roster.forget_away(identity)
        except ZeroClawError as error:
            self.failed.emit(identity, error_view_of(error, self._core.language))

    # -- pins -----------------------------------------------------------------------------------------
    def roles(self) -> list[RoleView]:
        """What pins can be for."""
        return role_views(self._core.language)

    def pin_names(self, board_id: str) -> list[PinNameView]:
        """The pins of a board that can be named."""
        runtime, board = self._board(board_id)
        if runtime is None or board is None:
            return []
        given = {named.pin: named for named in board.named_pins}
        sheets: dict[int, list[str]] = {}
        for name, pin_text in runtime.datasheets.aliases(board.profile.key).items():
            pin = board.profile.pin_named(pin_text)
            if pin is not None:
                sheets.setdefault(pin.number, []).append(name)
        views = []
        for pin in board.profile.pins:
            if pin.reserved:
                continue
            others = ", ".join(other_names(pin))
            named = given.get(pin.number)
            views.append(
                PinNameView(
                    pin.number,
                    f"{pin.name} ({others})" if others else pin.name,
                    named.name if named is not None else "",
                    named.role if named is not None else "",
                    tuple(sheets.get(pin.number, ())),
                    pin.notes.get(self._core.language, ""),
                )
            )
        return views

    def pin_name_problem(self, board_id: str, pin: int, name: str, role: str = "") -> str:
        """Why a pin must not get this name and role; '' when it may."""
        from zeroclaw_desktop.runtime.board_names import pin_name_problem

        _runtime, board = self._board(board_id)
        if board is None:
            return ""
        if role and not name.strip():
            return problem_text("role_alone", "", self._core.language)
        key, subject = pin_name_problem(board.profile, board.named_pins, pin, name)
        return problem_text(key, subject, self._core.language)

    def name_pin(self, board_id: str, pin: int, name: str, role: str) -> ErrorView | None:
        """Name a pin; '' takes its name away. Returns why it is not kept."""
        runtime, board = self._board(board_id)
        if runtime is None or board is None:
            return None
        try:
            runtime.roster.name_pin(board_id, pin, name, role)
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        return None
