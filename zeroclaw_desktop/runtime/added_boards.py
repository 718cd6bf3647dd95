"""Boards whose address a person entered (HW-5): added, found again at the next start, removed."""

from __future__ import annotations

from zeroclaw_desktop.contracts.boards import BoardHealth, BoardProfile
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoard, KnownBoards, plain_name
from zeroclaw_desktop.hardware.errors import BoardAddressError
from zeroclaw_desktop.hardware.peripherals.address import (
    KINDS,
    BoardAddress,
    PeripheralKind,
    is_board_address,
    read_board_address,
)
from zeroclaw_desktop.hardware.peripherals.lines import BoardLine
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.vault.board_passwords import BoardPasswords

_log = logger("runtime")


class AddedBoards:
    """Keeps the addresses among what is known of boards, and passwords in the keyring."""

    def __init__(self, roster: BoardRoster, known: KnownBoards, passwords: BoardPasswords) -> None:
        self._roster = roster
        self._known = known
        self._passwords = passwords

    @staticmethod
    def kinds() -> tuple[PeripheralKind, ...]:
        """Ways to reach a board by its address."""
        return KINDS

    @staticmethod
    def board_types() -> list[BoardProfile]:
        """Kinds of boards that may be at an address, by family and name."""
        return sorted(board_catalog().values(), key=lambda kind: (not kind.family, kind.family, kind.name))

    def restore(self) -> None:
        """Put the boards that were added before among the others; nothing is connected."""
        for known in self.known():
            try:
                self._enlist(read_board_address(known.identity), known.kind)
            except ZeroClawError as error:
                _log.error("A board that was added is left out: %s", error.message)

    def known(self) -> list[KnownBoard]:
        """What is kept of them, oldest first."""
        return [board for board in self._known.all() if is_board_address(board.identity)]

    async def add(self, text: str, board_type: str = "", name: str = "", password: str = "") -> str:
        """Add a board and keep it; returns its id. It is not connected.

        Args:
            text: the address; a password in it counts as ``password``.
            board_type: key of the board file; '' for what the kind of address stands for.
            name: of the person's; '' for the board's own.
            password: for the broker; it goes to the keyring.

        Raises:
            BoardAddressError: the address or the kind is not understood.
            VaultError: the password cannot be kept; nothing is added then.
            ZeroClawError: it could not be written down; the board is there until the end of the program.
        """
        address = read_board_address(text)
        secret = password or address.password
        if secret and not address.user:
            raise BoardAddressError(
                "There is a password but no user.",
                hint="Write the user before the host: mqtt://user@host/base.",
                details={"reason": "a user is missing", "reason_zh": "缺少用户名", "example": address.text},
            )
        profile = _profile(address, board_type)
        if secret:
            await self._passwords.keep(address.text, secret)
        await self._take_place_of(address, profile)
        board_id = self._enlist(address, profile.key)
        self._known.remember(address.text, kind=profile.key)
        if plain_name(name):
            self._roster.rename(board_id, name)
        return board_id

    async def _take_place_of(self, address: BoardAddress, profile: BoardProfile) -> None:
        """An address is one board, and so is a port: what stood for it before leaves.

        The card by its USB id leaves for the one that the person entered, and one of another kind for this.
        """
        for board in self._roster.boards():
            by_usb = board.port == address.path and not board.added and board.state != "live"
            other_kind = board.port == address.text and board.added and board.profile.key != profile.key
            if by_usb or other_kind:
                await self._roster.remove(board.board_id)

    async def check(self, text: str) -> BoardHealth:
        """Connect to a board for a moment and ask it whether it is there; never raises ZeroClawError."""
        try:
            address = read_board_address(text)
            board_id = await self.reach(address)
        except ZeroClawError as error:
            return BoardHealth(False, note=f"{error.message} {error.hint}".strip())
        connection = self._roster.connection(board_id)
        health = await connection.health_check()
        await connection.disconnect()
        return health

    async def remove(self, board_id: str) -> None:
        """Disconnect a board and forget it with its name, pins and password.

        Raises:
            ZeroClawError: it could not be written down, so it will be back at the next start.
        """
        port = self._roster.connection(board_id).port
        await self._roster.forget(board_id)
        await self._drop_password(port)

    async def forget(self, text: str) -> str:
        """Forget a board that this program has not among its boards; returns its address.

        Args:
            text: its address or its name.

        Raises:
            ZeroClawError: it was not added, or the change cannot be written down.
        """
        address = self.address_of(text)
        if address is None or self._known.find(address.text) is None:
            raise ZeroClawError(
                f"No board '{text}' was added.",
                hint=f"Added: {', '.join(board.identity for board in self.known()) or 'none'}.",
                code="unknown_board",
                details={"device": text, "allowed": ""},
            )
        self._known.forget(address.text)
        await self._drop_password(address.text)
        return address.text

    async def _drop_password(self, address_text: str) -> None:
        if not read_board_address(address_text).user:
            return
        try:
            await self._passwords.forget(address_text)
        except ZeroClawError as error:
            _log.warning("The password of %s stays in the keyring: %s", address_text, error.message)

    def address_of(self, text: str) -> BoardAddress | None:
        """The address that a text is, or that a board of this name has; None when it is neither.

        Raises:
            BoardAddressError: it is meant as an address and is wrong.
        """
        if is_board_address(text):
            return read_board_address(text)
        named = (board for board in self.known() if board.name and board.name.casefold() == text.casefold())
        found = next(named, None)
        return read_board_address(found.identity) if found is not None else None

    async def reach(self, address: BoardAddress, board_type: str = "") -> str:
        """Connect to a board for the time of this program, whether it was added or not; returns its id.

        Raises:
            ZeroClawError: why it cannot be reached.
        """
        known = self._known.find(address.text)
        board_id = self._enlist(address, known.kind if known is not None else board_type)
        await self._roster.connection(board_id).connect()
        return board_id

    def _enlist(self, address: BoardAddress, board_type: str) -> str:
        profile = _profile(address, board_type)
        line = BoardLine(address, profile, self._fetch_password)
        return self._roster.add_address(address.text, profile, line, address.path).board_id

    async def _fetch_password(self, address: BoardAddress) -> str:
        return address.password or await self._passwords.fetch(address.text)


def _profile(address: BoardAddress, board_type: str) -> BoardProfile:
    """The kind of board; raises BoardAddressError."""
    default = address.kind.board_type
    chosen = board_type if board_type and address.kind.any_board else default
    profile = board_catalog().get(chosen)
    if profile is None:
        raise BoardAddressError(
            f"There is no kind of board '{chosen}'.",
            hint=f"Known: {', '.join(board_catalog())}.",
            code="unknown_board",
            details={"device": chosen, "allowed": ", ".join(board_catalog())},
        )
    return profile
