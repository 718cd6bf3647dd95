"""Running text of a message: selectable, as high as its content, plain or Markdown.

What a model writes is not trusted: HTML is shown as text, pictures are shown as their description, nothing is
loaded, and a web address opens only by a click.
"""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
    QTextTableFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.theme.tokens import tokens

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_OPENED_SCHEMES = ("http", "https")
_HEADING_ROLES = {1: "title", 2: "lead", 3: "strong"}


class TextBlock(QTextBrowser):
    """A text without frame and scroll bars.

    Args:
        role: font role of the running text.
        wrap: break lines; code does not.
    """

    def __init__(self, role: str = "body", *, wrap: bool = True) -> None:
        super().__init__()
        self._role = role
        self._markdown = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(space(6))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(wrap)
        self.setSizePolicy(policy)
        if wrap:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        else:
            self.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
        self.document().setDefaultFont(theme().font(role))
        self.anchorClicked.connect(open_web_address)
        theme().theme_changed.connect(self._redress)

    def set_plain(self, text: str) -> None:
        """Show text as it is."""
        self._markdown = ""
        self.document().setPlainText(text)
        self._set_line_height()
        self.updateGeometry()

    def append_plain(self, piece: str) -> None:
        """Add text at the end, keeping what is selected."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        self.updateGeometry()

    def set_markdown(self, text: str) -> None:
        """Show GitHub Markdown without HTML."""
        self._markdown = text
        document = self.document()
        document.setMarkdown(text, _FEATURES)
        _name_pictures(document)
        self._style_markdown()
        self.updateGeometry()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802
        """Load nothing: no picture or style of a message is fetched, from the net or from the disk."""
        return None

    def heightForWidth(self, width: int) -> int:
        """Return the height of the content at a width."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return math.ceil(document.size().height())

    def ideal_width(self) -> int:
        """Return the width that the text takes when no line is broken, in logical pixels."""
        self.document().setTextWidth(-1)
        return math.ceil(self.document().idealWidth()) + 1

    def sizeHint(self) -> QSize:
        """Ask for the height of the content."""
        if self.lineWrapMode() == QTextBrowser.LineWrapMode.NoWrap:
            content = self.document().size().toSize()
            return QSize(content.width(), content.height() + size("scrollbar"))
        width = self.width() if self.width() > space(10) else size("reading_width")
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Accept narrow places."""
        return QSize(space(10), self.sizeHint().height() if not self.sizePolicy().hasHeightForWidth() else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave vertical scrolling to the transcript."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def _redress(self) -> None:
        self.document().setDefaultFont(theme().font(self._role))
        if self._markdown:
            self.set_markdown(self._markdown)
        else:
            self._set_line_height()
            self.updateGeometry()

    def _line_percent(self) -> float:
        font = theme().font(self._role)
        return 100 * tokens().line_height * font.pixelSize() / QFontMetricsF(font).lineSpacing()

    def _set_line_height(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        spacing = QTextBlockFormat()
        spacing.setLineHeight(self._line_percent(), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(spacing)

    def _style_markdown(self) -> None:
        document = self.document()
        percent = self._line_percent()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        block = document.begin()
        while block.isValid():
            cursor.setPosition(block.position())
            spacing = QTextBlockFormat()
            spacing.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            in_list = block.textList() is not None
            spacing.setTopMargin(space(1) if in_list or not block.position() else space(2))
            spacing.setBottomMargin(0 if in_list else space(1))
            level = block.blockFormat().headingLevel()
            cursor.mergeBlockFormat(spacing)
            if level:
                _set_heading(cursor, level)
            block = block.next()
        cursor.endEditBlock()
        _style_inline_code(document)
        _style_tables(document)


def open_web_address(address: QUrl) -> None:
    """Open a web address in the person's browser; every other kind of address is ignored."""
    if address.scheme().lower() in _OPENED_SCHEMES:
        QDesktopServices.openUrl(address)


def _style_tables(document: QTextDocument) -> None:
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            looks = frame.format().toTableFormat()
            looks.setBorder(1)
            looks.setBorderCollapse(True)
            looks.setBorderBrush(theme().color("hairline_strong"))
            looks.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
            looks.setCellSpacing(0)
            looks.setCellPadding(space(1.5))
            looks.setTopMargin(space(2))
            looks.setBottomMargin(space(2))
            frame.setFormat(looks)


def _set_heading(cursor: QTextCursor, level: int) -> None:
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    font = theme().font(_HEADING_ROLES.get(level, "strong"))
    looks = QTextCharFormat()
    looks.setFontWeight(QFont.Weight.DemiBold)
    looks.setProperty(QTextCharFormat.Property.FontSizeAdjustment, 0)
    looks.setProperty(QTextCharFormat.Property.FontPixelSize, font.pixelSize())
    cursor.mergeCharFormat(looks)


def _fragments(document: QTextDocument) -> list[tuple[int, int, QTextCharFormat]]:
    found = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            found.append((fragment.position(), fragment.length(), fragment.charFormat()))
            iterator += 1
        block = block.next()
    return found


def _name_pictures(document: QTextDocument) -> None:
    """Put the description and the address of a picture where the picture would be."""
    pictures = [entry for entry in _fragments(document) if entry[2].isImageFormat()]
    for position, length, looks in reversed(pictures):
        image = looks.toImageFormat()
        name = str(image.property(QTextCharFormat.Property.ImageAltText) or "")
        cursor = QTextCursor(document)
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(f"[{name}] {image.name()}".strip(), QTextCharFormat())


def _style_inline_code(document: QTextDocument) -> None:
    mono = theme().font("mono")
    for position, length, looks in _fragments(document):
        if not looks.fontFixedPitch():
            continue
        cursor = QTextCursor(document)
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        code = QTextCharFormat()
        code.setFontFamilies(mono.families())
        code.setBackground(theme().color("sunken"))
        cursor.mergeCharFormat(code)
