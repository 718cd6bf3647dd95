"""HW-2: a port with an unknown board is asked on the person's wish; only a firmware's own word is certain."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.errors import PortBusyError
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.runtime.port_identification import identify_port
from zeroclaw_desktop.sandbox.process import ChildProcesses


@pytest.fixture
async def uno() -> AsyncIterator[BoardProcess]:
    """A simulated Uno with our firmware, seen by others as a plain serial port."""
    process = BoardProcess("clone", ChildProcesses(), lambda: None)
    await process.start()
    yield process
    await process.stop()


async def test_a_board_with_our_firmware_is_certain_and_no_boot_loader_is_asked(uno: BoardProcess) -> None:
    steps: list[str] = []
    found = await identify_port(uno.system_path, ChildProcesses(), steps.append)
    assert (found.kinds, found.certain, found.chip) == (("arduino-uno",), True, "")
    assert steps == ["firmware"]


async def test_an_empty_board_is_narrowed_by_its_chip() -> None:
    boot_loader = firmware_path("prebuilt/bootloader-uno.hex")
    process = BoardProcess("clone", ChildProcesses(), lambda: None, images=[boot_loader])
    await process.start()
    try:
        found = await identify_port(process.system_path, ChildProcesses())
    finally:
        await process.stop()
    assert found.chip == "m328p"
    assert "arduino-uno" in found.kinds
    assert not found.certain


async def test_a_port_in_use_is_left_alone_and_its_holder_named(uno: BoardProcess) -> None:
    other = await ChildProcesses().spawn(
        ["python3", "-c", f"f = open({uno.system_path!r}); print('open', flush=True); input()"]
    )
    try:
        assert await other.read_line() == b"open\n"
        with pytest.raises(PortBusyError, match="python3"):
            await identify_port(uno.system_path, ChildProcesses())
    finally:
        await other.end()
