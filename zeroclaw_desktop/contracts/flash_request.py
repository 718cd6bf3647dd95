"""What a person or a program wants written to a board."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FlashRequest:
    """One wish.

    Attributes:
        firmware: ``default``, the name of a shipped firmware, or the path of a file, folder or restore point.
        method: key of the way of writing; '' for the best one that works here.
        by_hand: the person has put the board into its boot mode, so nobody resets it first.
        save_first: whether to read what is on a board before its first flash; None for the setting.
    """

    firmware: str = "default"
    method: str = ""
    by_hand: bool = False
    save_first: bool | None = None


@dataclass(frozen=True)
class EraseRequest:
    """The wish to erase a whole chip.

    Attributes:
        by_hand: as in FlashRequest.
        save_first: whether to read what is on the board, although that was done before.
    """

    by_hand: bool = False
    save_first: bool = True
