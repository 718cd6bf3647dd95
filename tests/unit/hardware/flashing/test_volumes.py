"""Which drives firmware may be copied to: removable ones only, never the system's disk (AC39, AC47)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.flashing.volumes import LinuxDrives, Volume, folder_volumes, list_volumes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="reads the files of Linux")


class Machine:
    """The files in which Linux tells of its drives.

    Args:
        root: folder of the test.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rows: list[str] = ["proc /proc proc rw 0 0"]
        (root / "by-label").mkdir()
        (root / "block").mkdir()
        self.drives = LinuxDrives(root / "mounts", root / "by-label", root / "block")

    def plug(
        self, name: str, bus: str, *, removable: str = "0", serial: str = "", label: str = "", place: str = ""
    ) -> str:
        """Add a disk with one partition; returns the device of the partition."""
        usb = self.root / "devices" / bus
        disk = usb / "host" / name
        part = disk / f"{name}1"
        part.mkdir(parents=True)
        (disk / "removable").write_text(f"{removable}\n")
        if "usb" in bus:
            (usb / "idVendor").write_text("0483\n")
            (usb / "serial").write_text(f"{serial}\n")
        device = f"/dev/{name}1"
        (self.root / "block" / f"{name}1").symlink_to(part)
        if label:
            (self.root / "by-label" / label).symlink_to(device)
        if place:
            self.rows.append(f"{device} {place} vfat rw 0 0")
        (self.root / "mounts").write_text("\n".join(self.rows) + "\n")
        return device

    def labels(self) -> list[str]:
        return [volume.label for volume in self.drives.volumes()]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_mounted_stick_is_found_with_place_and_serial_number(machine: Machine) -> None:
    device = machine.plug(
        "sdq", "usb1/1-2", removable="1", serial="066BFF", label="NODE_F401RE", place="/media/me/NODE_F401RE"
    )
    assert machine.drives.volumes() == [
        Volume("NODE_F401RE", Path("/media/me/NODE_F401RE"), device, "066BFF")
    ]


def test_what_is_not_mounted_is_found_without_a_place(machine: Machine) -> None:
    device = machine.plug("sdq", "usb1/1-2", removable="1", label="RPI-RP2")
    assert machine.drives.volumes() == [Volume("RPI-RP2", None, device)]


def test_fixed_disks_and_the_systems_own_are_never_listed(machine: Machine) -> None:
    machine.plug("sdr", "pci0/ata1", label="DATA", place="/mnt/data")
    machine.plug("sds", "usb1/1-3", removable="1", label="LIVE", place="/")
    machine.plug("sdt", "usb1/1-4", removable="1", label="EFI", place="/boot/efi")
    assert machine.labels() == []


def test_a_usb_drive_that_calls_itself_fixed_is_listed(machine: Machine) -> None:
    """Some probes do not set the removable flag; that alone makes nothing a target of a flash."""
    machine.plug("sdu", "usb1/1-5", label="DAPLINK", place="/media/DAPLINK")
    assert machine.labels() == ["DAPLINK"]


def test_blanks_in_names_are_understood(machine: Machine) -> None:
    machine.plug("sdv", "usb1/1-6", removable="1", label="MY\\x20BOARD", place="/run/media/me/MY\\040BOARD")
    (found,) = machine.drives.volumes()
    assert (found.label, found.path) == ("MY BOARD", Path("/run/media/me/MY BOARD"))


def test_nothing_is_known_where_the_files_are_not(tmp_path: Path) -> None:
    assert LinuxDrives(tmp_path / "a", tmp_path / "b", tmp_path / "c").volumes() == []
    assert list(folder_volumes(tmp_path / "none")) == []


def test_folders_of_the_systems_own_disk_are_no_drives(tmp_path: Path) -> None:
    (tmp_path / "Macintosh HD").mkdir()
    if os.stat("/").st_dev == tmp_path.stat().st_dev:
        assert list(folder_volumes(tmp_path)) == []
    else:
        assert [volume.label for volume in folder_volumes(tmp_path)] == ["Macintosh HD"]


def test_this_machine_can_be_asked() -> None:
    for volume in list_volumes():
        assert volume.path != Path("/")


def test_a_drive_that_was_pulled_is_not_present(tmp_path: Path) -> None:
    volume = Volume("X", tmp_path / "gone", "/dev/sdx1")
    assert not volume.present()
    assert volume.read_text("INFO_UF2.TXT") is None
    assert Volume("X", tmp_path, "/dev/sdx1").present()
    assert not Volume("X", None, "/dev/sdx1").present()
