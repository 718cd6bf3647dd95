"""The leak checks of conftest catch what they are there for, and let a tidy test pass."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

LEAKS = {
    "thread": (
        """
        import threading, time
        def test_it():
            threading.Thread(target=time.sleep, args=(3,), name="left-running").start()
        """,
        "*thread 'left-running'*",
    ),
    "task": (
        """
        import asyncio
        async def sleeper():
            await asyncio.sleep(30)
        async def test_it():
            asyncio.create_task(sleeper(), name="left-waiting")
        """,
        "*asyncio task 'left-waiting' (sleeper)*",
    ),
    "task of the window's loop": (
        """
        import asyncio
        async def sleeper():
            await asyncio.sleep(30)
        async def start():
            asyncio.create_task(sleeper(), name="left-waiting")
        def test_it(qt_loop):
            qt_loop.run_until_complete(start())
        """,
        "*asyncio task 'left-waiting' (sleeper)*",
    ),
    "timer": (
        """
        from PySide6.QtCore import QTimer
        timer = QTimer()
        def test_it(qapp):
            timer.start(1000)
        """,
        "*QTimer still runs; it was started at*test_timer.py*",
    ),
    "animation": (
        """
        from PySide6.QtCore import QVariantAnimation
        animation = QVariantAnimation(startValue=0, endValue=1, duration=60000)
        def test_it(qapp):
            animation.start()
        """,
        "*animation still runs; it was started at*",
    ),
    "window": (
        """
        from PySide6.QtWidgets import QWidget
        kept = []
        def test_it(qapp):
            kept.append(QWidget(objectName="left-open"))
        """,
        "*top-level widget *QWidget named 'left-open'*",
    ),
}

TIDY = """
import asyncio, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
def test_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
async def test_task():
    await asyncio.create_task(asyncio.sleep(0))
def test_window(qtbot):
    window = QWidget()
    timer = QTimer(window)
    timer.start(10)
    qtbot.addWidget(window)
    window.show()
def test_loop(qt_loop):
    assert qt_loop.run_until_complete(asyncio.sleep(0, 5)) == 5
"""


def test_each_leak_fails_its_test_and_is_named_and_a_tidy_test_passes(pytester: pytest.Pytester) -> None:
    root = Path(__file__).resolve().parents[2]
    pytester.makeconftest(f"import sys\nsys.path.insert(0, {str(root)!r})\nfrom tests.conftest import *\n")
    sources = {kind: source for kind, (source, _line) in LEAKS.items()} | {"tidy": TIDY}
    pytester.makepyfile(**{f"test_{kind.replace(' ', '_')}": source for kind, source in sources.items()})

    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-o", "asyncio_mode=auto")

    result.assert_outcomes(passed=len(LEAKS) + 4, errors=len(LEAKS))
    for _source, line in LEAKS.values():
        result.stdout.fnmatch_lines([line])
    assert "test_tidy.py F" not in result.stdout.str()
