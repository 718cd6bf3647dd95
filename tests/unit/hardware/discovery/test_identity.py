"""Who is who among the USB ports (HW-2): serial number, else place, else path; clones are told apart."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.hardware.discovery.ports import CH340, port
from zeroclaw_desktop.hardware.discovery.identity import PortIdentities, short_identity


def test_the_serial_number_is_the_best_identity() -> None:
    board = port("/dev/ttyACM0", serial_number="75330", location="1-1.2:1.0")
    assert PortIdentities().of([board]) == {board: "2341:0043:75330"}


def test_it_is_the_same_wherever_the_board_is_plugged_in() -> None:
    identities = PortIdentities()
    here = port("/dev/ttyACM0", serial_number="75330", location="1-1.2:1.0")
    there = port("/dev/ttyACM7", serial_number="75330", location="3-4:1.0")
    first = identities.of([here])[here]
    identities.of([])
    assert identities.of([there])[there] == first


@pytest.mark.parametrize("serial_number", ["", "0", "0001", "123456"])
def test_without_a_serial_number_that_means_something_the_place_counts(serial_number: str) -> None:
    clone = port("/dev/ttyUSB0", CH340, serial_number, "1-1.2:1.0")
    assert PortIdentities().of([clone]) == {clone: "1a86:7523@1-1.2"}


def test_without_a_place_only_the_path_is_left() -> None:
    clone = port("COM3", CH340)
    assert PortIdentities().of([clone]) == {clone: "1a86:7523#COM3"}
    assert short_identity("1a86:7523#COM3") == "COM3"


def test_two_boards_with_one_serial_number_are_told_apart_by_place() -> None:
    one = port("/dev/ttyUSB0", CH340, "A5069RR4", "1-1.2:1.0")
    two = port("/dev/ttyUSB1", CH340, "A5069RR4", "1-1.3:1.0")
    assert PortIdentities().of([one, two]) == {one: "1a86:7523@1-1.2", two: "1a86:7523@1-1.3"}


def test_a_clone_that_comes_later_changes_nothing_for_the_board_that_is_there() -> None:
    identities = PortIdentities()
    one = port("/dev/ttyUSB0", CH340, "A5069RR4", "1-1.2:1.0")
    two = port("/dev/ttyUSB1", CH340, "A5069RR4", "1-1.3:1.0")
    assert identities.of([one]) == {one: "1a86:7523:A5069RR4"}
    assert identities.of([one, two]) == {one: "1a86:7523:A5069RR4", two: "1a86:7523@1-1.3"}


def test_a_device_with_two_ports_has_two_identities() -> None:
    console = port("/dev/ttyACM0", serial_number="E66", location="1-2:1.0")
    data = port("/dev/ttyACM1", serial_number="E66", location="1-2:1.2")
    assert PortIdentities().of([console, data]) == {console: "2341:0043:E66", data: "2341:0043:E66/1.2"}


PORTS = st.lists(
    st.builds(
        port,
        st.text(string.ascii_letters, min_size=1, max_size=3),
        st.sampled_from([CH340, (0x2341, 0x0043)]),
        st.sampled_from(["", "0001", "A", "B"]),
        st.sampled_from(["", "1-1:1.0", "1-1:1.2", "1-2:1.0", "1-3:1.0"]),
    ),
    max_size=8,
    unique_by=lambda found: found.path,
)


@given(st.lists(PORTS, max_size=4))
def test_whatever_is_plugged_in_no_two_ports_share_an_identity(looks: list[list[object]]) -> None:
    identities = PortIdentities()
    for ports in looks:
        given_now = identities.of(ports)  # type: ignore[arg-type]
        assert set(given_now) == set(ports)
        assert len(set(given_now.values())) == len(ports)
