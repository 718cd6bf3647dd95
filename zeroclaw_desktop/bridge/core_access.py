"""How bridge objects reach the core: absent until it has started, then one runtime for all."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ErrorView
    from zeroclaw_desktop.foundation.tasks import TaskSupervisor
    from zeroclaw_desktop.runtime.runtime import Runtime


class CoreAccess:
    """Shared by all bridge objects.

    Args:
        config: the settings, there before the core.
        system_language: language of the system, for the setting ``system``.
    """

    def __init__(self, config: ConfigStore, system_language: Language) -> None:
        self.config = config
        self.runtime: Runtime | None = None
        self._tasks: TaskSupervisor | None = None
        self._system_language = system_language
        self._waiting: list[Callable[[Runtime], None]] = []

    @property
    def language(self) -> Language:
        """Language of the window."""
        chosen = self.config.get("ui.language")
        if chosen == "zh":
            return "zh"
        return "en" if chosen == "en" else self._system_language

    def when_ready(self, attach: Callable[[Runtime], None]) -> None:
        """Call ``attach(runtime)`` once the core is there; at once when it is already."""
        if self.runtime is not None:
            attach(self.runtime)
        else:
            self._waiting.append(attach)

    def set_runtime(self, runtime: Runtime) -> None:
        """The core has been built."""
        self.runtime = runtime
        waiting, self._waiting = self._waiting, []
        for attach in waiting:
            attach(runtime)

    def fault_of(self, action: Callable[[], object]) -> ErrorView | None:
        """Do something; returns what went wrong in the language of the window, None when it went well."""
        try:
            action()
        except ZeroClawError as error:
            from zeroclaw_desktop.bridge.error_text import error_view_of  # not needed to paint

            return error_view_of(error, self.language)
        return None

    def start(self, coroutine: Coroutine[Any, Any, Any], name: str) -> None:
        """Run a coroutine from a slot."""
        from zeroclaw_desktop.foundation.tasks import TaskSupervisor  # asyncio is not needed to paint

        if self._tasks is None:
            loop = self.runtime.loop if self.runtime is not None else None
            self._tasks = TaskSupervisor("bridge", loop)
        self._tasks.start(coroutine, name)

    async def stop(self) -> None:
        """End what slots started."""
        if self._tasks is not None:
            await self._tasks.stop()
