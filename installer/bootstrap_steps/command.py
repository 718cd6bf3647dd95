"""The commands ``setup``, ``run`` and ``test``: options, order of steps, exit codes, words for failures."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from bootstrap_steps.child_process import ask, clean_environment
from bootstrap_steps.environment import Environment, can_bring_pip
from bootstrap_steps.errors import BootstrapError, DiskFullError, PythonUnsuitableError
from bootstrap_steps.failure_reading import error_from_output
from bootstrap_steps.progress import Progress
from bootstrap_steps.python_packages import bring_up_to
from bootstrap_steps.single_instance import only_one
from bootstrap_steps.system_packages import SystemChoices, ensure_system_packages, wanted_purposes
from bootstrap_steps.verification import run_every_check

ROOT = Path(__file__).resolve().parents[2]
EXIT_INTERRUPTED = 130
#: Measured size of a complete environment, rounded up.
NEEDED_BYTES = {"run": 700_000_000, "test": 1_600_000_000}


def main(arguments: Sequence[str]) -> int:
    """Carry out the command line ``arguments``; returns the exit code (see errors.py, 130: interrupted)."""
    own, passed_on = split_at_dashes(arguments)
    options = _parser().parse_args(own)
    signal.signal(signal.SIGTERM, _interrupt)
    progress = Progress(ROOT / ".bootstrap" / "bootstrap.log", verbose=options.verbose)
    environment = Environment(ROOT)
    try:
        with only_one(
            ROOT / ".bootstrap" / "lock",
            on_wait=lambda: progress.say("Another setup of this folder is running; waiting for it ..."),
        ) as lock:
            environment.locks_held = [lock]
            make_ready(environment, options, progress)
        if options.command == "test":
            return run_every_check(environment, passed_on, progress)
    except KeyboardInterrupt:
        progress.say("\nInterrupted. Nothing is lost: start the same command again.")
        return EXIT_INTERRUPTED
    except BootstrapError as error:
        report(error, progress)
        return error.exit_code
    if options.command == "run":
        return start_program(environment, [*(["--simulator"] if options.simulated else []), *passed_on])
    progress.say("Ready. Start it: python3 installer/bootstrap.py run")
    return 0


def split_at_dashes(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before and after the first ``--``."""
    words = list(arguments)
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1 :]


def make_ready(environment: Environment, options: argparse.Namespace, progress: Progress) -> None:
    """Bring system packages and environment to what the command needs; silent when all is there.

    Raises:
        BootstrapError: one of its kinds.
    """
    begun = time.monotonic()
    testing = options.command == "test"
    choices = SystemChoices(not options.no_system, options.yes, options.command == "setup")
    verdict = environment.examine("test" if testing else "run")
    needs_pip = verdict.action in ("create", "rebuild") and not can_bring_pip()
    purposes = wanted_purposes(testing=testing, pip_missing=needs_pip)
    state = environment.root / ".bootstrap" / "system-packages.json"
    still_missing = ensure_system_packages(purposes, choices, state, progress)
    if verdict.action == "ready":
        if still_missing:
            _check_window_libraries(environment, progress)
        return
    _check_room(environment, verdict.action, verdict.purpose)
    bring_up_to(environment, verdict, progress)
    _check_window_libraries(environment, progress)
    progress.say(f"The environment is ready ({time.monotonic() - begun:.0f} s).")


def start_program(environment: Environment, arguments: Sequence[str]) -> int:
    """Start ZeroClaw Desktop with ``arguments``; on POSIX it takes this process's place."""
    command = [str(environment.python), "-m", "zeroclaw_desktop", *arguments]
    sys.stdout.flush()
    if sys.platform == "win32":
        return subprocess.call(command, env=clean_environment())
    os.execve(command[0], command, clean_environment())


def report(error: BootstrapError, progress: Progress) -> None:
    """Say what went wrong, what to do, and the last lines of the tool that failed."""
    progress.say(f"\nStopped: {error.message}")
    if error.hint:
        progress.say(f"What to do: {error.hint}")
    if error.log_tail:
        indented = "\n".join("  | " + line for line in error.log_tail.splitlines())
        progress.say(f"The last lines of the log {progress.log_path.relative_to(ROOT)}:\n{indented}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description="Sets up ZeroClaw Desktop and starts or tests it."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="{run,test,setup}")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--no-system", action="store_true", help="install no system packages")
    shared.add_argument("--yes", action="store_true", help="do not ask before installing system packages")
    shared.add_argument("-v", "--verbose", action="store_true", help="show what every tool says")
    helps = {
        "run": "set up, then start the window; what follows -- goes to the program",
        "test": "set up, then run every test and check; what follows -- goes to pytest",
        "setup": "set up only",
    }
    for name, text in helps.items():
        command = commands.add_parser(name, parents=[shared], help=text, description=text)
        if name == "run":
            command.add_argument(
                "--no-simulator",
                dest="simulated",
                action="store_false",
                help="begin without the simulated board",
            )
        else:
            command.set_defaults(simulated=False)
    return parser


def _check_room(environment: Environment, action: str, purpose: str) -> None:
    free = shutil.disk_usage(environment.root).free
    needed = NEEDED_BYTES[purpose]
    if action == "create" and free < needed:
        raise DiskFullError(
            f"There is not enough room: {free / 1e6:.0f} MB are free, {needed / 1e6:.0f} MB are needed.",
            hint="Make room, then start the same command again.",
        )


def _check_window_libraries(environment: Environment, progress: Progress) -> None:
    """Ask the loader whether Qt finds every library of the system; Qt's own message names the wrong one.

    Raises:
        SystemLibraryError: Qt cannot be loaded at all.
    """
    if sys.platform != "linux":
        return
    importing = "import PySide6.QtWidgets"
    done = subprocess.run(
        [str(environment.python), "-I", "-c", importing], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise error_from_output("Qt does not start.", done.stderr.strip())
    version = environment.probe()
    if version is None:
        raise PythonUnsuitableError("The Python in .venv does not run.", hint="Remove .venv and try again.")
    plugin = environment.site_packages(version) / "PySide6" / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    listing = ask(["ldd", str(plugin)]) or ""
    lacking = sorted({line.split()[0] for line in listing.splitlines() if "not found" in line})
    if lacking:
        progress.say(f"  A window on X11 will not open: the system lacks {', '.join(lacking)}.")


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
