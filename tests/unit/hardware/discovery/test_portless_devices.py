"""A bridge chip without a port (HW-2): brltty has taken it, or its driver is missing."""

from __future__ import annotations

from pathlib import Path

from zeroclaw_desktop.hardware.discovery.portless_devices import PortlessDevice, portless_devices

# As brltty 6.5 ships it.
BRLTTY = 'ENV{PRODUCT}=="1a86/7523/*", ATTRS{manufacturer}=="*", ENV{BRLTTY_BRAILLE_DRIVER}="bm"\n'


class Machine:
    """A tree like /sys/bus/usb/devices."""

    def __init__(self, folder: Path) -> None:
        self.devices = folder / "devices"
        self.rules = folder / "rules.d"
        self.devices.mkdir()
        self.rules.mkdir()

    def plug(self, place: str, usb_id: str, *, port: str = "") -> None:
        device = self.devices / place
        interface = device / f"{place}:1.0"
        interface.mkdir(parents=True)
        vendor, product = usb_id.split(":")
        (device / "idVendor").write_text(f"{vendor}\n")
        (device / "idProduct").write_text(f"{product}\n")
        if port:
            (interface / port).mkdir()

    def found(self) -> list[PortlessDevice]:
        return portless_devices(self.devices, (self.rules,))


def test_a_chip_with_its_port_is_fine(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.plug("1-1", "1a86:7523", port="ttyUSB0")
    assert machine.found() == []


def test_a_chip_that_brltty_took(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.plug("1-1.2", "1a86:7523")
    (machine.rules / "85-brltty.rules").write_text(BRLTTY)
    assert machine.found() == [PortlessDevice("CH340", "1a86:7523", "1-1.2", "brltty")]


def test_a_chip_without_a_driver(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.plug("1-1.2", "10c4:ea60")
    (machine.rules / "85-brltty.rules").write_text(BRLTTY)
    assert machine.found() == [PortlessDevice("CP2102", "10c4:ea60", "1-1.2", "")]


def test_other_devices_are_none_of_our_business(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.plug("usb1", "1d6b:0002")
    (machine.devices / "1-3").mkdir()  # vanished while it was looked at
    assert machine.found() == []


def test_a_machine_without_usb(tmp_path: Path) -> None:
    assert portless_devices(tmp_path / "nothing", ()) == []
