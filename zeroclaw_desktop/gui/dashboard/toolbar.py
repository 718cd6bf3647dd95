"""The line above the tiles: which dashboard, what can be done with it, using or editing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QUndoStack
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.theme import icon, space
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton, MenuButton
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row


class _NameField(QLineEdit):
    """Stands in the place of the list while a dashboard gets another name; Esc gives up."""

    given_up = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give up with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)


class DashboardToolbar(QWidget):
    """Controls of the page.

    Args:
        stack: for the undo and redo buttons.
    """

    chosen = Signal(str)
    named = Signal(str)
    """The person gave the dashboard another name."""
    edit_toggled = Signal(bool)
    add_requested = Signal()

    def __init__(self, stack: QUndoStack) -> None:
        super().__init__()
        self._ids: list[str] = []
        self.list = ChoiceList()
        self.list.setMinimumWidth(space(50))
        self.list.activated.connect(lambda number: self.chosen.emit(self._ids[number]))
        self.name_field = _NameField()
        self.name_field.setMaxLength(60)
        self.name_field.setMinimumWidth(space(50))
        self.name_field.hide()
        self.name_field.editingFinished.connect(self._take_name)
        self.name_field.given_up.connect(self.end_naming)
        self.more_button = MenuButton("more")
        self.menu = QMenu(self)
        actions().guard(self.menu)
        self.more_button.take_menu(self.menu)
        self.undo_button = IconButton("undo")
        self.undo_button.clicked.connect(stack.undo)
        self.redo_button = IconButton("redo")
        self.redo_button.clicked.connect(stack.redo)
        self.add_button = Button("", "secondary", "add")
        self.add_button.clicked.connect(self.add_requested)
        self.edit_button = Button("", "secondary", "edit")
        self.edit_button.setCheckable(True)
        self.edit_button.clicked.connect(self.edit_toggled)
        self.full_button = IconButton("full_screen")
        self.full_button.clicked.connect(actions().full_screen_requested)
        # Slots ask nothing of the stack: it tells of its own end as well.
        self.undo_button.setEnabled(False)
        self.redo_button.setEnabled(False)
        self._undo_text = self._redo_text = ""
        stack.canUndoChanged.connect(self.undo_button.setEnabled)
        stack.canRedoChanged.connect(self.redo_button.setEnabled)
        stack.undoTextChanged.connect(self._take_undo_text)
        stack.redoTextChanged.connect(self._take_redo_text)
        row(
            self.list,
            self.name_field,
            self.more_button,
            STRETCH,
            self.undo_button,
            self.redo_button,
            self.add_button,
            self.edit_button,
            self.full_button,
            parent=self,
        )
        self._retranslate()

    def show_dashboards(self, dashboards: Sequence[tuple[str, str]], current: str) -> None:
        """Show the (id, name) of each, and which one is shown."""
        self._ids = [dashboard_id for dashboard_id, _ in dashboards]
        self.list.clear()
        self.list.addItems([name for _, name in dashboards])
        self.list.setCurrentIndex(self._ids.index(current) if current in self._ids else -1)

    def set_editing(self, editing: bool) -> None:
        """Show which of the two is on."""
        self.edit_button.setChecked(editing)
        self.edit_button.set_icon_name("done" if editing else "edit")
        self.edit_button.set_role("primary" if editing else "secondary")
        self._retranslate()

    def begin_naming(self) -> None:
        """Let the person write another name in the place of the list."""
        self.list.hide()
        self.name_field.setText(self.list.currentText())
        self.name_field.show()
        self.name_field.selectAll()
        self.name_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def fill_menu(self, entries: Sequence[tuple[str, str, Callable[[], None]] | None]) -> None:
        """Offer these (icon, text, deed) in the menu; None is a line."""
        self.menu.clear()
        for entry in entries:
            if entry is None:
                self.menu.addSeparator()
                continue
            name, text, deed = entry
            action = QAction(icon(name, "text_muted"), text, self.menu)
            action.triggered.connect(lambda _=False, do=deed: do())
            self.menu.addAction(action)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _take_name(self) -> None:
        if not self.name_field.isHidden():
            self.end_naming()
            self.named.emit(self.name_field.text())

    def end_naming(self) -> None:
        """Show the list again."""
        self.name_field.hide()
        self.list.show()

    def _take_undo_text(self, text: str) -> None:
        self._undo_text = text
        self._show_steps()

    def _take_redo_text(self, text: str) -> None:
        self._redo_text = text
        self._show_steps()

    def _show_steps(self) -> None:
        undo = self.tr("Undo: {0}").format(self._undo_text) if self._undo_text else self.tr("Undo")
        redo = self.tr("Redo: {0}").format(self._redo_text) if self._redo_text else self.tr("Redo")
        self.undo_button.set_name(f"{undo}  Ctrl+Z")
        self.redo_button.set_name(f"{redo}  Ctrl+Y")

    def _retranslate(self) -> None:
        self.list.setAccessibleName(self.tr("Dashboard"))
        self.name_field.setAccessibleName(self.tr("Name of the dashboard"))
        self.more_button.set_name(self.tr("More"))
        self.add_button.setText(self.tr("Add tile"))
        self.edit_button.setText(self.tr("Done") if self.edit_button.isChecked() else self.tr("Edit"))
        self.edit_button.setToolTip(self.tr("Move and resize tiles (Ctrl+E)"))
        self.full_button.set_name(self.tr("Full screen (F11)"))
        self._show_steps()
