"""The sheet that saves the present layout of the plots under a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.form_sheet import FormSheet
from zeroclaw_desktop.gui.widgets.labels import Text

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge

MOST_NAME = 60


class LayoutSheet(FormSheet):
    """Asks for the name of a layout.

    Args:
        host: page that it lies over.
        views: bridge object that keeps layouts.
        present: returns the layout to save.
        saved: called with the name after it was saved.
    """

    def __init__(
        self,
        host: QWidget,
        views: PlotViewsBridge,
        present: Callable[[], dict[str, Any]],
        saved: Callable[[str], None],
    ) -> None:
        self.name_field = QLineEdit()
        self.name_field.setMaxLength(MOST_NAME)
        super().__init__(host, (self.name_field,))
        self._views = views
        self._present = present
        self._saved = saved
        self.note = Text(tone="muted", wrap=True)
        self.panel.body.insertWidget(self.panel.body.count() - 1, self.note)
        self.name_field.textEdited.connect(self.check)
        self.retranslate()

    def open_now(self, name: str = "") -> None:
        """Ask, with a name to begin with."""
        self.name_field.setText(name)
        self.show_fault(None)
        self.check()
        self.open_sheet()
        self.name_field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.name_field.selectAll()

    def problem(self) -> str:
        """A name is all that is needed."""
        return "" if self.name_field.text().strip() else self.tr("The layout needs a name.")

    def check(self) -> None:
        """Say also when another layout would be replaced."""
        super().check()
        taken = " ".join(self.name_field.text().split()) in self._views.layouts()
        self.note.setVisible(taken)
        self.save_button.setText(self.tr("Replace") if taken else self.tr("Save"))

    def apply(self) -> ErrorView | None:
        """Save it."""
        name = " ".join(self.name_field.text().split())
        fault = self._views.save_layout(name, self._present())
        if fault is None:
            self._saved(name)
        return fault

    def retranslate(self) -> None:
        """Write all texts."""
        super().retranslate()
        self.set_title(self.tr("Save the layout"))
        self.name_fields((self.tr("Name"),))
        self.name_field.setPlaceholderText(self.tr("For example: greenhouse"))
        self.note.setText(self.tr("A layout of this name is there already; it will be replaced."))
