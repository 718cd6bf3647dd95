"""The text bridge of the Arduino Uno Q as upstream ships it (``uno-q-bridge``): one connection a command.

``gpio_write 13 1`` is answered with ``ok``, ``gpio_read 13`` with the level, a fault with ``error: ...``. The
bridge knows nothing else: no analog inputs, no pull-ups, no watchdog. What was driven stays driven when the
network fails, so use ``tcp://`` with a bridge of our protocol where that matters.
"""

from __future__ import annotations

from zeroclaw_desktop.hardware.errors import PortGoneError
from zeroclaw_desktop.hardware.peripherals.driver import PIN_COMMANDS, DriverError
from zeroclaw_desktop.hardware.peripherals.tcp_line import CONNECT_SECONDS, connect_tcp

ANSWER_SECONDS = 2.0
MAX_ANSWER = 256
_FAULT = "error:"


class UnoQDriver:
    """Implements Driver.

    Args:
        shown: the address for messages.
    """

    firmware = ("uno-q-bridge", "")
    commands = PIN_COMMANDS
    pace = 0.25

    def __init__(self, host: str, port: int, shown: str) -> None:
        self._host, self._port, self._shown = host, port, shown

    def _ask(self, line: str) -> str:
        """Send a command and read its one line; raises DriverError or PortError."""
        connection = connect_tcp(self._host, self._port, self._shown, CONNECT_SECONDS)
        answer = bytearray()
        try:
            with connection:
                connection.settimeout(ANSWER_SECONDS)
                connection.sendall(f"{line}\n".encode())
                while b"\n" not in answer and len(answer) < MAX_ANSWER:
                    piece = connection.recv(MAX_ANSWER)
                    if not piece:
                        break
                    answer += piece
        except OSError as error:
            raise PortGoneError(
                f"The bridge at {self._shown} does not answer: {error}.",
                hint="Restart the bridge's app on the board.",
                code="network_lost",
                retryable=True,
                details={"port": self._shown, "reason": str(error)},
            ) from error
        said = answer.decode("utf-8", "replace").strip()
        if said.lower().startswith(_FAULT):
            raise DriverError(said[len(_FAULT) :].strip() or "the bridge refuses")
        return said

    def level(self, pin: int) -> int:
        """See Driver."""
        said = self._ask(f"gpio_read {pin}")
        if said not in ("0", "1"):
            raise DriverError("the bridge gives no level", "bus_fault")
        return int(said)

    def set_input(self, pin: int, *, pull_up: bool) -> None:
        """See Driver; reading makes the pin an input on this bridge."""
        if pull_up:
            raise DriverError("the bridge has no pull-ups")

    def set_output(self, pin: int, level: int) -> None:
        """See Driver."""
        said = self._ask(f"gpio_write {pin} {level}")
        if said != "ok":
            raise DriverError("the bridge did not confirm", "bus_fault")

    def alive(self) -> None:
        """See Driver."""
        connect_tcp(self._host, self._port, self._shown, CONNECT_SECONDS).close()

    def guard(self, milliseconds: int) -> bool:
        """See Driver; the bridge has no watchdog."""
        return milliseconds == 0

    def interrupt(self) -> None:
        """See Driver; a command of the bridge is one short exchange."""

    def close(self) -> None:
        """See Driver; there is nothing open."""

    def analog(self, pin: int) -> int:
        """See Driver."""
        raise DriverError(f"Pin {pin} cannot be measured by this bridge")

    def wave(self, pin: int, hertz: float, duty: float) -> None:
        """See Driver."""
        raise DriverError(f"Pin {pin} has no PWM by this bridge")

    def i2c_scan(self) -> list[int]:
        """See Driver."""
        raise DriverError("the bridge has no I2C")

    def i2c_read(self, address: int, register: bytes, count: int) -> bytes:
        """See Driver."""
        raise DriverError("the bridge has no I2C")

    def i2c_write(self, address: int, data: bytes) -> None:
        """See Driver."""
        raise DriverError("the bridge has no I2C")

    def spi_leaves(self, select: int) -> dict[int, int]:
        """See Driver."""
        return {}

    def spi_transfer(self, select: int, data: bytes, mode: int, hertz: int) -> bytes:
        """See Driver."""
        raise DriverError("the bridge has no SPI")
