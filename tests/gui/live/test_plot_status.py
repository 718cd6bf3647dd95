"""HW-12 on the real core: alarms and slow streams in the status bar, whatever page is open."""

from __future__ import annotations

from tests.gui.live.conftest import Live
from zeroclaw_desktop.runtime.runtime import Runtime


def core(live: Live) -> Runtime:
    """The core behind the window."""
    runtime = live.bridge.core.runtime
    assert runtime is not None
    return runtime


def test_an_alarm_stands_in_the_status_bar_until_it_is_over(live: Live) -> None:
    runtime = core(live)
    assert live.bridge.plot_tools.add_threshold("too warm", "port", "temp", 30.0, hysteresis=1.0) is None
    runtime.store.append("port", "temp", [runtime.store.now()], [31.0], "°C")
    live.until(lambda: live.bridge.status().alarm_text == "Alarm: too warm", "the alarm")
    live.bridge.settings.set_value("ui.language", "zh")
    assert live.bridge.status().alarm_text == "报警：too warm"
    runtime.store.append("port", "temp", [runtime.store.now()], [20.0], "°C")
    live.until(lambda: not live.bridge.status().alarm_text, "the end of the alarm")


def test_a_slow_stream_does_not_come_and_go_in_the_status_bar(live: Live) -> None:
    """Complaint row 79: a sample in ten seconds is a stream, too."""
    runtime = core(live)
    assert live.bridge.status().telemetry_text == ""
    runtime.store.append("port", "slow", [runtime.store.now()], [1.0])
    live.until(lambda: live.bridge.status().telemetry_text == "1 samples/s", "the sample")
    live.until(lambda: live.bridge.status().telemetry_text == "less than 1 sample/s", "the silence after it")
