"""The image of the Arduino Nano on the product's AVR core: an Uno with two more analog inputs (HW-8)."""

from __future__ import annotations

import json

import pytest

from tests.integration.firmware.simulated_uno import SimulatedUno


def test_it_is_an_uno_with_two_more_analog_inputs() -> None:
    nano = SimulatedUno("zeroclaw-arduino-nano.hex")
    assert nano.exchange(b"", at_least=1)
    found = json.loads(nano.ask("capabilities"))
    assert (found["board"], found["adc"]) == ("arduino-nano", list(range(8)))
    assert found["gpio"] == list(range(2, 20))
    assert len(nano.ask("state")["mode"]) == 22
    for channel in (6, 7):
        nano.machine.set_analog(channel, channel * 0.5)
        expected = pytest.approx(channel * 0.5 / 5 * 1024, abs=1)
        assert nano.ask("adc_read", channel=channel) == expected
        assert nano.ask("adc_read", pin=14 + channel) == expected
    for command in ("gpio_read", "gpio_write", "pwm_write"):
        request = {"id": 1, "cmd": command, "args": {"pin": 20, "value": 1, "duty": 1}}
        (reply,) = nano.exchange(json.dumps(request).encode() + b"\n", at_least=1)
        assert json.loads(reply)["error"] == "Invalid pin 20: analog input only", command
    request = b'{"id":1,"cmd":"subscribe","args":{"signal":"d20"}}\n'
    assert json.loads(nano.exchange(request, at_least=1)[0])["error"] == "Unknown signal"
    assert nano.ask("subscribe", signal="a7", period_ms=100) == "done"
