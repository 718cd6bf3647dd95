"""HW-12: everything that leaves the plots page as a file."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from tests.gui.plots.plot_world import PlotWorld
from zeroclaw_desktop.bridge.plot_export_bridge import CsvForm
from zeroclaw_desktop.gui.plots.csv_sheet import form_of
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.pictures import picture_of
from zeroclaw_desktop.gui.theme import Theme

SVG = "{http://www.w3.org/2000/svg}"


def rows_of(path: Path, delimiter: str = ",") -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def test_the_form_is_chosen_kept_and_used(page: PlotsPage, world: PlotWorld, tmp_path: Path) -> None:
    page.exports.ask_form()
    sheet = page.exports._sheet
    assert sheet is not None
    assert sheet.isVisible()
    sheet.decimal.setCurrentIndex(1)
    sheet.decimal.activated.emit(1)
    assert not sheet.save_button.isEnabled()
    assert "comma" in sheet.problem_text.text()
    sheet.separator.setCurrentIndex(1)
    sheet.separator.activated.emit(1)
    sheet.time.setCurrentIndex(1)
    sheet.check()
    QTest.mouseClick(sheet.save_button, Qt.MouseButton.LeftButton)
    assert form_of(world.plot_sources.csv_form()) == CsvForm(False, ";", True, True)
    page.exports.export_csv(str(tmp_path / "a.csv"))
    rows = rows_of(tmp_path / "a.csv", ";")
    assert rows[0] == ["time", "a0 [V]", "a1 [V]", "temp [°C]", "light"]
    assert rows[1][0] == "2023-11-14T22:13:20.000000Z"
    assert "," in rows[1][1]
    assert "." not in rows[1][1]


@pytest.mark.parametrize(
    "kept",
    [{}, {"delimiter": "x"}, {"delimiter": ",", "decimal_comma": True}, {"long": "yes", "delimiter": 3}],
)
def test_a_form_that_cannot_be_used_becomes_the_usual_one(kept: dict[str, object]) -> None:
    assert form_of(kept) == CsvForm()


def test_parquet_of_the_visible_stretch(page: PlotsPage, world: PlotWorld, tmp_path: Path) -> None:
    files = pytest.importorskip("arro3.io", reason="install with the extra 'parquet'")
    page.canvas.set_window(10.0)
    axis = page.canvas.axis()
    page.exports.export_parquet(str(tmp_path / "a.parquet"), True)
    table = files.read_parquet(tmp_path / "a.parquet").read_all()
    names = {(info.key.source_id, info.key.label) for info in world.plots.store.series()}
    inside = sum(len(world.plots.store.snapshot(name, axis.start, axis.end).time) for name in names)
    assert table.num_rows == inside > 100


def test_without_the_extra_it_says_how_to_get_it(
    page: PlotsPage, world: PlotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.plot_export, "has_parquet", lambda: False)
    page.exports.ask_parquet()
    assert page.findChild(QFileDialog) is None
    assert page.error.isVisible()
    assert "pip install 'zeroclaw-desktop[parquet]'" in page.error._raw.text()


def test_a_drawing_keeps_curves_and_texts(page: PlotsPage, dress: Theme, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    page.exports.export_svg(str(path))
    root = ElementTree.parse(path).getroot()
    assert not list(root.iter(f"{SVG}image"))
    texts = "".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert "temp" in texts
    colours = [dress.series_color(number).name() for number in range(4)]
    drawn = {
        group.get("stroke")
        for group in root.iter(f"{SVG}g")
        for curve in group.findall(f"{SVG}path")
        if len(curve.get("d", "")) > 500
    }
    assert drawn.issuperset(colours)


def test_a_drawing_looks_like_the_plot(page: PlotsPage, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    page.exports.export_svg(str(path))
    shown = picture_of(page.canvas)
    drawn = QImage(QSize(shown.width(), shown.height()), QImage.Format.Format_RGB32)
    painter = QPainter(drawn)
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    coarse = [
        np.array(
            [[image.pixelColor(x, y).lightness() for x in range(0, 100)] for y in range(0, 60)],
            dtype=float,
        )
        for image in (
            picture.scaled(
                QSize(100, 60),
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            for picture in (shown, drawn)
        )
    ]
    assert np.abs(coarse[0] - coarse[1]).mean() < 4


def test_a_dense_window_makes_a_drawing_of_a_reasonable_size(
    world: PlotWorld, make_page, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    world.plots.clear()
    times = np.arange(0, 31, 0.001)
    for number in range(8):
        world.plots.feed(f"s{number}", times, np.sin(times * 900) + number, "V")
    world.plots.time = 31.0
    page = make_page(world)
    page.exports.export_svg(str(tmp_path / "a.svg"))
    assert (tmp_path / "a.svg").stat().st_size < 1_500_000


def test_the_folder_is_remembered(page: PlotsPage, world: PlotWorld, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    page.exports.export_png(str(folder / "a.png"))
    page.exports.ask_csv()
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    assert Path(dialog.directory().absolutePath()) == folder
    dialog.reject()


def test_progress_and_cancel_are_shown(page: PlotsPage) -> None:
    page.news.show_work("Writing a.csv", 41.6)
    assert page.news.work.isVisible()
    assert page.news.progress.percent() == 42
    assert page.news.cancel_button.text() == "Cancel"
    page.news.show_work("")
    assert not page.news.isVisible()
