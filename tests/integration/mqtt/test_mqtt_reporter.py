"""The MQTT reporter against a real mosquitto, heard by an independent client (EX-12)."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from tests.helpers.memory_passwords import MemoryPasswords
from tests.integration.mqtt.broker import Broker, Gate, Listener, program, until
from tests.unit.execution.reporters.reports import beginning, transition
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.reporters import ReporterSwitchboard
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.mqtt import MqttReporter
from zeroclaw_desktop.execution.reporters.mqtt_address import parse_mqtt_address
from zeroclaw_desktop.execution.reporters.serial_line import WritablePort
from zeroclaw_desktop.execution.reporters.setting_switches import MQTT_KEY, ReporterSettings
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.vault import system_keyring
from zeroclaw_desktop.vault.setting_passwords import SettingPasswords

KEYS = [
    "task_id", "action", "state", "elapsed_ms", "error_code", "hardware_states", "device_id", "seq", "source",
]  # fmt: skip


@asynccontextmanager
async def reporting(url: str, **options: Any) -> AsyncIterator[MqttReporter]:
    """A running reporter that comes back quickly."""
    options.setdefault("backoff", Backoff(0.05, 0.2))
    reporter = MqttReporter(parse_mqtt_address(url), **options)
    reporter.start()
    try:
        yield reporter
    finally:
        await reporter.stop()


def no_port(path: str) -> WritablePort:
    raise AssertionError(f"nobody asked for a serial line, least of all {path}")


async def test_an_action_through_the_door_is_heard(broker: Broker) -> None:
    """EX-12: topic zeroclaw/<device_id>/status, QoS 0, not retained, the exact shape, what the board said."""
    async with Listener(broker) as listener, reporting(broker.url) as reporter:
        door = Door("uno")
        door.executor.reporters.append(reporter)
        result = await door.do("digital_write", {"pin": 13, "value": 1})
        assert result.ok
        await listener.until(lambda: listener.status())
        message = next(heard for heard in listener.heard if heard.topic == "zeroclaw/uno/status")
        assert (message.qos, message.retain) == (0, False)
        assert list(message.row) == KEYS
        assert message.row["task_id"] == result.task_id
        assert message.row["hardware_states"] == dict(result.hardware_states) != {}


async def test_small_messages_leave_at_once(broker: Broker) -> None:
    """EX-12: TCP_NODELAY is set: status lines must not wait for the acknowledgement of the one before."""
    async with reporting(broker.url) as reporter:
        await until(lambda: reporter.connected)
        assert reporter.socket_option(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


async def test_order_within_each_device(broker: Broker) -> None:
    """EX-13: the order of each device can be rebuilt, and is the order on the wire."""
    async with Listener(broker) as listener, reporting(broker.url, limit=1_000) as reporter:
        for seq in range(1, 101):
            for device in ("a", "b", "c"):
                reporter.report(transition(seq, device))
                reporter.report(beginning())
        await listener.until(lambda: len(listener.status()) == 300)
        for device in ("a", "b", "c"):
            assert [row["seq"] for row in listener.status(device)] == list(range(1, 101))
        assert reporter.dropped == 0


async def test_retained_last_state_for_those_who_come_later(broker: Broker) -> None:
    """EX-12: with retain, a client that comes later gets the last state of each device at once."""
    async with reporting(f"{broker.url}?retain=true") as reporter:
        for seq in (1, 2, 3):
            reporter.report(transition(seq, "a"))
        reporter.report(transition(1, "b"))
        reporter.report(transition(4, "a", dry_run=True))
        await until(lambda: reporter.sent == 5 and not reporter.waiting)
        async with Listener(broker) as listener:
            await listener.until(lambda: len(listener.status()) == 2)
            assert [row["seq"] for row in listener.status("a")] == [3]
            assert all(message.retain for message in listener.heard)


async def test_without_retain_nothing_stays(broker: Broker) -> None:
    """EX-12: retained state is optional; without it a late client hears nothing old."""
    async with reporting(broker.url) as reporter:
        reporter.report(transition(1))
        await until(lambda: reporter.sent == 1)
        async with Listener(broker) as listener:
            reporter.report(transition(2))
            await listener.until(lambda: listener.status())
            assert [row["seq"] for row in listener.status()] == [2]


async def test_it_says_when_it_comes_and_goes(broker: Broker) -> None:
    """EX-12: online while there is a link, offline after a goodbye, both retained."""
    async with Listener(broker, "zeroclaw/+/availability") as listener:
        async with reporting(broker.url) as reporter:
            assert reporter.address.availability_topic.startswith("zeroclaw/")
            await listener.until(lambda: [message.text for message in listener.heard] == ["online"])
        await listener.until(lambda: [message.text for message in listener.heard] == ["online", "offline"])
    async with Listener(broker, "zeroclaw/+/availability") as late:
        await late.until(lambda: [(m.text, m.retain) for m in late.heard] == [("offline", True)])


@pytest.mark.skipif(sys.platform == "win32", reason="a killed process is made with signals: run on Linux")
async def test_the_last_will_speaks_for_a_killed_program(broker: Broker) -> None:
    """EX-12: last will: a program that dies without a goodbye is told offline by the broker."""
    text = (
        "import asyncio, sys\n"
        "from zeroclaw_desktop.execution.reporters.mqtt import MqttReporter\n"
        "from zeroclaw_desktop.execution.reporters.mqtt_address import parse_mqtt_address\n"
        "async def main():\n"
        "    reporter = MqttReporter(parse_mqtt_address(sys.argv[1])); reporter.start()\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    async with Listener(broker, "zeroclaw/+/availability") as listener:
        child = subprocess.Popen([sys.executable, "-c", text, broker.url])
        try:
            await listener.until(lambda: listener.heard)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
        await listener.until(lambda: [message.text for message in listener.heard] == ["online", "offline"])


async def test_the_broker_may_come_later(idle_broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    """EX-12: absent at the start: told once, the newest reports wait, and they arrive when it comes."""
    caplog.set_level(logging.INFO, "zeroclaw.execution")
    async with reporting(idle_broker.url, limit=10) as reporter:
        for seq in range(1, 101):
            reporter.report(transition(seq))
        await until(lambda: reporter.last_fault)
        await asyncio.sleep(0.3)
        assert (reporter.waiting, reporter.dropped, reporter.connected) == (10, 90, False)
        warnings = [record for record in caplog.records if record.levelname == "WARNING"]
        assert len(warnings) == 1
        assert "cannot be reached" in warnings[0].getMessage()
        idle_broker.start()
        async with Listener(idle_broker) as listener:
            for _ in range(3):
                reporter.report(transition(101))
            await listener.until(lambda: listener.status() and listener.status()[-1]["seq"] == 101)
        await until(lambda: reporter.connected)
        assert sum("is reached" in record.getMessage() for record in caplog.records) == 1


async def test_the_broker_restarts_in_the_middle(broker: Broker) -> None:
    """EX-12: after a restart the link is made again and what came meanwhile arrives, in order."""
    async with Gate(broker) as gate, reporting(gate.url) as reporter:
        reporter.report(transition(1))
        await until(lambda: reporter.sent == 1)
        await gate.shut()
        broker.end()
        await until(lambda: not reporter.connected)
        for seq in range(2, 7):
            reporter.report(transition(seq))
        broker.start()
        async with Listener(broker) as listener:
            await gate.open()
            await listener.until(lambda: [row["seq"] for row in listener.status()] == [2, 3, 4, 5, 6])
        assert reporter.dropped == 0


async def test_the_broker_comes_back_by_itself(broker: Broker) -> None:
    """EX-12: killed and started again on its port, without anything in between, it gets reports again."""
    async with reporting(broker.url) as reporter:
        await until(lambda: reporter.connected)
        broker.end()
        await until(lambda: not reporter.connected)
        broker.start()
        await until(lambda: reporter.connected)
        async with Listener(broker) as listener:
            reporter.report(transition(1))
            await listener.until(lambda: listener.status())
            assert [row["seq"] for row in listener.status()] == [1]


async def test_reports_to_be_acknowledged_survive_a_lost_link(broker: Broker) -> None:
    """EX-12: with QoS 1, what a frozen broker did not acknowledge before it died is sent again."""
    async with Gate(broker) as gate, reporting(f"{gate.url}?qos=1") as reporter:
        reporter.report(transition(1))
        await until(lambda: reporter.sent == 1 and reporter.unacknowledged == 0)
        broker.freeze()
        for seq in range(2, 5):
            reporter.report(transition(seq))
        await until(lambda: reporter.sent == 4)
        await gate.shut()
        broker.end()
        await until(lambda: not reporter.connected and reporter.waiting == 3)
        broker.start()
        async with Listener(broker) as listener:
            await gate.open()
            await listener.until(lambda: [row["seq"] for row in listener.status()] == [2, 3, 4])
            assert {message.qos for message in listener.heard if message.topic.endswith("status")} == {1}


async def test_a_slow_broker_costs_old_reports_not_memory(broker: Broker) -> None:
    """EX-12: a broker that stands still: the queue stays bounded, the newest of each device arrives."""
    bulk = {"samples": "x" * 20_000}
    async with Listener(broker) as listener, reporting(broker.url, limit=20) as reporter:
        await until(lambda: reporter.connected)
        broker.freeze()
        reporter.report(transition(1, "quiet"))
        seq = 0
        while reporter.dropped < 200:
            seq += 1
            reporter.report(transition(seq, "busy", hardware_states=bulk))
            assert reporter.waiting <= 20
            if seq % 10 == 0:
                await asyncio.sleep(0.001)
        reporter.report(transition(2, "quiet"))
        broker.thaw()
        await listener.until(lambda: [row["seq"] for row in listener.status("quiet")][-1:] == [2])
        numbers = [row["seq"] for row in listener.status("busy")]
        assert numbers == sorted(numbers)
        assert numbers[-1] == seq
        assert len(numbers) + reporter.dropped >= seq


async def test_a_broker_that_stands_still_for_good_is_left(broker: Broker) -> None:
    """EX-12: a peer that takes nothing is given up after a while; stopping is bounded all the same."""
    bulk = {"samples": "x" * 20_000}
    async with reporting(broker.url, limit=500, stall_seconds=0.2, connect_seconds=0.2) as reporter:
        await until(lambda: reporter.connected)
        broker.freeze()
        for seq in range(500):
            reporter.report(transition(seq, hardware_states=bulk))
        await until(lambda: "took nothing" in reporter.last_fault)
        await until(lambda: "no answer" in reporter.last_fault)
        assert not reporter.connected


async def test_a_login_that_is_refused_is_told(tmp_path: Path, idle_broker: Broker) -> None:
    """EX-12: a wrong password is named as such; the text does not repeat it."""
    passwords = tmp_path / "passwords"
    maker = program("mosquitto_passwd")
    if maker is None:
        pytest.skip("needs mosquitto_passwd: apt install mosquitto")
    subprocess.run([maker, "-b", "-c", str(passwords), "me", "right"], check=True, capture_output=True)
    passwords.chmod(0o644)
    locked = Broker(tmp_path, f"allow_anonymous false\npassword_file {passwords}\nuser root\n")
    locked.start()
    try:
        url = f"mqtt://me:wrong@127.0.0.1:{locked.port}"
        async with reporting(url) as reporter:
            await until(lambda: reporter.last_fault)
            assert "refuses the connection" in reporter.last_fault
            assert "wrong" not in reporter.last_fault
        async with reporting(url.replace("wrong", "right")) as reporter:
            await until(lambda: reporter.connected)
    finally:
        locked.end()


async def test_a_port_that_speaks_no_mqtt_is_told() -> None:
    """EX-12: a peer that hangs up at once, or never answers, is a fault in words, without anything left."""

    async def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server, reporting(f"mqtt://127.0.0.1:{server.sockets[0].getsockname()[1]}") as reporter:
        await until(lambda: "hung up" in reporter.last_fault)
        assert not reporter.connected


@asynccontextmanager
async def switched_by_settings(
    folder: Path, keyring: MemoryPasswords | None = None
) -> AsyncIterator[tuple[ConfigStore, ReporterSettings, ReporterSwitchboard]]:
    """Settings that are followed, as the runtime does it."""
    config = ConfigStore(folder / "config.toml")
    switchboard = ReporterSwitchboard(SystemClock())
    passwords = SettingPasswords(config, keyring or MemoryPasswords(), {})
    settings = ReporterSettings(switchboard, folder / "reports", passwords.full, no_port)
    settings.apply(config.values)
    config.on_change(settings.changed)
    await settings.settled()
    yield config, settings, switchboard
    await settings.close()
    await switchboard.close()


async def test_settings_switch_it_at_run_time(broker: Broker, tmp_path: Path) -> None:
    """EX-12: switchable from settings while actions run: on, off, a wrong address told, on again."""
    steps = [
        (MQTT_KEY, broker.url),
        ("reporters.jsonl", True),
        (MQTT_KEY, "mqtt://nowhere:port"),
        ("ui.theme", "dark"),
        ("reporters.jsonl", False),
        (MQTT_KEY, broker.url),
    ]
    seen: list[list[str]] = []
    async with (
        switched_by_settings(tmp_path) as (config, settings, switchboard),
        Listener(broker) as listener,
    ):
        assert switchboard.names() == []
        for key, value in steps:
            config.set(key, value)
            await settings.settled()
            seen.append(sorted(switchboard.names()))
        switchboard.report(transition(1))
        await listener.until(lambda: listener.status())
    assert seen == [["mqtt"], ["jsonl", "mqtt"], ["jsonl"], ["jsonl"], [], ["mqtt"]]


async def test_quick_changes_end_with_the_last(broker: Broker, tmp_path: Path) -> None:
    """EX-12: toggling faster than a link can be made leaves what was asked last, and nothing besides."""
    async with switched_by_settings(tmp_path) as (config, settings, switchboard):
        for _ in range(10):
            config.set(MQTT_KEY, broker.url)
            config.set(MQTT_KEY, "")
        await settings.settled()
        assert switchboard.names() == []


async def test_the_password_of_the_broker_is_moved_to_the_keyring(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """SC-10, EX-12: written into the file by hand: used once it is in the keyring; the link is made once."""
    address = broker.url.replace("//", "//kim:geheim@")
    file = tmp_path / "config.toml"
    file.write_text(f'[reporters]\nmqtt_url = "{address}"\n', encoding="utf-8")
    keyring = MemoryPasswords()
    async with switched_by_settings(tmp_path, keyring) as (_config, settings, switchboard):
        await settings.settled()
        reporter = switchboard.reporter("mqtt")
        assert isinstance(reporter, MqttReporter)
        assert (reporter.address.user, reporter.address.password) == ("kim", "geheim")
        await until(lambda: reporter.connected)
        settings.changed(MQTT_KEY, address)
        await settings.settled()
        assert switchboard.reporter("mqtt") is reporter
    assert "geheim" not in file.read_text(encoding="utf-8")
    assert list(keyring.kept.values()) == ["geheim"]
    assert "geheim" not in caplog.text


async def test_a_broker_whose_password_is_not_to_be_had_is_not_used(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """SC-10: no keyring: told with the variable that helps."""
    address = broker.url.replace("//", "//kim:geheim@")
    (tmp_path / "config.toml").write_text(f'[reporters]\nmqtt_url = "{address}"\n', encoding="utf-8")
    keyring = MemoryPasswords(system_keyring.missing())
    async with switched_by_settings(tmp_path, keyring) as (_config, _settings, switchboard):
        assert switchboard.names() == []
    assert "ZEROCLAW_REPORTERS_MQTT_URL_PASSWORD" in caplog.text
    assert "geheim" not in caplog.text


def test_it_runs_inside_the_window_loop(broker: Broker, qt_loop: asyncio.AbstractEventLoop) -> None:
    """EX-12: the same on the loop that runs inside Qt's."""

    async def report_one() -> list[int]:
        async with Listener(broker) as listener, reporting(broker.url) as reporter:
            reporter.report(transition(1))
            await listener.until(lambda: listener.status())
            assert reporter.socket_option(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
            return [row["seq"] for row in listener.status()]

    assert qt_loop.run_until_complete(report_one()) == [1]
