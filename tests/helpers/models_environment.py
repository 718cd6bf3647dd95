"""The models' environment for tests: where litellm is, and the provider process that runs in it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence

import pytest

from zeroclaw_desktop.contracts.chat import ChatMessage, ProviderEvent, TextDelta, ToolSpec
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.providers.errors import ModelsMissingError
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.model_request import ask_model
from zeroclaw_desktop.providers.models_python import models_python
from zeroclaw_desktop.providers.provider_process import ProcessLimits, ProviderProcess
from zeroclaw_desktop.sandbox.process import ChildProcesses

KEY = "zc-secret-key-4711-0815"
PROVIDERS = {"openai": "compatible", "anthropic": "anthropic", "ollama": "ollama"}
"""Dialect of a test server -> provider in the settings."""
HELLO = [ChatMessage("user", "hello")]


def installed_python() -> str:
    """The interpreter of the models' environment; the test is left out where there is none."""
    try:
        return models_python()
    except ModelsMissingError:
        pytest.skip("needs the model library: python3 installer/bootstrap.py test installs it")


@contextlib.asynccontextmanager
async def running_process(limits: ProcessLimits | None = None) -> AsyncIterator[ProviderProcess]:
    """A provider process (started with its first request); ended at the end."""
    python = installed_python()
    process = ProviderProcess(ChildProcesses(), lambda: python, SystemClock(), limits)
    try:
        yield process
    finally:
        await process.stop()


def entry_for(dialect: str, address: str, **changes: object) -> ModelEntry:
    """A model on a test server."""
    return ModelEntry("testing", PROVIDERS[dialect], "test-model", address, **changes)  # type: ignore[arg-type]


async def collect(
    process: ProviderProcess, entry: ModelEntry, tools: Sequence[ToolSpec] = (), key: str = KEY
) -> list[ProviderEvent]:
    """All events of one answer."""
    return [event async for event in ask_model(process, entry, key, HELLO, tools)]


def said(events: Sequence[ProviderEvent]) -> str:
    """The words of an answer."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))
