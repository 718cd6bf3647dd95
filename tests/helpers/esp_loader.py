"""A double of the ROM loader of Espressif chips on a pseudo terminal, with faults on demand.

It speaks the protocol that Espressif documents (esptool documentation, "Serial Protocol", "Flasher Stub"):
SLIP frames, the commands of the ROM, and those of the stub once one was uploaded and started. The stub itself
is not run. While the baud rate is not the one that the chip uses, both sides see noise, as on a wire.

A pseudo terminal has no modem lines. Without them the chip is always in its loader, except that a line which
begins with '{' goes to its program; with them (``esptool_with_lines.py``) it starts its program, and the
usual circuit of two transistors resets it: RTS alone pulls EN down, DTR alone GPIO0.
"""

from __future__ import annotations

import hashlib
import os
import select
import socket
import struct
import termios
import threading
import time
import tty
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers.esp_chips import CHIPS, CRYSTAL_DIVIDER, DETECT_REGISTER, LoaderChip

(FLASH_BEGIN, FLASH_DATA, FLASH_END, MEM_BEGIN, MEM_END, MEM_DATA, SYNC, WRITE_REG, READ_REG) = range(2, 11)
SPI_SET_PARAMS, SPI_ATTACH, READ_SLOW, CHANGE_BAUD = 0x0B, 0x0D, 0x0E, 0x0F
DEFL_BEGIN, DEFL_DATA, DEFL_END, SPI_MD5, SECURITY_INFO = 0x10, 0x11, 0x12, 0x13, 0x14
ERASE_FLASH, ERASE_REGION, READ_FLASH = 0xD0, 0xD1, 0xD2
FRAME, ESCAPE = 0xC0, 0xDB
SECTOR = 0x1000
ROM_BAUD = 115_200
SPI_START = 1 << 18
SECURE_DOWNLOAD = 1 << 2
READ_JEDEC_ID = 0x9F
WINDOW_BLOCKS = 64
_POLL_MS = 20
MAC = bytes.fromhex("a4cf12345678")


@dataclass
class Faults:
    """What goes wrong; may be changed while it runs.

    Attributes:
        boot_wire_missing: GPIO0 does not follow DTR, so a reset always starts the program.
        deaf: it says that it waits for a download, but hears nothing.
        dead: it neither says nor answers anything.
        noisy_above: highest baud rate that the line carries; None for any.
        locked: secure download mode is on, so that registers and memory cannot be read.
        wrong_md5: what it says it has written is not what was sent.
        silent_after_blocks: it stops answering after so many blocks of flash.
        refuse_block: number of a block of flash that it refuses once.
        seconds_a_block: how long each block of flash takes.
    """

    boot_wire_missing: bool = False
    deaf: bool = False
    dead: bool = False
    noisy_above: int | None = None
    locked: bool = False
    wrong_md5: bool = False
    silent_after_blocks: int | None = None
    refuse_block: int | None = None
    seconds_a_block: float = 0.0


@dataclass
class _Transfer:
    """A write to flash that goes on."""

    position: int
    block_bytes: int
    unpack: Callable[[bytes], bytes]


@dataclass
class _Reading:
    """A read of flash that goes on."""

    start: int
    size: int
    block_bytes: int
    sent: int = 0


@dataclass
class Seen:
    """What the host did.

    Attributes:
        commands: opcodes in order.
        erased: (start, end) of what was erased on the way of a write.
        whole_erases: how often the whole chip was erased on purpose.
        bauds: rates that it was told to use.
        synced: how often a host found the loader.
        resets: how often the lines have reset it.
    """

    commands: list[int] = field(default_factory=list)
    erased: list[tuple[int, int]] = field(default_factory=list)
    whole_erases: int = 0
    bauds: list[int] = field(default_factory=list)
    synced: int = 0
    resets: int = 0


