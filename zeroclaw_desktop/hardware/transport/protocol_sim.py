"""The pyserial URL ``sim://<board id>``: the serial line of a simulated board, with real DTR.

pyserial finds this module by its name. The simulator process listens on a loopback socket; frames on it are
one letter, a 16-bit big-endian length and that many bytes: ``T`` token (first frame), ``D`` data, ``L`` line
states (bit 0 DTR, bit 1 RTS), and from the board ``D`` data, ``B`` busy (somebody else has the line), ``O``
open.
"""

from __future__ import annotations

import select
import socket
import struct
from urllib.parse import urlsplit

from serial import PortNotOpenError, SerialBase, SerialException

from zeroclaw_desktop.hardware.transport.open_errors import busy_error

CONNECT_SECONDS = 3.0
SEND_SECONDS = 5.0
_HEADER = struct.Struct(">cH")
_endpoints: dict[str, tuple[str, int, str, str]] = {}


def announce(board_id: str, host: str, port: int, token: str, system_path: str) -> None:
    """Make ``sim://<board_id>`` known; ``system_path`` is the same line for other programs."""
    _endpoints[board_id] = (host, port, token, system_path)


def withdraw(board_id: str) -> None:
    """Forget a simulated board."""
    _endpoints.pop(board_id, None)


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """One frame of the link."""
    return _HEADER.pack(kind, len(payload)) + payload


class FrameReader:
    """Cuts a byte stream into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def pending(self) -> int:
        """Bytes of a frame whose rest has not come yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """Add bytes; returns the complete frames as (kind, payload)."""
        self._buffer += data
        frames: list[tuple[bytes, bytes]] = []
        while len(self._buffer) >= _HEADER.size:
            kind, length = _HEADER.unpack_from(self._buffer)
            if len(self._buffer) < _HEADER.size + length:
                break
            frames.append((kind, bytes(self._buffer[_HEADER.size : _HEADER.size + length])))
            del self._buffer[: _HEADER.size + length]
        return frames


class Serial(SerialBase):  # type: ignore[misc]
    """The line of a simulated board as a pyserial port."""

    reads_may_be_empty = True
    BAUDRATES = SerialBase.BAUDRATES

    def __init__(self, *args: object, **kwargs: object) -> None:
        self._socket: socket.socket | None = None
        self._frames = FrameReader()
        self._received = bytearray()
        super().__init__(*args, **kwargs)

    def open(self) -> None:
        """Connect to the simulator; DTR as set before resets the board, as on the real one."""
        board_id = urlsplit(self.portstr).netloc
        endpoint = _endpoints.get(board_id)
        if endpoint is None:
            raise SerialException(2, f"could not find a running simulated board '{board_id}'")
        host, port, token, system_path = endpoint
        try:
            self._socket = socket.create_connection((host, port), CONNECT_SECONDS)
        except OSError as error:
            raise SerialException(2, f"could not find the simulated board '{board_id}': {error}") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._frames, self._received = FrameReader(), bytearray()
        self._socket.sendall(frame(b"T", token.encode()) + frame(b"L", self._line_bits()))
        if self._first_answer() != b"O":
            self._socket.close()
            self._socket = None
            raise busy_error(system_path)
        self._socket.setblocking(False)
        self.is_open = True

    def _first_answer(self) -> bytes:
        assert self._socket is not None
        while True:
            try:
                data = self._socket.recv(4096)
            except OSError as error:
                raise SerialException(5, f"the simulated board does not answer: {error}") from error
            if not data:
                raise SerialException(5, "the simulated board went away")
            frames = self._frames.feed(data)
            for kind, payload in frames:
                if kind == b"D":
                    self._received += payload
            for kind, _ in frames:
                if kind in b"OB":
                    return kind

    def _line_bits(self) -> bytes:
        return bytes([(1 if self._dtr_state else 0) | (2 if self._rts_state else 0)])

    def close(self) -> None:
        """Hang up."""
        self.is_open = False
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connection(self) -> socket.socket:
        if self._socket is None:
            raise PortNotOpenError
        return self._socket

    def fileno(self) -> int:
        """Number to wait for with select."""
        return self._connection().fileno()

    def _pull(self) -> None:
        try:
            data = self._connection().recv(65_536)
        except BlockingIOError:
            return
        except OSError as error:
            raise SerialException(5, str(error)) from error
        if not data:
            raise SerialException(5, "the simulated board was unplugged")
        for kind, payload in self._frames.feed(data):
            if kind == b"D":
                self._received += payload

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        self._pull()
        return len(self._received)

    def read(self, size: int = 1) -> bytes:
        """Up to ``size`` bytes, waiting no longer than ``timeout``."""
        if not self._received:
            if self._timeout:
                select.select([self._connection()], [], [], self._timeout)
            self._pull()
        data = bytes(self._received[:size])
        del self._received[:size]
        return data

    def write(self, data: bytes) -> int:
        """Send bytes to the board."""
        connection = self._connection()
        connection.settimeout(SEND_SECONDS)
        try:
            for start in range(0, len(data), 60_000):
                connection.sendall(frame(b"D", bytes(data[start : start + 60_000])))
        except OSError as error:
            raise SerialException(5, str(error)) from error
        finally:
            connection.setblocking(False)
        return len(data)

    def flush(self) -> None:
        """Everything is handed over at once already."""

    def reset_input_buffer(self) -> None:
        """Drop what was received."""
        self._pull()
        self._received.clear()

    def reset_output_buffer(self) -> None:
        """Nothing is kept back."""

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """The simulated line takes its speed from the firmware."""

    def _send_lines(self) -> None:
        if self._socket is not None:
            self.write_lines()

    def write_lines(self) -> None:
        """Tell the board the state of DTR and RTS."""
        connection = self._connection()
        connection.settimeout(SEND_SECONDS)
        try:
            connection.sendall(frame(b"L", self._line_bits()))
        finally:
            connection.setblocking(False)

    def _update_dtr_state(self) -> None:
        self._send_lines()

    def _update_rts_state(self) -> None:
        self._send_lines()

    def _update_break_state(self) -> None:
        """A break has no effect on the simulated board."""
