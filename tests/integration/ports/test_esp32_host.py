"""The Arduino dialect for Espressif's chips: vectors on a host build, C files for RISC-V (HW-3, HW-8).

No compiler for Xtensa and no Arduino core for these chips can be had here, so what Arduino's functions do on
the chips is not tested; firmware/README.md says so.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.ports.board_map import BoardMap, cases_for, names_of
from tests.integration.ports.chip_board import ChipBoard
from tests.integration.ports.host_arduino import HostArduino, build, build_core, shared_sources
from tests.integration.ports.vector_runner import run_case
from tests.integration.ports.wires import Wires
from tests.unit.firmware.vectors import FIRMWARE, Case

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("c++") is None, reason="needs a C++ compiler: apt-get install g++"
)
SDA, SCL, MISO, MOSI, SCK = 21, 22, 19, 23, 18
INPUT_ONLY = {34, 35, 36, 39}
#: ESP32-WROOM-32 data sheet: 1 and 3 are UART0, 6 to 11 the flash; 20, 24, 28 to 31, 37 and 38 are not on the
#: module.
GPIO = [*range(40)]
GPIO = [pin for pin in GPIO if pin not in {1, 3, 6, 7, 8, 9, 10, 11, 20, 24, 28, 29, 30, 31, 37, 38}]
DRIVEN = [pin for pin in GPIO if pin not in INPUT_ONLY]
ESP32 = BoardMap(
    pins={0: 3, 1: 1, 2: 4, 3: 13, 4: 34, 5: 14, 6: 27, 7: 16, 8: 17, 9: 25, 10: 26, 11: MOSI, 12: MISO}
    | {13: SCK, 14: 32, 15: 0, 16: 2, 17: 33, 18: SDA, 19: SCL},
    pin_count=40,
    channels={0: 4, 1: 4, 2: 4, 3: 5, 4: 5, 5: 7},
    analog_pins={0: 32, 1: 32, 2: 32, 3: 33, 4: 33, 5: 35},
    channel_count=20,
    adc_bits=12,
    firmware="zeroclaw-esp32",
    version="1.1.0",
    capabilities={
        "gpio": GPIO,
        "led_pin": 2,
        "adc": [0, 3, 4, 5, 6, 7, *range(10, 20)],
        "adc_bits": 12,
        "pwm": DRIVEN,
        "servo": DRIVEN,
        "i2c": [SDA, SCL],
        "spi": [SCK, MISO, MOSI],
        "uart": GPIO,
        "proto": 1,
        "board": "esp32",
        "line_max": 255,
        "subscriptions": 8,
    },
    is_made=frozenset({"one_tone"}),
    skipped={("commands", "servo_write", 8): "every output takes a servo"},
)
#: Of the Uno's 4 two things are wanted: no PWM, and to be an output. A pin that is an output here has PWM.
AS_OUTPUT = BoardMap(**{**vars(ESP32), "pins": {**ESP32.pins, 4: 5}})
MakeBoard = Callable[..., ChipBoard]


def wants_an_input(case: Case) -> bool:
    """Whether the case asks pin 4 for PWM, and so wants the pin that is an input only."""
    return case.name in ("pwm_write", "arguments of the motor commands")


CASES = cases_for(AS_OUTPUT, wants_an_input) + cases_for(ESP32, lambda case: not wants_an_input(case))


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the objects of the protocol core."""
    return build_core(tmp_path_factory.mktemp("core"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, core: list[Path]) -> Path:
    """Return the sketch, built for an ESP32."""
    return build(tmp_path_factory.mktemp("sketch"), "CONFIG_IDF_TARGET_ESP32", core)


@pytest.fixture
def board(library: Path, tmp_path: Path) -> ChipBoard:
    """Return a board that has just started, its boot line read."""
    return started(library, tmp_path, ESP32, Wires(40, sda=SDA, scl=SCL, miso=MISO, mosi=MOSI))


def started(library: Path, folder: Path, board: BoardMap, wires: Wires) -> ChipBoard:
    """A board with its devices, its boot line read."""
    found = ChipBoard(HostArduino(library, folder, wires, 12), board)
    found.attach_devices()
    assert found.exchange(b"", 1)
    return found


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_vector(board: ChipBoard, case: Case) -> None:
    run_case(board, case)


def chip_of(board: ChipBoard) -> HostArduino:
    """The chip that the test plays."""
    assert isinstance(board.chip, HostArduino)
    return board.chip


@pytest.mark.parametrize("cause", ["power", "external", "brownout"])
def test_boot_line_gives_the_reset_cause(board: ChipBoard, cause: str) -> None:
    chip_of(board).restart(cause)
    (boot,) = board.exchange(b"", 1)
    assert json.loads(boot)["reset"] == cause


def test_pwm_servo_and_tone_at_the_pin(board: ChipBoard) -> None:
    for pin in (0, 5, 33):
        board.ask("pwm_write", pin=pin, duty=64)
        high, period = chip_of(board).pulse(pin) or (0, 0)
        assert (high / period, period) == (pytest.approx(64 / 255, abs=0.002), pytest.approx(1000))
        board.ask("pwm_write", pin=pin, duty=255)
        assert chip_of(board).pulse(pin) == (1000, 1000)
        board.ask("servo_write", pin=pin, angle=180)
        assert chip_of(board).pulse(pin) == (pytest.approx(2400, abs=0.7), pytest.approx(20_000))
        for hertz in (31, 440, 20_000):
            board.ask("tone", pin=pin, hz=hertz)
            high, period = chip_of(board).pulse(pin) or (0, 0)
            assert (high / period, 1e6 / period) == (pytest.approx(0.5), pytest.approx(hertz))
        board.ask("stop_all")
        assert chip_of(board).pulse(pin) is None


def test_pwm_and_servo_never_share_a_timer_and_all_channels_come_to_an_end(board: ChipBoard) -> None:
    """16 channels in pairs (reference manual, LED PWM controller); the stub refuses a pair of two uses."""
    for number, pin in enumerate(DRIVEN[:16]):
        board.ask("pwm_write" if number % 2 else "servo_write", **_arguments(number, pin))
    before = board.outputs()
    request = f'{{"id":1,"cmd":"pwm_write","args":{{"pin":{DRIVEN[16]},"duty":1}}}}\n'
    (reply,) = board.exchange(request.encode(), 1)
    assert json.loads(reply)["code"] == "conflict"
    assert board.outputs() == before
    board.ask("gpio_write", pin=DRIVEN[1], value=0)
    board.ask("pwm_write", pin=DRIVEN[16], duty=1)


def _arguments(number: int, pin: int) -> dict[str, int]:
    return {"pin": pin, "duty": 100} if number % 2 else {"pin": pin, "us": 1500}


@pytest.mark.parametrize("pin", sorted(INPUT_ONLY))
def test_pins_without_an_output_driver_are_refused(board: ChipBoard, pin: int) -> None:
    for command, arguments in [
        ("gpio_write", '"value":1'),
        ("pin_mode", '"mode":"output"'),
        ("pin_mode", '"mode":"input_pullup"'),
        ("pwm_write", '"duty":1'),
        ("servo_write", '"angle":1'),
        ("tone", '"hz":440'),
        ("motor_start", '"duty":1'),
    ]:
        request = f'{{"id":1,"cmd":"{command}","args":{{"pin":{pin},{arguments}}}}}\n'
        (reply,) = board.exchange(request.encode(), 1)
        assert json.loads(reply)["code"] == "unsupported", command
    for request in (
        f'{{"id":1,"cmd":"spi_transfer","args":{{"cs":{pin},"data":[1]}}}}\n',
        f'{{"id":1,"cmd":"uart_write","args":{{"tx":{pin},"data":[1]}}}}\n',
        f'{{"id":1,"cmd":"motor_start","args":{{"pin":25,"dir_pin":{pin},"duty":1}}}}\n',
    ):
        (reply,) = board.exchange(request.encode(), 1)
        assert json.loads(reply)["code"] == "unsupported", request
    assert board.wires()[25].mode == "i"


@pytest.mark.parametrize(
    ("pin", "reason"), [(1, "serial line"), (6, "memory of the module"), (20, "not on this board")]
)
def test_pins_that_are_not_for_use(board: ChipBoard, pin: int, reason: str) -> None:
    (reply,) = board.exchange(f'{{"id":1,"cmd":"gpio_read","args":{{"pin":{pin}}}}}\n'.encode(), 1)
    assert json.loads(reply)["error"] == f"Invalid pin {pin}: {reason}"


def test_a_channel_that_is_missing_among_others(board: ChipBoard) -> None:
    (reply,) = board.exchange(b'{"id":1,"cmd":"adc_read","args":{"channel":1}}\n', 1)
    assert json.loads(reply)["code"] == "bad_value"
    (reply,) = board.exchange(b'{"id":1,"cmd":"subscribe","args":{"signal":"a1","period_ms":100}}\n', 1)
    assert json.loads(reply)["error"] == "Unknown signal"


def test_measuring_leaves_the_mode_of_the_pin(board: ChipBoard) -> None:
    board.ask("pin_mode", pin=32, mode="input_pullup")
    chip_of(board).set_analog(32, 1234)
    assert board.ask("adc_read", pin=32) == 1234
    assert board.pins()[32].mode == "u"
    board.ask("gpio_write", pin=32, value=1)
    assert board.ask("adc_read", pin=32) == 4095  # the converter would end the output; its level is 3.3 V
    assert (board.pins()[32].mode, board.pins()[32].level) == ("o", 1)


def test_the_second_serial_line_hears_what_it_says(board: ChipBoard) -> None:
    """A wire from tx to rx: the software receiver against its own transmitter, bit by bit."""
    tx, rx = 4, 16
    chip_of(board).loops[rx] = tx
    board.ask("uart_read", rx=rx)
    sent = bytes([0x00, 0xFF, 0x55, 0xAA, *range(1, 29)])
    board.ask("uart_write", tx=tx, data=sent.hex())
    board.advance(5)
    assert board.ask("uart_read", rx=rx) == {"data": sent.hex(), "lost": 0}
    for _ in range(3):  # 96 bytes; 63 wait, the later ones are lost and counted
        board.ask("uart_write", tx=tx, data=sent.hex())
        board.advance(5)
    first = board.ask("uart_read", rx=rx)
    second = board.ask("uart_read", rx=rx)
    assert (first, second) == (
        {"data": sent.hex(), "lost": 33},
        {"data": sent.hex()[:62], "lost": 0},
    )


def test_a_line_that_is_far_too_fast_ends_the_listening(board: ChipBoard) -> None:
    rx = 16
    board.ask("uart_read", rx=rx)
    for number in range(200):
        board.drive(rx, number % 2)
    assert board.ask("ping") == "pong"
    board.drive(rx, 1)
    assert board.ask("uart_read", rx=rx)["lost"] > 0


ESP8266 = BoardMap(
    **{
        **vars(ESP32),
        "pin_count": 18,
        "channel_count": 1,
        "adc_bits": 10,
        "capabilities": {"gpio": [0, 2, 4, 5, *range(12, 17)]},
    }
)


def test_the_esp8266(tmp_path: Path, core: list[Path]) -> None:
    library = build(tmp_path, "ESP8266", core)
    board = started(library, tmp_path, ESP8266, Wires(18, sda=4, scl=5, miso=12, mosi=13))
    found = json.loads(board.ask("capabilities"))
    assert found["board"] == "esp8266"
    assert found["gpio"] == [0, 2, 4, 5, 12, 13, 14, 15, 16]
    assert (found["adc"], found["adc_bits"]) == ([0], 10)
    assert found["pwm"] == [0, 2, 4, 5, 12, 13, 14, 15]
    chip_of(board).set_analog(17, 777)
    assert board.ask("adc_read", channel=0) == 777
    assert board.ask("adc_read", pin=17) == 777  # A0 is nothing but an analog input
    (reply,) = board.exchange(b'{"id":1,"cmd":"gpio_read","args":{"pin":17}}\n', 1)
    assert json.loads(reply)["code"] == "bad_pin"
    board.ask("servo_write", pin=14, us=1500)
    assert chip_of(board).pulse(14) == (1500, 20_000)
    board.ask("pwm_write", pin=12, duty=51)
    assert chip_of(board).pulse(12) == (200, 1000)
    board.ask("tone", pin=13, hz=1000)
    assert chip_of(board).pulse(13) == (500, 1000)
    assert board.ask("stop_all") == {"stopped": 3}
    assert [chip_of(board).pulse(pin) for pin in (12, 13, 14)] == [None] * 3
    assert board.ask("i2c_scan") == {"found": [72, 80, 96]}


@pytest.mark.parametrize("chip", ["ESP32S2", "ESP32S3", "ESP32C3", "ESP32C6"])
def test_the_other_chips_start(tmp_path: Path, core: list[Path], chip: str) -> None:
    library = build(tmp_path, f"CONFIG_IDF_TARGET_{chip}", core)
    pins = {"ESP32S2": (8, 9, 37, 35), "ESP32S3": (8, 9, 13, 11), "ESP32C3": (8, 9, 5, 6)}
    sda, scl, miso, mosi = pins.get(chip, (23, 22, 20, 19))
    board = started(library, tmp_path, ESP32, Wires(49, sda=sda, scl=scl, miso=miso, mosi=mosi))
    found = json.loads(board.ask("capabilities"))
    assert found["board"] == f"esp32-{chip.removeprefix('ESP32').lower()}"
    assert found["led_pin"] == -1
    assert set(found["i2c"]) == {sda, scl}
    assert board.ask("i2c_read", addr=72, reg=0, count=2) == "1680"
    assert board.ask("spi_transfer", cs=found["gpio"][0], data=[1, 128, 255]) == "0180ff"
    assert set(found["pwm"]) <= set(found["gpio"])


@pytest.mark.skipif(
    shutil.which("riscv64-unknown-elf-gcc") is None,
    reason="needs a RISC-V compiler: apt-get install gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
)
def test_the_c_files_compile_for_the_processor_of_the_c3(tmp_path: Path) -> None:
    """RV32IMC of the ESP32-C3 and C6, by the compiler of Debian, with the board's pins of a C3."""
    stub = Path(__file__).with_name("arduino_stub")
    include = [FIRMWARE / "protocol", FIRMWARE / "shared", FIRMWARE / "esp32" / "zeroclaw_esp32", stub]
    command = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-march=rv32imac", "-mabi=ilp32"]
    command += ["-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-DCONFIG_IDF_TARGET_ESP32C3=1"]
    command += [f"-I{path}" for path in include]
    sources = [*sorted((FIRMWARE / "protocol").glob("zc_*.c")), *shared_sources()]
    done = subprocess.run([*command, "-c", *map(str, sources)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("*.o"))) == len(sources)
