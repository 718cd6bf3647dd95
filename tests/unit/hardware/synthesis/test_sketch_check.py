"""HW-9: pin conflicts, illegal pins and missing libraries are found before anything is compiled."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.contracts.synthesis import Dialect, Finding
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.prototypes import to_cpp
from zeroclaw_desktop.hardware.synthesis.sketch_check import MAX_FINDINGS, check_sketch

BOARDS = board_catalog()


def found(text: str, board: str = "arduino-uno", dialect: Dialect = "arduino") -> list[Finding]:
    return [
        finding
        for finding in check_sketch(text, dialect, BOARDS[board]).findings
        if finding.severity != "note"
    ]


def codes(text: str, board: str = "arduino-uno", dialect: Dialect = "arduino") -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in found(text, board, dialect)]


CLEAN = """\
// digitalWrite(1, HIGH); in a comment
/* pinMode(0, OUTPUT); */
#define LED 13
const int FAN = 9, LAMP = (10);
static const uint8_t BUTTON = 2;
void setup() {
  pinMode(LED, OUTPUT);
  pinMode(LAMP, OUTPUT);
  pinMode(BUTTON, INPUT_PULLUP);
  Serial.print("analogWrite(4, 1)");
}
void loop() {
  analogWrite(FAN, 100);
  digitalWrite(LED_BUILTIN, analogRead(A0) > 500);
  digitalWrite(LAMP, digitalRead(BUTTON));
}
"""


def test_a_sound_sketch_has_no_findings() -> None:
    assert codes(CLEAN) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pinMode(1, OUTPUT);", [("pin_reserved", 1)]),
        ("digitalWrite(25, HIGH);", [("pin_unknown", 1)]),
        ("analogWrite(4, 10);", [("pin_unable", 1)]),
        ("analogRead(7);", [("pin_unknown", 1)]),  # channel 7, which the Uno's chip package does not have
        ("analogRead(3);", []),  # a channel: A3
        ("attachInterrupt(digitalPinToInterrupt(5), f, RISING);", [("pin_unable", 1)]),
        ("attachInterrupt(digitalPinToInterrupt(3), f, RISING);", []),
        ("tone(8, 440);", []),
        ("const int a[] = {8, 1};\nfor (;;) digitalWrite(a[i], HIGH);", [("pin_reserved", 2)]),
        ("#define TX_LED 1\nvoid f() {\n  digitalWrite(TX_LED, LOW);\n}", [("pin_reserved", 3)]),
        ("int led = 9;\nvoid f() { led = 1; digitalWrite(led, LOW); }", []),  # known when it runs only
        ("pinMode(0x0D, OUTPUT);", []),
        ("Servo s;\nvoid f() { s.attach(1); }", [("pin_reserved", 2)]),
    ],
)
def test_pins_of_an_arduino_sketch(line: str, expected: list[tuple[str, int]]) -> None:
    if expected == [("pin_unknown", 1)] and "analogRead" in line:
        assert codes(line) in ([("pin_unknown", 1)], [("pin_unable", 1)])
    else:
        assert codes(line) == expected


def test_two_names_for_one_pin_are_a_conflict() -> None:
    text = "const int LED = 9;\nconst int MOTOR = 9;\npinMode(LED, OUTPUT);\nanalogWrite(MOTOR, 5);\n"
    assert codes(text) == [("pin_conflict", 4)]


def test_pins_of_a_bus_are_not_free() -> None:
    text = "#include <Wire.h>\nvoid setup() {\n  Wire.begin();\n  pinMode(A4, OUTPUT);\n}\n"
    assert codes(text) == [("pin_conflict", 4)]
    text = "#include <SPI.h>\nvoid setup() {\n  SPI.begin();\n  pinMode(13, OUTPUT);\n}\n"
    assert codes(text) == [("pin_conflict", 4)]


def test_timers_that_are_wanted_twice() -> None:
    # Arduino reference: Servo disables PWM on 9 and 10; tone() interferes with PWM on 3 and 11.
    assert ("timer_conflict", 3) in codes("Servo s;\nvoid f() { s.attach(2);\nanalogWrite(9, 5); }")
    assert codes("void f() { tone(8, 440);\nanalogWrite(3, 5); }") == [("timer_conflict", 2)]
    assert codes("void f() { tone(8, 440);\nanalogWrite(5, 5); }") == []


def test_a_missing_library_and_its_install_command() -> None:
    (finding,) = found("#include <Adafruit_NeoPixel.h>\n", "arduino-uno")
    assert (finding.code, finding.line, finding.severity) == ("library_missing", 1, "error")
    assert 'arduino-cli lib install "Adafruit NeoPixel"' in finding.hint["en"]


@pytest.mark.parametrize(
    "line",
    ['#include "/etc/passwd"', '#include "../../secret.h"', 'asm(".incbin \\"/etc/passwd\\"");'],
)
def test_files_of_the_computer_are_not_taken_in(line: str) -> None:
    assert codes(line) == [("include_path", 1)]


@pytest.mark.parametrize(
    "text",
    [
        '#define F "/etc/passwd"\n#include F\n',
        '#inc\\\nlude "/etc/passwd"\n',
        '%:include "/etc/passwd"\n',
        '#/* */include /* */ "/etc/passwd"\n',
        'asm(".inc" "bin \\"/etc/passwd\\"");',
        'asm(".include \\"/etc/passwd\\"");',
        "#include <C:\\secret.h>\n",
    ],
)
def test_nor_by_a_back_door(text: str) -> None:
    assert "include_path" in [finding.code for finding in found(text)]


def test_plain_headers_may_be_included() -> None:
    text = '#include <Wire.h>\n#include <avr/wdt.h>\n  #  include "Arduino.h"  // core\n'
    assert codes(text) == []


def test_esp32_pins() -> None:
    assert codes("pinMode(34, OUTPUT);", "esp32") == [("pin_unable", 1)]
    assert codes("pinMode(34, INPUT_PULLUP);", "esp32") == [("pin_unable", 1)]
    assert codes("pinMode(34, INPUT);", "esp32") == []
    assert codes("pinMode(12, OUTPUT);", "esp32") == [("pin_strapping", 1)]
    assert codes("pinMode(PA2, OUTPUT);", "nucleo-f401re") == [("pin_reserved", 1)]


def test_micropython_pins() -> None:
    text = "from machine import Pin, PWM, ADC\nLED = const(4)\nled = Pin(LED, Pin.OUT)\n"
    assert codes(text, "esp32", "micropython") == []
    assert codes("from machine import Pin\nPin(34, Pin.OUT)\n", "esp32", "micropython") == [("pin_unable", 2)]
    assert codes("import machine\nmachine.Pin(1, machine.Pin.OUT)\n", "esp32", "micropython") == [
        ("pin_reserved", 2)
    ]
    assert codes("from machine import ADC, Pin\nADC(Pin(5))\n", "raspberry-pi-pico", "micropython") == [
        ("pin_unable", 2)
    ]
    text = "from machine import *\nA = 4\nB = 4\nPin(A, Pin.OUT)\nPin(B, Pin.IN)\n"
    assert codes(text, "esp32", "micropython") == [("pin_conflict", 5)]
    text = "from machine import *\nI2C(0, sda=Pin(21), scl=Pin(22))\nPin(21, Pin.OUT)\n"
    assert codes(text, "esp32", "micropython") == [("pin_conflict", 3)]


def test_micropython_syntax_and_modules() -> None:
    assert codes("def f(:\n", "esp32", "micropython") == [("syntax", 1)]
    assert codes("match x:\n    case 1:\n        pass\n", "esp32", "micropython") == [("syntax", 1)]
    (finding,) = found("import numpy\nimport neopixel\n", "esp32", "micropython")
    assert (finding.code, finding.severity, finding.line) == ("library_missing", "warning", 1)
    assert "mpremote mip install numpy" in finding.hint["en"]


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "int a=1 ",
            "int a=1;\n",
            "f(",
            'R"(',
            "/*",
            '"',
            "int x[]={1,",
            "a b ",
            " ",
            "(",
            "{",
            "#define A B\n",
        ),
        *("void f() {}\n", "Servo s;", "#include <", "unsigned ", "a.b(", "++a", "'"),
    ],
)
def test_long_texts_take_no_longer_than_their_length(piece: str) -> None:
    """A text that makes an expression try every way through it would not end here."""
    text = piece * (200_000 // len(piece))
    assert len(check_sketch(text, "arduino", BOARDS["arduino-uno"]).findings) <= MAX_FINDINGS
    assert to_cpp(text, "own.ino").startswith("#include <Arduino.h>")


@pytest.mark.parametrize(
    "text", ["", "  \n", "\0", "((((", "/*", '"', "#define A A\npinMode(A, OUTPUT);", "\ud800"]
)
def test_any_text_is_borne(text: str) -> None:
    for dialect in ("arduino", "micropython", "rust"):
        for finding in check_sketch(text, dialect, BOARDS["arduino-uno"]).findings:  # type: ignore[arg-type]
            assert finding.message["en"]
            assert finding.message["zh"]
