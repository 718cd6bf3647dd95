"""The real window in a process of its own, with a timer that notes how late the event loop is.

A benchmark gives the body of ``async def scenario(bench)``; what it returns is printed as JSON and read here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import ConfigStore

ROOT = Path(__file__).resolve().parents[1]


class Bench:
    """What a scenario sees of the window; made inside the window's process."""

    def __init__(self, window: Any, arguments: Sequence[str]) -> None:
        self.window = window
        self.bridge = window._bridge
        self.arguments = arguments
        self.gaps: list[float] = []
        self._last = 0.0

    @property
    def runtime(self) -> Any:
        """The running core."""
        return self.bridge.core.runtime

    def note(self) -> None:
        """Called by a timer of one millisecond."""
        import time

        now = time.perf_counter()
        if self._last:
            self.gaps.append((now - self._last) * 1000)
        self._last = now

    def restart(self) -> None:
        """Forget the gaps so far."""
        self.gaps.clear()
        self._last = 0.0

    def figures(self) -> dict[str, float]:
        """Gaps in milliseconds, memory in bytes, processor time in seconds, as they are now."""
        ordered = sorted(self.gaps) or [0.0]
        place = lambda share: ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]  # noqa: E731
        return {
            "p50": place(0.5),
            "p99": place(0.99),
            "max": ordered[-1],
            "cpu": sum(os.times()[:2]),
            "resident": resident(),
        }


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not tell."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def drive(scenario: Any, arguments: Sequence[str], options: Sequence[str] = ()) -> int:
    """Open the window, run ``scenario(bench)`` once the core is there, print what it returns, close.

    Args:
        scenario: ``async def scenario(bench: Bench) -> dict``.
        arguments: for the scenario.
        options: of the program, as ``--simulator``.
    """
    import asyncio
    import traceback

    from PySide6.QtCore import Qt, QTimer

    from zeroclaw_desktop.gui import app
    from zeroclaw_desktop.gui.main_window import MainWindow

    show = MainWindow.show
    kept: list[Any] = []

    def told(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            traceback.print_exception(error)

    def watched_show(window: Any) -> None:
        show(window)
        bench = Bench(window, arguments)
        timer = QTimer(window)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(bench.note)
        timer.start(1)

        async def run() -> None:
            try:
                print(json.dumps(await scenario(bench)), flush=True)
            finally:
                timer.stop()
                window.close()

        def begin() -> None:
            task = asyncio.ensure_future(run())
            task.add_done_callback(told)
            kept.append(task)

        window._bridge.core_ready.connect(begin)

    MainWindow.show = watched_show  # type: ignore[method-assign, assignment]
    return app.main(list(options))


def in_window(
    module: str, *arguments: str, seconds: float = 120.0, settings: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Run ``python -m MODULE --inside ARGUMENTS``, whose last line of output is the JSON of its scenario.

    Args:
        seconds: after which it is killed.
        settings: that the window starts with.

    Raises:
        RuntimeError: it printed none.
    """
    with tempfile.TemporaryDirectory() as home:
        config = ConfigStore(Path(home) / "config.toml")
        for key, value in (settings or {}).items():
            config.set(key, value)
        environment = {**os.environ, "ZEROCLAW_HOME": home}
        if "DISPLAY" not in environment:
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        ended = subprocess.run(
            [sys.executable, "-m", module, "--inside", *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    if ended.returncode or not ended.stdout.strip():
        raise RuntimeError((ended.stderr or ended.stdout)[-3000:])
    found: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    return found
