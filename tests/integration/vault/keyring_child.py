"""A program of its own that uses the system's keyring through the product; prints what it got as JSON.

Use: ``keyring_child.py ORDERS SECONDS`` with a JSON list of ["store", NAME, PASSWORD], ["fetch", NAME] and
["forget", NAME].
"""

from __future__ import annotations

import asyncio
import json
import sys

from zeroclaw_desktop.vault.errors import VaultError
from zeroclaw_desktop.vault.system_keyring import SystemKeyring


async def main(orders: list[list[str]], patience: float) -> None:
    keyring, answers = SystemKeyring(patience), []
    for verb, *words in orders:
        try:
            answers.append(await getattr(keyring, verb)(*words))
        except VaultError as error:
            answers.append({"code": error.code, "message": error.message, "hint": error.hint})
    print(json.dumps(answers))


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1]), float(sys.argv[2])))
