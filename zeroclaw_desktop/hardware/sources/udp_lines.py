"""Programs and boards on the network that send lines over UDP, as the senders of Teleplot do."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.hardware.errors import PortError
from zeroclaw_desktop.hardware.sources.message_lines import lines_of_datagram
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.lines import LineCounters
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

TELEPLOT_PORT = 47269
LOOPBACK = "127.0.0.1"
MAX_SENDERS = 32
MAX_DATAGRAM = 65_535
MAX_TURN = 256
LOOK_SECONDS = 0.2
BUFFER_BYTES = 4 * 1024 * 1024

ConsoleLines = Callable[[str, Sequence[bytes], float], None]


@dataclass(slots=True)
class UdpCounters:
    """Datagrams since the start.

    Attributes:
        datagrams: received.
        refused: from a sender beyond ``MAX_SENDERS``; not read.
    """

    datagrams: int = 0
    refused: int = 0


class UdpLines:
    """Listens on a UDP port; each sender's address is a source ``udp:ADDRESS``.

    Args:
        store: where samples go.
        address: of the interface; ``LOOPBACK`` unless the person opened it.
        port: 0 for any that is free.
        on_console_lines: called on the reader's thread with source, lines and host time.
        on_new: called on the reader's thread with the reader of a new sender, before it reads.

    Attributes:
        counters: what came.
    """

    def __init__(
        self,
        store: TelemetryStore,
        address: str = LOOPBACK,
        port: int = TELEPLOT_PORT,
        on_console_lines: ConsoleLines | None = None,
        on_new: Callable[[TelemetryIngest], None] = lambda _ingest: None,
    ) -> None:
        self.counters = UdpCounters()
        self._store = store
        self._wanted = (address, port)
        self._on_console_lines = on_console_lines
        self._on_new = on_new
        self._ingests: dict[str, TelemetryIngest] = {}
        self._stopping = threading.Event()
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port that is listened on; 0 before ``start``."""
        return int(self._socket.getsockname()[1]) if self._socket is not None else 0

    def sources(self) -> dict[str, LineCounters]:
        """Return the counters of each sender by the id of its source."""
        return {source_id: ingest.counters for source_id, ingest in dict(self._ingests).items()}

    def reader(self, source_id: str) -> TelemetryIngest | None:
        """Return the reader of a sender; None for one that sent nothing."""
        return self._ingests.get(source_id)

    def start(self) -> None:
        """Begin to listen.

        Raises:
            PortError: the port is taken or the address is none of this computer.
        """
        address, port = self._wanted
        plug = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            with contextlib.suppress(OSError):
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
            plug.bind((address, port))
        except OSError as error:
            plug.close()
            raise PortError(
                f"UDP port {port} of {address} cannot be used: {error.strerror or error}.",
                hint="Another program may listen there, Teleplot for example; choose another port.",
                code="port_failed",
                details={"port": f"UDP {port}", "reason": error.strerror or str(error)},
            ) from error
        plug.setblocking(False)
        self._socket = plug
        self._thread = threading.Thread(target=self._main, args=(plug,), name="udp-lines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; returns when the thread has ended."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _main(self, plug: socket.socket) -> None:
        while not self._stopping.is_set():
            ready, _, _ = select.select([plug], [], [], LOOK_SECONDS)
            if ready:
                self._turn(plug)

    def _turn(self, plug: socket.socket) -> None:
        """Take what is there, each sender's datagrams together."""
        pieces: dict[str, list[bytes]] = {}
        for _ in range(MAX_TURN):
            try:
                data, sender = plug.recvfrom(MAX_DATAGRAM)
            except (BlockingIOError, InterruptedError):
                break
            except OSError:
                # Windows tells here that an earlier answer could not be delivered; nothing is lost.
                continue
            self.counters.datagrams += 1
            pieces.setdefault(sender[0], []).append(lines_of_datagram(data))
        now = time.monotonic()
        for address, lines in pieces.items():
            ingest = self._ingest(f"udp:{address}")
            if ingest is None:
                self.counters.refused += len(lines)
            else:
                ingest.feed(b"".join(lines), now)

    def _ingest(self, source_id: str) -> TelemetryIngest | None:
        ingest = self._ingests.get(source_id)
        if ingest is None and len(self._ingests) < MAX_SENDERS:
            shown = self._on_console_lines
            tell = None if shown is None else lambda lines, when: shown(source_id, lines, when)
            ingest = TelemetryIngest(source_id, self._store, tell)
            self._on_new(ingest)
            # A datagram begins with a line, so that none is partial.
            ingest.feed(b"\n", time.monotonic())
            self._ingests[source_id] = ingest
        return ingest
