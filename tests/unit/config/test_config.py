"""Settings of the person (RT-5): every fault with its key path, nothing of the person's is ever lost."""

from __future__ import annotations

import os
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.config.errors import ConfigError
from zeroclaw_desktop.config.loader import defaults, load_config
from zeroclaw_desktop.config.schema import BY_KEY, SECTIONS, SETTINGS, Setting, check_value
from zeroclaw_desktop.config.store import ConfigStore, write_atomically
from zeroclaw_desktop.foundation.errors import ZeroClawError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def problems(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return [str(problem) for problem in load_config(path).problems]


class TestSchema:
    def test_defaults_are_allowed_values(self) -> None:
        assert {setting.key: check_value(setting, setting.default) for setting in SETTINGS} == dict.fromkeys(
            BY_KEY, ""
        )

    def test_every_setting_has_texts_in_both_languages(self) -> None:
        for setting in SETTINGS:
            assert setting.section in SECTIONS
            texts = [setting.title, setting.description, SECTIONS[setting.section]]
            texts += list((setting.choices or {}).values())
            assert all(text.get("en") and text.get("zh") for text in texts), setting.key

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("ui.theme", "purple"),
            ("ui.theme", 1),
            ("ui.theme", ["dark"]),
            ("execution.dry_run", 1),
            ("execution.dry_run", "true"),
            ("plots.window_seconds", True),
            ("plots.window_seconds", 30.5),
            ("plots.window_seconds", "30"),
            ("plots.window_seconds", 4),
            ("plots.window_seconds", 601),
            ("logs.level", "info"),
        ],
    )
    def test_wrong_values_are_named_with_what_is_allowed(self, key: str, value: Any) -> None:
        assert check_value(BY_KEY[key], value)

    def test_limits_are_inclusive(self) -> None:
        assert check_value(BY_KEY["plots.window_seconds"], 5) == ""
        assert check_value(BY_KEY["plots.window_seconds"], 600) == ""

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
    def test_numbers_are_finite(self, value: float) -> None:
        setting = Setting("a.b", "float", 1.0, {}, {}, minimum=0.0, maximum=2.0)
        assert check_value(setting, value)
        assert check_value(setting, 2) == ""


