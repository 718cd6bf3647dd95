"""The chain of receipts with the system's keyring for real, over several programs (SC-12)."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.integration.vault.keyring_session import ROOT, UNLOCKED, environment, needs_keyring, session

EXEC = ("exec", "--payload", '{"action": "led_set", "params": {"state": 1}}')


def zeroclaw(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of a command with GNOME Keyring, whose file is in the home folder."""
    ended = subprocess.run(
        [*session(UNLOCKED), sys.executable, "-m", "zeroclaw_desktop.cli.main", *arguments, "--json"],
        env=environment(home, ZEROCLAW_HOME=str(home)),
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return ended.returncode, json.loads(ended.stdout)


@needs_keyring
def test_receipts_of_several_commands_are_one_signed_chain_and_a_cut_end_shows(tmp_path: Path) -> None:
    for _ in range(2):
        assert zeroclaw(tmp_path, *EXEC)[0] == 0
    code, sound = zeroclaw(tmp_path, "audit", "verify")
    assert (code, sound["ok"], sound["unsigned"], sound["keyring"]) == (0, True, [], "")
    assert sound["signed"] == sound["receipts"] == sound["anchored"] >= 2
    connection = sqlite3.connect(tmp_path / "zeroclaw.db")
    connection.execute("DELETE FROM receipts")
    connection.execute("DELETE FROM receipt_head")
    connection.commit()
    connection.close()
    code, cut = zeroclaw(tmp_path, "audit", "verify")
    assert (code, cut["problem"], cut["first_bad"]) == (1, "cut", 1)
    assert zeroclaw(tmp_path, *EXEC)[0] == 0
    assert zeroclaw(tmp_path, "audit", "verify")[0] == 1, "the next command must not wash the evidence away"
    zeroclaw(tmp_path, "audit", "verify", "--accept")
    code, accepted = zeroclaw(tmp_path, "audit", "verify")
    assert (code, accepted["ok"]) == (0, True)
