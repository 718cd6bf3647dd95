"""Starts the tools (venv, pip, uv, apt) with a clean environment and keeps what they say."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bootstrap_steps.progress import Progress

KEPT_LINES = 400
#: Variables that would make pip or Python look outside the environment that is being made.
MISLEADING = frozenset(
    {
        "CONDA_PREFIX",
        "PIP_NO_DEPS",
        "PIP_PREFIX",
        "PIP_REQUIREMENT",
        "PIP_REQUIRE_VIRTUALENV",
        "PIP_ROOT",
        "PIP_TARGET",
        "PIP_USER",
        "PYTHONHOME",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "__PYVENV_LAUNCHER__",
    }
)


@dataclass(frozen=True)
class ChildResult:
    """How a tool ended: its exit code and the last lines it wrote (enough to find the cause in them)."""

    code: int
    tail: str


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's variables without the misleading ones, with ``extra`` on top."""
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    kept["PYTHONNOUSERSITE"] = "1"
    kept["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    kept.update(extra or {})
    return kept


def run_logged(
    command: Sequence[str],
    progress: Progress,
    *,
    extra: Mapping[str, str] | None = None,
    folder: Path | None = None,
    keep_open: Sequence[int] = (),
) -> ChildResult:
    """Run ``command`` to its end, line by line into the log.

    Args:
        command: program and arguments; no shell.
        progress: takes the lines.
        extra: variables on top of the clean environment.
        folder: where it runs.
        keep_open: file descriptors that the child inherits (POSIX): locks that live as long as it works.

    Returns:
        The exit code (127 when the program is not there) and the last lines.

    Raises:
        KeyboardInterrupt: passed on after the child has ended.
    """
    progress.log("$ " + " ".join(command))
    tail: deque[str] = deque(maxlen=KEPT_LINES)
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=clean_environment(extra),
            cwd=folder,
            pass_fds=() if sys.platform == "win32" else keep_open,
            # A group of its own, so that what the tool starts can be ended with it.
            process_group=None if sys.platform == "win32" else 0,
        )
    except OSError as error:
        return ChildResult(127, str(error))
    assert child.stdout is not None
    try:
        for line in child.stdout:
            tail.append(line.rstrip())
            progress.log(line.rstrip())
        child.wait()
    except KeyboardInterrupt:
        _end(child)
        raise
    finally:
        child.stdout.close()
    return ChildResult(child.returncode, "\n".join(tail))


def ask(command: Sequence[str], *, seconds: float = 30.0) -> str | None:
    """Return what ``command`` prints, or None when it fails, is missing or takes longer than ``seconds``."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            env=clean_environment({"LC_ALL": "C"}),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _end(child: subprocess.Popen[str]) -> None:
    """End the tool and everything that it started."""
    for kind in ("TERM", "KILL"):
        try:
            if sys.platform == "win32":
                child.terminate()
            else:
                os.killpg(child.pid, signal.Signals[f"SIG{kind}"])
            child.wait(timeout=10)
        except (subprocess.TimeoutExpired, PermissionError):
            continue
        except ProcessLookupError:
            pass
        return
