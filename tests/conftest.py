"""What every test gets: a state folder of its own, Qt without a screen, and a check for what it leaves."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers import leaks

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# What a shell starts in the background ignores signals, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A machine that is busy with something else must not fail a property test.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

QT_FIXTURES = {"qapp", "qtbot", "qt_loop"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--port``, the port of a real board for the tests marked ``hardware``."""
    parser.addoption("--port", default=None, help="serial port of a real board, for tests marked 'hardware'")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give coroutine tests the task check and Qt tests the Qt check; leave out hardware without a port."""
    no_port = pytest.mark.skip(reason="needs a real board: connect one and add --port PORT")
    for item in items:
        if item.get_closest_marker("hardware") and not config.getoption("--port"):
            item.add_marker(no_port)
        names = getattr(item, "fixturenames", None)
        if names is None:
            continue
        if inspect.iscoroutinefunction(getattr(item, "obj", None)):
            names.insert(0, "no_leaked_tasks")
        if QT_FIXTURES & set(names):
            names.insert(0, "no_leaked_qt_objects")


@pytest.fixture(autouse=True)
def own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the test away from the person's own settings: ``ZEROCLAW_HOME`` is a new folder."""
    folder = tmp_path / "zeroclaw-home"
    monkeypatch.setenv("ZEROCLAW_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg-config"))
    # No key of receipts goes into the person's keyring; tests of the keyring start one of their own.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return folder


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fail the test when a thread that it started still runs."""
    before = set(threading.enumerate())
    yield
    report(leaks.leaked_threads(before))


@pytest.fixture
async def no_leaked_tasks() -> AsyncIterator[None]:
    """Fail the coroutine test when a task that it started has not ended."""
    before = asyncio.all_tasks()
    yield
    for _ in range(3):
        await asyncio.sleep(0)
    current = asyncio.current_task()
    report(leaks.leaked_tasks(asyncio.all_tasks(), before | ({current} if current else set())))


@pytest.fixture
def no_leaked_qt_objects(qapp: Any) -> Iterator[None]:
    """Fail the Qt test when a timer, an animation or a window of it is left."""
    import shiboken6

    before = leaks.top_level_widgets()
    with leaks.watched_qt_starts() as starts:
        yield
    found = leaks.leaked_widgets(before)
    report(found + starts.leaked(shiboken6.isValid))


@pytest.fixture
def qt_loop(qapp: Any) -> Iterator[asyncio.AbstractEventLoop]:
    """An asyncio loop that runs inside Qt's, as the window's does; fails the test for tasks left in it.

    Use ``qt_loop.run_until_complete(coroutine)``.
    """
    import qasync

    loop = qasync.QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    yield loop
    left = {task for task in asyncio.all_tasks(loop) if not task.done()}
    found = leaks.leaked_tasks(left, set())
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    asyncio.set_event_loop(None)
    report(found)


def report(found: list[str]) -> None:
    """Fail the running test with the sentences ``found``; nothing when there are none."""
    if found:
        pytest.fail("The test left something behind:\n- " + "\n- ".join(found), pytrace=False)


if sys.platform == "win32":
    # Child processes and sockets of the tests need the proactor loop, which is Windows' default.
    asyncio.set_event_loop_policy(asyncio.WindowsProactorEventLoopPolicy())
