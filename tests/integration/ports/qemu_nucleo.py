"""The image of the Nucleo in QEMU's netduinoplus2: processor, interrupts, timers, USART are QEMU's own.

The machine has no GPIO: reading a pin gives 0, and what the firmware writes there stands in QEMU's log of
unimplemented devices, which is read here. It has no ADC values and no buses either.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import socket
import subprocess
import time
import tty
from pathlib import Path
from typing import Any

from tests.integration.ports.nucleo import NUCLEO_IMAGE, nucleo_wires
from tests.integration.ports.vector_runner import answers
from tests.unit.firmware.vectors import PinState

START_SECONDS = 20
QUIET_SECONDS = 0.01
_WRITE = re.compile(rb"GPIO([A-D]): unimplemented device write .*offset 0x(\w+), value 0x(\w+)\)")
MODER, PUPDR, BSRR = 0x00, 0x0C, 0x18


class QemuNucleo:
    """One running QEMU; see vector_runner.VectorBoard.

    Args:
        folder: for the log and the control socket.
        opened: whether this object opens the line; else `port` is for somebody else.
    """

    def __init__(self, folder: Path, *, opened: bool = True) -> None:
        self._log = folder / "unimplemented.log"
        control = folder / "qmp"
        command = ["qemu-system-arm", "-M", "netduinoplus2", "-device", f"loader,file={NUCLEO_IMAGE}"]
        command += ["-display", "none", "-monitor", "none", "-serial", "null", "-serial", "pty"]
        command += ["-d", "unimp", "-D", str(self._log), "-qmp", f"unix:{control},server=on,wait=off"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"redirected to (\S+)", said)
        assert found is not None, said
        self.port = found[1]
        self._line = os.open(self.port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._line)
        self._partial = b""
        self._control = socket.socket(socket.AF_UNIX)
        self._control.connect(str(control))
        self._answers = self._control.makefile("rb")
        self._answers.readline()
        self._order("qmp_capabilities")
        self._seen = 0
        self._ports = {letter: {"modes": 0, "pulls": 0, "latch": 0} for letter in "ABCD"}
        self.exchange(b"", 1)
        if not opened:
            os.close(self._line)
            self._line = -1

    def close(self) -> None:
        """End QEMU."""
        if self._line >= 0:
            os.close(self._line)
        self._answers.close()
        self._control.close()
        self._process.kill()
        self._process.communicate()

    def _order(self, command: str, **arguments: object) -> Any:
        """Give a QMP command; returns its result."""
        self._control.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(self._answers.readline())
            if "return" in answer or "error" in answer:
                return answer["return"]

    def reset(self) -> None:
        """Restart the chip; its boot line is read."""
        self._read(0.0)
        self._partial = b""
        self._order("system_reset")
        self.exchange(b"", 1)

    def word(self, address: int) -> int:
        """A word of the chip's memory."""
        shown = self._order("human-monitor-command", **{"command-line": f"xp /1xw {address:#x}"})
        return int(shown.split(":")[1], 16)

    # -- the line -------------------------------------------------------------------------------------
    def _read(self, seconds: float) -> list[bytes]:
        if select.select([self._line], [], [], seconds)[0]:
            with contextlib.suppress(BlockingIOError):
                self._partial += os.read(self._line, 4096)
        *lines, self._partial = self._partial.split(b"\n")
        return lines

    def exchange(self, data: bytes, at_least: int = 0) -> list[bytes]:
        """See VectorBoard."""
        os.write(self._line, data)
        lines: list[bytes] = []
        deadline = time.monotonic() + START_SECONDS
        while answers(lines) < at_least:
            lines += self._read(0.1)
            assert time.monotonic() < deadline, f"no answer to {data[:80]!r}: {lines}"
        return lines + self._read(0.0 if at_least else QUIET_SECONDS)

    def advance(self, milliseconds: int) -> list[bytes]:
        """See VectorBoard; in real time, with a reserve for a busy computer."""
        end = time.monotonic() + milliseconds / 1000 + 0.02
        lines: list[bytes] = []
        while (left := end - time.monotonic()) > 0:
            lines += self._read(left)
        return lines

    def ask(self, command: str, **arguments: object) -> Any:
        """Send one request and return its result; asserts that it succeeded."""
        request = json.dumps({"id": 1, "cmd": command, "args": arguments}).encode() + b"\n"
        (reply,) = [value for line in self.exchange(request, 1) if "id" in (value := json.loads(line))]
        assert reply["ok"], reply
        return reply["result"]

    def drive(self, pin: int, level: int | None) -> None:
        """See VectorBoard."""
        raise AssertionError("QEMU's machine has no pins to drive")

    def set_analog(self, channel: int, value: int) -> None:
        """See VectorBoard."""
        raise AssertionError("QEMU's ADC has no input")

    # -- the pins -------------------------------------------------------------------------------------
    def writes(self) -> list[tuple[int, int, int]]:
        """(port from 0, offset, value) of each write to GPIO since the last call of anything here."""
        with self._log.open("rb") as log:
            log.seek(self._seen)
            text = log.read()
        text = text[: text.rfind(b"\n") + 1]
        self._seen += len(text)
        found = [(line[1].decode(), int(line[2], 16), int(line[3], 16)) for line in _WRITE.finditer(text)]
        for letter, offset, value in found:
            port = self._ports[letter]
            if offset == MODER:
                port["modes"] = value
            elif offset == PUPDR:
                port["pulls"] = value
            elif offset == BSRR:
                port["latch"] = port["latch"] & ~(value >> 16) | value & 0xFFFF
        return [("ABCD".index(letter), offset, value) for letter, offset, value in found]

    def wires(self) -> dict[int, PinState]:
        """See VectorBoard; RM0368 section 8.4."""
        self.writes()
        pins = {}
        for number in range(len(nucleo_wires().pins)):
            port, bit = self._ports["ABCD"[number // 16]], number % 16
            mode = port["modes"] >> 2 * bit & 3
            pulled = port["pulls"] >> 2 * bit & 3 == 1
            level = port["latch"] >> bit & 1 if mode == 1 else 0
            pins[number] = PinState("o" if mode == 1 else "u" if pulled else "i", level, 0)
        return pins

    def pins(self) -> dict[int, PinState]:
        """See VectorBoard; the level of an output is the one that was written, as it cannot be read here."""
        state = self.ask("state")
        values = {**state["pwm"], **state["servo"], **state["tone"]}
        seen = self.wires()
        pins = {}
        for pin, mode in enumerate(state["mode"]):
            if mode != "-":
                assert mode not in "iuo" or mode == seen[pin].mode, f"pin {pin}"
                pins[pin] = PinState(mode, seen[pin].level, values.get(str(pin), 0))
        return pins

    def outputs(self) -> object:
        """See VectorBoard."""
        self.writes()
        return {letter: dict(port) for letter, port in self._ports.items()}
