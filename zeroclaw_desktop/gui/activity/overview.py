"""What all tasks share: resources with who holds them and who waits, run time of the sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from zeroclaw_desktop.gui.activity.words import duration_text, span_text
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.labels import ElidedText, KeyValueList, SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import BudgetView, ResourceRowView

MOST_SESSIONS = 5
"""Sessions that are shown, the latest first."""
NEARLY_USED = 0.8
"""From this share on a session's meter warns."""
_PER_MILLE = 1_000


class BudgetMeter(QWidget):
    """Used and allowed run time of one session."""

    def __init__(self) -> None:
        super().__init__()
        self._budget: BudgetView | None = None
        self._title = ""
        self._name = ElidedText()
        self.figures = Text(role="mono_small", tone="muted")
        self.badge = Badge()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _PER_MILLE)
        head = row(self._name, self.badge, self.figures, gap=2)
        head.setStretch(0, 1)
        column(head, self.bar, gap=1, parent=self)

    def show_budget(self, budget: BudgetView, title: str) -> None:
        """Show a session; ``title`` says what it did."""
        self._budget, self._title = budget, title
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        if self._budget is None:
            return
        budget = self._budget
        share = min(1.0, budget.used / budget.limit) if budget.limit > 0 else 1.0
        self._name.set_text(self._title)
        self._name.setToolTip(budget.session)
        used, limit = duration_text(budget.used * 1000), span_text(budget.limit)
        figures = self.tr("{0} of {1}").format(used, limit)
        self.figures.setText(figures)
        # A session that used anything shows a trace of it.
        self.bar.setValue(max(1 if budget.used else 0, round(share * _PER_MILLE)))
        self.bar.setAccessibleName(f"{self._title}: {figures}")
        if share >= 1.0:
            self.badge.set_state(self.tr("Used up"), "failed")
            self.badge.setToolTip(self.tr("Further commands of this session are refused."))
        else:
            self.badge.set_state(self.tr("Nearly used up"), "waits")
            self.badge.setToolTip("")
        self.badge.setVisible(share >= NEARLY_USED)


class Overview(QWidget):
    """Resources and budgets below the task."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[ResourceRowView] = []
        self._title_of: Callable[[str], str] = str
        self.meters: list[BudgetMeter] = []
        self._resources_head, self._budgets_head = SectionHeader(), SectionHeader()
        self.resources = KeyValueList()
        self._free = Text(tone="muted", wrap=True)
        self._unused = Text(tone="muted", wrap=True)
        self._meters = column(gap=2)
        upper = column(self._resources_head, self._free, self.resources, gap=1)
        lower = column(self._budgets_head, self._unused, self._meters, gap=1)
        column(upper, lower, gap=5, parent=self)
        self._retranslate()

    def show_resources(self, rows: Sequence[ResourceRowView], title_of: Callable[[str], str]) -> None:
        """Show who holds and who waits.

        Args:
            rows: resources by name.
            title_of: gives the sentence of a task's id.
        """
        self._rows, self._title_of = list(rows), title_of
        self._retranslate()

    def show_budgets(self, budgets: Sequence[BudgetView], title_of: Callable[[str], str]) -> None:
        """Show the sessions used last.

        Args:
            budgets: the latest first.
            title_of: gives words for a session's id.
        """
        shown = budgets[:MOST_SESSIONS]
        while len(self.meters) < len(shown):
            self.meters.append(BudgetMeter())
            self._meters.addWidget(self.meters[-1])
        for number, meter in enumerate(self.meters):
            meter.setVisible(number < len(shown))
            if number < len(shown):
                meter.show_budget(shown[number], title_of(shown[number].session))
        self._unused.setVisible(not shown)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _sentence(self, row_view: ResourceRowView) -> str:
        held = ", ".join(self._title_of(task_id) for task_id in row_view.holders)
        parts = [held] if held else []
        if row_view.waiting:
            parts.append(self.tr("waiting: {0}").format(len(row_view.waiting)))
        return "  ·  ".join(parts)

    def _retranslate(self) -> None:
        self._resources_head.set_text(self.tr("Resources in use"))
        self._budgets_head.set_text(self.tr("Run time of sessions"))
        self._free.setText(self.tr("Every pin and line is free."))
        self._free.setVisible(not self._rows)
        self._unused.setText(self.tr("No session has used run time yet."))
        self.resources.setVisible(bool(self._rows))
        self.resources.set_rows((one.name, self._sentence(one)) for one in self._rows)
