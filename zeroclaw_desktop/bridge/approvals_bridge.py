"""Remembered answers: the window lists them and ends them (SC-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.approval_views import rule_view
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.views import ApprovalRuleView
from zeroclaw_desktop.contracts.events import ApprovalRulesChanged

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.runtime import Runtime


class ApprovalsBridge(QObject):
    """Asks the core what there is on each change."""

    changed = Signal()

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        runtime.bus.subscribe(ApprovalRulesChanged, lambda _event: self.changed.emit())
        self.changed.emit()

    def rules(self) -> list[ApprovalRuleView]:
        """The answers that are remembered now, oldest first."""
        if self._runtime is None:
            return []
        desk, language = self._runtime.approvals, self._core.language
        return [
            rule_view(rule, desk.board_name(rule.device_id), desk.rule_seconds_left(rule), language)
            for rule in desk.rules()
        ]

    def revoke(self, rule_id: str) -> None:
        """End a remembered answer; what it allowed asks again."""
        if self._runtime is not None:
            self._runtime.approvals.revoke(rule_id)
