"""``zeroclaw models`` from end to end: a model of the settings, asked through the real process (AG-8)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.model_server import Answer, Call, ModelServer, says
from tests.helpers.models_environment import KEY, installed_python
from zeroclaw_desktop.cli.main import main

TOOL = Answer((Call("report_ready", {"ok": True}),))


class ServerThread:
    """A model server on a loop of its own, for commands that run loops themselves."""

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.server.__aenter__(), self._loop).result(10)
        return self.server

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self.server.__aexit__(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def settings(own_state_folder: Path) -> Iterator[Path]:
    installed_python()
    own_state_folder.mkdir()
    return own_state_folder / "config.toml"


def write(path: Path, url: str, alias: str = "fast", more: str = "") -> None:
    """Add a model of a test server to the settings."""
    with path.open("a") as file:
        file.write(
            f'[models.entries.{alias}]\nprovider = "compatible"\nmodel = "test-model"\nbase_url = "{url}"\n'
            f'key = "secret:test"\n{more}\n'
        )


def test_a_model_is_tested_and_its_key_comes_from_the_variable(
    settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZEROCLAW_MODEL_KEY_TEST", KEY)
    with ServerThread(ModelServer("openai", [says("I am ", "ready."), TOOL])) as server:
        write(settings, server.url)
        assert main(["models", "test", "fast", "--json"]) == 0
        asked = [request.headers["authorization"] for request in server.requests]
    row = json.loads(capsys.readouterr().out)
    assert row["answer"] == "I am ready."
    assert row["native_tools"] is True
    assert (row["input_tokens"], row["output_tokens"]) == (11, 7)
    assert asked == [f"Bearer {KEY}"] * 2


def test_a_model_that_only_writes_has_no_native_tools(
    settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZEROCLAW_MODEL_KEY_TEST", KEY)
    with ServerThread(ModelServer("openai", [says("ready")])) as server:
        write(settings, server.url)
        assert main(["models", "test", "fast"]) == 0
    assert "does not call tools by itself" in capsys.readouterr().out


def test_a_refused_key_is_said_with_what_to_do(
    settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZEROCLAW_MODEL_KEY_TEST", KEY)
    with ServerThread(ModelServer("openai", [Answer(status=401, error=f"wrong key {KEY}")])) as server:
        write(settings, server.url)
        assert main(["models", "test", "fast"]) == 1
    told = capsys.readouterr()
    assert "does not accept the key" in told.err
    assert KEY not in told.out + told.err


def test_the_list_shows_models_and_wrong_entries(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(settings, "http://127.0.0.1:9/v1")
    write(settings, "not an address", "wrong")
    write(settings, "http://127.0.0.1:9/v1", "odd")
    settings.write_text(
        settings.read_text().replace('odd]\nprovider = "compatible"', 'odd]\nprovider = "odder"')
    )
    assert main(["models", "list", "--json"]) == 0
    told = capsys.readouterr()
    rows = {row["alias"]: row for row in json.loads(told.out)["models"] if row["from"] == "settings"}
    assert sorted(rows) == ["fast"]
    assert rows["fast"]["key"] is True
    assert "models.entries.wrong.base_url" in told.err
    assert "unknown provider 'odder'" in told.err


def test_the_catalogue_names_context_prices_and_abilities(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "list", "--catalogue", "deepseek", "--json"]) == 0
    rows = {row["model"]: row for row in json.loads(capsys.readouterr().out)["models"]}
    chat = rows["deepseek-chat"]
    assert chat["native_tools"] is True
    assert chat["context"] >= 64_000
    assert 0 < chat["prices"]["input"] < chat["prices"]["output"] < 1e-3


@pytest.mark.parametrize("words", [["test", "nobody"], ["list", "--catalogue", "nobody"]])
def test_names_that_nobody_knows_are_bad_use(
    settings: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", *words]) == 2
    assert "nobody" in capsys.readouterr().err
