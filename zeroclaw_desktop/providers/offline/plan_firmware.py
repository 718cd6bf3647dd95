"""'Write a program that ...': firmware is made from the words, then written, which asks the person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zeroclaw_desktop.providers.offline.model import BoardFacts, PlannedCall, Understanding
from zeroclaw_desktop.providers.offline.situation import Situation

_ENGLISH = re.compile(
    r"(?:please |can you |could you |now )*(?:make|write|generate|create|build|compose)(?: me)?"
    r"(?: an?| the| some)?(?: new)?(?: [a-z+]+){0,2} ?(?:firmware|sketch|program)\b"
)
_CHINESE = re.compile(
    r"(?:请|帮我|给我|麻烦)*(?:生成|编写|制作|写|做|编)(?:一个|一段|一份|个|段)?[^,.;]{0,12}?(?:固件|程序)"
)


def asks_for_firmware(text: str) -> bool:
    """Whether a normalised sentence begins like an order for a program."""
    return bool(_ENGLISH.match(text) or _CHINESE.match(text))


def plan_firmware_request(
    situation: Situation, sentence: str, chosen: Sequence[BoardFacts] | None
) -> Understanding:
    """Make it and write it; the words are read where it is made.

    Args:
        chosen: the boards that are meant; None when that is not clear.
    """
    situation.reasons.append("an order for a program")
    if not situation.boards:
        return situation.done("firmware", say=situation.text("ask_no_board"))
    if not chosen or len(chosen) > 1:
        names = situation.text("list_join").join(board.board_name for board in situation.boards)
        return situation.done("firmware", say=situation.text("ask_board", boards=names))
    where: dict[str, object] = {} if len(situation.boards) == 1 else {"device_id": chosen[0].board_id}
    calls = (
        PlannedCall("firmware_generate", {"request": sentence.strip(), **where}),
        PlannedCall("flash_firmware", {"firmware": "generated", **where}),
    )
    return situation.done("firmware", calls=calls, say=situation.text("say_make"))
