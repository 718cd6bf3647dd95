"""HW-5: a board behind a real MQTT broker."""

from __future__ import annotations

import asyncio
import getpass
import hashlib
import shutil
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.memory_passwords import MemoryPasswords
from tests.helpers.mqtt_board import MqttBoard
from tests.integration.mqtt.broker import Broker, Listener, missing_programs
from tests.integration.peripherals.conftest import Join
from tests.integration.peripherals.promises import chat_switches_the_led, commands_come_and_go
from zeroclaw_desktop.foundation.errors import ZeroClawError

LED = 13
BASE = "lab/bench"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A running mosquitto."""
    if missing_programs():
        pytest.skip(missing_programs())
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.end()


def address(broker: Broker) -> str:
    return f"{broker.url}/{BASE}"


async def test_commands_and_events_go_through_the_broker(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        bench = await join(address(broker))
        assert (await bench.done("led_set", state=1)).hardware_states["pin_13"]["level"] == 1
        assert board.level(LED) == 1
        await bench.done("plot_series", signals=["a0", "d2"], period=0.05)
        await bench.until(lambda: bench.runtime.store.series(bench.board_id), "telemetry")
        await bench.until(lambda: board.hosts[-1:] == [b"online"], "the presence of this program")
        await bench.connection.disconnect()
        await bench.until(lambda: board.hosts[-1] == b"offline", "the goodbye of this program")


async def test_the_boards_commands_come_and_go_with_it(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE):
        bench = await join(address(broker))
        await commands_come_and_go(bench, "led_set", "analog_read", "motor_start")


async def test_the_chat_works_with_it(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE):
        await chat_switches_the_led(await join(address(broker)))


async def test_the_emergency_stop_goes_through_the_broker(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        bench = await join(address(broker))
        await bench.done("led_set", state=1)
        report = await bench.runtime.stop_everything.trigger("test")
        assert [outcome.confirmed for outcome in report.outcomes] == [True]
        assert board.level(LED) == 0


async def test_requests_are_neither_kept_nor_repeated_for_a_board_that_is_away(
    join: Join, broker: Broker
) -> None:
    """A board that comes back must not act on an old order: QoS 0, not retained."""
    async with Listener(broker, f"{BASE}/cmd") as listener, MqttBoard(broker.port, BASE):
        bench = await join(address(broker))
        await bench.done("led_set", state=1)
        await listener.until(lambda: listener.heard)
        assert {(message.qos, message.retain) for message in listener.heard} == {(0, False)}
    async with Listener(broker, f"{BASE}/cmd") as late:
        await asyncio.sleep(0.2)
        assert late.heard == []


async def test_the_last_will_of_the_board_shows_it_as_lost_and_its_return_as_live(
    join: Join, broker: Broker
) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        bench = await join(address(broker))
        board.vanish()
        await bench.until_state("lost")
        assert bench.connection.info.fault_code == "device_offline"
    async with MqttBoard(broker.port, BASE):
        await bench.until_state("live")


async def test_a_broker_that_restarts_is_waited_for(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE):
        bench = await join(address(broker))
        broker.end()
        await bench.until_state("lost")
        assert bench.connection.info.fault_code == "network_lost"
    broker.start()
    async with MqttBoard(broker.port, BASE):
        await bench.until_state("live")


async def test_two_programs_on_one_board_do_not_take_each_others_replies(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        bench = await join(address(broker))
        # Somebody else numbers requests from 1 as well; the replies come to us too.
        for number in range(1, 60):
            board.machine.receive(b'{"id":"%d","cmd":"gpio_read","args":{"pin":2}}\n' % number)
        assert (await bench.done("i2c_scan")).value["found"] == [0x48, 0x50]
        await bench.until(lambda: bench.connection.info.counters["stale_replies"] >= 59, "stale replies")
        assert bench.connection.state == "live"


async def test_strange_messages_are_never_fatal(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        bench = await join(address(broker))
        strange = (
            b"",
            b"\xff\xfe\x00",
            b"x" * 200_000,
            b'{"id":',
            b'{"evt":1}\n\n[]',
            b'{"id":"1","ok":1}',
        )
        for payload in strange:
            board.publish("reply", payload)
            board.publish("evt", payload)
        await bench.done("led_set", state=1)
        assert bench.connection.state == "live"


async def test_an_old_reply_that_the_broker_kept_is_dropped(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        board.publish("evt", b'{"evt":"change","signal":"d2","value":1}', retain=True)
        bench = await join(address(broker))
        await bench.done("led_set", state=1)
        assert bench.connection.info.counters["events"] == 0


async def test_a_broker_that_is_not_there(join: Join) -> None:
    bench = await join("mqtt://127.0.0.1:1/x", connect=False)
    with pytest.raises(ZeroClawError) as raised:
        await bench.connection.connect()
    assert raised.value.code == "mqtt_unreachable"


async def test_a_board_that_said_it_has_gone(join: Join, broker: Broker) -> None:
    async with MqttBoard(broker.port, BASE) as board:
        board.vanish()
    bench = await join(address(broker), connect=False)
    with pytest.raises(ZeroClawError) as raised:
        await bench.connection.connect()
    assert raised.value.code == "device_offline"


@pytest.fixture
def locked_broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker that asks for a password; its user is ``bench`` with ``s3cret``."""
    if missing_programs():
        pytest.skip(missing_programs())
    # As mosquitto_passwd writes it: PBKDF2 with SHA-512, 101 rounds, a salt of 12 bytes.
    salt = b"salt of 12 b"
    digest = hashlib.pbkdf2_hmac("sha512", b"s3cret", salt, 101)
    users = tmp_path / "users"
    users.write_text(f"bench:$7$101${b64encode(salt).decode()}${b64encode(digest).decode()}\n")
    users.chmod(0o644)
    broker = Broker(tmp_path, f"user {getpass.getuser()}\nallow_anonymous false\npassword_file {users}\n")
    broker.start()
    yield broker
    broker.end()


