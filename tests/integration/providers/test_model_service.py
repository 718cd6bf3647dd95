"""Models of the settings as a provider of the agent: fallback over real servers, tools probed once (AG-8)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.helpers.memory_passwords import MemoryPasswords
from tests.helpers.model_server import Answer, Call, ModelServer, says
from tests.helpers.models_environment import HELLO, KEY, installed_python, said
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.chat import AttemptFailed, UsageReported
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.providers.errors import BadRequestError, CutOffError, ModelUnknownError
from zeroclaw_desktop.runtime.model_service import ModelService
from zeroclaw_desktop.sandbox.process import ChildProcesses
from zeroclaw_desktop.vault.errors import PasswordMissingError
from zeroclaw_desktop.vault.model_keys import ModelKeys

# One provider process serves all of this file: its start costs seconds.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ModelService]:
    installed_python()
    config = ConfigStore(tmp_path_factory.mktemp("models") / "config.toml")
    passwords = MemoryPasswords()
    passwords.kept["model test"] = KEY
    running = ModelService(config, ModelKeys(passwords, {}), ChildProcesses(), SystemClock())
    await running.process.warm()
    yield running
    await running.stop()


def entry(url: str, provider: str = "compatible", **more: Any) -> dict[str, Any]:
    """A table of the settings."""
    return {"provider": provider, "model": "test-model", "base_url": url, "key": "secret:test", **more}


def set_up(service: ModelService, **entries: dict[str, Any]) -> Path:
    """Put models into the settings; returns their file."""
    service._config.set("models.entries", entries)
    return service._config.path


async def test_the_next_model_answers_when_the_first_refuses(service: ModelService) -> None:
    refusal = Answer(status=401, error="wrong key")
    async with (
        ModelServer("openai", [refusal]) as first,
        ModelServer("ollama", [says("from home")]) as second,
    ):
        home = entry(second.url, "ollama")
        path = set_up(service, fast=entry(first.url, fallback=["home"]), home=home)
        events = [event async for event in service.provider("fast").stream(HELLO, [])]
    assert said(events) == "from home"
    hops = [
        (event.model, event.next_model, event.fault_code)
        for event in events
        if isinstance(event, AttemptFailed)
    ]
    assert hops == [("fast", "home", "model_auth")]
    usage = next(event for event in events if isinstance(event, UsageReported))
    assert (usage.model, usage.cost) == ("home", 0.0), "a local model costs nothing"
    assert KEY not in path.read_text()


async def test_an_answer_that_breaks_off_is_left_to_the_person(service: ModelService) -> None:
    broken = says("half", ending="cut_off", pause=0.05)
    async with ModelServer("openai", [broken]) as first, ModelServer("openai", [says("other")]) as second:
        set_up(service, fast=entry(first.url, fallback=["home"]), home=entry(second.url))
        with pytest.raises(CutOffError) as caught:
            _ = [event async for event in service.provider("fast").stream(HELLO, [])]
        assert len(second.requests) == 0
    assert caught.value.partial == "half"


async def test_a_refusal_for_the_moment_is_asked_again(service: ModelService) -> None:
    busy = Answer(status=429, error="slow down", headers={"Retry-After": "0.2"})
    async with ModelServer("anthropic", [busy, says("now")]) as server:
        set_up(service, fast=entry(server.url, "anthropic"))
        events = [event async for event in service.provider("fast").stream(HELLO, [])]
        assert len(server.requests) == 2
    assert said(events) == "now"
    assert [event.wait_seconds for event in events if isinstance(event, AttemptFailed)] == [0.2]


async def test_tools_are_probed_once_for_each_model(service: ModelService) -> None:
    async with ModelServer("openai", [Answer((Call("report_ready", {"ok": True}),))]) as server:
        set_up(service, fast=entry(server.url))
        assert await service.takes_tools(service.entry("fast"))
        assert await service.takes_tools(service.entry("fast"))
        assert len(server.requests) == 1
        set_up(service, fast=entry(server.url, native_tools=False))
        assert not await service.takes_tools(service.entry("fast"))
        assert len(server.requests) == 1


async def test_a_server_that_refuses_tools_has_none(service: ModelService) -> None:
    refusal = Answer(status=400, error="test-model does not support tools")
    async with ModelServer("openai", [refusal]) as server:
        set_up(service, fast=entry(server.url))
        assert not await service.takes_tools(service.entry("fast"))


async def test_a_key_that_nobody_knows_is_said_before_anything_is_sent(service: ModelService) -> None:
    async with ModelServer("openai", [says("x")]) as server:
        set_up(service, fast=entry(server.url, key="secret:nobody"))
        with pytest.raises(PasswordMissingError):
            _ = [event async for event in service.provider("fast").stream(HELLO, [])]
        assert server.requests == []


async def test_an_unknown_alias_names_the_known_ones(service: ModelService) -> None:
    set_up(service, fast=entry("http://127.0.0.1:9/v1"))
    with pytest.raises(ModelUnknownError) as caught:
        service.provider("quick")
    assert "fast" in caught.value.hint


async def test_a_compatible_model_without_an_address_is_refused_before_anything_is_sent(
    service: ModelService,
) -> None:
    set_up(service, fast={"provider": "compatible", "model": "m"})
    with pytest.raises(BadRequestError, match="base_url"):
        _ = [event async for event in service.provider("fast").stream(HELLO, [])]
