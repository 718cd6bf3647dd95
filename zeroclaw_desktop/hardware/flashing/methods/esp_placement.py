"""Where an app goes on the very chip that is to take it, after its own partition table and flash size."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError, join_pieces
from zeroclaw_desktop.hardware.flashing.formats.esp_image import read_image
from zeroclaw_desktop.hardware.flashing.formats.esp_layout import check_layout, has_boot_loader
from zeroclaw_desktop.hardware.flashing.formats.esp_partitions import (
    first_app,
    read_partitions,
    update_data,
)
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, unfit
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.methods.esptool_run import EsptoolRun

_ERASED = b"\xff"


def needs_table(image: FirmwareImage, options: EsptoolOptions) -> bool:
    """Whether the image is an app alone, which starts only from where the chip's own table says."""
    if not image.segments or image.restore_point or not has_boot_loader(options):
        return False
    boot = options.bootloader_offset
    whole = any(start <= boot < start + len(data) for start, data in image.segments.items())
    return image.kind == "elf" or not whole


def check_size(image: FirmwareImage, identity: ChipIdentity, options: EsptoolOptions) -> None:
    """Compare an image with the flash that the chip has told.

    Raises:
        FlashError: code ``image_unfit``; nothing was written.
    """
    if not identity.flash_bytes or not image.segments or image.kind == "elf":
        return
    room = f"the flash of this module has {identity.flash_bytes >> 20} MB"
    end = max(start + len(data) for start, data in image.segments.items())
    if end > identity.flash_bytes:
        raise unfit(image.path, f"it reaches to 0x{end:X}, but {room}")
    if image.restore_point or not has_boot_loader(options):
        return
    boot = options.bootloader_offset
    for start, data in image.segments.items():
        if start <= boot < start + len(data):
            built_for = read_image(data[boot - start :], options.chip, "its boot loader").flash_bytes
            if built_for > identity.flash_bytes:
                raise unfit(image.path, f"it was built for {built_for >> 20} MB of flash, but {room}")


def place_by_table(
    segments: Mapping[int, bytes],
    known: Mapping[int, bytes],
    options: EsptoolOptions,
    line: Callable[[str], None],
) -> dict[int, bytes]:
    """Move an app to the partition that the chip starts, and let it forget which update it started last.

    Args:
        known: what was read from the chip; holds its partition table.
        line: told of what is done besides.

    Raises:
        FlashError: ``no_boot_loader``, the chip has no table.
        FormatError: the app does not fit its partition.
    """
    table = known.get(options.partitions_offset, b"")
    if not table.strip(_ERASED):
        raise _no_boot_loader()
    try:
        partitions = read_partitions(table, f"the board's partition table at 0x{options.partitions_offset:X}")
    except FormatError as error:
        raise _no_boot_loader() from error
    app = first_app(partitions)
    if app is None:
        raise _no_boot_loader()
    image = segments[options.app_offset]
    if len(image) > app.size:
        raise FormatError(f"it has {len(image)} bytes, but the board's partition for it has {app.size}")
    pieces = [(start, data) for start, data in segments.items() if start != options.app_offset]
    pieces.append((app.offset, image))
    if app.offset != options.app_offset:
        line(f"The board's partition table has the app at 0x{app.offset:X}; it is written there.")
    chooser = update_data(partitions)
    if chooser is not None:
        pieces.append((chooser.offset, _ERASED * chooser.size))
        line("What the board remembers of updates is cleared, so that it starts this app.")
    return join_pieces(pieces)


def _no_boot_loader() -> FlashError:
    return FlashError(
        "The board has no boot loader and no partition table, so an app alone would not start. "
        "Nothing was written.",
        hint="Choose a merged image (boot loader, partition table and app in one file) or its manifest.json.",
        code="no_boot_loader",
    )


async def image_of_program(run: EsptoolRun, job: FlashJob, options: EsptoolOptions) -> dict[int, bytes]:
    """Let esptool make the image of a linked program, and check it like every other.

    Raises:
        FlashError: it cannot be made, or is not for the chip.
    """
    program, image = job.folder / "program.elf", job.folder / "program.bin"
    program.write_bytes(job.image.original)
    await run.offline(["elf2image", "--output", str(image), str(program)])
    segments = {options.app_offset: image.read_bytes()}
    try:
        check_layout(segments, options)
    except FormatError as error:
        raise unfit(job.image.path, error.reason) from error
    return segments
