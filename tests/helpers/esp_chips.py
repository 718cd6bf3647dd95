"""What the loader of each Espressif chip tells a host: how it is recognised, and where its registers are.

Sources: Espressif, esptool documentation, "Serial Protocol" and "Chip detection"; the technical reference
manuals (SPI controller, UART, eFuse). Addresses are the chips' own.
"""

from __future__ import annotations

from dataclasses import dataclass

DETECT_REGISTER = 0x4000_1000
CRYSTAL_DIVIDER = 347
"""40 MHz / 115200, what the ROM measures on a 40 MHz board."""


@dataclass(frozen=True)
class LoaderChip:
    """One chip.

    Attributes:
        magic: content of DETECT_REGISTER, for chips without a number.
        number: chip id in the answer to "get security info"; None when the command gives none.
        knows_security: whether the ROM has that command at all.
        spi: address of the SPI controller of the flash; ``usr2`` and ``w0`` are offsets in it.
        mac: registers of the MAC address: (address, shift of the value) of the low and the high word.
        clock: UART clock divider.
        status_bytes: length of the status in the ROM's answers.
    """

    name: str
    magic: int
    number: int | None
    knows_security: bool
    spi: int
    usr2: int
    w0: int
    mac: tuple[int, int]
    clock: int
    status_bytes: int = 4


CHIPS = {
    "esp8266": LoaderChip(
        "esp8266", 0xFFF0C101, None, False, 0x60000200, 0x24, 0x40, (0x3FF00050, 0x3FF00054), 0x60000014, 2
    ),
    "esp32": LoaderChip(
        "esp32", 0x00F01D83, None, False, 0x3FF42000, 0x24, 0x80, (0x3FF5A004, 0x3FF5A008), 0x3FF40014
    ),
    "esp32s2": LoaderChip(
        "esp32s2", 0x000007C6, None, True, 0x3F402000, 0x20, 0x58, (0x3F41A044, 0x3F41A048), 0x3F400014
    ),
    "esp32s3": LoaderChip(
        "esp32s3", 0x9, 9, True, 0x60002000, 0x20, 0x58, (0x60007044, 0x60007048), 0x60000014
    ),
    "esp32c3": LoaderChip(
        "esp32c3", 0x6921506F, 5, True, 0x60002000, 0x20, 0x58, (0x60008844, 0x60008848), 0x60000014
    ),
    "esp32c6": LoaderChip(
        "esp32c6", 0x2CE0806F, 13, True, 0x60003000, 0x20, 0x58, (0x600B0844, 0x600B0848), 0x60000014
    ),
}
