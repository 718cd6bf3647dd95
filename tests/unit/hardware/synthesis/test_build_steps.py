"""HW-9: where firmware is built, how an .ino becomes C++, what the compiler's words mean."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.synthesis.build_folder import build_root, is_plain
from zeroclaw_desktop.hardware.synthesis.compiler_messages import read_messages
from zeroclaw_desktop.hardware.synthesis.errors import BuildError
from zeroclaw_desktop.hardware.synthesis.prototypes import prototypes, to_cpp


@pytest.mark.parametrize("name", ["王磊", "Jo hn", "naïve", "a'b"])
def test_the_folder_is_plain_whatever_the_home_is_called(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path / name))
    root = build_root()
    assert is_plain(root)
    assert root.is_dir()
    assert name not in str(root)


def test_a_plain_home_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path / "home"))
    root = build_root()
    assert root == tmp_path / "home" / "build"
    assert root.stat().st_mode & 0o777 == 0o700


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shared temporary folder: what others may write into, or a link to elsewhere, is passed over."""
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    os.chmod(open_to_all, 0o777)
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ZEROCLAW_BUILD", str(open_to_all))
    assert build_root() == tmp_path / "home" / "build"
    link = tmp_path / "link"
    link.symlink_to(open_to_all)
    monkeypatch.setenv("ZEROCLAW_BUILD", str(link))
    assert build_root() == tmp_path / "home" / "build"


def test_no_place_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "zeroclaw_desktop.hardware.synthesis.build_folder._candidates", lambda: iter([tmp_path / "王"])
    )
    with pytest.raises(BuildError) as caught:
        build_root()
    assert caught.value.code == "build_folder"


def test_prototypes_as_the_arduino_build_makes_them() -> None:
    text = (
        "int count = 0;\n"
        "void setup() { helper(1); }\n"
        "void loop() {\n  if (count) { count++; }\n}\n"
        "static bool helper(int value) {\n  return value > 0;\n}\n"
        "int scaled(int value, int by = 2) { return value * by; }\n"
        "struct Point { int x; int y() { return x; } };\n"
    )
    lines, at = prototypes(text)
    assert lines == ["void setup();", "void loop();", "static bool helper(int value);"]
    assert at == 2


def test_lines_of_the_sketch_stay() -> None:
    text = "// one\nint a;\nvoid setup() {}\nvoid loop() {}\n"
    rows = to_cpp(text, "blink.ino").splitlines()
    assert rows[0] == "#include <Arduino.h>"
    last = max(at for at, row in enumerate(rows) if row.startswith("#line"))
    assert rows[last] == '#line 3 "blink.ino"'
    assert rows[last + 1] == "void setup() {}"


GCC = """\
blink.ino: In function 'void setup()':
blink.ino:12:3: error: 'pinMod' was not declared in this scope
   pinMod(9, OUTPUT);
   ^
blink.ino:12:3: error: 'pinMod' was not declared in this scope
blink.ino:14:7: warning: unused variable 'x' [-Wunused-variable]
/usr/lib/x/Arduino.h:5:1: warning: something in the core
blink.ino:3:10: fatal error: DHT.h: No such file or directory
"""


def test_messages_get_lines_and_hints() -> None:
    found = read_messages(GCC, "blink.ino")
    assert [(f.severity, f.code, f.line, f.column) for f in found] == [
        ("error", "compiler", 12, 3),
        ("warning", "compiler", 14, 7),
        ("error", "library_missing", 3, 10),
    ]
    assert "spelling" in found[0].hint["en"]
    assert 'arduino-cli lib install "DHT sensor library"' in found[2].hint["en"]
    assert 'arduino-cli lib install "DHT sensor library"' in found[2].hint["zh"]


def test_windows_paths_and_linker_messages() -> None:
    text = "C:\\zc\\build\\blink.ino:7:1: error: expected ';' before '}' token\n"
    (found,) = read_messages(text, "blink.ino")
    assert found.line == 7
    text = "main.cpp:(.text.main+0x8): undefined reference to `setup'\n"
    (found,) = read_messages(text, "blink.ino")
    assert (found.code, found.line) == ("linker", 0)
    assert "setup" in found.message["en"]
    text = "ld: region `text' overflowed by 120 bytes\n"
    (found,) = read_messages(text, "blink.ino")
    assert found.code == "too_large"
    assert "120 bytes" in found.message["en"]
