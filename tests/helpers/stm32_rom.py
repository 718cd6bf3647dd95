"""The boot loader in the ROM of an STM32 on its UART, after ST's AN3155 (protocol) and AN2606 (devices)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import reduce
from operator import xor

from tests.helpers.serial_double import SerialDouble

ACK, NACK, INIT = 0x79, 0x1F, 0x7F
GET, GET_VERSION, GET_ID, READ, GO, WRITE, ERASE, EXTENDED_ERASE = 0, 1, 2, 0x11, 0x21, 0x31, 0x43, 0x44
FLASH_START, FLASH_BYTES = 0x0800_0000, 512 << 10
#: Sectors of an STM32F401xE (RM0368, table 5): 4 of 16 KB, one of 64 KB, 3 of 128 KB.
F401_SECTORS = [16 << 10] * 4 + [64 << 10] + [128 << 10] * 3
F401, F103 = 0x433, 0x410


class Stm32Rom(SerialDouble):
    """Answers as the ROM does: nothing before 0x7F, then commands; flash cells only lose bits until erased.

    Args:
        device_id: DEV_ID of the chip.
        nack_on: command that is refused, as on a protected chip; None for none.
        noise: whether every byte it sends is garbled on the way.
        damaged: address of a byte that takes a wrong value; None for none.
        running: whether the program runs instead of the ROM (BOOT0 low), so that nobody answers.
    """

    def __init__(
        self,
        device_id: int = F401,
        *,
        nack_on: int | None = None,
        noise: bool = False,
        damaged: int | None = None,
        running: bool = False,
    ) -> None:
        self.flash = bytearray(b"\x00" * FLASH_BYTES)
        self.started_at: int | None = None
        self.commands: list[int] = []
        self._device_id = device_id
        self._nack_on = nack_on
        self._noise = noise
        self._damaged = damaged
        self._running = running
        self._received = bytearray()
        self._synchronised = False
        self._step: Callable[[], bool] = self._command
        self._address = 0
        super().__init__()

    def take(self, data: bytes) -> None:
        """Go on as far as the bytes reach."""
        if self._running:
            return
        if not self._synchronised:
            if INIT not in data:
                return
            data = data[data.index(INIT) + 1 :]
            self._synchronised = True
            self._say(bytes([ACK]))
        self._received += data
        while self._received and self._step():
            pass

    def idle(self) -> None:
        """Half a command and then nothing: the ROM waits for ever."""

    def _say(self, data: bytes) -> None:
        self.say(bytes(byte ^ 0x55 for byte in data) if self._noise else data)

    def _cut(self, count: int) -> bytes | None:
        if len(self._received) < count:
            return None
        piece = bytes(self._received[:count])
        del self._received[:count]
        return piece

    def _answer(self, good: bool, then: Callable[[], bool] | None = None, result: bytes = b"") -> bool:
        self._say(bytes([ACK]) + result if good else bytes([NACK]))
        self._step = then if good and then is not None else self._command
        return True

    def _command(self) -> bool:
        pair = self._cut(2)
        if pair is None:
            return False
        code = pair[0]
        if pair[1] != code ^ 0xFF:
            return self._answer(False)
        self.commands.append(code)
        erase = EXTENDED_ERASE if self._device_id != F103 else ERASE
        codes = bytes([GET, GET_VERSION, GET_ID, READ, GO, WRITE, erase, 0x63, 0x73, 0x82, 0x92])
        if code == self._nack_on or code not in codes:
            return self._answer(False)
        if code == GET:
            return self._answer(True, result=bytes([len(codes), 0x31]) + codes + bytes([ACK]))
        if code == GET_VERSION:
            return self._answer(True, result=bytes([0x31, 0, 0, ACK]))
        if code == GET_ID:
            return self._answer(True, result=bytes([1]) + struct.pack(">H", self._device_id) + bytes([ACK]))
        if code == EXTENDED_ERASE:
            return self._answer(True, self._extended_erase)
        if code == ERASE:
            return self._answer(True, self._short_erase)
        following = {READ: self._read, WRITE: self._write, GO: None}[code]
        return self._answer(True, lambda: self._take_address(code, following))

    def _take_address(self, code: int, then: Callable[[], bool] | None) -> bool:
        word = self._cut(5)
        if word is None:
            return False
        self._address = int.from_bytes(word[:4], "big")
        good = reduce(xor, word) == 0
        if good and code == GO:
            self.started_at = self._address
        return self._answer(good, then)

    def _read(self) -> bool:
        pair = self._cut(2)
        if pair is None:
            return False
        if pair[1] != pair[0] ^ 0xFF:
            return self._answer(False)
        at = self._address - FLASH_START
        count = pair[0] + 1
        inside = 0 <= at < FLASH_BYTES
        return self._answer(True, result=bytes(self.flash[at : at + count]) if inside else bytes(count))

    def _write(self) -> bool:
        if len(self._received) < self._received[0] + 3:
            return False
        block = self._cut(self._received[0] + 3) or b""
        at, data = self._address - FLASH_START, block[1:-1]
        if reduce(xor, block) != 0 or not 0 <= at <= FLASH_BYTES - len(data):
            return self._answer(False)
        for offset, byte in enumerate(data):
            self.flash[at + offset] &= byte
        if self._damaged is not None and at <= self._damaged - FLASH_START < at + len(data):
            self.flash[self._damaged - FLASH_START] = data[self._damaged - FLASH_START - at] ^ 0x01
        return self._answer(True)

    def _extended_erase(self) -> bool:
        if len(self._received) < 3:
            return False
        count = int.from_bytes(self._received[:2], "big")
        if count >= 0xFFF0:
            self._cut(3)
            self.flash[:] = b"\xff" * FLASH_BYTES
            return self._answer(True)
        block = self._cut(2 + 2 * (count + 1) + 1)
        if block is None:
            return False
        for page in struct.unpack(f">{count + 1}H", block[2:-1]):
            start = sum(F401_SECTORS[:page])
            self.flash[start : start + F401_SECTORS[page]] = b"\xff" * F401_SECTORS[page]
        return self._answer(reduce(xor, block) == 0)

    def _short_erase(self) -> bool:
        count = self._received[0]
        block = self._cut(2 if count == 0xFF else count + 3)
        if block is None:
            return False
        pages = range(FLASH_BYTES >> 10) if count == 0xFF else block[1:-1]
        for page in pages:
            self.flash[page << 10 : (page + 1) << 10] = b"\xff" * 1024
        return self._answer(True)
