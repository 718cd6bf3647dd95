"""Complaint 78 of the makers' tools: a port that is only listened to for plots is let go for a flash job."""

from __future__ import annotations

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.events import FlashProgressed
from zeroclaw_desktop.runtime.plot_habits import PortWish


async def test_a_listened_port_is_lent_to_the_flash_and_taken_again(bench: Bench) -> None:
    ports = bench.runtime.plot_sources.ports
    await bench.connection.disconnect()
    path = bench.connection.system_path
    await ports.listen(PortWish(path))
    assert ports.open[path].listening
    seen: list[tuple[str, bool, bool]] = []
    bench.runtime.bus.subscribe(
        FlashProgressed,
        lambda event: seen.append((event.phase, ports.lent(path), ports.open[path].listening)),
    )
    result = await bench.do("flash_firmware", firmware="zeroclaw-demo")
    assert result.ok, result.faults
    during = [state for phase, *state in seen if phase in ("write", "verify")]
    assert during
    assert all(state == [True, False] for state in during)
    assert not ports.lent(path)
    await bench.connection.disconnect()
    await bench.until(lambda: ports.open[path].listening, "the port being listened to again")
    assert [wish.port for wish in ports.wishes] == [path]
