"""Where the parts of a firmware for an Espressif chip lie in flash, and whether they belong there."""

from __future__ import annotations

from collections.abc import Mapping

from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError
from zeroclaw_desktop.hardware.flashing.formats.esp_image import MAGIC, read_image
from zeroclaw_desktop.hardware.flashing.formats.esp_partitions import APP, ENTRY_MAGIC, read_partitions

SECTOR_BYTES = 0x1000
LARGEST_FLASH = 1 << 27
"""128 MB, more than any module has; the board's own size is compared once the chip has told it."""


def has_boot_loader(options: EsptoolOptions) -> bool:
    """Whether the chip starts by a second-stage boot loader and a partition table; an ESP8266 does not."""
    return options.app_offset > options.bootloader_offset


def place_binary(content: bytes, options: EsptoolOptions) -> dict[int, bytes]:
    """Find out what a raw binary is: an app alone, or boot loader, table and app merged in one file.

    Raises:
        FormatError: neither.
    """
    if has_boot_loader(options):
        for base in (0, options.bootloader_offset):
            table = options.partitions_offset - base
            boot = options.bootloader_offset - base
            if content[table : table + 2] == ENTRY_MAGIC and content[boot : boot + 1] == bytes([MAGIC]):
                return {base: content}
    if content[0] != MAGIC:
        raise FormatError(
            f"it begins with 0x{content[0]:02X} instead of 0x{MAGIC:02X}, so it is neither an app nor a "
            "merged image"
        )
    return {options.app_offset: content}


def whole_sectors(segments: Mapping[int, bytes]) -> dict[int, bytes]:
    """Begin each segment at a sector, the unit of erasing; join those that share one; gaps become 0xFF."""
    runs: dict[int, bytearray] = {}
    last = erased_to = -1
    for start, data in sorted(segments.items()):
        base = start - start % SECTOR_BYTES
        if base >= erased_to:
            last = base
            runs[base] = bytearray()
        runs[last] += b"\xff" * (start - last - len(runs[last])) + data
        end = last + len(runs[last])
        erased_to = end + -end % SECTOR_BYTES
    return {start: bytes(data) for start, data in runs.items()}


def check_layout(segments: Mapping[int, bytes], options: EsptoolOptions) -> None:
    """Check every image that lies in the segments, and that there is one that starts.

    Raises:
        FormatError: an image is damaged, for another chip, too large, or missing where the chip looks for it.
    """
    if max(start + len(data) for start, data in segments.items()) > LARGEST_FLASH:
        raise FormatError(f"it reaches beyond 0x{LARGEST_FLASH:X}")
    boot, table = options.bootloader_offset, options.partitions_offset
    if not has_boot_loader(options) or not _from(segments, boot):
        _need_image(segments, options.app_offset, options.chip, "app")
        return
    if _need_image(segments, boot, options.chip, "boot loader") > table - boot:
        raise FormatError(f"the boot loader at 0x{boot:X} reaches over the partition table at 0x{table:X}")
    if not _from(segments, table):
        raise FormatError(f"there is no partition table at 0x{table:X}")
    apps = 0
    for one in read_partitions(_from(segments, table), f"the partition table at 0x{table:X}"):
        if one.kind != APP or _from(segments, one.offset)[:1] in (b"", b"\xff"):
            continue
        apps += 1
        length = _need_image(segments, one.offset, options.chip, "app")
        if length > one.size:
            raise FormatError(f"the app at 0x{one.offset:X} is larger than its partition ({one.size} bytes)")
    if not apps:
        raise FormatError("there is no app in any of its partitions")


def _from(segments: Mapping[int, bytes], address: int) -> bytes:
    """What the segments hold from an address on; empty when they do not hold it."""
    for start, data in segments.items():
        if start <= address < start + len(data):
            return data[address - start :]
    return b""


def _need_image(segments: Mapping[int, bytes], address: int, chip: str, what: str) -> int:
    """Length of the image at an address."""
    content = _from(segments, address)
    if not content:
        raise FormatError(f"there is no {what} at 0x{address:X}")
    return read_image(content, chip, f"the {what} at 0x{address:X}").length
