"""Removable drives, where boot loaders and probes take firmware as files; the system's disk is never one."""

from __future__ import annotations

import os
import re
import string
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_INFO_BYTES = 4_096
SYSTEM_PLACES = ("/", "/boot", "/boot/efi", "/usr", "/home")


@dataclass(frozen=True)
class Volume:
    """A drive.

    Attributes:
        label: as the person sees it (``RPI-RP2``).
        path: folder where it can be written; None while it is not mounted.
        device: block device (``/dev/sda1``), drive letter or mount point.
        serial: USB serial number of what shows the drive; '' when it is not known.
    """

    label: str
    path: Path | None
    device: str
    serial: str = ""

    def read_text(self, name: str) -> str | None:
        """The beginning of a small text file on it; None when there is none."""
        if self.path is None:
            return None
        try:
            with (self.path / name).open("rb") as file:
                return file.read(MAX_INFO_BYTES).decode(errors="replace")
        except OSError:
            return None

    def present(self) -> bool:
        """Whether it can still be read; a drive that was pulled may leave its folder behind."""
        try:
            return self.path is not None and os.listdir(self.path) is not None
        except OSError:
            return False


def list_volumes() -> list[Volume]:
    """The removable drives that are there now; on Linux the ones that are not mounted, too."""
    if sys.platform == "win32":
        return list(_windows_volumes())
    if sys.platform == "darwin":
        return list(folder_volumes(Path("/Volumes")))
    return LinuxDrives().volumes()


# -- Linux ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LinuxDrives:
    """Reads what the kernel and udev tell in files.

    Attributes:
        mounts: table of mounted file systems (man 5 proc).
        labels: folder of links by label, kept by udev.
        blocks: folder of links to the block devices in sysfs.
    """

    mounts: Path = Path("/proc/self/mounts")
    labels: Path = Path("/dev/disk/by-label")
    blocks: Path = Path("/sys/class/block")

    def volumes(self) -> list[Volume]:
        """The removable drives, mounted ones first."""
        label_of = {device: label for label, device in self._labelled()}
        mounted = list(self._mounted())
        system = {device for device, place in mounted if place in SYSTEM_PLACES}
        found = [
            Volume(label_of.get(device, Path(place).name), Path(place), device, self._serial(device))
            for device, place in mounted
            if device not in system and self._is_removable(device)
        ]
        taken = {device for device, _ in mounted}
        found += [
            Volume(label, None, device, self._serial(device))
            for device, label in label_of.items()
            if device not in taken and self._is_removable(device)
        ]
        return found

    def _mounted(self) -> Iterator[tuple[str, str]]:
        try:
            rows = self.mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError:
            return
        for row in rows:
            device, place, *_ = [*row.split(" "), "", ""]
            if device.startswith("/dev/"):
                yield os.path.realpath(_unescape(device)), _unescape(place)

    def _labelled(self) -> Iterator[tuple[str, str]]:
        try:
            links = sorted(self.labels.iterdir())
        except OSError:
            return
        for link in links:
            yield _unescape(link.name), os.path.realpath(link)

    def _is_removable(self, device: str) -> bool:
        """Whether the drive says so of itself, or hangs on USB."""
        node = self.blocks / Path(device).name
        where = os.path.realpath(node)
        flags = [node / "removable", Path(where).parent / "removable"]
        return any(_first_line(flag) == "1" for flag in flags) or "/usb" in where

    def _serial(self, device: str) -> str:
        """The serial number of the USB device that shows the drive: the nearest folder above that has one."""
        where = Path(os.path.realpath(self.blocks / Path(device).name))
        for folder in where.parents:
            if (folder / "idVendor").is_file():
                return _first_line(folder / "serial")
        return ""


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0].strip()
    except OSError:
        return ""


def _unescape(text: str) -> str:
    r"""``\040`` of the mount table and ``\x20`` of udev's names, as characters."""
    text = re.sub(r"\\x([0-9a-fA-F]{2})", lambda found: chr(int(found[1], 16)), text)
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)


# -- elsewhere --------------------------------------------------------------------------------------------
def folder_volumes(root: Path) -> Iterable[Volume]:
    """Drives that the system mounts as folders of one place by their label (macOS: ``/Volumes``)."""
    try:
        own = os.stat("/").st_dev
        folders = sorted(root.iterdir())
    except OSError:
        return
    for folder in folders:
        try:
            if folder.is_dir() and folder.stat().st_dev != own:
                yield Volume(folder.name, folder, str(folder))
        except OSError:
            continue


def _windows_volumes() -> Iterator[Volume]:
    if sys.platform != "win32":
        return
    import ctypes

    kernel = ctypes.windll.kernel32
    removable = 2  # DRIVE_REMOVABLE
    drives = kernel.GetLogicalDrives()
    for number, letter in enumerate(string.ascii_uppercase):
        root = f"{letter}:\\"
        if not drives >> number & 1 or kernel.GetDriveTypeW(root) != removable:
            continue
        name = ctypes.create_unicode_buffer(261)
        if kernel.GetVolumeInformationW(root, name, len(name), None, None, None, None, 0):
            yield Volume(name.value, Path(root), root)
