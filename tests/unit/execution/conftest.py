"""A door with a simulated Uno behind it: each test that uses it runs on the real firmware and without."""

from __future__ import annotations

import pytest

from tests.helpers.firmware_bench import Bench, uno_with_firmware
from zeroclaw_desktop.hardware.simulator.pure_board import PureBoard


@pytest.fixture(params=["firmware", "simplified"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(uno_with_firmware() if request.param == "firmware" else PureBoard())
