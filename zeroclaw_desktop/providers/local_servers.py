"""Servers of models that run on this computer: asked on loopback, at their usual ports, briefly."""

from __future__ import annotations

import asyncio
import http.client
import json
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.providers.model_entry import ModelEntry, presets

LOOK_SECONDS = 0.5
ANSWER_BYTES = 1_000_000


@dataclass(frozen=True)
class LocalServer:
    """A server that answered.

    Attributes:
        provider: key of its preset.
        address: as an entry of the settings names it.
        models: names of its models.
    """

    provider: str
    address: str
    models: tuple[str, ...]

    def entries(self) -> list[ModelEntry]:
        """Its models as entries, offered to the person; an alias is the model's name without its folder."""
        return [
            ModelEntry(name.rpartition("/")[2].replace(":", "-")[:40], self.provider, name, self.address)
            for name in self.models
        ]


async def find_local_servers(addresses: Mapping[str, str] | None = None) -> list[LocalServer]:
    """Ask every local provider for its models; those that are silent, or no such server, are left out.

    Args:
        addresses: provider -> address; None for the usual ones. Only loopback is asked.
    """
    wanted = addresses or {key: preset.base_url for key, preset in presets().items() if preset.local}
    asked = [
        asyncio.to_thread(_ask, key, address) for key, address in wanted.items() if _is_loopback(address)
    ]
    return [server for server in await asyncio.gather(*asked) if server is not None]


def _is_loopback(address: str) -> bool:
    return urllib.parse.urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")


def _ask(provider: str, address: str) -> LocalServer | None:
    parts = urllib.parse.urlsplit(address)
    ollama = presets()[provider].prefix == "ollama_chat"
    path = "/api/tags" if ollama else f"{parts.path.rstrip('/')}/models"
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=LOOK_SECONDS)
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        if answer.status != 200:
            return None
        names = _names(json.loads(answer.read(ANSWER_BYTES)), ollama=ollama)
    except (OSError, ValueError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return None if names is None else LocalServer(provider, address, names)


def _names(row: Any, *, ollama: bool) -> tuple[str, ...] | None:
    """Names of a server's models; None when the answer is that of another kind of server."""
    listed = row.get("models" if ollama else "data") if isinstance(row, dict) else None
    if not isinstance(listed, list):
        return None
    names = [entry.get("name" if ollama else "id") for entry in listed if isinstance(entry, dict)]
    return tuple(name for name in names if isinstance(name, str) and name)
