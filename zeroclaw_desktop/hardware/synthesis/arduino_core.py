"""The installed Arduino core for AVR boards: where it is, and what its ``boards.txt`` says of a board.

Format: Arduino platform specification, ``boards.txt`` ("key=value" lines, ``menu`` options).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import ArduinoCliOptions

ENVIRONMENT_NAME = "ZEROCLAW_ARDUINO_CORE"
SYSTEM_CORES = ("/usr/share/arduino/hardware/arduino/avr",)


@dataclass(frozen=True)
class ArduinoCore:
    """An installed core.

    Attributes:
        root: folder with ``boards.txt``, ``cores`` and ``variants``.
        version: of ``platform.txt``; '' when it does not say.
    """

    root: Path
    version: str


@dataclass(frozen=True)
class AvrTarget:
    """What the compiler must know of a board.

    Attributes:
        chip: ``-mmcu`` name.
        clock: hertz as C writes it (``16000000L``).
        board: name for ``ARDUINO_<board>``.
        flash_bytes, ram_bytes: for programs; 0 when ``boards.txt`` does not say.
        defines: more, for boards with USB of their own.
    """

    chip: str
    clock: str
    board: str
    core: str
    variant: str
    flash_bytes: int
    ram_bytes: int
    defines: tuple[str, ...] = ()


def _candidates() -> Iterator[Path]:
    named = os.environ.get(ENVIRONMENT_NAME, "")
    if named:
        yield Path(named)
        return
    yield from map(Path, SYSTEM_CORES)
    yield from _newest("hardware", "avr")


def _newest(*parts: str) -> Iterator[Path]:
    """Versions of a part of an Arduino installation in the person's home, the last by name first."""
    home = os.path.expanduser("~")
    for packages in (
        Path(home, ".arduino15", "packages"),
        Path(home, "Library", "Arduino15", "packages"),
        Path(home, "AppData", "Local", "Arduino15", "packages"),
    ):
        folder = Path(packages, "arduino", *parts)
        if folder.is_dir():
            yield from sorted(folder.iterdir(), reverse=True)


def tool_path() -> str:
    """The search path, then the folders of the compilers that an Arduino installation has brought."""
    brought = [str(version / "bin") for version in _newest("tools", "avr-gcc")]
    return os.pathsep.join([os.environ.get("PATH", os.defpath), *brought])


def find_core() -> ArduinoCore | None:
    """The core of the environment variable, of the system's package, or of an Arduino installation."""
    for root in _candidates():
        if (root / "boards.txt").is_file() and (root / "cores" / "arduino").is_dir():
            platform = _properties(root / "platform.txt")
            return ArduinoCore(root, platform.get("version", ""))
    return None


@cache
def _parsed(path: Path, _changed: int) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.lstrip().startswith("#"):
            found[key.strip()] = value.strip()
    return found


def _properties(path: Path) -> Mapping[str, str]:
    try:
        return _parsed(path, path.stat().st_mtime_ns)
    except OSError:
        return {}


def avr_target(board: BoardProfile, core: ArduinoCore) -> AvrTarget | None:
    """The facts of a board; None when the core does not know it.

    The name is the board file's ``fqbn`` with the options of its ``[flash] arduino-cli``.
    """
    vendor_arch, _, name = board.fqbn.rpartition(":")
    if vendor_arch != "arduino:avr":
        return None
    table = _properties(core.root / "boards.txt")
    options = board.flash.options.get("arduino-cli")
    chosen = options.options if isinstance(options, ArduinoCliOptions) else ""
    rows = {key[len(name) + 1 :]: value for key, value in table.items() if key.startswith(f"{name}.")}
    for option in filter(None, chosen.split(",")):
        menu, _, value = option.partition("=")
        prefix = f"menu.{menu}.{value}."
        rows |= {key[len(prefix) :]: text for key, text in rows.items() if key.startswith(prefix)}
    if "build.mcu" not in rows:
        return None
    return AvrTarget(
        rows["build.mcu"],
        rows.get("build.f_cpu", "16000000L"),
        rows.get("build.board", "AVR"),
        rows.get("build.core", "arduino"),
        rows.get("build.variant", "standard"),
        int(rows.get("upload.maximum_size", "0")),
        int(rows.get("upload.maximum_data_size", "0")),
        _usb_defines(rows),
    )


def _usb_defines(rows: Mapping[str, str]) -> tuple[str, ...]:
    """What ``build.usb_flags`` of the core's platform.txt adds for chips with USB of their own."""
    if "usb_flags" not in rows.get("build.extra_flags", ""):
        return ()
    product = rows.get("build.usb_product", '"Unknown"')
    return (
        f"-DUSB_VID={rows.get('build.vid', '0x2341')}",
        f"-DUSB_PID={rows.get('build.pid', '0x0000')}",
        '-DUSB_MANUFACTURER="Arduino LLC"',
        f"-DUSB_PRODUCT={product}",
    )
