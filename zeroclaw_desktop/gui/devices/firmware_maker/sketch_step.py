"""Third step: the sketch in an editor, what its check says, and how full the chip will be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QProgressBar, QSizePolicy, QWidget

from zeroclaw_desktop.gui.devices.firmware_maker.finding_list import FindingList
from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.code_colors import CodeColors
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice
from zeroclaw_desktop.gui.widgets.fields import keep_face
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.maker_views import BuildView, MemoryView, PlanView

TYPING_MILLISECONDS = 500
_LANGUAGES = {"arduino": "arduino", "micropython": "python", "rust": "cpp"}


class LineNumbers(QWidget):
    """The numbers beside the editor."""

    def __init__(self, editor: SketchEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        """As wide as the largest number."""
        return QSize(self._editor.margin_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the numbers of the lines that are seen."""
        self._editor.paint_numbers(event)


class SketchEditor(QPlainTextEdit):
    """A plain editor in mono with line numbers and colours."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = LineNumbers(self)
        self._colors: CodeColors | None = None
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.blockCountChanged.connect(lambda _count: self._make_room())
        self.updateRequest.connect(self._scrolled)
        theme().theme_changed.connect(self._dress)
        self._dress()

    def set_language(self, language: str) -> None:
        """Colour as this language."""
        if self._colors is not None:
            self._colors.setDocument(None)
            self._colors.deleteLater()
        self._colors = CodeColors(self.document(), language)

    def go_to_line(self, line: int) -> None:
        """Put the cursor into a line and show it."""
        block = self.document().findBlockByNumber(max(0, line - 1))
        cursor = QTextCursor(block)
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def margin_width(self) -> int:
        """Pixels for the line numbers."""
        digits = max(3, len(str(self.blockCount())))
        return round(QFontMetricsF(self.font()).horizontalAdvance("9") * digits) + space(4)

    def paint_numbers(self, event: QPaintEvent) -> None:
        """Draw the numbers of the lines that are seen."""
        painter = QPainter(self._numbers)
        painter.fillRect(event.rect(), theme().color("sunken"))
        painter.setFont(self.font())
        painter.setPen(theme().color("text_faint"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        height = QFontMetricsF(self.font()).height()
        right = self._numbers.width() - space(2)
        while block.isValid() and top <= event.rect().bottom():
            if block.isVisible():
                area = QRect(0, round(top), right, round(height))
                painter.drawText(area, int(Qt.AlignmentFlag.AlignRight), str(block.blockNumber() + 1))
            top += self.blockBoundingRect(block).height()
            block = block.next()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the numbers beside the text."""
        super().resizeEvent(event)
        inner = self.contentsRect()
        self._numbers.setGeometry(QRect(inner.left(), inner.top(), self.margin_width(), inner.height()))

    def changeEvent(self, event: QEvent) -> None:
        """Keep the face."""
        super().changeEvent(event)
        keep_face(self, event, "mono")

    def _make_room(self) -> None:
        self.setViewportMargins(self.margin_width(), 0, 0, 0)

    def _scrolled(self, rect: QRect, moved: int) -> None:
        if moved:
            self._numbers.scroll(0, moved)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())

    def _dress(self) -> None:
        self.setFont(theme().font("mono"))
        self.setTabStopDistance(QFontMetricsF(self.font()).horizontalAdvance("  "))
        self._make_room()
        self._numbers.update()


class MemoryBar(QWidget):
    """How full a memory will be: name, bar, figures."""

    def __init__(self) -> None:
        super().__init__()
        self._name = Text(role="label")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._figures = Text(role="mono_small", tone="muted")
        row(self._name, self._bar, self._figures, gap=2, parent=self).setStretch(1, 1)

    def show_use(self, name: str, use: MemoryView | None) -> None:
        """Show a memory; hidden when nothing is known."""
        self.setVisible(use is not None and use.limit > 0)
        if use is None or use.limit == 0:
            return
        percent = use.used * 100 / use.limit
        self._name.setText(name)
        self._bar.setRange(0, 100)
        self._bar.setValue(min(100, round(percent)))
        figures = f"{use.used} / {use.limit} B   {percent:.0f} %"
        self._figures.setText(figures)
        self._bar.setAccessibleName(f"{name} {figures}")


