"""A POSIX serial port that moves DTR and RTS together, so that opening it restarts no board by accident.

Linux and macOS raise both lines when a port is opened, whatever the program wants. pyserial then sets DTR and
RTS one after the other. On boards with the two-transistor circuit of Espressif (every ESP32 and ESP8266
development board) the state in between, DTR low and RTS high, is the reset signal; that both are high or both
low means nothing. Source: Espressif, ESP32-DevKitC schematic, table "Auto program".
"""

from __future__ import annotations

import fcntl
import struct
import termios

import serial


class TogetherSerial(serial.Serial):  # type: ignore[misc]  # pyserial has no types
    """``serial.Serial`` whose ``dtr`` and ``rts`` reach the port in one step when it opens."""

    def _update_dtr_state(self) -> None:
        self._set_lines()

    def _update_rts_state(self) -> None:
        self._set_lines()

    def _set_lines(self) -> None:
        (state,) = struct.unpack("I", fcntl.ioctl(self.fd, termios.TIOCMGET, struct.pack("I", 0)))
        for wanted, bit in ((self._dtr_state, termios.TIOCM_DTR), (self._rts_state, termios.TIOCM_RTS)):
            state = state | bit if wanted else state & ~bit
        fcntl.ioctl(self.fd, termios.TIOCMSET, struct.pack("I", state))
