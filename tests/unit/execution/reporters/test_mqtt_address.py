"""The MQTT address and topics (EX-12): what is accepted, what is refused in words, what stays secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.execution.reporters.errors import MqttAddressError
from zeroclaw_desktop.execution.reporters.mqtt_address import MqttAddress, parse_mqtt_address, topic_level


def test_the_defaults_are_those_of_the_specification() -> None:
    """EX-12: QoS 0, nothing retained, topic zeroclaw/<device_id>/status."""
    address = parse_mqtt_address("mqtt://broker.local")
    assert (address.host, address.port, address.tls) == ("broker.local", 1883, False)
    assert (address.qos, address.retain) == (0, False)
    assert address.status_topic("uno-1") == "zeroclaw/uno-1/status"


def test_everything_can_be_said_in_the_address() -> None:
    """EX-12: TLS, login, port, prefix, QoS and retained state."""
    address = parse_mqtt_address("mqtts://me:p%40ss@[::1]:8884/lab/bench?qos=1&retain=true")
    assert (address.host, address.port, address.tls) == ("::1", 8884, True)
    assert (address.user, address.password) == ("me", "p@ss")
    assert (address.qos, address.retain) == (1, True)
    assert address.status_topic("a") == "lab/bench/a/status"
    assert parse_mqtt_address("mqtts://host").port == 8883


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("broker.local", "mqtt://"),
        ("http://broker", "mqtt://"),
        ("mqtt://", "host"),
        ("mqtt://host:99999", "port"),
        ("mqtt://host:abc", "port"),
        ("mqtt://host?qos=2", "0 or 1"),
        ("mqtt://host?retain=maybe", "true or false"),
        ("mqtt://host?colour=red", "colour"),
        ("mqtt://host/a/%23", "prefix"),
        ("mqtt://host/%24SYS", "prefix"),
    ],
)
def test_a_wrong_address_is_refused_with_the_reason(text: str, part: str) -> None:
    """EX-12: the message names the part that is wrong."""
    with pytest.raises(MqttAddressError, match=part) as raised:
        parse_mqtt_address(text)
    assert "mqtt" in raised.value.hint


def test_the_password_is_never_shown() -> None:
    """EX-12: neither in texts nor in the representation that a log might hold."""
    address = parse_mqtt_address("mqtt://me:topsecret@host")
    assert "topsecret" not in repr(address) + str(address)
    with pytest.raises(MqttAddressError) as raised:
        parse_mqtt_address("mqtt://me:topsecret@host:1?qos=9")
    assert "topsecret" not in str(raised.value)


@pytest.mark.parametrize(
    ("device", "level"),
    [
        ("", "app"),
        ("/dev/ttyACM0", "%2Fdev%2FttyACM0"),
        ("a+b#c", "a%2Bb%23c"),
        ("100%", "100%25"),
        ("机器人", "机器人"),
        ("nul\0", "nul%00"),
    ],
)
def test_a_device_id_is_one_level_of_the_topic(device: str, level: str) -> None:
    """EX-12: an id with a path in it must not open levels of its own (MQTT 3.1.1, 4.7)."""
    assert topic_level(device) == level


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_no_id_can_leave_its_level(device: str) -> None:
    """EX-12: whatever the id, three levels, no wildcard, no control character."""
    topic = MqttAddress("host").status_topic(device)
    assert topic.count("/") == 2
    assert not set("+#\0\n") & set(topic)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True, min_size=2))
def test_two_devices_never_share_a_topic(devices: list[str]) -> None:
    """EX-13: the order of one device is not mixed with another's. ('app' means none.)"""
    named = [device for device in devices if device != "app"]
    assert len({topic_level(device) for device in named}) == len(named)
