"""A model as it is set up: whom to ask where, with which limits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from zeroclaw_desktop.foundation.assets import resource_path


@dataclass(frozen=True)
class Preset:
    """What is known of a provider; see resources/models/providers.toml.

    Attributes:
        key: its name in settings.
        prefix: what litellm calls its protocol.
        base_url: where it is unless an entry says otherwise.
        needs_key: whether it asks for a key.
        catalogue: its name in litellm's map; '' when its models are not listed there.
        local: whether it runs on this computer and costs nothing.
    """

    key: str
    title: str
    prefix: str
    base_url: str
    needs_key: bool
    catalogue: str
    local: bool


@dataclass(frozen=True)
class Patience:
    """Time limits of one request, in seconds.

    Attributes:
        connect: for the connection.
        first: from the request to the first piece of the answer.
        between: between two pieces.
        whole: for all of it.
    """

    connect: float = 10.0
    first: float = 90.0
    between: float = 60.0
    whole: float = 600.0


@dataclass(frozen=True)
class ModelEntry:
    """One model by the alias of its person.

    Attributes:
        provider: key of a Preset.
        model: the server's name for it.
        key: name under which its key is kept; '' for none.
        parameters: handed to the server (``temperature``, ``max_tokens``).
        fallback: aliases that are asked when this one fails, in order.
        native_tools: whether it takes tools by itself; None when that is not known.
        vision: whether it sees pictures; None when that is not known.
    """

    alias: str
    provider: str
    model: str
    base_url: str = ""
    key: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    fallback: tuple[str, ...] = ()
    native_tools: bool | None = None
    vision: bool | None = None
    patience: Patience = field(default_factory=Patience)

    @property
    def preset(self) -> Preset:
        """What is known of its provider."""
        return presets()[self.provider]

    @property
    def address(self) -> str:
        """Where it is."""
        return self.base_url or self.preset.base_url

    @property
    def wire_name(self) -> str:
        """The model as litellm is asked for it."""
        return f"{self.preset.prefix}/{self.model}"


@cache
def presets() -> Mapping[str, Preset]:
    """All known providers by key."""
    rows = tomllib.loads(resource_path("models/providers.toml").read_text(encoding="utf-8"))
    return {
        key: Preset(
            key,
            row["title"],
            row["prefix"],
            row.get("base_url", ""),
            row.get("needs_key", False),
            row.get("catalogue", ""),
            row.get("local", False),
        )
        for key, row in rows.items()
    }
