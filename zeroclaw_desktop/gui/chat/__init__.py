"""The Chat page: transcript, tool and approval cards, input box, and the bench with the current board.

It shows what the bridge reports and sends a person's words and answers back; it decides nothing itself.
"""

from __future__ import annotations
