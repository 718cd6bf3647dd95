"""Ports that nobody knows yet: what keeps them closed, mends with the system's password, who is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.port_views import AccessView, AskView, MendResultView, MendView
from zeroclaw_desktop.bridge.port_words import (
    access_view,
    answer_view,
    mend_view,
    mended_sentence,
    step_sentence,
)
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.port_access import Access, AccessProblem
    from zeroclaw_desktop.runtime.port_mending import Mend
    from zeroclaw_desktop.runtime.runtime import Runtime

LOOK_MILLISECONDS = 4_000
"""A program that takes or leaves a port announces it to nobody; looked for only while the page is shown."""
SETTLED_LOOKS = 2
"""A board that was just plugged in has no port for a moment; it is told when it still has none."""


class PortAccessBridge(QObject):
    """What can be said and done about ports without a known board."""

    changed = Signal()
    """Obstacles or answers changed."""
    identified = Signal(str, str)
    """(path, key) of a board that its own firmware has named."""
    mended = Signal(object)
    """MendResultView."""

    def __init__(self, core: CoreAccess, parent: QObject) -> None:
        super().__init__(parent)
        self._core = core
        self._runtime: Runtime | None = None
        self._access: Access | None = None
        self._portless: dict[str, int] = {}
        """How often in a row a place was seen without a port."""
        self._asked: dict[str, Callable[[Language], AskView]] = {}
        """What each port was asked and answered, in the language of the moment."""
        self._looking = self._shown = False
        self._mending = ""
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.look)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.contracts.events import PortsChanged

        self._runtime = runtime
        runtime.bus.subscribe(PortsChanged, lambda _event: self._ports_changed())
        self.look()

    def set_shown(self, shown: bool) -> None:
        """Look now and then while the page is shown."""
        self._shown = shown
        if shown:
            self.look()
            self._timer.start()
        else:
            self._timer.stop()

    def look(self) -> None:
        """Look for obstacles; ``changed`` tells when they are others than before."""
        if self._runtime is not None and not self._looking:
            self._looking = True
            self._core.start(self._look(self._runtime), "look at ports")

    async def _look(self, runtime: Runtime) -> None:
        import asyncio

        from zeroclaw_desktop.runtime.port_access import look_at_access

        try:
            found = await asyncio.to_thread(look_at_access, runtime.roster.usb_ports())
        finally:
            self._looking = False
        before = (self._access, self.portless())
        self._portless = {
            problem.place: self._portless.get(problem.place, 0) + 1 for problem in found.portless
        }
        self._access = found
        if (found, self.portless()) != before:
            self.changed.emit()

    def _ports_changed(self) -> None:
        assert self._runtime is not None
        free = {port.path for port in self._runtime.roster.free_ports()}
        running = {path for path in self._asked if self._is_running(path)}
        self._asked = {path: view for path, view in self._asked.items() if path in free | running}
        self.look()

    # -- obstacles ------------------------------------------------------------------------------------
    def problem(self, path: str) -> AccessView | None:
        """What keeps a port closed; None when nothing is known to."""
        found = self._access.ports.get(path) if self._access is not None else None
        return access_view(found, self._core.language) if found is not None else None

    def portless(self) -> list[AccessView]:
        """Boards that are plugged in and have no port."""
        found = self._access.portless if self._access is not None else ()
        settled = [problem for problem in found if self._portless.get(problem.place, 0) >= SETTLED_LOOKS]
        return [access_view(problem, self._core.language) for problem in settled]

    def _problem_at(self, place: str) -> AccessProblem | None:
        if self._access is None:
            return None
        portless = {problem.place: problem for problem in self._access.portless}
        return self._access.ports.get(place) or portless.get(place)

    def mend(self, place: str) -> MendView | None:
        """What would be done about the obstacle at a place; nothing is done yet."""
        from zeroclaw_desktop.runtime.port_mending import RULE_NAME, RULES_FOLDER

        problem = self._problem_at(place)
        if problem is None or problem.mend is None:
            return None
        return mend_view(problem.mend, str(RULES_FOLDER / RULE_NAME), self._core.language)

    def do_mend(self, place: str) -> None:
        """Do it, after the system has asked for the password; ``mended`` tells what came of it."""
        problem = self._problem_at(place)
        if (
            self._runtime is not None
            and problem is not None
            and problem.mend is not None
            and not self._mending
        ):
            self._mending = problem.mend.key
            self._core.start(self._mend(self._runtime, problem.mend), "mend")

    def mending(self) -> str:
        """Key of the mend that is being done; '' for none."""
        return self._mending

    async def _mend(self, runtime: Runtime, mend: Mend) -> None:
        from zeroclaw_desktop.runtime.port_mending import carry_out

        language = self._core.language
        try:
            await carry_out(mend, runtime.children)
        except ZeroClawError as error:
            result = MendResultView(mend.key, error=error_view_of(error, language))
        else:
            result = MendResultView(mend.key, mended_sentence(mend.key, language))
        finally:
            self._mending = ""
        self.look()
        self.mended.emit(result)

    # -- asking ---------------------------------------------------------------------------------------
    def asked(self, path: str) -> AskView | None:
        """What the port was asked and answered; None when nobody has asked."""
        view = self._asked.get(path)
        return view(self._core.language) if view is not None else None

    def _is_running(self, path: str) -> bool:
        view = self.asked(path)
        return view is not None and view.running

    def ask(self, path: str) -> None:
        """Find out which board is on a port; the board may restart. ``changed`` tells how it goes."""
        if self._runtime is not None and not self._is_running(path):
            self._core.start(self._ask(self._runtime, path), "ask a port")

    async def _ask(self, runtime: Runtime, path: str) -> None:
        from zeroclaw_desktop.runtime.port_identification import identify_port

        def step(name: str) -> None:
            self._show(path, lambda language: AskView(path, True, step_sentence(name, language)))

        step("firmware")
        try:
            found = await identify_port(path, runtime.children, step)
        except ZeroClawError as error:
            fault = error
            self._show(path, lambda language: AskView(path, error=error_view_of(fault, language)))
            self.look()
            return
        kinds = {profile.key: (profile.name, profile.chip) for profile in runtime.board_types()}

        def facts(key: str) -> tuple[str, str]:
            return kinds.get(key, (key, found.chip))

        self._show(path, lambda language: answer_view(path, found, facts, language))
        if found.certain:
            self.identified.emit(path, found.kinds[0])

    def _show(self, path: str, view: Callable[[Language], AskView]) -> None:
        self._asked[path] = view
        self.changed.emit()
