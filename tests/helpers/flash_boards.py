"""Board profiles for tests of flashing: what matters of a chip, without pins."""

from __future__ import annotations

from zeroclaw_desktop.contracts.boards import BoardProfile, MemoryRegion, SerialLine
from zeroclaw_desktop.contracts.flash_options import (
    EsptoolOptions,
    FlashOptions,
    FlashProfile,
    MicropythonOptions,
    Stm32Options,
    Uf2Options,
)

RP2040_FAMILY, RP2350_FAMILY = 0xE48BFF56, 0xE48BFF59


def board(
    name: str, chip: str, flash: MemoryRegion, options: dict[str, FlashOptions], **memory: MemoryRegion
) -> BoardProfile:
    """A board with the ways of flashing that ``options`` names, best first."""
    return BoardProfile(
        name.lower().replace(" ", "-"),
        name,
        chip,
        (),
        None,
        3.3,
        12,
        FlashProfile(tuple(options), 0, options),
        {"flash": flash, **memory},
        SerialLine(settle_seconds=0.2),
    )


def esp_board(chip: str = "esp32", megabytes: int = 4, **options: object) -> BoardProfile:
    """A board with an Espressif chip, by esptool's name of it; offsets after the chip's ROM."""
    boot = 0x1000 if chip in ("esp32", "esp32s2") else 0
    app = 0 if chip == "esp8266" else 0x10000
    esptool = EsptoolOptions(chip, boot, app_offset=app, **options)  # type: ignore[arg-type]
    title = chip.upper() if len(chip) < 6 or chip == "esp8266" else f"ESP32-{chip[5:].upper()}"
    return board(f"{title} board", title, MemoryRegion(0, megabytes << 20), {"esptool": esptool})


PICO = board(
    "Pico",
    "RP2040",
    MemoryRegion(0x1000_0000, 2 << 20),
    {
        "uf2": Uf2Options((RP2040_FAMILY,), ("RPI-RP2",), ("RPI-RP2",)),
        "mpremote": MicropythonOptions(),
    },
)
NUCLEO = board(
    "Nucleo",
    "STM32F401RE",
    MemoryRegion(0x0800_0000, 512 << 10),
    {"openocd": Stm32Options(0x433, "target/stm32f4x.cfg", "stm32f401retx")},
    ram=MemoryRegion(0x2000_0000, 96 << 10),
)
