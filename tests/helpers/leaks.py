"""Finds what a test left behind: threads, asyncio tasks, running Qt timers and animations, top-level widgets.

Each finder returns sentences that name the culprit and where it came from; an empty list means none. Used by
``tests/conftest.py`` after every test.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: How long something may take to end by itself after a test, in seconds.
PATIENCE_S = 2.0
#: Threads of libraries that live as long as the process by their own design.
LIBRARY_THREADS = (
    "execnet",
    "pydev",
    "ThreadPoolExecutor-shared",
    "hypothesis",
    "asyncio_",
)  # asyncio_: a loop's own executor ends with its loop


def leaked_threads(before: set[threading.Thread], patience_s: float = PATIENCE_S) -> list[str]:
    """Return one sentence for each thread that is not in ``before`` and still runs after ``patience_s``."""
    deadline = time.monotonic() + patience_s
    while (suspects := _new_threads(before)) and time.monotonic() < deadline:
        suspects[0].join(timeout=0.05)
    frames = sys._current_frames()
    found = []
    for thread in suspects:
        frame = frames.get(thread.ident or 0)
        where = "".join(traceback.format_stack(frame)[-2:]) if frame else ""
        found.append(f"thread {thread.name!r} (daemon={thread.daemon}) still runs:\n{where}")
    return found


def _new_threads(before: set[threading.Thread]) -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before
        and thread is not threading.current_thread()
        and not isinstance(thread, threading._DummyThread)
        and not thread.name.startswith(LIBRARY_THREADS)
    ]


def leaked_tasks(tasks: set[asyncio.Task[Any]], before: set[asyncio.Task[Any]]) -> list[str]:
    """Return one sentence for each task of ``tasks`` that has not ended and is not in ``before``."""
    found = []
    for task in tasks - before:
        if not task.done():
            coroutine = task.get_coro()
            name = getattr(coroutine, "__qualname__", repr(coroutine))
            frame = getattr(coroutine, "cr_frame", None)
            place = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "an unknown place"
            found.append(
                f"asyncio task {task.get_name()!r} ({name}) was not awaited or cancelled; it waits at {place}"
            )
    return found


class QtStarts:
    """What was started on Qt's side while a test ran, with the place that started it."""

    def __init__(self) -> None:
        self.entries: list[tuple[Any, str, str]] = []

    def leaked(self, is_alive: Callable[[Any], bool]) -> list[str]:
        """Return one sentence for each entry that still runs.

        Args:
            is_alive: whether Qt's object behind a Python object still exists.
        """
        found = []
        for thing, kind, place in self.entries:
            if not is_alive(thing):
                continue
            running = thing.isActive() if kind == "QTimer" else thing.state() == type(thing).State.Running
            if running:
                found.append(f"{kind} still runs; it was started at {place}")
        return found


@contextmanager
def watched_qt_starts() -> Iterator[QtStarts]:
    """Note each ``start()`` of a QTimer or an animation while the body runs."""
    from PySide6.QtCore import QAbstractAnimation, QTimer

    starts = QtStarts()
    originals = {owner: owner.start for owner in (QTimer, QAbstractAnimation)}

    def watching(owner: type[Any], kind: str) -> Callable[..., None]:
        def start(self: Any, *arguments: Any, **options: Any) -> None:
            caller = sys._getframe(1)
            starts.entries.append((self, kind, f"{caller.f_code.co_filename}:{caller.f_lineno}"))
            originals[owner](self, *arguments, **options)

        return start

    QTimer.start = watching(QTimer, "QTimer")  # type: ignore[method-assign]
    QAbstractAnimation.start = watching(QAbstractAnimation, "animation")  # type: ignore[method-assign]
    try:
        yield starts
    finally:
        QTimer.start = originals[QTimer]  # type: ignore[method-assign]
        QAbstractAnimation.start = originals[QAbstractAnimation]  # type: ignore[method-assign]


def drain_qt_events() -> None:
    """Let Qt carry out what was asked of it, deletions above all."""
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def top_level_widgets() -> list[Any]:
    """Return the windows that exist now; none without a QApplication."""
    from PySide6.QtWidgets import QApplication

    return list(QApplication.topLevelWidgets()) if isinstance(QApplication.instance(), QApplication) else []


def leaked_widgets(before: list[Any]) -> list[str]:
    """Return one sentence for each top-level widget that is not in ``before`` and was not destroyed."""
    import shiboken6

    drain_qt_events()
    known = {id(widget) for widget in before}
    suspects = [widget for widget in top_level_widgets() if id(widget) not in known]
    if suspects:
        # A widget in a reference cycle goes with the garbage; that is untidy, not a leak.
        names = [_describe_widget(widget) for widget in suspects]
        suspects.clear()
        gc.collect()
        drain_qt_events()
        suspects = [
            widget for widget in top_level_widgets() if id(widget) not in known and shiboken6.isValid(widget)
        ]
        return [f"top-level widget {_describe_widget(widget)} was not destroyed" for widget in suspects][
            : len(names)
        ]
    return []


def _describe_widget(widget: Any) -> str:
    title = widget.windowTitle()
    return (
        f"{type(widget).__module__}.{type(widget).__name__} named {widget.objectName()!r}, titled {title!r}"
    )
