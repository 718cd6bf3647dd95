"""HW-12: what was done last with recordings, exports and sources is there at the next start."""

from __future__ import annotations

from pathlib import Path

from zeroclaw_desktop.runtime.plot_habits import MOST_RECENT, PlotHabits, PortWish, ReadingWish


def test_all_of_it_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    first = PlotHabits(kept)
    first.set_folder("export", str(tmp_path))
    first.set_folder("recording", str(tmp_path / "gone"))
    first.set_csv({"delimiter": ";"})
    first.set_ports([PortWish("COM3", 9_600, "gbk", "imu.toml", 50.0)])
    first.set_reading("uno", ReadingWish("gbk", "index", 20.0))
    second = PlotHabits(kept)
    assert second.folder("export") == str(tmp_path)
    assert second.folder("recording") == ""
    assert second.csv() == {"delimiter": ";"}
    assert second.ports() == [PortWish("COM3", 9_600, "gbk", "imu.toml", 50.0)]
    assert second.reading("uno") == ReadingWish("gbk", "index", 20.0)
    assert second.reading("nano") is None


def test_recent_recordings_are_those_that_are_there_newest_first(tmp_path: Path) -> None:
    habits = PlotHabits(None)
    paths = [tmp_path / f"{number}.zcrec" for number in range(MOST_RECENT + 2)]
    for path in paths:
        path.touch()
        habits.add_recent(str(path))
    habits.add_recent(str(paths[5]))
    paths[6].unlink()
    recent = habits.recent()
    assert recent[0] == str(paths[5])
    assert str(paths[6]) not in recent
    assert len(recent) == len(set(recent)) == MOST_RECENT - 1


def test_rows_that_cannot_be_understood_are_left_out(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(
        '{"ports": [{"baud": 5}, {"port": "COM4", "baud": "x"}, {"port": "COM5"}], "recent": 3,'
        ' "readings": {"uno": {"rate": "fast"}, "nano": 7}, "folders": []}',
        encoding="utf-8",
    )
    habits = PlotHabits(kept)
    assert habits.ports() == [PortWish("COM5")]
    assert habits.recent() == []
    assert habits.reading("uno") is None
    assert habits.reading("nano") is None
    assert habits.folder("export") == ""


def test_a_file_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    habits = PlotHabits(tmp_path / "none" / "kept.json")
    habits.set_csv({"delimiter": ";"})
    assert habits.csv() == {"delimiter": ";"}
