"""Everything that leaves the plots page as a file or over the clipboard."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut, Qt
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.bridge.plot_export_bridge import CANCELLED, CsvForm
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.csv_sheet import CsvSheet, form_of
from zeroclaw_desktop.gui.plots.page_news import PageNews, open_folder
from zeroclaw_desktop.gui.plots.pictures import picture_of, write_png, write_svg
from zeroclaw_desktop.gui.theme import icon
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_new_file

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

LOOK_MS = 200
EXPORT = "export"


class ExportActions(QObject):
    """The deeds of the export menu; large files are written beside the window's own work.

    Args:
        page: dialogs and sheets belong to it, keys work in it.
        bridge: its ``plot_export``, ``plot_sources`` and ``plot_tools`` are used.
        canvas: the plot.
        menu: is filled.
        news: says what became of a deed.
    """

    def __init__(
        self, page: QWidget, bridge: AppBridge, canvas: PlotCanvas, menu: QMenu, news: PageNews
    ) -> None:
        super().__init__(page)
        self._page, self._canvas, self._menu, self._news = page, canvas, menu, news
        self._export, self._habits, self._tools = bridge.plot_export, bridge.plot_sources, bridge.plot_tools
        self._sheet: CsvSheet | None = None
        self._after_replay: Callable[[], None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._show_progress)
        self._export.changed.connect(self._follow)
        self._export.finished.connect(self._finish)
        self._tools.replay_changed.connect(self._go_on_after_replay)
        news.cancel_button.clicked.connect(self.cancel)
        for keys, deed in (("Ctrl+E", self.ask_csv), ("Ctrl+Shift+C", self.copy_image)):
            shortcut = QShortcut(QKeySequence(keys), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(deed)
        self.fill_menu()

    def fill_menu(self) -> None:
        """Write the menu in the window's language and colours."""
        entries: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("export", self.tr("CSV, everything that is kept…"), "Ctrl+E", self.ask_csv),
            ("export", self.tr("CSV, only what is visible…"), "", lambda: self.ask_csv(visible_only=True)),
            ("settings", self.tr("Form of CSV files…"), "", self.ask_form),
            ("", "", "", self.fill_menu),
            ("export", self.tr("Parquet, everything that is kept…"), "", self.ask_parquet),
            ("export", self.tr("Parquet, only what is visible…"), "", lambda: self.ask_parquet(True)),
            ("", "", "", self.fill_menu),
            ("image", self.tr("Picture (PNG)…"), "", self.ask_png),
            ("image", self.tr("Drawing (SVG)…"), "", self.ask_svg),
            ("copy", self.tr("Copy as picture"), "Ctrl+Shift+C", self.copy_image),
        )
        self._menu.clear()
        for name, text, keys, deed in entries:
            if not text:
                self._menu.addSeparator()
                continue
            action = QAction(icon(name, "text_muted"), f"{text}\t{keys}" if keys else text, self._menu)
            action.triggered.connect(lambda _=False, do=deed: do())
            self._menu.addAction(action)

    # what a person does

    def ask_csv(self, visible_only: bool = False) -> None:
        """Open the dialog that asks where to write CSV."""
        self._ask("csv", self.tr("CSV files"), lambda path: self.export_csv(path, visible_only))

    def ask_parquet(self, visible_only: bool = False) -> None:
        """Open the dialog that asks where to write Parquet, or say what that needs."""
        if not self._export.has_parquet():
            self._news.show_error(
                ErrorView(
                    title=self.tr("Parquet files need an extra that is not installed."),
                    not_done=self.tr("Nothing was saved."),
                    next_step=self.tr("Install it as below and start again, or export CSV."),
                    raw="pip install 'zeroclaw-desktop[parquet]'",
                    code="parquet_missing",
                )
            )
            return
        then = self.export_parquet
        self._ask("parquet", self.tr("Parquet files"), lambda path: then(path, visible_only))

    def ask_png(self) -> None:
        """Open the dialog that asks where to write the picture."""
        self._ask("png", self.tr("PNG pictures"), self.export_png)

    def ask_svg(self) -> None:
        """Open the dialog that asks where to write the drawing."""
        self._ask("svg", self.tr("SVG drawings"), self.export_svg)

    def ask_form(self) -> None:
        """Open the sheet that says how CSV is written."""
        if self._sheet is None:
            self._sheet = CsvSheet(self._page, self._take_form)
        self._sheet.open_with(form_of(self._habits.csv_form()))

    def export_csv(self, path: str, visible_only: bool = False) -> None:
        """Write samples as CSV; the news tell how it goes.

        Args:
            path: of the file.
            visible_only: only the stretch that is visible.
        """
        form = form_of(self._habits.csv_form())
        window = self._window(visible_only)
        self._when_replayed(visible_only, lambda: self._export.export_csv(path, *window, form))

    def export_parquet(self, path: str, visible_only: bool = False) -> None:
        """Write samples as Parquet; arguments as for ``export_csv``."""
        window = self._window(visible_only)
        self._when_replayed(visible_only, lambda: self._export.export_parquet(path, *window))

    def export_png(self, path: str) -> None:
        """Write the plot as a PNG picture with twice the screen's resolution."""
        self._write_picture(path, lambda: write_png(self._canvas, path))

    def export_svg(self, path: str) -> None:
        """Write the plot as a drawing of lines and texts."""
        title = Path(path).stem
        self._write_picture(path, lambda: write_svg(self._canvas, path, title))

    def copy_image(self) -> None:
        """Put the plot on the clipboard as a picture."""
        QGuiApplication.clipboard().setImage(picture_of(self._canvas))
        self._news.tell(self.tr("The picture is on the clipboard."))

    def cancel(self) -> None:
        """End what is being written, or the replay before it; no file is left."""
        if self._after_replay is not None:
            self._after_replay = None
            self._news.show_work("")
        self._export.cancel()

    # inside

    def _window(self, visible_only: bool) -> tuple[float | None, float | None]:
        axis = self._canvas.axis()
        return (axis.start, axis.end) if visible_only else (None, None)

    def _when_replayed(self, visible_only: bool, deed: Callable[[], None]) -> None:
        """Of a replay that is not at its end the rest is read first: everything is everything."""
        replay = self._tools.replay()
        if visible_only or replay is None or replay.at_end:
            deed()
            return
        self._after_replay = deed
        self._news.show_work(self.tr("Reading the recording to its end"))
        self._tools.seek(replay.end)

    def _go_on_after_replay(self) -> None:
        deed, replay = self._after_replay, self._tools.replay()
        if deed is None:
            return
        if replay is not None and replay.reaching is not None:
            length = max(1e-9, replay.end - replay.start)
            percent = 100 * (replay.position - replay.start) / length
            self._news.show_work(self.tr("Reading the recording to its end"), percent)
            return
        self._after_replay = None
        self._news.show_work("")
        if replay is not None:
            deed()

    def _ask(self, suffix: str, kind: str, then: Callable[[str], object]) -> None:
        name = f"plot {datetime.now():%Y-%m-%d %H%M%S}.{suffix}"
        kinds = f"{kind} (*{Path(name).suffix})"
        ask_new_file(self._page, self.tr("Export"), name, kinds, then, self._habits.folder(EXPORT))

    def _take_form(self, form: CsvForm) -> None:
        self._habits.set_csv_form(dataclasses.asdict(form))

    def _write_picture(self, path: str, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            self._news.show_error(
                ErrorView(
                    title=self.tr("The picture could not be written."),
                    not_done=self.tr("Nothing was saved."),
                    next_step=self.tr("Choose a folder that you may write to."),
                    raw=f"{path}: {error.strerror or error}",
                    code="picture_not_written",
                )
            )
            return
        self.tell_saved(path)

    def _follow(self) -> None:
        if self._export.running():
            self._timer.start()
            self._show_progress()
        else:
            self._timer.stop()
            self._news.show_work("")

    def _show_progress(self) -> None:
        name = Path(self._export.running()).name
        self._news.show_work(self.tr("Writing {0}").format(name), self._export.percent())

    def _finish(self, path: str, fault: ErrorView | None) -> None:
        if fault is None:
            self.tell_saved(path)
        elif fault.code == CANCELLED:
            self._news.tell(self.tr("The export was cancelled; no file was left."), kind="info")
        else:
            self._news.show_error(fault)

    def tell_saved(self, path: str) -> None:
        """Say that a file was written, and remember its folder."""
        folder = str(Path(path).parent)
        self._habits.set_folder(EXPORT, folder)
        text = self.tr("Saved: {0}").format(Path(path).name)
        self._news.tell(text, self.tr("Open folder"), lambda: open_folder(folder))
