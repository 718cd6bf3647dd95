"""Data sheets of a board: the folder, the documents in it, and a search with passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.feedback import IconLabel, Notice
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.datasheets_bridge import DatasheetsBridge
    from zeroclaw_desktop.bridge.detail_views import FoundView, SheetView


class _SearchField(QLineEdit):
    """Enter searches and goes no further: the sheet around it has keys of its own."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See QLineEdit."""
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class PassageCard(QFrame):
    """One passage: document, where in it, the text."""

    def __init__(self, found: FoundView) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.found = found
        self.document = ElidedText(found.document, "strong", middle=True)
        self.place = ElidedText(found.place, "caption", "muted")
        self.excerpt = Text(found.excerpt, wrap=True)
        self.excerpt.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column(self.document, self.place, self.excerpt, gap=0.5, margins=(3, 2), parent=self)


class DatasheetsPanel(QWidget):
    """The part of the details about data sheets.

    Args:
        datasheets: bridge object.
    """

    def __init__(self, datasheets: DatasheetsBridge) -> None:
        super().__init__()
        self._datasheets = datasheets
        self._board_type = ""
        self._question = ""
        self.folder_button = Button("", "secondary", "folder", compact=True)
        self.folder_button.clicked.connect(self.open_folder)
        self.refresh_button = IconButton("refresh", small=True)
        self.refresh_button.clicked.connect(self.refresh)
        self._explanation = Text(role="caption", tone="muted", wrap=True)
        self._folder = ElidedText("", "mono_small", "muted", middle=True)
        head = row(self._folder, self.refresh_button, self.folder_button)
        head.setStretch(0, 1)
        self.field = _SearchField()
        self.field.returnPressed.connect(self.search)
        self.search_button = Button("", "secondary", "search", compact=True)
        self.search_button.clicked.connect(self.search)
        self._search_line = QWidget()
        line = row(self.field, self.search_button, parent=self._search_line)
        line.setStretch(0, 1)
        self.outcome = Text(tone="muted", wrap=True)
        self.outcome.hide()
        self.documents: list[QWidget] = []
        self.passages: list[PassageCard] = []
        self._document_column: QVBoxLayout = column(gap=1)
        self._passage_column: QVBoxLayout = column(gap=2)
        parts = (head, self._explanation, self._document_column)
        column(*parts, self._search_line, self.outcome, self._passage_column, gap=2, parent=self)
        datasheets.changed.connect(self._show_documents)
        datasheets.found.connect(self._show_found)
        self._retranslate()

    def open_for(self, board_type: str) -> None:
        """Show what is there for a kind of board."""
        self._board_type = board_type
        self._question = ""
        self.field.clear()
        self._clear_found()
        self._show_documents()
        self.refresh()

    def refresh(self) -> None:
        """Look at the files again."""
        self._datasheets.refresh()
        self._show_state()

    def search(self) -> None:
        """Search for what stands in the field."""
        self._question = self.field.text().strip()
        self._clear_found()
        if self._question:
            self.outcome.setText(self.tr("Searching…"))
            self.outcome.show()
            self._datasheets.search(self._board_type, self._question)

    def open_folder(self) -> None:
        """Show the folder in the file manager; it is made when it is not there yet."""
        folder = self._datasheets.make_folder()
        if folder:
            QDesktopServices.openUrl(QUrl.fromLocalFile(folder))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            if self._board_type:
                self._show_documents()
        super().changeEvent(event)

    def _clear_found(self) -> None:
        for card in self.passages:
            self._passage_column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.passages = []
        self.outcome.hide()

    def _show_found(self, board_type: str, question: str, found: list[FoundView]) -> None:
        if (board_type, question) != (self._board_type, self._question):
            return
        self._clear_found()
        self.passages = [PassageCard(passage) for passage in found]
        for card in self.passages:
            self._passage_column.addWidget(card)
        self.outcome.setVisible(not found)
        self.outcome.setText(self.tr("Nothing in the data sheets fits."))

    def _show_documents(self) -> None:
        for widget in self.documents:
            self._document_column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        sheets = self._datasheets.sheets(self._board_type)
        self.documents = [self._document(sheet) for sheet in sheets]
        for widget in self.documents:
            self._document_column.addWidget(widget)
        self._search_line.setVisible(any(not sheet.fault for sheet in sheets))
        self._folder.set_text(self._datasheets.folder())
        self._show_state()

    def _document(self, sheet: SheetView) -> QWidget:
        if sheet.fault:
            return Notice(sheet.fault, "warning")
        line = QWidget()
        name = ElidedText(sheet.name, "body", middle=True)
        open_button = IconButton("export", self.tr("Open {0}").format(sheet.name), small=True)
        open_button.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(sheet.path)))
        facts = Text(sheet.facts, "caption", "muted")
        row(IconLabel("file", "text_muted"), name, facts, open_button, gap=2, parent=line).setStretch(1, 1)
        return line

    def _show_state(self) -> None:
        reading = self._datasheets.reading()
        self.refresh_button.setEnabled(not reading)
        empty = not self.documents
        if reading and empty:
            self._explanation.setText(self.tr("The files are being read…"))
        elif empty:
            self._explanation.setText(
                self.tr(
                    "No data sheet is there yet. Put Markdown, text or PDF files into the folder; a file or "
                    "folder that is named like the board ({0}) is about this board, the others are about "
                    "all boards."
                ).format(self._board_type)
            )
        self._explanation.setVisible(empty)

    def _retranslate(self) -> None:
        self.folder_button.setText(self.tr("Open folder"))
        self.refresh_button.set_name(self.tr("Look again"))
        self.field.setPlaceholderText(self.tr("Search the data sheets"))
        self.field.setAccessibleName(self.tr("Search the data sheets"))
        self.search_button.setText(self.tr("Search"))
        self._show_state()
