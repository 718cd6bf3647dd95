"""What is put down in the chain of receipts (SC-12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ReceiptKind = Literal["call", "approval", "rule", "tool"]


@dataclass(frozen=True)
class ReceiptDraft:
    """A receipt that has no place in the chain yet.

    Attributes:
        kind: ``call``: an action; ``approval``: a person's answer; ``rule``: a remembered answer was made,
            used or ended; ``tool``: something the agent looked up.
        subject: task id, approval id or rule id.
        what: name of the command or tool.
        who: source of a call; who answered.
        outcome: how it ended.
        args_hash, result_hash: SHA-256 in hexadecimal digits, '' where there is nothing to hash.
        at: epoch seconds.
        entry: number of the call in the journal, 0 for none.
    """

    kind: ReceiptKind
    subject: str
    what: str
    who: str
    outcome: str
    args_hash: str
    result_hash: str
    at: float
    entry: int = 0
