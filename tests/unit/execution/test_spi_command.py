"""spi_transfer (EX-18) through the door, on both simulated boards."""

from __future__ import annotations

from tests.helpers.firmware_bench import Bench
from zeroclaw_desktop.execution.error_table import Code


async def test_spi_transfer_exchanges_bytes_and_plans_its_pins(bench: Bench) -> None:
    """EX-18 spi_transfer, EX-15: the plan says beforehand what the pins do. The bus is looped back."""
    planned = {
        change.pin: (change.mode, change.after)
        for change in bench.prepare("spi_transfer", cs=10, hex="00").changes
    }
    assert planned == {10: ("output", 1), 11: ("output", 0), 13: ("output", 0), 12: ("input", None)}
    result = await bench.do("spi_transfer", cs=10, data=[0xA5, 0x5A], mode=3, frequency=500_000)
    assert result.value == {"cs": 10, "data": [0xA5, 0x5A], "hex": "a55a"}
    states = result.hardware_states
    assert states["pin_10"] == {"mode": "output", "level": 1}
    assert (states["pin_11"]["mode"], states["pin_12"]["mode"], states["pin_13"]["mode"]) == (
        "output",
        "input",
        "output",
    )


def test_faults_of_spi_parameters(bench: Bench) -> None:
    """EX-5, EX-6: data pins cannot select, reserved pins cannot either."""
    assert bench.faults("spi_transfer", cs=12, data=[1]) == [(Code.ILLEGAL_PIN, "cs")]
    assert bench.faults("spi_transfer", cs=1, data=[1]) == [(Code.ILLEGAL_PIN, "cs")]
    assert bench.faults("spi_transfer", cs=10, data=[1], mode=4) == [(Code.NOT_A_CHOICE, "mode")]
    assert bench.faults("spi_transfer", cs=10, data=[1], frequency=9_000_000) == [
        (Code.OUT_OF_RANGE, "frequency")
    ]
    assert bench.faults("spi_transfer", cs=1) == [(Code.MISSING_PARAMETER, "data"), (Code.ILLEGAL_PIN, "cs")]


def test_spi_takes_all_its_pins(bench: Bench) -> None:
    """EX-11: nobody else drives a pin of the bus meanwhile."""
    writes = {
        name for name, mode in bench.prepare("spi_transfer", cs=7, data=[1]).resources if mode == "write"
    }
    assert writes == {"uno/spi:0", "uno/gpio:7", "uno/gpio:11", "uno/gpio:12", "uno/gpio:13"}
