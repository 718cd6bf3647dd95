"""The models of the settings, ready to be asked: entries, keys, the provider process, tests of a model."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from zeroclaw_desktop.config.model_entries import KEY, REFERENCE
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.chat import (
    ChatMessage,
    ProviderEvent,
    TextDelta,
    ToolCallRequested,
    ToolSpec,
    UsageReported,
)
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.clock import Clock, SystemClock
from zeroclaw_desktop.providers.errors import BadRequestError, ModelUnknownError
from zeroclaw_desktop.providers.fallback_chain import FallbackChain
from zeroclaw_desktop.providers.model_entry import ModelEntry, Patience, presets
from zeroclaw_desktop.providers.model_request import ask_model
from zeroclaw_desktop.providers.models_python import models_python
from zeroclaw_desktop.providers.provider_process import ProcessLimits, ProviderProcess
from zeroclaw_desktop.providers.resilience import CircuitBreaker
from zeroclaw_desktop.sandbox.process import ChildProcesses
from zeroclaw_desktop.vault.model_keys import ModelKeys
from zeroclaw_desktop.vault.system_keyring import SystemKeyring

PATIENCE_NAMES = {
    "connect_seconds": "connect",
    "first_token_seconds": "first",
    "between_tokens_seconds": "between",
    "whole_seconds": "whole",
}
QUESTION = "Answer with one short sentence: are you ready?"
PROBE = "Call the tool report_ready with ok set to true. Do not write anything else."
PROBE_TOOL = ToolSpec(
    "report_ready",
    "Report that you are ready.",
    {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
)


@dataclasses.dataclass(frozen=True)
class ModelCheck:
    """How a model answered.

    Attributes:
        first_ms: milliseconds to the first piece, with the start of the process if there was none.
        whole_ms: milliseconds to the end.
        native_tools: whether it called a tool when it was asked to.
        usage: tokens and cost; None when the server does not say.
    """

    alias: str
    text: str
    first_ms: float
    whole_ms: float
    native_tools: bool
    usage: UsageReported | None


class ModelService:
    """All models of one program.

    Args:
        config: where entries stand.
        keys: where their keys are.
        children: starts the provider process.
    """

    def __init__(self, config: ConfigStore, keys: ModelKeys, children: ChildRunner, clock: Clock) -> None:
        self._config = config
        self._keys = keys
        self._clock = clock
        idle = float(config.get("models.idle_minutes")) * 60.0
        self.process = ProviderProcess(children, models_python, clock, ProcessLimits(idle=idle))
        self._breakers: dict[str, CircuitBreaker] = {}
        self._native_tools: dict[tuple[str, str], bool] = {}

    def entries(self) -> dict[str, ModelEntry]:
        """The models of the settings by alias; one with a provider that nobody knows is left out."""
        rows: Mapping[str, Mapping[str, Any]] = self._config.get(KEY)
        known = {alias: row for alias, row in rows.items() if row["provider"] in presets()}
        return {alias: entry_of(alias, row) for alias, row in known.items()}

    def unknown_providers(self) -> dict[str, str]:
        """Aliases whose provider nobody knows, with its name."""
        rows: Mapping[str, Mapping[str, Any]] = self._config.get(KEY)
        return {alias: row["provider"] for alias, row in rows.items() if row["provider"] not in presets()}

    def entry(self, alias: str) -> ModelEntry:
        """A model by its alias; raises ModelUnknownError."""
        entries = self.entries()
        if alias in entries:
            return entries[alias]
        known = ", ".join(sorted(entries)) or "none"
        raise ModelUnknownError(
            f"There is no model with the alias '{alias}'.",
            hint=f"Known are: {known}. Models stand in config.toml, as [{KEY}.ALIAS].",
            code="model_alias_unknown",
            details={"name": alias, "known": known},
        )

    def provider(self, alias: str) -> FallbackChain:
        """The model of an alias with those that it falls back to; raises ModelUnknownError."""
        first, entries = self.entry(alias), self.entries()
        chain = [first, *(entries[name] for name in first.fallback if name in entries and name != alias)]
        return FallbackChain(chain, self._ask, self._breakers, self._clock)

    async def check(self, entry: ModelEntry) -> ModelCheck:
        """Ask a model twice: for a sentence, and to call a tool. Nothing is retried.

        Raises:
            ProviderError, VaultError: it does not answer.
        """
        begun = time.monotonic()
        first, text, usage = 0.0, "", None
        async for event in self._ask(entry, [ChatMessage("user", QUESTION)], ()):
            first = first or time.monotonic() - begun
            if isinstance(event, TextDelta):
                text += event.text
            elif isinstance(event, UsageReported):
                usage = event
        whole = time.monotonic() - begun
        native = await self.takes_tools(entry)
        return ModelCheck(entry.alias, text, first * 1000.0, whole * 1000.0, native, usage)

    async def takes_tools(self, entry: ModelEntry) -> bool:
        """Whether a model calls tools by itself: as its entry says, else it is asked once."""
        if entry.native_tools is not None:
            return entry.native_tools
        known = (entry.address, entry.model)
        if known not in self._native_tools:
            self._native_tools[known] = await self._probe(entry)
        return self._native_tools[known]

    async def _probe(self, entry: ModelEntry) -> bool:
        try:
            async with aclosing(self._ask(entry, [ChatMessage("user", PROBE)], [PROBE_TOOL])) as events:
                async for event in events:
                    if isinstance(event, ToolCallRequested):
                        return event.call.name == PROBE_TOOL.name
        except BadRequestError:  # some servers refuse tools that a model cannot use
            return False
        return False

    async def catalogue(self, provider: str) -> list[Mapping[str, Any]]:
        """Models of a provider with context, prices and abilities, from litellm's bundled map.

        Raises:
            ModelUnknownError: no such provider.
            ProviderError: the map cannot be read.
        """
        if provider not in presets():
            raise ModelUnknownError(
                f"There is no provider called '{provider}'.",
                hint=f"Known are: {', '.join(presets())}.",
                code="model_provider_unknown",
                details={"name": provider, "known": ", ".join(presets())},
            )
        channel = await self.process.open("catalogue", {"provider": presets()[provider].catalogue})
        try:
            frame = await channel.frame()
        finally:
            channel.close()
        rows: list[Mapping[str, Any]] = frame.get("result", [])
        return rows

    async def stop(self) -> None:
        """End the provider process."""
        await self.process.stop()

    async def _ask(
        self, entry: ModelEntry, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        key = await self._keys.fetch(entry.key) if entry.key else ""
        async with aclosing(ask_model(self.process, entry, key, messages, tools)) as events:
            async for event in events:
                yield event


def models_alone(config: ConfigStore) -> ModelService:
    """The models without the rest of the runtime, for a command; ``stop`` ends them."""
    return ModelService(config, ModelKeys(SystemKeyring()), ChildProcesses(), SystemClock())


def entry_of(alias: str, row: Mapping[str, Any]) -> ModelEntry:
    """A model from its table in the settings (see config.model_entries)."""
    limits = {name: float(row[given]) for given, name in PATIENCE_NAMES.items() if given in row}
    return ModelEntry(
        alias,
        row["provider"],
        row["model"],
        row.get("base_url", ""),
        str(row.get("key", "")).removeprefix(REFERENCE),
        dict(row.get("parameters", {})),
        tuple(row.get("fallback", ())),
        row.get("native_tools"),
        row.get("vision"),
        Patience(**limits),
    )
