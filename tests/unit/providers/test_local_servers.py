"""Servers on this computer are found and offered (AG-8)."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.model_server import ModelServer, says
from zeroclaw_desktop.providers.local_servers import find_local_servers
from zeroclaw_desktop.providers.model_entry import presets


async def test_servers_that_answer_are_offered_with_their_models() -> None:
    async with (
        ModelServer("ollama", [says("")], ["qwen3:8b", "llama3"]) as ollama,
        ModelServer("openai", [says("")], ["org/Small-GGUF"]) as studio,
    ):
        address = studio.url
        found = await find_local_servers({"ollama": ollama.url, "lmstudio": address})
    assert {server.provider: server.models for server in found} == {
        "ollama": ("qwen3:8b", "llama3"),
        "lmstudio": ("org/Small-GGUF",),
    }
    entries = {entry.alias: entry for server in found for entry in server.entries()}
    assert sorted(entries) == ["Small-GGUF", "llama3", "qwen3-8b"]
    assert entries["qwen3-8b"].wire_name == "ollama_chat/qwen3:8b"
    assert entries["Small-GGUF"].address == address


async def test_a_server_of_another_kind_at_the_usual_port_is_left_out() -> None:
    async with ModelServer("openai", [says("")]) as server:
        assert await find_local_servers({"ollama": server.root}) == []


async def test_nobody_there_and_a_silent_port_are_left_out() -> None:
    async with ModelServer("openai", [says("")]) as server:
        closed = server.url
    held: list[asyncio.StreamWriter] = []
    silent = await asyncio.start_server(lambda _reader, writer: held.append(writer), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    found = await find_local_servers({"lmstudio": closed, "vllm": f"http://127.0.0.1:{port}/v1"})
    assert len(held) == 1
    for writer in held:
        writer.close()
        await writer.wait_closed()
    silent.close()
    await silent.wait_closed()
    assert found == []


@pytest.mark.parametrize(
    "address", ["http://192.0.2.1:11434", "http://example.org", "http://127.0.0.1.nip.io"]
)
async def test_only_this_computer_is_asked(address: str) -> None:
    assert await find_local_servers({"ollama": address}) == []


def test_every_preset_is_usable() -> None:
    for preset in presets().values():
        assert preset.prefix in ("openai", "anthropic", "deepseek", "ollama_chat")
        if preset.local:
            assert preset.base_url.startswith("http://127.0.0.1:")
            assert not preset.needs_key
        elif preset.key != "compatible":
            assert preset.base_url.startswith("https://")
            assert preset.needs_key