class SketchStep(QWidget):
    """Editor, findings and sizes."""

    edited = Signal(str)
    reset_requested = Signal()
    restore_requested = Signal()
    """The person wants the sketch back that a change of pins or values has replaced."""

    def __init__(self) -> None:
        super().__init__()
        self._plan: PlanView | None = None
        self._language = ""
        self.editor = SketchEditor()
        self.editor.textChanged.connect(self._changed)
        self.findings = FindingList()
        self.findings.line_chosen.connect(self.editor.go_to_line)
        self._scroll = ScrollColumn(column(self.findings, None, gap=0))
        self._scroll.setMinimumHeight(size("maker_list_height"))
        self._scroll.setMaximumHeight(size("maker_list_height"))
        self.verdict = Notice(kind="success")
        self.verdict.action_triggered.connect(self.reset_requested)
        self.replaced = Notice(kind="warning")
        self.replaced.action_triggered.connect(self.restore_requested)
        self.replaced.hide()
        self.error_card = ErrorCard()
        self.error_card.hide()
        self.flash_bar, self.ram_bar = MemoryBar(), MemoryBar()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MILLISECONDS)
        self._timer.timeout.connect(self._tell)
        bars = row(self.flash_bar, self.ram_bar, gap=6)
        body = column(
            self.replaced, self.editor, self.verdict, self._scroll, self.error_card, bars, gap=2, parent=self
        )
        body.setStretch(1, 1)
        self.clear_build()

    def show_plan(self, plan: PlanView) -> None:
        """Take over a plan; the text of the editor is replaced only when it is not the person's own."""
        self._plan = plan
        if self._language != plan.dialect:
            self._language = plan.dialect
            self.editor.set_language(_LANGUAGES.get(plan.dialect, "cpp"))
        if self.editor.toPlainText() != plan.sketch and not self._timer.isActive():
            self.editor.blockSignals(True)
            self.editor.setPlainText(plan.sketch)
            self.editor.blockSignals(False)
        self.editor.setAccessibleName(plan.file_name)
        self._show_check(plan)

    def show_build(self, build: BuildView) -> None:
        """Show a build as it stands."""
        if build.state == "running":
            steps = {
                "core": self.tr("Compiling the core of the board, once for each chip"),
                "sketch": self.tr("Compiling the sketch"),
                "link": self.tr("Linking"),
            }
            self.verdict.set_notice(steps.get(build.step, self.tr("Compiling the sketch")), "info")
            return
        self.flash_bar.show_use(self.tr("Flash"), build.flash)
        self.ram_bar.show_use(self.tr("RAM"), build.ram)
        if build.findings:
            self._show_findings(build.findings)
        if build.state == "done":
            text = self.tr("Checked.") if build.checked_only else self.tr("Compiled by {0} in {1} s.")
            self.verdict.set_notice(text.format(build.tool, f"{build.seconds:.1f}"), "success")
        elif build.findings:
            self.verdict.set_notice(self.tr("It does not compile. Nothing was written."), "error")
        else:
            self.verdict.set_notice(self.tr("It was not compiled. Nothing was written."), "warning")

    def clear_build(self) -> None:
        """Forget the last build: the sketch is another one."""
        self.flash_bar.hide()
        self.ram_bar.hide()
        self.error_card.hide()

    def show_replaced(self, replaced: bool) -> None:
        """Say that the person's own sketch gave way to the template's, and offer it back."""
        text = self.tr(
            "Pins or values were changed, so this is the template's sketch again, without your changes."
        )
        self.replaced.set_notice(text, "warning", self.tr("Bring my sketch back"))
        self.replaced.setVisible(replaced)

    def text(self) -> str:
        """What is in the editor."""
        return self.editor.toPlainText()

    def flush(self) -> None:
        """Tell of what was typed last, at once."""
        if self._timer.isActive():
            self._timer.stop()
            self._tell()

    def _tell(self) -> None:
        self.edited.emit(self.text())

    def _changed(self) -> None:
        self.clear_build()
        self._timer.start()

    def _show_findings(self, findings: tuple[object, ...]) -> None:
        self.findings.show_findings(findings, self.tr("Line {0}:"))  # type: ignore[arg-type]
        self._scroll.setVisible(bool(findings))

    def _show_check(self, plan: PlanView) -> None:
        shown = tuple(finding for finding in plan.findings if finding.line or finding.severity == "error")
        self._show_findings(shown)
        reset = self.tr("Back to the template") if plan.edited else ""
        if not plan.ok:
            self.verdict.set_notice(
                self.tr("The check found faults; it is not compiled like this."), "error", reset
            )
        else:
            self.verdict.set_notice(
                self.tr("The check found no fault: pins, buses, libraries."), "success", reset
            )

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange and self._plan is not None:
            self._show_check(self._plan)
        super().changeEvent(event)