class TestLoading:
    def test_no_file_is_all_defaults(self, path: Path) -> None:
        loaded = load_config(path)
        assert dict(loaded.values) == defaults()
        assert loaded.problems == ()

    def test_a_wrong_value_leaves_its_default_and_the_others_count(self, path: Path) -> None:
        found = problems(path, '# mine\n[ui]\ntheme = "purple"\nlanguage = "zh"\n')
        assert len(found) == 1
        assert found[0].startswith("ui.theme: 'purple' is not one of system, light, dark")
        assert found[0].endswith("(line 3)")
        assert load_config(path).values["ui.theme"] == "system"
        assert load_config(path).values["ui.language"] == "zh"

    def test_all_problems_are_told_at_once(self, path: Path) -> None:
        found = problems(path, '[plots]\nwindow_seconds = 1\nmax_samples = "x"\n[logs]\nlevel = 3\n')
        assert [text.split(":")[0] for text in found] == [
            "plots.window_seconds",
            "plots.max_samples",
            "logs.level",
        ]

    def test_an_unknown_key_asks_did_you_mean(self, path: Path) -> None:
        path.write_text('[ui]\ntheem = "dark"\n')
        (problem,) = load_config(path).problems
        assert problem.path == "ui.theem"
        assert "did you mean 'ui.theme'?" in problem.message
        assert problem.fatal is False

    def test_an_unknown_key_without_a_neighbour_gets_no_guess(self, path: Path) -> None:
        (text,) = problems(path, "[weather]\nrain = true\n")
        assert text.startswith("weather.rain: unknown key")
        assert "did you mean" not in text

    def test_a_section_that_is_no_table_says_so(self, path: Path) -> None:
        (text,) = problems(path, "ui = 3\n")
        assert text.startswith("ui: must be a table")
        assert "(line 1)" in text

    def test_dotted_keys_and_inline_tables_count(self, path: Path) -> None:
        path.write_text('ui.theme = "dark"\nplots = { window_seconds = 60 }\n')
        loaded = load_config(path)
        assert loaded.problems == ()
        assert (loaded.values["ui.theme"], loaded.values["plots.window_seconds"]) == ("dark", 60)

    def test_a_broken_file_leaves_all_defaults_and_names_the_line(self, path: Path) -> None:
        path.write_text('[ui]\ntheme = "dark"\nlanguage = \n')
        loaded = load_config(path)
        assert dict(loaded.values) == defaults()
        (problem,) = loaded.problems
        assert problem.line == 3

    def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(self, path: Path) -> None:
        path.write_bytes(b'\xef\xbb\xbf[ui]\r\ntheme = "dark"\r\n')
        loaded = load_config(path)
        assert loaded.problems == ()
        assert loaded.values["ui.theme"] == "dark"

    @pytest.mark.parametrize("content", [b"\xff\xfe[\x00u\x00i\x00]\x00", b"\x80\x81"])
    def test_a_file_that_is_no_text_leaves_all_defaults(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        loaded = load_config(path)
        assert dict(loaded.values) == defaults()
        assert len(loaded.problems) == 1

    def test_a_folder_in_place_of_the_file_leaves_all_defaults(self, path: Path) -> None:
        path.mkdir()
        loaded = load_config(path)
        assert dict(loaded.values) == defaults()
        assert "cannot be read" in str(loaded.problems[0])

    @given(st.binary(max_size=200))
    def test_no_content_stops_the_program(
        self, tmp_path_factory: pytest.TempPathFactory, content: bytes
    ) -> None:
        path = tmp_path_factory.getbasetemp() / "any.toml"
        path.write_bytes(content)
        assert set(load_config(path).values) == set(BY_KEY)


class TestChanging:
    def test_comments_order_and_unknown_keys_survive(self, path: Path) -> None:
        text = (
            "# my settings\n"
            "[ui]  # how it looks\n"
            'theme = "light"  # easier to read\n'
            "\n"
            "[weather]\n"
            "rain = true  # not ours\n"
        )
        path.write_text(text, encoding="utf-8")
        ConfigStore(path).set("ui.theme", "dark")
        assert path.read_text(encoding="utf-8") == text.replace('"light"', '"dark"')

    def test_a_new_file_holds_only_what_was_set(self, path: Path) -> None:
        store = ConfigStore(path)
        store.set("plots.window_seconds", 60)
        assert tomllib.loads(path.read_text()) == {"plots": {"window_seconds": 60}}
        assert store.get("plots.window_seconds") == 60
        assert ConfigStore(path).get("plots.window_seconds") == 60

    @pytest.mark.parametrize("text", ['ui.theme = "light"\n', 'ui = { theme = "light" }\n', "", "[plots]\n"])
    def test_every_way_of_writing_a_section_can_be_changed(self, path: Path, text: str) -> None:
        path.write_text(text)
        ConfigStore(path).set("ui.theme", "dark")
        assert tomllib.loads(path.read_text())["ui"]["theme"] == "dark"

    @pytest.mark.parametrize(
        ("key", "value"), [("ui.theme", "purple"), ("ui.colour", "red"), ("theme", "dark")]
    )
    def test_a_refused_value_changes_nothing(self, path: Path, key: str, value: str) -> None:
        path.write_text('[ui]\ntheme = "light"\n')
        told: list[str] = []
        store = ConfigStore(path)
        store.on_change(lambda changed, _value: told.append(changed))
        with pytest.raises(ConfigError) as caught:
            store.set(key, value)
        assert caught.value.problems[0].path == key
        assert caught.value.code == "config"
        assert path.read_text() == '[ui]\ntheme = "light"\n'
        assert store.get("ui.theme") == "light"
        assert told == []

    @pytest.mark.parametrize("content", [b'[ui\ntheme = "dark"', b"\xff\xfe\x00", b"ui = 3\n"])
    def test_a_file_that_cannot_be_used_is_left_as_it_is(self, path: Path, content: bytes) -> None:
        """The person's own text is worth more than our setting."""
        path.write_bytes(content)
        store = ConfigStore(path)
        with pytest.raises(ConfigError, match="nothing was changed"):
            store.set("ui.theme", "dark")
        assert path.read_bytes() == content
        assert store.get("ui.theme") == "system"

    def test_edits_of_another_program_are_kept_and_told(self, path: Path) -> None:
        """An editor saved the file while the window was open."""
        path.write_text('[ui]\ntheme = "light"\n')
        store, told = ConfigStore(path), []
        store.on_change(lambda key, value: told.append((key, value)))
        path.write_text('[ui]\ntheme = "light"\nlanguage = "zh"  # by hand\n')
        store.set("ui.theme", "dark")
        assert path.read_text() == '[ui]\ntheme = "dark"\nlanguage = "zh"  # by hand\n'
        assert store.get("ui.language") == "zh"
        assert told == [("ui.theme", "dark"), ("ui.language", "zh")]

    def test_two_stores_do_not_undo_each_other(self, path: Path) -> None:
        first, second = ConfigStore(path), ConfigStore(path)
        first.set("ui.theme", "dark")
        second.set("plots.window_seconds", 60)
        assert tomllib.loads(path.read_text()) == {"ui": {"theme": "dark"}, "plots": {"window_seconds": 60}}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and links; run it on Linux or macOS")
class TestWritingWhole:
    def test_the_file_is_private(self, path: Path) -> None:
        write_atomically(path, "x")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_missing_folders_are_made(self, tmp_path: Path) -> None:
        write_atomically(tmp_path / "a" / "b" / "file", "温度")
        assert (tmp_path / "a" / "b" / "file").read_text("utf-8") == "温度"

    def test_a_link_stays_a_link(self, tmp_path: Path, path: Path) -> None:
        """People keep their settings in a folder under version control."""
        real = tmp_path / "dotfiles" / "zeroclaw.toml"
        real.parent.mkdir()
        real.write_text("old")
        path.symlink_to(real)
        write_atomically(path, "new")
        assert path.is_symlink()
        assert real.read_text() == "new"

    def test_what_cannot_be_written_leaves_old_content_and_no_rubbish(self, tmp_path: Path) -> None:
        """A folder stands where the file should go, so the last step fails."""
        (tmp_path / "target").mkdir()
        (tmp_path / "target" / "inside").write_text("kept")
        with pytest.raises(ZeroClawError) as caught:
            write_atomically(tmp_path / "target", "new")
        assert caught.value.code == "config_write"
        assert "Nothing was changed" in caught.value.message
        assert os.listdir(tmp_path) == ["target"]
        assert (tmp_path / "target" / "inside").read_text() == "kept"
