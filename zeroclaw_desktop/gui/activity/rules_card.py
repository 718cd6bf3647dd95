"""Answers that are remembered: what each allows exactly, until when, how often it did, and its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.activity.present_list import FittingScroll, drop_rows
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import Hairline, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ApprovalRuleView


class RuleRow(QWidget):
    """One remembered answer."""

    revoke_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rule: ApprovalRuleView | None = None
        self.covers = Text(wrap=True)
        self.facts = Text(role="caption", tone="muted", wrap=True)
        self.revoke_button = Button("", "secondary", compact=True)
        self.revoke_button.clicked.connect(self.revoke_requested)
        line = row(column(self.covers, self.facts, gap=0.5), self.revoke_button, gap=2)
        line.setStretch(0, 1)
        column(Hairline(), line, gap=1, margins=(0, 1), parent=self)
        self._retranslate()

    def show_rule(self, rule: ApprovalRuleView) -> None:
        """Show an answer as it stands now."""
        self.rule = rule
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.revoke_button.setText(self.tr("Revoke"))
        if self.rule is None:
            return
        self.covers.setText(self.rule.covers)
        by_window = self.rule.made_by == "window"
        made = self.tr("given in the window") if by_window else self.tr("given on the command line")
        many = self.tr("used {0} times").format(self.rule.uses)
        uses = self.tr("used once") if self.rule.uses == 1 else many
        self.facts.setText("  ·  ".join((self.rule.length, uses, made)))
        self.revoke_button.setAccessibleName(self.tr("Revoke: {0}").format(self.rule.covers))
        self.setAccessibleName(f"{self.rule.covers}. {self.facts.text()}")


class RulesCard(Card):
    """All of them; hidden when there are none."""

    revoke_requested = Signal(str)
    """Id of the answer that is to end."""

    def __init__(self) -> None:
        super().__init__(padding=4, gap=2)
        self.rows: dict[str, RuleRow] = {}
        self.title = Text(role="strong", wrap=True)
        self._hint = Text(tone="muted", wrap=True)
        self._list = column(gap=1)
        self.list_scroll = FittingScroll(column(self._list, STRETCH, gap=1))
        self.body.addLayout(column(self.title, self._hint, gap=1))
        self.body.addWidget(self.list_scroll)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()
        self._retranslate()

    def show_rules(self, rules: Sequence[ApprovalRuleView]) -> None:
        """Show these answers."""
        drop_rows(self.rows, {rule.rule_id for rule in rules}, self._list)
        for place, rule in enumerate(rules):
            if rule.rule_id not in self.rows:
                self.rows[rule.rule_id] = self._new_row(rule.rule_id, place)
            self.rows[rule.rule_id].show_rule(rule)
        self.setVisible(bool(rules))
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _new_row(self, rule_id: str, place: int) -> RuleRow:
        line = RuleRow()
        line.revoke_requested.connect(lambda: self.revoke_requested.emit(rule_id))
        self._list.insertWidget(place, line)
        return line

    def _retranslate(self) -> None:
        self.title.setText(self.tr("Remembered answers: {0}").format(len(self.rows)))
        self._hint.setText(self.tr("These commands run without asking. An emergency stop ends all of them."))
        self.setAccessibleName(self.title.text())
