"""MicroPython's raw prompt on a serial port, by mpremote's transport: bounded, interruptible, silent.

mpremote's own waiting is made for a command line: it sleeps 10 ms at a time, waits for ever on some ports and
prints what went wrong. Only its waiting is replaced here; how code is handed over (raw paste with its flow
control, the old raw prompt where a board has no raw paste) is mpremote's.
"""

from __future__ import annotations

import contextlib
import struct
import time
from collections.abc import Callable
from typing import Any

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from zeroclaw_desktop.hardware.errors import NoHandshakeError, PortGoneError
from zeroclaw_desktop.hardware.transport.port_handle import PORT_FAULTS, PortSettings, gone, open_device

PROMPT_SECONDS = 2.0
ANSWER_SECONDS = 2.0
READ_SECONDS = 1.0
"""For the few bytes that mpremote reads without waiting for an end."""
LOOK_SECONDS = 0.001
MAX_ANSWER = 65_536
INTERRUPT = b"\x03"
_FAULTS: tuple[type[BaseException], ...] = (TransportError, struct.error, IndexError)


class RawRepl(SerialTransport):  # type: ignore[misc]  # mpremote ships no type information
    """An open prompt; used by one thread, except ``interrupt``.

    Raises:
        PortError: the port cannot be opened.
        NoHandshakeError: nothing on it answers like MicroPython.
    """

    def __init__(self, port: str, settings: PortSettings) -> None:
        self.device_name = port
        self.in_raw_repl = False
        self.use_raw_paste = True
        self.mounted = False
        self.is_pty = False
        self.serial = open_device(port, settings)
        self.serial.timeout = READ_SECONDS
        self._interrupted = False
        try:
            self._guarded(lambda: self.enter_raw_repl(soft_reset=False, timeout_overall=PROMPT_SECONDS))
        except PortGoneError as error:
            self.close()
            if error.code != "prompt_lost":
                raise
            raise NoHandshakeError(
                f"Nothing on {port} answers like MicroPython.",
                hint="Put MicroPython on the board, or take it for a board with our firmware.",
                code="no_micropython",
                details={"port": port},
            ) from error
        except BaseException:
            self.close()
            raise

    def run(self, code: str) -> tuple[str, str]:
        """Run code and wait for its end.

        Returns:
            What it printed, and the traceback that ended it ('' without one).

        Raises:
            PortGoneError: the board is gone, or its prompt did not come back.
        """
        self._interrupted = False
        printed, trouble = self._guarded(lambda: self.exec_raw(code, ANSWER_SECONDS))
        return printed.decode("utf-8", "replace"), trouble.decode("utf-8", "replace")

    def interrupt(self) -> None:
        """Break off the code that is running, as Ctrl-C does; any thread."""
        self._interrupted = True

    def present(self) -> None:
        """Raise PortGoneError when the port has vanished; sends nothing."""
        self._guarded(lambda: self.serial.in_waiting)

    def _guarded(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except _FAULTS as error:
            raise PortGoneError(
                f"MicroPython on {self.device_name} does not answer as it should.",
                hint="Press the board's reset button; the app connects again by itself.",
                code="prompt_lost",
                retryable=True,
                details={"port": self.device_name, "reason": str(error)},
            ) from error
        except PORT_FAULTS as error:
            raise gone(self.device_name, error) from error

    def read_until(
        self,
        min_num_bytes: int,
        ending: bytes,
        timeout: float | None = ANSWER_SECONDS,
        data_consumer: Callable[[bytes], None] | None = None,
        timeout_overall: float | None = None,
    ) -> bytes:
        """As mpremote's, but a missing end is a TransportError, so that nothing is printed about it."""
        deadline = time.monotonic() + min(timeout or ANSWER_SECONDS, ANSWER_SECONDS)
        data = bytearray()
        while not data.endswith(ending):
            if self._interrupted:
                self._interrupted = False
                self.serial.write(INTERRUPT)
            if self.serial.in_waiting:
                data += self.serial.read(1)
            elif time.monotonic() >= deadline:
                raise TransportError("the end did not come in time")
            else:
                time.sleep(LOOK_SECONDS)
            if len(data) > MAX_ANSWER:
                raise TransportError("it prints without end")
        return bytes(data)

    def close(self) -> None:
        """Leave the prompt to the person and let go of the port; never raises."""
        with contextlib.suppress(*PORT_FAULTS):
            if self.in_raw_repl:
                self.exit_raw_repl()
        with contextlib.suppress(*PORT_FAULTS):
            self.serial.close()
