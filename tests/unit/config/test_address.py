"""Addresses in settings (SC-10, RT-5): the password is found wherever it stands, and not in the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.config.address import address_fault, read_address, with_password
from zeroclaw_desktop.config.errors import ConfigError
from zeroclaw_desktop.config.loader import load_config
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.reporters.mqtt_address import parse_mqtt_address

SCHEMES = ("redis", "rediss", "unix")


@pytest.mark.parametrize(
    ("text", "bare", "password", "place"),
    [
        ("", "", "", ""),
        ("redis://host:6379/0", "redis://host:6379/0", "", "@host:6379"),
        (" redis://me:geheim@Host:6379/0 ", "redis://me:***@Host:6379/0", "geheim", "me@host:6379"),
        ("redis://:geheim@host", "redis://:***@host", "geheim", "@host"),
        ("redis://me@host", "redis://me@host", "", "me@host"),
        ("redis://me:@host", "redis://me:@host", "", "me@host"),
        ("redis://me:a%2Fb%40c@host/1", "redis://me:***@host/1", "a/b@c", "me@host"),
        ("redis://me:a@b@host", "redis://me:***@host", "a@b", "me@host"),
        ("redis://me:a:b@host", "redis://me:***@host", "a:b", "me@host"),
        ("rediss://me:pw@[::1]:6380", "rediss://me:***@[::1]:6380", "pw", "me@[::1]:6380"),
        ("unix://me:pw@/run/r.sock?db=2", "unix://me:***@/run/r.sock?db=2", "pw", "me@/run/r.sock"),
        ("unix:///run/redis.sock", "unix:///run/redis.sock", "", "@/run/redis.sock"),
        ("redis://host/0?password=pw", "redis://:***@host/0", "pw", "@host"),
        ("redis://[bad?password=pw", "redis://:***@[bad", "pw", "@[bad"),
        ("redis://me@host?db=1&password=p%23w", "redis://me:***@host?db=1", "p#w", "me@host"),
        ("mqtts://me:pw@host:8883/lab?qos=1&retain=1", "mqtts://me:***@host:8883/lab?qos=1&retain=1", "pw",
         "me@host:8883"),
    ],
)  # fmt: skip
def test_the_password_is_taken_out(text: str, bare: str, password: str, place: str) -> None:
    """SC-10: by RFC 3986, 3.2.1, a password stands behind ':' before the last '@' of the authority."""
    found = read_address(text)
    assert (found.bare, found.password, found.place) == (bare, password, place)
    assert found.marked is bool(password)


def test_the_mark_is_no_password() -> None:
    found = read_address("redis://me:***@host")
    assert (found.bare, found.password, found.marked) == ("redis://me:***@host", "", True)


@given(
    st.text(min_size=1).filter(lambda text: text != "***" and text.isprintable()),
    st.sampled_from(["", "kim"]),
)
def test_taking_apart_and_putting_together_is_lossless(password: str, user: str) -> None:
    """SC-10: whatever the password is made of."""
    whole = with_password(f"mqtt://{user}:***@host:1883/lab?qos=1", password)
    found = read_address(whole)
    assert found.password == password
    assert found.bare == f"mqtt://{user}:***@host:1883/lab?qos=1"
    assert with_password(found.bare, password) == whole
    assert parse_mqtt_address(whole).password == password
    assert address_fault(whole, ("mqtt",)) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("host:6379", "redis://"),
        ("me:geheim@host", "redis://"),
        ("http://me:geheim@host", "redis://"),
        ("redis//me:geheim@host", "redis://"),
        ("redis://me:ge/heim@host", "%2F"),
        ("redis://me:ge?heim@host", "%3F"),
        ("redis://me:ge#heim@host", "%23"),
        ("redis://me:ge heim@host", "blanks"),
        ("redis://host\n", ""),
        ("REDIS://host", ""),
        ("", ""),
    ],
)
def test_what_could_hide_a_password_is_refused_without_repeating_it(text: str, said: str) -> None:
    """SC-10: a password whose place cannot be told must not slip into the file as part of a path."""
    fault = address_fault(text, SCHEMES)
    assert said in fault
    assert bool(fault) is bool(said)
    assert "heim" not in fault


def test_an_address_with_a_password_is_not_written(tmp_path: Path) -> None:
    """SC-10: the last guard: whoever changes the setting."""
    store = ConfigStore(tmp_path / "config.toml")
    with pytest.raises(ConfigError) as raised:
        store.set("shared.redis_url", "redis://me:geheim@host")
    assert "geheim" not in str(raised.value) + str(raised.value.details)
    assert not store.path.exists()
    store.set("shared.redis_url", " redis://me:***@host ")
    assert store.get("shared.redis_url") == "redis://me:***@host"


def test_a_password_in_the_file_is_a_problem_that_is_told(tmp_path: Path) -> None:
    """RT-5: with key and line, without the password; the value is there, so that it can be moved."""
    file = tmp_path / "config.toml"
    file.write_text('[shared]\n\nredis_url = "redis://me:geheim@host"\n', encoding="utf-8")
    loaded = load_config(file)
    (problem,) = loaded.problems
    assert (problem.path, problem.line, problem.fatal) == ("shared.redis_url", 3, False)
    assert "geheim" not in str(problem)
    assert loaded.values["shared.redis_url"] == "redis://me:geheim@host"


def test_a_wrong_address_in_the_file_is_told_without_its_password(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[reporters]\nmqtt_url = "me:geheim@host"\n', encoding="utf-8")
    loaded = load_config(file)
    assert loaded.values["reporters.mqtt_url"] == ""
    assert "mqtt://" in str(loaded.problems[0])
    assert "geheim" not in str(loaded.problems[0])
