"""The Settings page: sections, search, problems of the file, where the file is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSize, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.gui.settings.setting_row import SettingRow
from zeroclaw_desktop.gui.theme import icon, size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.feedback import EmptyState, ErrorCard
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Hairline, SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card, ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge
    from zeroclaw_desktop.bridge.views import ErrorView, SettingView


class _Section(QWidget):
    """A name and a card with rows parted by hairlines."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._header = SectionHeader(name)
        self.card = Card(padding=4, gap=0)
        self.card.body.setContentsMargins(space(4), space(1), space(4), space(1))
        self.rows: list[tuple[SettingRow, Hairline]] = []
        column(self._header, self.card, gap=2, parent=self)

    def name(self) -> str:
        return self._name

    def set_name(self, name: str) -> None:
        self._name = name
        self._header.set_text(name)

    def add_row(self, line: SettingRow) -> None:
        hairline = Hairline()
        self.card.body.addWidget(hairline)
        self.card.body.addWidget(line)
        self.rows.append((line, hairline))

    def show_matching(self, words: list[str]) -> int:
        """Show the rows that match and return how many do."""
        shown = 0
        for line, hairline in self.rows:
            fits = line.matches(words)
            line.setVisible(fits)
            hairline.setVisible(fits and shown > 0)
            shown += fits
        self.setVisible(shown > 0)
        return shown


class SettingsPage(QWidget):
    """Shows every setting of the schema and changes them through the bridge.

    Args:
        bridge: the bridge objects; only ``settings`` is used.
        parent: parent widget.
    """

    def __init__(self, bridge: AppBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._settings = bridge.settings
        self.rows: dict[str, SettingRow] = {}
        self._sections: list[_Section] = []
        self._make_parts()
        self._lay_out()
        for setting in self._settings.settings():
            self._add(setting)
        if self.rows:
            # The line with the file stands below the rows but is older than they are.
            QWidget.setTabOrder(list(self.rows.values())[-1].reset_button, self.copy_button)
            QWidget.setTabOrder(self.copy_button, self.open_button)
        self._search_action: QAction = self.search.addAction(
            icon("search", "text_faint"), QLineEdit.ActionPosition.LeadingPosition
        )
        theme().theme_changed.connect(self._redress)
        self.search.textChanged.connect(self._filter)
        self._settings.setting_changed.connect(self._take_change)
        self._settings.notes_changed.connect(self._take_texts)
        self._settings.address_answered.connect(self._take_answer)
        self._settings.file_problem.connect(self._show_problem)
        QShortcut(QKeySequence.StandardKey.Find, self, self._focus_search)
        self._retranslate()
        self._filter()
        self._show_problem(self._settings.problem())

    def show_detail(self, detail: str) -> None:
        """Search for a setting that another page speaks of."""
        self.search.setText(detail)
        self._focus_search()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language: the bridge gives the texts of the settings anew."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._take_texts()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        """Ask for the reading width."""
        return QSize(size("reading_width"), size("board_maximum_width"))

    def _make_parts(self) -> None:
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.problem = ErrorCard()
        self.problem.hide()
        self.problem.action_requested.connect(lambda _: self._open_file())
        self.empty = EmptyState("search")
        self.empty.action_triggered.connect(self.search.clear)
        self._path_label = Text(role="caption", tone="muted")
        self.path = ElidedText(self._settings.file_path(), "mono_small", "muted", middle=True)
        self.copy_button = IconButton("copy", small=True)
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self._settings.file_path())
        )
        self.open_button = Button("", "ghost", "folder", compact=True)
        self.open_button.clicked.connect(self._open_file)

    def _lay_out(self) -> None:
        file_line = row(self._path_label, self.path, self.copy_button, self.open_button)
        self._list = column(self.search, self.problem, gap=5)
        inner = QWidget()
        inner.setMaximumWidth(size("reading_width"))
        body = column(gap=5, parent=inner)
        body.addLayout(self._list)
        body.addWidget(self.empty)
        body.addLayout(file_line)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(inner, 1000)
        middle.addStretch(1)
        content = column(middle, STRETCH, margins=(6,))
        column(ScrollColumn(content), gap=0, parent=self)

    def _add(self, setting: SettingView) -> None:
        line = SettingRow(setting)
        line.value_chosen.connect(self._set_value)
        self.rows[setting.key] = line
        section = next((one for one in self._sections if one.name() == setting.section), None)
        if section is None:
            section = _Section(setting.section)
            self._sections.append(section)
            self._list.addWidget(section)
        section.add_row(line)

    def _set_value(self, key: str, value: Any) -> None:
        line = self.rows[key]
        if line.setting.kind == "address":
            line.wait_for_answer()
            self._settings.set_address(key, value)
        else:
            line.show_error(self._settings.set_value(key, value))

    def _take_answer(self, key: str, error: ErrorView | None) -> None:
        self.rows[key].show_error(error)

    def _take_change(self, _key: str, _value: Any) -> None:
        self._take_texts()

    def _take_texts(self) -> None:
        for setting in self._settings.settings():
            if setting.key in self.rows:
                self.rows[setting.key].show_setting(setting)
        for section in self._sections:
            section.set_name(section.rows[0][0].setting.section)

    def _show_problem(self, problem: ErrorView | None) -> None:
        self.problem.setVisible(problem is not None)
        if problem is not None:
            self.problem.set_error(problem, offer_action=False)

    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        shown = sum(section.show_matching(words) for section in self._sections)
        self.empty.setVisible(shown == 0)

    def _focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _open_file(self) -> None:
        """Open the file, or its folder while no setting was stored yet."""
        path = Path(self._settings.file_path())
        wanted = path if path.exists() else path.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(wanted)))

    def _redress(self) -> None:
        self._search_action.setIcon(icon("search", "text_faint"))

    def _retranslate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self._path_label.setText(self.tr("Kept in"))
        self.copy_button.set_name(self.tr("Copy the path"))
        self.open_button.setText(self.tr("Open the file"))
        self.empty.set_texts(self.tr("No setting fits these words."), self.tr("Show all settings"))
