"""Installs the locked packages and the program itself into the environment: by uv where it runs, else by pip.

Every package is checked against the hashes of its lock file, whichever tool installs it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys

from bootstrap_steps.child_process import ChildResult, ask, run_logged
from bootstrap_steps.environment import (
    APART,
    COMPLETE_NAME,
    LOCKS,
    Environment,
    Verdict,
    base_python,
)
from bootstrap_steps.errors import DiskFullError, NetworkError, WrongHashError
from bootstrap_steps.failure_reading import error_from_output
from bootstrap_steps.integrity import project_name
from bootstrap_steps.progress import Progress

#: Imported after an installation; the names of the window's direct dependencies.
IMPORT_CHECK = "import serial, numpy, wasmtime, tomlkit, PySide6.QtCore, zeroclaw_desktop"
#: Settings of pip that uv knows under another name; pip reads its own.
UV_NAMES = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE", "proxy": "HTTPS_PROXY"}
#: Settings of pip that have no counterpart: then pip does the work.
UV_CANNOT = {"no-index", "client-cert", "trusted-host"}
PIP_PATIENCE = ["--retries", "2", "--no-input", "--progress-bar", "off"]


def bring_up_to(environment: Environment, verdict: Verdict, progress: Progress) -> None:
    """Carry out ``verdict`` and stamp the environment.

    Raises:
        BootstrapError: one of its kinds, with the tool's last lines; the environment stays marked unfinished.
    """
    if verdict.action in ("create", "rebuild"):
        if verdict.action == "rebuild":
            with progress.step(f"Removing the old environment ({verdict.reason})"):
                environment.remove()
        with progress.step("Making the environment in .venv"):
            environment.create(progress)
    environment.mark_unfinished()
    uv = _ready_uv(environment, progress)
    reason = f" ({verdict.reason})" if verdict.action in ("install", "repair") else ""
    with progress.step(f"Installing the packages of {_list_locks(verdict.purpose)}{reason}"):
        for lock in LOCKS[verdict.purpose]:
            if lock in APART:
                _install_apart(environment, lock, uv, progress)
            else:
                _install_lock(environment, lock, verdict.damaged, uv, progress)
    with progress.step("Installing ZeroClaw Desktop itself (in place)"):
        _install_program(environment, uv, progress)
    with progress.step("Checking that everything starts"):
        _check_imports(environment, progress)
    environment.stamp(verdict.purpose)


def _list_locks(purpose: str) -> str:
    return " and ".join(f"requirements/{name}.txt" for name in LOCKS[purpose])


def _ready_uv(environment: Environment, progress: Progress) -> list[str]:
    """Return the start of a uv command, or an empty list where pip has to do.

    Raises:
        NetworkError: the package server cannot be reached, so pip could not do it either.
    """
    settings = pip_settings(environment)
    if UV_CANNOT & settings.keys():
        return []
    uv = str(environment.script("uv"))
    if ask([uv, "--version"]) is None:
        command = [*environment.pip_command(), "install", *PIP_PATIENCE, "--require-hashes"]
        command += ["--only-binary", ":all:", "--requirement", str(environment.lock_path("installer"))]
        with progress.step("Getting uv, the package installer"):
            result = _work(environment, command, progress)
        if result.code != 0:
            failure = error_from_output("uv could not be installed.", result.tail)
            if isinstance(failure, NetworkError):
                raise failure
            progress.say("    uv is not to be had for this machine; pip is used (slower).")
            return []
    return [uv, "pip", "install", "--python", str(environment.python)]


def pip_settings(environment: Environment) -> dict[str, str]:
    """Return what pip is told by its files and variables, by option name: ``{"index-url": "..."}``."""
    listing = ask([*environment.pip_command(), "config", "list"]) or ""
    matches = re.findall(r"^(?:global|install|:env:)\.([\w-]+)=['\"](.*)['\"]$", listing, re.MULTILINE)
    return dict(matches)


def _uv_variables(environment: Environment) -> dict[str, str]:
    settings = pip_settings(environment)
    variables = {UV_NAMES[name]: value for name, value in settings.items() if name in UV_NAMES}
    variables = {name: value for name, value in variables.items() if name not in os.environ}
    variables["UV_HTTP_RETRIES"] = "2"
    if sys.platform != "darwin":
        # Links into uv's cache would let a damaged file here damage the copy that repairs it.
        variables.setdefault("UV_LINK_MODE", "copy")
    return variables


def _install_lock(
    environment: Environment, lock: str, damaged: list[str], uv: list[str], progress: Progress
) -> None:
    path = str(environment.lock_path(lock))
    again = [project_name(name) for name in damaged]
    if uv:
        redo = [word for name in again for word in ("--reinstall-package", name)]
        command = [*uv, "--require-hashes", "--requirement", path, *redo]
        result = _work(environment, command, progress, _uv_variables(environment))
        if result.code == 0:
            return
        failure = error_from_output(f"The packages of {lock}.txt could not be installed.", result.tail)
        if isinstance(failure, DiskFullError | WrongHashError):
            raise failure
        progress.log(f"uv ended with {result.code}; pip tries the same.")
    if again:
        _work(environment, [*environment.pip_command(), "uninstall", "--yes", *again], progress)
    command = [*environment.pip_command(), "install", *PIP_PATIENCE, "--require-hashes", "-r", path]
    _must(_work(environment, command, progress), f"The packages of {lock}.txt could not be installed.")


def _install_apart(environment: Environment, lock: str, uv: list[str], progress: Progress) -> None:
    """Install a lock file into an environment of its own, unless it is there already."""
    folder = environment.folder / APART[lock]
    source, mark = environment.lock_path(lock), folder / COMPLETE_NAME
    digest = environment.lock_digests_of([lock])[lock]
    if environment.complete_apart(lock):
        return
    shutil.rmtree(folder, ignore_errors=True)
    making = [base_python(), "-m", "venv", "--without-pip", str(folder)]
    _must(_work(environment, making, progress), f"The environment {folder.name} could not be made.")
    python = str(folder / environment.python.relative_to(environment.folder))
    options = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(source)]
    done = None
    if uv:
        command = [*uv[:-1], python, *options]
        done = _work(environment, command, progress, _uv_variables(environment))
    if done is None or done.code != 0:
        pip = environment.pip_command()
        start = pip[: pip.index("pip") + 1]
        command = [*start, "--python", python, "install", *PIP_PATIENCE, *options]
        _must(_work(environment, command, progress), f"The packages of {lock}.txt could not be installed.")
    mark.write_text(digest + "\n", encoding="ascii")


def _install_program(environment: Environment, uv: list[str], progress: Progress) -> None:
    options = ["--no-deps", "--no-build-isolation", "--editable", str(environment.root)]
    if uv:
        variables = {**_uv_variables(environment), "UV_OFFLINE": "1"}
        result = _work(environment, [*uv, *options], progress, variables)
        if result.code == 0:
            return
    command = [*environment.pip_command(), "install", *PIP_PATIENCE, "--no-index", *options]
    _must(_work(environment, command, progress), "The program itself could not be installed.")


def _check_imports(environment: Environment, progress: Progress) -> None:
    command = [str(environment.python), "-I", "-c", IMPORT_CHECK]
    _must(_work(environment, command, progress), "The installed packages do not start.")


def _work(
    environment: Environment, command: list[str], progress: Progress, extra: dict[str, str] | None = None
) -> ChildResult:
    return run_logged(command, progress, extra=extra, keep_open=environment.locks_held)


def _must(result: ChildResult, message: str) -> None:
    if result.code != 0:
        raise error_from_output(message, result.tail)
