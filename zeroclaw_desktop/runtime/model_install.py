"""Installs the model library into an environment of its own, checked against the hashes of its lock file."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.assets import requirements_path
from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.providers.errors import InstallError
from zeroclaw_desktop.providers.models_python import COMPLETE, own_folder, python_in
from zeroclaw_desktop.sandbox.process import ChildProcesses

INSTALL_SECONDS = 1_800.0
NEEDED_BYTES = 600_000_000
"""Size of the complete environment, rounded up twice over."""
CHECK = "import importlib.util as u, sys; sys.exit(0 if u.find_spec('litellm') else 1)"


def is_current(folder: Path) -> bool:
    """Whether an environment holds exactly what the lock file says."""
    try:
        return (folder / COMPLETE).read_text(encoding="ascii").strip() == _digest()
    except OSError:
        return False


def _digest() -> str:
    return hashlib.sha256(requirements_path("models").read_bytes()).hexdigest()


async def install_models(say: Callable[[str], None], children: ChildRunner | None = None) -> Path:
    """Make the environment anew unless it is complete; an interrupted one is made anew by the next call.

    Args:
        say: told each step, and what the tools write.
        children: starts the tools; None for the sandbox's.

    Returns:
        Its folder.

    Raises:
        InstallError: with the last lines of the tool that failed.
    """
    children = children or ChildProcesses()
    home_folder()
    folder = own_folder()
    if is_current(folder):
        say(f"The model library is complete: {folder}")
        return folder
    if shutil.disk_usage(folder.parent).free < NEEDED_BYTES:
        raise _failed("there is not enough room on the disk", f"{NEEDED_BYTES // 1_000_000} MB are needed.")
    lock = str(requirements_path("models"))
    await asyncio.to_thread(shutil.rmtree, folder, True)
    uv = _uv()
    base = getattr(sys, "_base_executable", None) or sys.executable
    python = str(python_in(folder))
    say(f"Making the environment {folder}")
    if uv:
        await _must(children, [uv, "venv", "--python", base, str(folder)], say)
        install = [uv, "pip", "install", "--python", python]
    else:
        await _must(children, [base, "-m", "venv", str(folder)], say)
        install = [python, "-I", "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
    say("Installing the packages of requirements/models.txt (about 100 MB to download)")
    await _must(children, [*install, "--require-hashes", "--only-binary", ":all:", "-r", lock], say)
    await _must(children, [python, "-I", "-c", CHECK], say)
    (folder / COMPLETE).write_text(_digest() + "\n", encoding="ascii")
    say("The model library is installed.")
    return folder


def _uv() -> str:
    """uv of this environment or of the system; '' where there is none, then pip does it."""
    beside = Path(sys.executable).with_name("uv.exe" if sys.platform == "win32" else "uv")
    return str(beside) if beside.exists() else shutil.which("uv") or ""


async def _must(children: ChildRunner, command: Sequence[str], say: Callable[[str], None]) -> None:
    def told(piece: bytes) -> None:
        for line in piece.decode("utf-8", "replace").splitlines():
            if line.strip():
                say(f"  {line.rstrip()}")

    done = await children.run(command, timeout=INSTALL_SECONDS, on_output=told)
    if done.returncode != 0:
        last = [line.strip() for line in done.tail.splitlines() if line.strip()][-1:]
        raise _failed(
            last[0] if last else f"exit status {done.returncode}", "Check the network, then try again."
        )


def _failed(reason: str, hint: str) -> InstallError:
    return InstallError(
        f"The model library could not be installed: {reason}.",
        hint=hint,
        retryable=True,
        details={"reason": reason},
    )