class LoaderDouble(threading.Thread):
    """One board; ``close()`` ends it.

    Args:
        path: a link that leads to the terminal.
        chip: esptool's name.
        flash_bytes: size of its flash, a power of two.
        program: answer of the program to a line; b'' keeps silent.
        with_lines: whether it has reset lines; it then starts with its program.
        printed: what the program prints when it starts.
    """

    def __init__(
        self,
        path: Path,
        chip: str = "esp32",
        *,
        flash_bytes: int = 4 << 20,
        program: Callable[[bytes], bytes] = lambda _line: b"",
        with_lines: bool = False,
        printed: bytes = b"",
    ) -> None:
        super().__init__(name=f"loader of {chip}", daemon=True)
        self.chip: LoaderChip = CHIPS[chip]
        self.flash = bytearray(b"\xff" * flash_bytes)
        self.faults = Faults()
        self.seen = Seen()
        self.path = path
        self.printed = printed
        self.program = program
        self._lines: socket.socket | None = None
        self._lines_path = Path(f"{path}.lines")
        self._in_reset = False
        self.in_loader = not with_lines
        if with_lines:
            self._lines = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._lines.bind(str(self._lines_path))
        self._registers = {self.chip.clock: CRYSTAL_DIVIDER, DETECT_REGISTER: self.chip.magic}
        low, high = self.chip.mac
        self._registers[low] = int.from_bytes(MAC[2:], "big")
        self._registers[high] = int.from_bytes(MAC[:2], "big")
        if chip == "esp8266":  # its words are cut differently, and the first three bytes are the maker's
            self._registers |= {
                low: MAC[5] << 24,
                high: MAC[3] << 8 | MAC[4],
                0x3FF0005C: int(MAC[:3].hex(), 16),
            }
        self._stub = False
        self._baud = ROM_BAUD
        self._transfer: _Transfer | None = None
        self._reading: _Reading | None = None
        self._blocks = 0
        self._frame: bytearray | None = None
        self._line = bytearray()
        self._ended = threading.Event()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self._slave))
        self.start()

    def close(self) -> None:
        """Unplug."""
        self._ended.set()
        self.join(5.0)
        os.close(self._master)
        os.close(self._slave)
        if self._lines is not None:
            self._lines.close()
            self._lines_path.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)

    def press_boot_and_reset(self) -> None:
        """As a person does: now it is in its loader."""
        self._reset()
        self.in_loader = True

    def _lines_moved(self, dtr: bool, rts: bool) -> None:
        """EN falls while RTS alone is set; when it has risen again, GPIO0 tells what to start.

        Both lines set let EN rise, but its capacitor takes longer than a host takes to the next change.
        """
        if rts and not dtr:
            self._in_reset = True
        elif self._in_reset and not (dtr and rts):
            self._in_reset = False
            self._reset()
            self.seen.resets += 1
            self.in_loader = dtr and not self.faults.boot_wire_missing
            self._send(self._greeting())

    def _greeting(self) -> bytes:
        """What the ROM prints, and the program after it."""
        head = b"ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:"
        if self.in_loader:
            return head + b"0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))\r\nwaiting for download\r\n"
        return head + b"0x13 (SPI_FAST_FLASH_BOOT)\r\n" + self.printed

    def _reset(self) -> None:
        self._stub, self._baud = False, ROM_BAUD
        self._transfer = self._reading = self._frame = None
        self._blocks = 0

    # -- the line -------------------------------------------------------------------------------------
    def run(self) -> None:
        """Answer until it is unplugged."""
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        if self._lines is not None:
            poll.register(self._lines, select.POLLIN)
        while not self._ended.is_set():
            ready = dict(poll.poll(_POLL_MS))
            if self._lines is not None and self._lines.fileno() in ready:
                dtr, rts = self._lines.recv(16)[:2]
                self._lines_moved(bool(dtr), bool(rts))
            if not ready.get(self._master, 0) & select.POLLIN:
                continue
            data = os.read(self._master, 65_536)
            if self.faults.dead or self.faults.deaf:
                continue
            for byte in data if self._line_is_clean() else os.urandom(len(data)):
                self._byte(byte)

    def _host_baud(self) -> int:
        speed = termios.tcgetattr(self._slave)[5]
        return next(
            int(name[1:])
            for name, value in vars(termios).items()
            if name[:1] == "B" and name[1:].isdigit() and value == speed
        )

    def _line_is_clean(self) -> bool:
        baud = self._host_baud()
        if baud != self._baud and baud == ROM_BAUD and self._lines is None:
            self._reset()  # a host that begins anew would have pulled the reset line first
        limit = self.faults.noisy_above
        return baud == self._baud and (limit is None or baud <= limit)

    def _send(self, data: bytes) -> None:
        if not self._line_is_clean():
            data = os.urandom(len(data)).replace(bytes([FRAME]), b"x")
        poll = select.poll()
        poll.register(self._master, select.POLLOUT)
        while data and not self._ended.is_set():
            if poll.poll(_POLL_MS):
                data = data[os.write(self._master, data[:2048]) :]

    def _byte(self, byte: int) -> None:
        """Frames between FRAME bytes; what stands outside of frames is text for the program."""
        if byte == FRAME and self.in_loader:
            if self._frame:
                frame, self._frame = bytes(self._frame), None
                self._framed(frame.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb"))
            else:
                self._frame = bytearray()
        elif self._frame is not None:
            self._frame.append(byte)
        elif byte in b"\r\n":
            line, self._line = bytes(self._line), bytearray()
            if line.startswith(b"{"):
                self._send(self.program(line))
        else:
            self._line.append(byte)

    def _slip(self, data: bytes) -> None:
        escaped = data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
        self._send(bytes([FRAME]) + escaped + bytes([FRAME]))

    def _answer(self, opcode: int, value: int = 0, data: bytes = b"", error: int = 0) -> None:
        length = 2 if self._stub else self.chip.status_bytes
        status = (bytes([1, error]) if error else b"").ljust(length, b"\0")
        body = data + status
        self._slip(struct.pack("<BBHI", 1, opcode, len(body), value) + body)

    # -- commands -------------------------------------------------------------------------------------
    def _framed(self, frame: bytes) -> None:
        if self._reading is not None and len(frame) == 4:
            self._go_on_reading(int.from_bytes(frame, "little"))
            return
        if len(frame) < 8 or frame[0] != 0:
            return
        _, opcode, size, _ = struct.unpack_from("<BBHI", frame)
        data = frame[8:]
        if len(data) != size:
            return
        self.seen.commands.append(opcode)
        limit = self.faults.silent_after_blocks
        if limit is not None and self._blocks >= limit:
            return
        handler = self._handlers().get(opcode)
        if handler is None or (self.faults.locked and opcode in (READ_REG, WRITE_REG, MEM_BEGIN, READ_SLOW)):
            self._answer(opcode, error=0xFF if self._stub else 0x05)
        else:
            handler(opcode, data)

    def _handlers(self) -> dict[int, Callable[[int, bytes], None]]:
        simple = dict.fromkeys((MEM_BEGIN, MEM_DATA, SPI_SET_PARAMS, SPI_ATTACH), self._agree)
        handlers = {
            **simple,
            SYNC: self._sync,
            READ_REG: self._read_register,
            WRITE_REG: self._write_register,
            MEM_END: self._mem_end,
            FLASH_BEGIN: self._flash_begin,
            FLASH_DATA: self._flash_data,
            FLASH_END: self._agree,
        }
        if self.chip.name != "esp8266" or self._stub:
            handlers |= {
                CHANGE_BAUD: self._change_baud,
                DEFL_BEGIN: self._deflate_begin,
                DEFL_DATA: self._flash_data,
                DEFL_END: self._agree,
                SPI_MD5: self._md5,
            }
        if self.chip.knows_security:
            handlers[SECURITY_INFO] = self._security_info
        if self._stub:
            handlers |= {ERASE_FLASH: self._erase, ERASE_REGION: self._erase, READ_FLASH: self._read_flash}
        else:
            handlers[READ_SLOW] = self._read_slow
        return handlers

    def _agree(self, opcode: int, _data: bytes) -> None:
        self._answer(opcode)

    def _sync(self, opcode: int, _data: bytes) -> None:
        self.seen.synced += 1
        for _ in range(8):
            self._answer(opcode, 0 if self._stub else 0x20120707)

    def _read_register(self, opcode: int, data: bytes) -> None:
        (address,) = struct.unpack_from("<I", data)
        self._answer(opcode, self._registers.get(address, 0))

    def _write_register(self, opcode: int, data: bytes) -> None:
        address, value = struct.unpack_from("<II", data)
        self._registers[address] = value
        if address == self.chip.spi and value & SPI_START:
            command = self._registers.get(address + self.chip.usr2, 0) & 0xFF
            size_code = (len(self.flash) - 1).bit_length()
            answer = 0xEF | 0x40 << 8 | size_code << 16 if command == READ_JEDEC_ID else 0
            self._registers |= {address: 0, address + self.chip.w0: answer}
        self._answer(opcode)

    def _security_info(self, opcode: int, _data: bytes) -> None:
        flags = SECURE_DOWNLOAD if self.faults.locked else 0
        info = struct.pack("<IB7B", flags, 0, *[0] * 7)
        if self.chip.number is not None:
            info += struct.pack("<II", self.chip.number, 0)
        self._answer(opcode, data=info)

    def _mem_end(self, opcode: int, data: bytes) -> None:
        self._answer(opcode)
        _, entry = struct.unpack_from("<II", data)
        if entry:
            self._stub = True
            self._slip(b"OHAI")

    def _change_baud(self, opcode: int, data: bytes) -> None:
        (baud,) = struct.unpack_from("<I", data)
        self._answer(opcode)
        time.sleep(0.02)  # what was answered must be out before the rate changes
        self.seen.bauds.append(baud)
        self._baud = baud

    def _begin(self, opcode: int, data: bytes, unpack: Callable[[bytes], bytes]) -> None:
        size, _, block_bytes, offset = struct.unpack_from("<IIII", data)
        end = offset + size
        if end > len(self.flash):
            self._answer(opcode, error=0x08)
            return
        first, last = offset - offset % SECTOR, end + -end % SECTOR
        if size:
            self.seen.erased.append((first, last))
            self.flash[first:last] = b"\xff" * (last - first)
        self._transfer = _Transfer(offset, block_bytes, unpack)
        self._answer(opcode)

    def _flash_begin(self, opcode: int, data: bytes) -> None:
        self._begin(opcode, data, lambda block: block)

    def _deflate_begin(self, opcode: int, data: bytes) -> None:
        self._begin(opcode, data, zlib.decompressobj().decompress)

    def _flash_data(self, opcode: int, data: bytes) -> None:
        (size,) = struct.unpack_from("<I", data)
        block = data[16:]
        if self._transfer is None or size != len(block):
            self._answer(opcode, error=0x06)
            return
        if self.faults.refuse_block == self._blocks:
            self.faults.refuse_block = None
            self._answer(opcode, error=0x07)
            return
        time.sleep(self.faults.seconds_a_block)
        self._blocks += 1
        content = self._transfer.unpack(block)
        at = self._transfer.position
        self.flash[at : at + len(content)] = content
        self._transfer.position += len(content)
        self._answer(opcode)

    def _md5(self, opcode: int, data: bytes) -> None:
        address, size = struct.unpack_from("<II", data)
        content = bytes(self.flash[address : address + size])
        digest = hashlib.md5(content + b"!" * self.faults.wrong_md5, usedforsecurity=False)
        self._answer(opcode, data=digest.digest() if self._stub else digest.hexdigest().encode())

    def _erase(self, opcode: int, _data: bytes) -> None:
        if opcode == ERASE_FLASH:
            self.seen.whole_erases += 1
            self.flash[:] = b"\xff" * len(self.flash)
        self._answer(opcode)

    def _read_slow(self, opcode: int, data: bytes) -> None:
        offset, size = struct.unpack_from("<II", data)
        self._answer(opcode, data=bytes(self.flash[offset : offset + size]).ljust(64, b"\0"))

    def _read_flash(self, opcode: int, data: bytes) -> None:
        start, size, block_bytes, _ = struct.unpack_from("<IIII", data)
        self._answer(opcode)
        reading = self._reading = _Reading(start, size, block_bytes)
        for _ in range(WINDOW_BLOCKS):
            self._send_block(reading)

    def _send_block(self, reading: _Reading) -> None:
        left = reading.size - reading.sent
        if left > 0 and self._reading is reading:  # a reset ends it
            at = reading.start + reading.sent
            length = min(left, reading.block_bytes)
            reading.sent += length
            time.sleep(self.faults.seconds_a_block)
            self._slip(bytes(self.flash[at : at + length]))

    def _go_on_reading(self, acknowledged: int) -> None:
        reading = self._reading
        assert reading is not None
        if acknowledged < reading.size:
            self._send_block(reading)
            return
        self._reading = None
        content = self.flash[reading.start : reading.start + reading.size]
        self._slip(hashlib.md5(content, usedforsecurity=False).digest())
