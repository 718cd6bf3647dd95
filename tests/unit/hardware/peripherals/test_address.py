"""HW-5: addresses of boards as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.errors import BoardAddressError
from zeroclaw_desktop.hardware.instance import instance_name
from zeroclaw_desktop.hardware.peripherals.address import is_board_address, read_board_address


@pytest.mark.parametrize(
    ("given_text", "kind", "text"),
    [
        ("tcp://192.168.1.20:9999", "tcp", "tcp://192.168.1.20:9999"),
        ("  TCP://Board.Local:80 ", "tcp", "tcp://board.local:80"),
        ("tcp://[fe80::1]:9999", "tcp", "tcp://[fe80::1]:9999"),
        ("unoq://uno.local", "uno-q", "unoq://uno.local:9999"),
        ("mqtt://broker/lab/bench/", "mqtt", "mqtt://broker:1883/lab/bench"),
        ("mqtt://broker/a%20b%25", "mqtt", "mqtt://broker:1883/a%20b%25"),
        ("mqtts://me@broker/x", "mqtt", "mqtts://me@broker:8883/x"),
        ("micropython:/dev/ttyACM0", "micropython", "micropython:/dev/ttyACM0"),
        ("micropython:COM5", "micropython", "micropython:COM5"),
        ("gpio:", "raspberry-pi", "gpio:/dev/gpiochip0"),
    ],
)
def test_an_address_has_one_form(given_text: str, kind: str, text: str) -> None:
    address = read_board_address(given_text)
    assert (address.kind.key, address.text) == (kind, text)
    assert read_board_address(address.text) == address


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("tcp://board", "port"),
        ("tcp://:99", "host"),
        ("tcp://board:99999", "host or port"),
        ("tcp://board:99/path", "behind the port"),
        ("tcp://me:pw@board:99", "behind the port"),
        ("mqtt://broker", "topic"),
        ("mqtt://broker/a/#", "behind the port"),
        ("mqtt://broker/a+b", "topic"),
        ("micropython:", "port behind the colon"),
        ("ftp://board", "begin with"),
        ("/dev/ttyUSB0", "begin with"),
        ("", "begin with"),
    ],
)
def test_what_is_wrong_is_said(text: str, part: str) -> None:
    with pytest.raises(BoardAddressError, match=part) as raised:
        read_board_address(text)
    assert raised.value.hint
    assert raised.value.details["reason_zh"]


def test_a_password_is_in_no_text_and_no_error() -> None:
    address = read_board_address("mqtt://me:to%40p@broker/x")
    assert (address.user, address.password) == ("me", "to@p")
    assert "to" not in f"{address!r}{address.text}".replace("tops", "")
    with pytest.raises(BoardAddressError) as raised:
        read_board_address("mqtt://me:topsecret@broker/#/x")
    assert "topsecret" not in f"{raised.value}{raised.value.hint}{raised.value.details}"


@pytest.mark.parametrize("path", ["/dev/ttyUSB0", "COM3", "sim-uno", "C:\\x", "socket://h:1", ""])
def test_ports_are_no_addresses(path: str) -> None:
    assert not is_board_address(path)


@given(st.text(max_size=60), st.sampled_from(["tcp://", "mqtt://", "unoq://", "gpio:", "micropython:", ""]))
def test_nothing_that_a_person_types_is_more_than_refused(text: str, scheme: str) -> None:
    try:
        address = read_board_address(scheme + text)
    except BoardAddressError:
        return
    assert read_board_address(address.text).text == address.text


def test_boards_behind_one_broker_are_different_devices() -> None:
    """EX-19: the lock of one must not be that of another."""
    assert instance_name("mqtt://b:1883/one") != instance_name("mqtt://b:1883/two")
    assert instance_name("mqtt://me@b:1883/one") == instance_name("mqtt://b:1883/one")
    assert instance_name("tcp://b:99") == instance_name("socket://b:99")
