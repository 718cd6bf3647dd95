"""Models in the settings: a wrong table costs itself only, and no key stands in the file (AG-8, SC-10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroclaw_desktop.config.loader import load_config
from zeroclaw_desktop.config.model_entries import read_entries

GOOD = {"provider": "openai", "model": "gpt-5-mini"}


def test_entries_are_read_by_alias_and_others_survive_a_wrong_one(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        "[models.entries.fast]\n"
        'provider = "openai"\nmodel = "gpt-5-mini"\nkey = "secret:openai"\nfallback = ["home"]\n'
        "[models.entries.home]\n"
        'provider = "ollama"\nmodel = "qwen3:8b"\nfirst_token_seconds = 5\n[models.entries.home.parameters]\n'
        "temperature = 0.1\n"
        "[models.entries.bad]\n"
        'model = "x"\ncolour = "red"\n'
    )
    loaded = load_config(path)
    entries = loaded.values["models.entries"]
    assert sorted(entries) == ["fast", "home"]
    assert entries["home"]["parameters"] == {"temperature": 0.1}
    told = {problem.path: problem.message for problem in loaded.problems}
    assert told["models.entries.bad.provider"] == "is missing"
    assert "unknown" in told["models.entries.bad.colour"]


@pytest.mark.parametrize("key", ["sk-abcdef0123456789", "secret:", "secret:a b", "openai", 5, "secret:x\n"])
def test_a_key_itself_is_refused_and_not_repeated(key: object) -> None:
    entries, faults = read_entries({"fast": {**GOOD, "key": key}})
    assert entries == {}
    assert len(faults) == 1
    assert "sk-abcdef" not in str(faults)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("base_url", "ftp://x"),
        ("base_url", "http://"),
        ("base_url", "http://user:word@host/v1"),
        ("base_url", "http://[::1"),
        ("fallback", "home"),
        ("fallback", [1]),
        ("parameters", []),
        ("native_tools", "yes"),
        ("whole_seconds", 0),
        ("whole_seconds", True),
        ("whole_seconds", float("nan")),
        ("model", " "),
    ],
)
def test_wrong_values_are_named_by_their_path(name: str, value: object) -> None:
    entries, faults = read_entries({"fast": {**GOOD, name: value}})
    assert entries == {}
    assert [path for path, _ in faults] == [f"models.entries.fast.{name}"]


def test_a_fallback_to_nobody_is_said_and_the_model_stays() -> None:
    entries, faults = read_entries({"fast": {**GOOD, "fallback": ["nobody"]}})
    assert sorted(entries) == ["fast"]
    assert [path for path, _ in faults] == ["models.entries.fast.fallback"]


@pytest.mark.parametrize("table", [5, "x", [1], {"a": 5}, {"bad alias": GOOD}, {"": GOOD}])
def test_what_is_no_table_of_models_is_refused(table: object) -> None:
    entries, faults = read_entries(table)
    assert entries == {}
    assert faults
