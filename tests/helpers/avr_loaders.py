"""Boot loaders of AVR boards: STK500 version 1 (Atmel AVR061) and AVR109, as avrdude speaks to them."""

from __future__ import annotations

from tests.helpers.serial_double import SerialDouble

IN_SYNC, OK, NO_SYNC = b"\x14", b"\x10", b"\x15"
#: Length of each command of STK500 version 1 with its end mark (AVR061, chapter "Commands").
STK500_LENGTHS = {
    0x30: 2, 0x31: 2, 0x41: 3, 0x42: 22, 0x45: 7, 0x50: 2, 0x51: 2, 0x55: 4, 0x56: 6, 0x75: 2,
}  # fmt: skip
M328P, M32U4, M2560 = b"\x1e\x95\x0f", b"\x1e\x95\x87", b"\x1e\x98\x01"


class Stk500Loader(SerialDouble):
    """STK500 version 1, as in Optiboot and ATmegaBOOT.

    Args:
        at_rate: the only rate at which it understands anything.
        noise: what comes back at other rates; '' for silence, which avrdude waits for 5 s.
        signature: of the chip.
        chatter: what is said instead of every answer, as a sketch that prints does.
        damaged: byte of the flash that does not take what is written; None for none.
    """

    def __init__(
        self,
        at_rate: int = 115_200,
        noise: bytes = b"",
        signature: bytes = M328P,
        chatter: bytes = b"",
        damaged: int | None = None,
    ) -> None:
        self.flash = bytearray(b"\xff" * 32_768)
        self.left = False
        self._at_rate = at_rate
        self._noise = noise
        self._signature = signature
        self._chatter = chatter
        self._damaged = damaged
        self._received = bytearray()
        self._address = 0
        super().__init__()

    def take(self, data: bytes) -> None:
        """Answer whole commands."""
        if self._chatter:
            self.say(self._chatter)
            return
        if self.rate() != self._at_rate:
            self.say(self._noise)
            return
        self._received += data
        while self._received and (length := self._length()) <= len(self._received):
            command = bytes(self._received[:length])
            del self._received[:length]
            self._answer(command)

    def _length(self) -> int:
        code = self._received[0]
        if code in (0x64, 0x74):
            if len(self._received) < 4:
                return 4
            size = self._received[1] << 8 | self._received[2]
            return 5 + (size if code == 0x64 else 0)
        return STK500_LENGTHS.get(code, 1)

    def _answer(self, command: bytes) -> None:
        code, result = command[0], b""
        if command[-1] != 0x20:
            self.say(NO_SYNC)
            return
        if code == 0x41:
            result = {0x81: b"\x04", 0x82: b"\x04"}.get(command[1], b"\x03")
        elif code == 0x55:
            self._address = 2 * (command[1] | command[2] << 8)
        elif code == 0x56:
            result = b"\x00"
        elif code == 0x64:
            self._write(command[4:-1])
        elif code == 0x74:
            size = command[1] << 8 | command[2]
            result = bytes(self.flash[self._address : self._address + size])
        elif code == 0x75:
            result = self._signature
        elif code == 0x51:
            self.left = True
        self.say(IN_SYNC + result + OK)

    def _write(self, data: bytes) -> None:
        self.flash[self._address : self._address + len(data)] = data
        if self._damaged is not None and self._address <= self._damaged < self._address + len(data):
            self.flash[self._damaged] ^= 0x01


class Avr109Loader(SerialDouble):
    """AVR109 (Atmel application note AVR109), as Caterina of the Leonardo speaks it."""

    def __init__(self) -> None:
        self.flash = bytearray(b"\xff" * 32_768)
        self.left = False
        self._received = bytearray()
        self._address = 0
        super().__init__()

    def take(self, data: bytes) -> None:
        """Answer whole commands."""
        self._received += data
        while self._received and (length := self._length()) <= len(self._received):
            command = bytes(self._received[:length])
            del self._received[:length]
            self.say(self._answer(command))

    def _length(self) -> int:
        code = bytes(self._received[:1])
        if code in b"Bg":
            if len(self._received) < 4:
                return 4
            size = self._received[1] << 8 | self._received[2]
            return 4 + (size if code == b"B" else 0)
        return {b"A": 3, b"T": 2, b"x": 2, b"y": 2}.get(code, 1)

    def _answer(self, command: bytes) -> bytes:
        code = command[:1]
        fixed = {
            b"S": b"CATERIN", b"V": b"10", b"v": b"?", b"p": b"S", b"a": b"Y", b"b": b"Y\x00\x80",
            b"t": b"\x44\x00", b"s": M32U4[::-1],
        }  # fmt: skip
        if code in fixed:
            return fixed[code]
        if code == b"A":
            self._address = 2 * (command[1] << 8 | command[2])
        elif code == b"B" and command[3:4] == b"F":
            data = command[4:]
            self.flash[self._address : self._address + len(data)] = data
            self._address += len(data)
        elif code == b"g":
            size = command[1] << 8 | command[2]
            self._address += size
            return bytes(self.flash[self._address - size : self._address])
        elif code == b"E":
            self.left = True
        elif code not in b"TPLexy":
            return b"?"
        return b"\r"
