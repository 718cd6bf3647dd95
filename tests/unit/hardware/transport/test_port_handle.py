"""Ports as one thread uses them, on real pseudo terminals (HW-2, HW-4)."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from zeroclaw_desktop.hardware.errors import (
    PortBusyError,
    PortError,
    PortGoneError,
    PortMissingError,
    PortPermissionError,
)
from zeroclaw_desktop.hardware.transport import discovery, port_handle
from zeroclaw_desktop.hardware.transport.open_errors import busy_error, explain_open_failure, port_holders
from zeroclaw_desktop.hardware.transport.port_handle import PortHandle, PortSettings, open_port

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="uses pseudo terminals; run it on Linux or macOS"
)


class Line:
    """A pseudo terminal: ``far`` is the board's side."""

    def __init__(self) -> None:
        self.far, self._near = os.openpty()
        tty.setraw(self._near)
        self.path = os.ttyname(self._near)

    def vanish(self) -> None:
        for number in (self.far, self._near):
            if number >= 0:
                os.close(number)
        self.far = self._near = -1


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.vanish()


@pytest.fixture
def port(line: Line) -> Iterator[PortHandle]:
    port = open_port(line.path, PortSettings())
    yield port
    port.close()


class TestReadingAndWriting:
    def test_bytes_go_both_ways_unchanged(self, line: Line, port: PortHandle) -> None:
        every = bytes(range(256))
        port.write(every)
        assert os.read(line.far, 1000) == every
        os.write(line.far, every)
        got = b""
        while len(got) < 256:
            got += port.read(5.0)
        assert got == every

    def test_no_bytes_is_no_fault(self, port: PortHandle) -> None:
        assert port.read(0.01) == b""
        assert port.read(0.0) == b""

    def test_a_waiting_read_is_woken_from_another_thread(self, port: PortHandle) -> None:
        started = time.monotonic()
        waker = threading.Timer(0.05, port.wake)
        waker.start()
        assert port.read(30.0) == b""
        waker.join()
        assert time.monotonic() - started < 20.0

    def test_many_wakes_never_block_who_wakes(self, port: PortHandle) -> None:
        """The owner may be busy writing while the loop submits thousands of requests."""
        waker = threading.Thread(target=lambda: [port.wake() for _ in range(20_000)], daemon=True)
        waker.start()
        waker.join(20.0)
        assert not waker.is_alive()
        while port.read(0.05):
            pass
        port.wake()
        assert port.read(30.0) == b""

    def test_a_megabyte_arrives_whole(self, line: Line, port: PortHandle) -> None:
        block = bytes(range(256)) * 16
        sender = threading.Thread(target=lambda: [_write_all(line.far, block) for _ in range(256)])
        sender.start()
        got = bytearray()
        while len(got) < 1 << 20:
            got += port.read(5.0)
        sender.join()
        assert bytes(got) == block * 256

    def test_a_flood_arrives_in_larger_pieces_than_the_system_hands_out(
        self, line: Line, port: PortHandle, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """B7: a pseudo terminal hands out 4,095 bytes a read; blocks are what makes reading quick."""
        # The sender may be slow to get its turn on a busy machine.
        monkeypatch.setattr(port_handle, "GATHER_SECONDS", 5.0)
        monkeypatch.setattr(port_handle, "GATHER_WAIT_SECONDS", 5.0)
        sender = threading.Thread(target=_write_all, args=(line.far, b"x" * port_handle.READ_BYTES))
        sender.start()
        first = port.read(5.0)
        while len(first) < port_handle.FLOOD_BYTES:
            first = port.read(5.0)
        monkeypatch.setattr(port_handle, "GATHER_WAIT_SECONDS", 0.0)
        sender.join()
        assert len(first) > 4095

    def test_a_wake_interrupts_the_gathering(
        self, line: Line, port: PortHandle, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The stop command does not wait for a flood to end."""
        monkeypatch.setattr(port_handle, "GATHER_SECONDS", 60.0)
        monkeypatch.setattr(port_handle, "GATHER_WAIT_SECONDS", 60.0)
        _write_all(line.far, b"x" * 3000)
        port.wake()
        assert set(port.read(5.0)) <= {ord("x")}

    def test_waking_a_closed_port_does_no_harm(self, line: Line) -> None:
        port = open_port(line.path, PortSettings())
        port.close()
        port.close()
        port.wake()


def _write_all(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]


class TestVanishing:
    def test_while_reading(self, line: Line, port: PortHandle) -> None:
        threading.Timer(0.05, line.vanish).start()
        with pytest.raises(PortGoneError) as caught:
            _read_until_gone(port)
        assert caught.value.retryable
        assert caught.value.details["port"] == line.path

    def test_while_writing(self, line: Line, port: PortHandle) -> None:
        line.vanish()
        with pytest.raises(PortGoneError):
            _write_until_gone(port)

    def test_a_line_that_takes_nothing_is_given_up(self, line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
        """Else the thread could not be stopped and the port never be closed."""
        monkeypatch.setattr("zeroclaw_desktop.hardware.transport.port_handle.WRITE_PIECE_SECONDS", 0.1)
        port = open_port(line.path, PortSettings())
        with pytest.raises(PortGoneError):
            _write_until_gone(port)
        port.close()


def _read_until_gone(port: PortHandle) -> None:
    for _ in range(100):
        port.read(0.2)


def _write_until_gone(port: PortHandle) -> None:
    for _ in range(1000):
        port.write(b"x" * 1000)


class TestOpening:
    def test_a_port_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(PortMissingError) as caught:
            open_port(str(tmp_path / "ttyACM7"), PortSettings())
        assert caught.value.details["port"].endswith("ttyACM7")
        assert caught.value.hint

    def test_a_file_that_is_no_port(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(PortError) as caught:
            open_port(str(tmp_path / "file"), PortSettings())
        assert caught.value.code == "port_failed"

    @pytest.mark.parametrize("name", ["nonsense://x", "sim://nobody"])
    def test_an_address_that_leads_nowhere(self, name: str) -> None:
        with pytest.raises(PortError):
            open_port(name, PortSettings())

    def test_a_port_that_we_have_already(self, line: Line, port: PortHandle) -> None:
        assert isinstance(port.read(0), bytes)
        with pytest.raises(PortBusyError) as caught:
            open_port(line.path, PortSettings())
        assert caught.value.retryable

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the holder is known on Linux only")
    def test_another_program_that_has_it_is_named(self, line: Line) -> None:
        holder = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import fcntl, os, sys\n"
                "number = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)\n"
                "fcntl.flock(number, fcntl.LOCK_EX)\n"
                "print('have it', flush=True)\n"
                "sys.stdin.read()",
                line.path,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"have it\n"
            assert any(f"({holder.pid})" in name for name in port_holders(line.path))
            with pytest.raises(PortBusyError, match=rf"\({holder.pid}\)") as caught:
                open_port(line.path, PortSettings())
            assert caught.value.details["holders"]
        finally:
            holder.communicate(timeout=20)
        assert port_holders(line.path) == []
        open_port(line.path, PortSettings()).close()

    def test_a_holder_that_looks_for_modems_is_explained(self, line: Line, tmp_path: Path) -> None:
        """Complaint of HW-2: for half a minute after plugging ModemManager has the port."""
        program = tmp_path / "ModemManager"
        program.symlink_to(sys.executable)
        holder = subprocess.Popen(
            [
                program,
                "-c",
                "import sys; port = open(sys.argv[1], 'rb', 0); print(1, flush=True); input()",
                line.path,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"1\n"
            error = busy_error(line.path)
        finally:
            holder.communicate(b"\n", timeout=20)
        assert error.code == "port_busy_modem"
        assert f"({holder.pid})" in error.details["holder"]

    def test_other_programs_are_kept_out_while_it_is_open(self, line: Line, port: PortHandle) -> None:
        assert isinstance(port.read(0), bytes)
        number = os.open(line.path, os.O_RDWR | os.O_NOCTTY)
        try:
            with pytest.raises(BlockingIOError):
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(number)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (serial.SerialException(errno.EBUSY, "could not open port: Device or resource busy"), PortBusyError),
        (serial.SerialException(errno.EAGAIN, "Could not exclusively lock port"), PortBusyError),
        (
            serial.SerialException("could not open port: PermissionError(13, 'Access is denied.')"),
            PortBusyError,
        ),
        (serial.SerialException(errno.EACCES, "could not open port: Permission denied"), PortPermissionError),
        (serial.SerialException(errno.ENOENT, "could not open port: No such file"), PortMissingError),
        (
            serial.SerialException(
                "could not open port 'COM9': FileNotFoundError(2, 'The system cannot find the file.')"
            ),
            PortMissingError,
        ),
        (serial.SerialException(errno.EIO, "Input/output error"), PortError),
    ],
)
def test_reasons_of_both_kinds_of_systems(error: Exception, kind: type[PortError]) -> None:
    explained = explain_open_failure("/dev/ttyACM0", error)
    assert type(explained) is kind
    assert explained.details["port"] == "/dev/ttyACM0"
    if kind is PortPermissionError:
        assert "usermod -aG dialout" in explained.hint


class _Listed:
    """What pyserial tells of one port."""

    def __init__(
        self, device: str, vid: int | None, pid: int | None, serial_number: str | None = None
    ) -> None:
        self.device, self.vid, self.pid, self.serial_number = device, vid, pid, serial_number
        self.location, self.description = "1-1.2:1.0", "n/a"


class TestDiscovery:
    def test_usb_ports_as_people_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        listed = [
            _Listed("COM10", 0x2341, 0x0043, "75330303"),
            _Listed("COM2", 0x1A86, 0x7523),
            _Listed("COM1", None, None),
        ]
        monkeypatch.setattr(discovery.list_ports, "comports", lambda: listed)
        ports = discovery.list_serial_ports()
        assert [port.path for port in ports] == ["COM2", "COM10"]
        assert [port.chip for port in ports] == ["CH340", ""]
        assert [port.usb_id for port in ports] == ["1a86:7523", "2341:0043"]
        assert [port.description for port in ports] == ["", ""]

    def test_a_device_that_vanishes_while_it_is_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def comports() -> None:
            int(None, 16)  # type: ignore[call-overload]

        monkeypatch.setattr(discovery.list_ports, "comports", comports)
        with pytest.raises(PortError) as caught:
            discovery.list_serial_ports()
        assert caught.value.retryable

    def test_the_real_list_can_be_made(self) -> None:
        assert isinstance(discovery.list_serial_ports(), tuple)