async def test_the_password_goes_to_the_keyring_and_nowhere_else(
    join: Join, locked_broker: Broker, passwords: MemoryPasswords, own_state_folder: Path
) -> None:
    async with MqttBoard(locked_broker.port, BASE, "bench", "s3cret") as board:
        bench = await join(f"mqtt://bench:s3cret@127.0.0.1:{locked_broker.port}/{BASE}")
        await bench.done("led_set", state=1)
        assert board.level(LED) == 1
        own = {name for name, kept in passwords.kept.items() if kept == "s3cret"}
        assert len(own) == 1, "once in the keyring"
        assert "s3cret" not in repr(bench.connection.info)
        assert "s3cret" not in (own_state_folder / "known-boards.toml").read_text()
        await bench.runtime.added.remove(bench.board_id)
    assert own & set(passwords.kept) == set()


async def test_a_wrong_password_is_told_and_not_tried_again(
    join: Join, locked_broker: Broker, passwords: MemoryPasswords
) -> None:
    bench = await join(f"mqtt://bench@127.0.0.1:{locked_broker.port}/{BASE}", connect=False, password="wrong")
    with pytest.raises(ZeroClawError) as raised:
        await bench.connection.connect()
    assert raised.value.code == "mqtt_login"
    assert bench.connection.state == "failed"


@pytest.fixture
def tls_broker(tmp_path: Path) -> Iterator[tuple[Broker, Path]]:
    """A broker that speaks TLS only, and the certificate of who vouches for it."""
    openssl = shutil.which("openssl")
    if missing_programs() or openssl is None:
        pytest.skip(missing_programs() or "makes a certificate: apt install openssl")
    certificate, key = tmp_path / "broker.pem", tmp_path / "broker.key"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", certificate, "-keyout", key],
        check=True, capture_output=True,
    )  # fmt: skip
    tls = f"certfile {certificate}\nkeyfile {key}\n"
    broker = Broker(tmp_path, f"user {getpass.getuser()}\nallow_anonymous true\n{tls}")
    broker.start()
    yield broker, certificate
    broker.end()


async def test_tls_with_a_certificate_that_is_vouched_for(
    join: Join, tls_broker: tuple[Broker, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    broker, certificate = tls_broker
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.create_default_context(cafile=certificate)
    async with MqttBoard(broker.port, BASE, tls=context) as board:
        bench = await join(f"mqtts://127.0.0.1:{broker.port}/{BASE}")
        await bench.done("led_set", state=1)
        assert board.level(LED) == 1
        await bench.connection.disconnect()


async def test_a_certificate_of_a_stranger_is_refused(join: Join, tls_broker: tuple[Broker, Path]) -> None:
    """Nobody between us and the broker can read the password or give orders."""
    broker, _ = tls_broker
    bench = await join(f"mqtts://127.0.0.1:{broker.port}/{BASE}", connect=False)
    with pytest.raises(ZeroClawError, match="certificate"):
        await bench.connection.connect()
    assert bench.connection.state == "failed"
