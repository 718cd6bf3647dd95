"""HW-9, AG-19: from words to a board that does it: through the door, by the assistant, as a command."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.synthesis.sketch_bench import needs_compiler
from zeroclaw_desktop.cli.main import main
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.events import ApprovalOpened
from zeroclaw_desktop.execution.error_table import Code, explain_error, next_step
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import UNO_ID

pytestmark = needs_compiler


@pytest.fixture
async def runtime(tmp_path: Path) -> AsyncIterator[Runtime]:
    made = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=True, watch_ports=False)
    made.config.set("flashing.save_first", False)
    made.config.set("simulator.start_with_app", False)
    await made.start()
    await made.simulators.start()
    yield made
    await made.stop()


async def do(runtime: Runtime, action: str, source: str = "manual", **params: Any) -> ActionResult:
    payload = make_payload(action, params, source=source, device_id=UNO_ID)  # type: ignore[arg-type]
    return await runtime.executor.submit(payload)


async def test_from_words_to_a_blinking_pin(runtime: Runtime) -> None:
    result = await do(runtime, "firmware_generate", "agent", request="让9号引脚的LED每秒闪四次")
    assert result.ok, result.faults
    assert (result.value["template"], result.value["params"]) == ("blink", {"rate": 4.0})
    assert result.value["pins"][0]["pin"] == 9
    written = await do(runtime, "flash_firmware", firmware="generated")
    assert written.ok, written.faults
    assert written.value["firmware"] == "zeroclaw-blink 1.0"
    heard = await runtime.firmware.listen(UNO_ID, 2.0)
    # Four times a second, on and off, as far as the simulated chip keeps up with the clock.
    assert heard.counts["led"] >= 8
    assert set(heard.values) == {"led"}
    levels = set()
    for _ in range(40):
        levels.add((await runtime.simulators.process(UNO_ID).query()).levels[9])
        await asyncio.sleep(0.02)
    assert levels == {0, 1}


async def test_what_the_board_said_at_its_start_is_heard(runtime: Runtime) -> None:
    """The scan runs once at the start, while the board is being greeted, and then every five seconds."""
    assert (await do(runtime, "firmware_generate", request="scan the i2c bus")).ok
    assert (await do(runtime, "flash_firmware", firmware="generated")).ok
    heard = await runtime.firmware.listen(UNO_ID, 0.2)
    assert heard.counts.get("devices") == 1


async def test_writing_firmware_for_the_assistant_asks_a_person(runtime: Runtime) -> None:
    """EX-6: making is free, since nothing leaves the computer; writing needs the level operator."""
    asked: list[ApprovalOpened] = []
    runtime.bus.subscribe(ApprovalOpened, asked.append)
    made = await do(runtime, "firmware_generate", "agent", template="button")
    assert made.ok
    assert asked == []
    work = asyncio.create_task(do(runtime, "flash_firmware", "agent", firmware="generated"))
    while not asked:
        await asyncio.sleep(0.01)
    assert asked[0].request.payload.action == "flash_firmware"
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"request": "make me a coffee"}, "coffee"),
        ({"template": "blink", "pins": ["led=1"]}, "not free"),
        ({"template": "blink", "params": ["rate=9999"]}, "9999"),
        ({"template": "blink", "sketch": "void setup() { nothing(); }\nvoid loop() {}\n"}, "nothing"),
        ({"template": "blink", "dialect": "micropython"}, "micropython"),
        ({"template": "blink", "pins": ["led"]}, "name=value"),
    ],
)
async def test_what_cannot_be_made_says_why(runtime: Runtime, params: dict[str, Any], words: str) -> None:
    result = await do(runtime, "firmware_generate", "agent", **params)
    assert not result.ok
    assert result.error_code == Code.FIRMWARE_NOT_MADE
    for language in ("en", "zh"):
        assert "…" not in explain_error(result.error_code, language, result.faults[0].details)
        assert next_step(result.error_code, language, result.faults[0].details)
    assert words in result.faults[0].message


async def test_nothing_made_yet_is_told(runtime: Runtime) -> None:
    result = await do(runtime, "flash_firmware", firmware="generated")
    assert not result.ok
    assert "No firmware was made" in result.faults[0].message


async def test_stop_everything_reaches_a_made_firmware(runtime: Runtime) -> None:
    assert (await do(runtime, "firmware_generate", template="blink", params=["rate=10"])).ok
    assert (await do(runtime, "flash_firmware", firmware="generated")).ok
    report = await runtime.stop_everything.trigger("test")
    assert [outcome.confirmed for outcome in report.outcomes] == [True]
    levels = {(await runtime.simulators.process(UNO_ID).query()).levels[13] for _ in range(20)}
    assert levels == {0}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def test_make_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = tmp_path / "sketch.ino"
    code, out, _ = run(
        capsys,
        *("make", "blink the LED five times a second on pin 9", "--board", "simulated", "--json"),
        *("--save", str(saved), "--listen", "1.5"),
    )
    row = json.loads(out)
    assert code == 0
    assert row["ok"]
    assert row["build"]["flash"]["limit"] == 32_256
    assert row["flash"]["firmware"] == "zeroclaw-blink 1.0"
    assert row["heard"]["counts"]["led"] >= 5
    assert saved.read_text() == row["plan"]["sketch"]


def test_plan_and_build_touch_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "make", "--template", "servo", "--type", "arduino-mega", "--build")
    assert code == 0
    assert "Built by avr-gcc" in out
    code, out, err = run(capsys, "make", "blink on pin 1", "--plan")
    assert code == 1
    assert "not free" in err


def test_a_sketch_without_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.ino"
    file.write_text("void setup() {}\nvoid loop() {}\n")
    code, out, _ = run(capsys, "make", "--sketch", str(file), "--build")
    assert code == 0
    assert "Built by avr-gcc" in out
    file.write_text("void setup() { pinMode(1, OUTPUT); }\nvoid loop() {}\n")
    code, _, err = run(capsys, "make", "--sketch", str(file), "--build")
    assert code == 1
    assert "own.ino:1" in err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("make", "sing a song"), 2),
        (("make", "--template", "teapot", "--plan"), 2),
        (("make", "--template", "blink", "--pin", "led", "--plan"), 2),
        (("make", "--template", "blink", "--sketch", "/no/such/file", "--plan"), 2),
        (("make", "--list"), 0),
    ],
)
def test_bad_use_is_told_apart(
    words: tuple[str, ...], expected: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, *words)[0] == expected
