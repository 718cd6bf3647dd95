"""Where things are: the state folder (RT-5) and the shipped data."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from zeroclaw_desktop.foundation import assets, paths
from zeroclaw_desktop.foundation.errors import AssetMissingError, ZeroClawError


def test_the_named_folder_is_made_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path / "a" / "b"))
    folder = paths.home_folder()
    assert folder == tmp_path / "a" / "b"
    assert folder.is_dir()
    if sys.platform != "win32":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert paths.config_file() == folder / "config.toml"
    assert paths.log_folder().is_dir()


def test_without_a_name_it_is_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for value in ("", "   "):
        monkeypatch.setenv("ZEROCLAW_HOME", value)
        assert paths.home_folder(create=False) == tmp_path / ".zeroclaw"
    monkeypatch.setenv("ZEROCLAW_HOME", "~/elsewhere")
    assert paths.home_folder(create=False) == tmp_path / "elsewhere"


def test_asking_for_the_config_file_makes_nothing(own_state_folder: Path) -> None:
    paths.config_file()
    paths.log_folder(create=False)
    assert not own_state_folder.exists()


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(paths.HomeFolderError) as caught:
        paths.home_folder()
    assert caught.value.code == "home_folder"
    assert "ZEROCLAW_HOME" in caught.value.hint


def test_shipped_files_are_found() -> None:
    assert assets.resource_path("boards/arduino-uno.toml").is_file()
    assert assets.firmware_path("prebuilt/images.toml").is_file()


def test_a_missing_shipped_file_is_named() -> None:
    with pytest.raises(AssetMissingError, match=r"no-such\.toml") as caught:
        assets.resource_path("boards/no-such.toml")
    assert caught.value.code == "asset_missing"
    assert caught.value.hint


def test_errors_carry_what_the_translated_text_needs() -> None:
    error = ZeroClawError(
        "It broke.", hint="Mend it.", code="broken", retryable=True, details={"port": "COM3"}
    )
    assert str(error) == error.message == "It broke."
    assert (error.hint, error.code, error.retryable, error.details) == (
        "Mend it.",
        "broken",
        True,
        {"port": "COM3"},
    )
    assert ZeroClawError("It broke.").code == "error"
