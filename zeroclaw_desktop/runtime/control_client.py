"""The other end of the control socket: sends one order to the app that runs in the same home folder.

Imported before the first paint, so it brings in nothing that it does not need.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.foundation.paths import HomeFolderError, home_folder

if TYPE_CHECKING:
    import socket

FILE_NAME = "control.json"
COMMANDS = "commands"
"""Folder with a file for each process that runs."""
ANSWER_SECONDS = 5.0
CONNECT_SECONDS = 2.0
MAX_ANSWER_BYTES = 1 << 20


def control_file() -> Path:
    """Where the address and token of the running app are."""
    return home_folder(create=False) / FILE_NAME


def _read_line(connection: socket.socket) -> bytes:
    """One line within ANSWER_SECONDS in all: who answers on that port need not be our app any more."""
    import time

    deadline = time.monotonic() + ANSWER_SECONDS
    line = bytearray()
    while not line.endswith(b"\n") and len(line) < MAX_ANSWER_BYTES:
        connection.settimeout(max(0.001, deadline - time.monotonic()))
        piece = connection.recv(4096)
        if not piece:
            break
        line += piece
    return bytes(line)


def command_file(name: str = "") -> Path:
    """Where the address and token of this process are while it runs, whether it has a window or not."""
    return home_folder(create=False) / COMMANDS / f"{name or os.getpid()}.json"


def order_running_app(order: dict[str, Any]) -> dict[str, Any] | None:
    """Send an order to the running app and return its answer; None when no app runs (blocking)."""
    try:
        return _order(control_file(), order)
    except HomeFolderError:
        return None


def order_all(order: dict[str, Any]) -> list[dict[str, Any]]:
    """Send an order to all windows and commands that run; returns their answers (blocking)."""
    try:
        files = sorted((home_folder(create=False) / COMMANDS).glob("*.json"))
    except (OSError, HomeFolderError):
        return []
    answers = []
    for file in files:
        answer = _order(file, order)
        if answer is not None:
            answers.append(answer)
        else:
            with contextlib.suppress(OSError):  # of a process that was killed
                file.unlink()
    return answers


def _order(address: Path, order: dict[str, Any]) -> dict[str, Any] | None:
    try:
        with address.open("rb") as file:
            text = file.read(MAX_ANSWER_BYTES)
    except OSError:
        return None
    import json
    import socket

    try:
        found = json.loads(text)
        with socket.create_connection(("127.0.0.1", found["port"]), CONNECT_SECONDS) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.sendall(json.dumps({**order, "token": found["token"]}).encode() + b"\n")
            parsed = json.loads(_read_line(connection))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
