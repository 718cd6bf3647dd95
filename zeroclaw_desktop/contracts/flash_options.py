"""How a kind of board can be flashed, from ``[flash]`` of its board file: one table for each method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UsbId = tuple[int, int]
"""USB vendor and product."""


@dataclass(frozen=True)
class AvrdudeOptions:
    """avrdude over a serial boot loader.

    Attributes:
        part: avrdude's name of the chip (``m328p``).
        programmer: avrdude's name of the protocol (``arduino``, ``wiring``, ``avr109``).
        baud: of the boot loader.
        touch_1200: whether opening the port at 1200 baud starts the boot loader (native USB).
    """

    part: str
    programmer: str
    baud: int
    touch_1200: bool = False


@dataclass(frozen=True)
class EsptoolOptions:
    """esptool and the ROM loader of an Espressif chip.

    Attributes:
        chip: esptool's name (``esp32s3``); compared with what the ROM says before anything is written.
        bootloader_offset: where its second-stage boot loader starts in flash.
        partitions_offset, app_offset: of the usual partition table.
        bauds: ladder of rates, fastest first.
        native_usb: whether the port is the chip's own USB-Serial/JTAG.
    """

    chip: str
    bootloader_offset: int
    partitions_offset: int = 0x8000
    app_offset: int = 0x10000
    bauds: tuple[int, ...] = (921_600, 460_800, 115_200)
    native_usb: bool = False


@dataclass(frozen=True)
class Stm32Options:
    """An STM32 by debug probe, mass storage of the probe, or the UART boot loader in ROM.

    Attributes:
        device_id: DEV_ID of DBGMCU_IDCODE, which the ROM loader tells as well (ST AN2606).
        openocd_target: OpenOCD's target script.
        pyocd_target: pyOCD's target name.
        volumes: labels of the drive that the ST-LINK of the board shows.
    """

    device_id: int
    openocd_target: str
    pyocd_target: str
    volumes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Uf2Options:
    """Copying a UF2 file to the drive of the boot loader.

    Attributes:
        families: family ids that the chip accepts.
        board_ids: what ``INFO_UF2.TXT`` of its drive says as Board-ID.
        volumes: labels of its drive.
        touch_1200: whether opening the port at 1200 baud starts the boot loader.
    """

    families: tuple[int, ...]
    board_ids: tuple[str, ...]
    volumes: tuple[str, ...]
    touch_1200: bool = True


@dataclass(frozen=True)
class DfuOptions:
    """USB DFU by dfu-util.

    Attributes:
        usb: ids of the boot loader.
        alt: alternate setting of the flash.
    """

    usb: UsbId
    alt: int = 0


@dataclass(frozen=True)
class MicropythonOptions:
    """Files copied to a board that runs MicroPython.

    Attributes:
        main: name under which a single program is stored, so that it runs at power-up.
    """

    main: str = "main.py"


@dataclass(frozen=True)
class ArduinoCliOptions:
    """``arduino-cli upload`` with the board's fully qualified name.

    Attributes:
        options: board options added to the fqbn (``cpu=atmega328old``); '' for none.
    """

    options: str = ""


FlashOptions = (
    AvrdudeOptions
    | EsptoolOptions
    | Stm32Options
    | Uf2Options
    | DfuOptions
    | MicropythonOptions
    | ArduinoCliOptions
)
OPTIONS_OF_METHOD: Mapping[str, type[FlashOptions]] = {
    "avrdude": AvrdudeOptions,
    "esptool": EsptoolOptions,
    "stm32-mass-storage": Stm32Options,
    "st-flash": Stm32Options,
    "openocd": Stm32Options,
    "pyocd": Stm32Options,
    "stm32-uart": Stm32Options,
    "uf2": Uf2Options,
    "dfu-util": DfuOptions,
    "mpremote": MicropythonOptions,
    "arduino-cli": ArduinoCliOptions,
}
"""Every method that a board file may name."""
STM32_TABLE = "stm32"
"""The methods of an STM32 share one table of this name; every other method has a table of its own name."""


@dataclass(frozen=True)
class FlashProfile:
    """How a board is flashed.

    Attributes:
        methods: in the order in which they are tried, best first; empty for a board that cannot be flashed.
        bootloader_bytes: at the end of the flash, never written.
        options: by method.
    """

    methods: tuple[str, ...] = ()
    bootloader_bytes: int = 0
    options: Mapping[str, FlashOptions] = field(default_factory=dict)
