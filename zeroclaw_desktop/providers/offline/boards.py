"""Which board a sentence means, and the names by which pins and boards can be called in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from zeroclaw_desktop.providers.offline.grammar import grammar
from zeroclaw_desktop.providers.offline.intents import DEVICE_NOUNS, alias_concept
from zeroclaw_desktop.providers.offline.model import BoardFacts, DialogueState, Token
from zeroclaw_desktop.providers.offline.normalize import normalize

NO_BOARD = BoardFacts("", "", "", None, (), (), (), ())
_NAME_WORD = re.compile(r"[a-z][a-z0-9]{1,}|[\u4e00-\u9fff]+")
_ORDINALS = {"ordinal_1": 0, "ordinal_2": 1, "ordinal_3": 2}
_BOARD_CONCEPTS = frozenset({"board_type", "board", "simulator"})


def _pin_names(boards: Iterable[BoardFacts], state: DialogueState) -> dict[str, Token]:
    """Every given pin name, and every word for the same part ('风扇' for a pin called 'fan')."""
    given: dict[str, int] = {}
    for board in boards:
        given.update({normalize(name): pin for name, pin in board.aliases.items()})
    given.update({normalize(name): pin for name, pin in state.names})
    phrases = grammar().phrases
    names: dict[str, Token] = {}
    for name, pin in given.items():
        concept = phrases.get(name, ("",))[0]
        if not name or (concept and concept not in DEVICE_NOUNS and concept != "color"):
            continue
        token = Token("alias", name, str(pin))
        names[name] = token
        if concept and alias_concept(name) == concept:
            for phrase, meanings in phrases.items():
                if meanings == (concept,):
                    names.setdefault(phrase, token)
    return names


def _board_names(boards: Sequence[BoardFacts]) -> dict[str, Token]:
    """Full names, identifiers and single words of board names, each with the boards that they fit."""
    fits: dict[str, list[str]] = {}
    for board in boards:
        words = {normalize(board.board_id), normalize(board.board_name), normalize(board.board_type)}
        for name in list(words):
            words.update(_NAME_WORD.findall(name))
        for word in filter(None, words):
            concept = grammar().phrases.get(word, ("",))[0]
            if not concept or concept in _BOARD_CONCEPTS:
                fits.setdefault(word, []).append(board.board_id)
    fits.pop("board", None)
    simulated = [board for words, board in fits.items() if words.startswith("simulat")]
    if simulated:
        found = sorted({board for row in simulated for board in row})
        for phrase, meanings in grammar().phrases.items():
            if meanings == ("simulator",):
                fits.setdefault(phrase, found)
    return {word: Token("board", "\n".join(ids)) for word, ids in fits.items()}


def names_for(
    boards: Sequence[BoardFacts], state: DialogueState, chosen: BoardFacts | None = None
) -> Mapping[str, Token]:
    """Return the phrases that stand for pins and boards in a sentence.

    Args:
        boards: all connected boards.
        state: names learned in the conversation.
        chosen: when known, only this board's pin names count.
    """
    return {**_board_names(boards), **_pin_names([chosen] if chosen else boards, state)}


def named_boards(tokens: Iterable[Token], boards: Sequence[BoardFacts]) -> list[BoardFacts] | None:
    """Return the boards that fit the names in a sentence; None when it names none."""
    fitting: set[str] | None = None
    for token in tokens:
        ids: set[str] | None = None
        if token.kind == "board":
            ids = set(str(token.value).split("\n"))
        elif token.value == "all_boards":
            return list(boards)
        elif token.kind == "concept" and token.value in ("board_type", "simulator"):
            ids = set()
        elif token.kind == "concept" and token.value in _ORDINALS and len(boards) > 1:
            ids = {board.board_id for board in boards[_ORDINALS[str(token.value)] :][:1]}
        if ids is not None:
            fitting = ids if fitting is None else fitting & ids
    if fitting is None:
        return None
    return [board for board in boards if board.board_id in fitting]
