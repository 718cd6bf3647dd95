"""The environment in ``.venv/``: what state it is in, how it is made, and the stamp that says it is complete.

Two files inside it tell its state. The *stamp* is written last and lists what was installed from which lock
files; the *unfinished* mark is written before the first change and removed by the stamp. So the next start
sees an interruption at any moment, even a power cut.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import shutil
import sys
import time
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bootstrap_steps.child_process import ask, run_logged
from bootstrap_steps.errors import BootstrapError, PythonUnsuitableError
from bootstrap_steps.failure_reading import error_from_output
from bootstrap_steps.integrity import damaged_distributions, installed_distributions, project_name
from bootstrap_steps.progress import Progress

STAMP_FORMAT = 1
REMOVE_TRIES = 5
REMOVE_PAUSE_S = 1.0
STAMP_NAME = "zeroclaw-environment.json"
UNFINISHED_NAME = "zeroclaw-unfinished"
#: The lock files of each purpose, in the order in which they are installed; test.txt contains gui.txt.
LOCKS = {"run": ("build", "gui"), "test": ("build", "test", "models")}
#: Lock files whose packages get an environment of their own, a folder inside the environment. The program
#: looks for it there (zeroclaw_desktop/providers/models_python.py), and for the mark that it is complete.
APART = {"models": "models-environment"}
COMPLETE_NAME = "zeroclaw-complete"
#: Brought by Python itself and free to be upgraded by the person.
UNWATCHED = ("pip-", "setuptools-", "wheel-")
PROBE = "import sys; print(sys.version_info[0], sys.version_info[1], sys.prefix, sep='\\n')"


@dataclass(frozen=True)
class Verdict:
    """What has to be done to an environment.

    Args:
        action: ``ready``, ``install`` (packages into it), ``repair`` (the damaged ones anew), ``create``
            (from nothing) or ``rebuild`` (remove it first).
        reason: why, for the person.
        damaged: names of dist-info folders, for ``repair``.
        purpose: ``run`` or ``test``: never narrower than what is installed already.
    """

    action: str
    reason: str
    purpose: str
    damaged: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Stamp:
    """What a complete environment holds.

    Args:
        root: the checkout for which it was made.
        python: major and minor version of its Python.
        locks: SHA-256 of each installed lock file, by name.
        project: digest of the relevant part of pyproject.toml.
        distributions: names of the dist-info folders that must be there.
        format: version of this record.
    """

    root: str
    python: list[int]
    locks: dict[str, str]
    project: str
    distributions: list[str]
    format: int = STAMP_FORMAT


class Environment:
    """The folder ``.venv`` of a checkout.

    Args:
        root: the checkout.

    Attributes:
        locks_held: file descriptors that every tool working on the environment inherits.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.locks_held: list[int] = []
        self.folder = root / ".venv"
        self.stamp_path = self.folder / STAMP_NAME
        self.unfinished_path = self.folder / UNFINISHED_NAME

    @property
    def python(self) -> Path:
        """The interpreter of the environment, whether or not it is there."""
        inside = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
        return self.folder.joinpath(*inside)

    def script(self, name: str) -> Path:
        """Return where the console script ``name`` of the environment stands."""
        return self.python.with_name(name + (".exe" if sys.platform == "win32" else ""))

    def probe(self) -> tuple[int, int] | None:
        """Start the interpreter; return its (major, minor), or None when it is not a working one of here."""
        answer = ask([str(self.python), "-I", "-c", PROBE]) if self.python.exists() else None
        if answer is None:
            return None
        major, minor, prefix = answer.splitlines()[:3]
        return (int(major), int(minor)) if Path(prefix).resolve() == self.folder.resolve() else None

    def site_packages(self, version: tuple[int, int]) -> Path:
        """Return the folder of the installed packages for Python ``version``."""
        if sys.platform == "win32":
            return self.folder / "Lib" / "site-packages"
        return self.folder / "lib" / f"python{version[0]}.{version[1]}" / "site-packages"

    def examine(self, purpose: str) -> Verdict:
        """Say what must be done so that the environment serves ``purpose`` (``run`` or ``test``)."""
        if not self.folder.exists():
            return Verdict("create", "there is none yet", purpose)
        version = self.probe()
        if version is None:
            return Verdict("rebuild", "its Python does not run any more", purpose)
        if self.unfinished_path.exists():
            return Verdict("rebuild", "an earlier setup was interrupted", purpose)
        stamp = self._read_stamp()
        if stamp is None:
            return Verdict("install", "it was not made by this program", purpose)
        if "test" in stamp.locks:
            purpose = "test"
        if stamp.root != str(self.root):
            return Verdict("rebuild", "the folder was moved", purpose)
        if tuple(stamp.python) != version:
            return Verdict("rebuild", "its Python was replaced by another version", purpose)
        return self._examine_packages(stamp, version, purpose)

    def _examine_packages(self, stamp: Stamp, version: tuple[int, int], purpose: str) -> Verdict:
        locks = stamp.locks
        wanted = self.lock_digests(purpose)
        if any(name not in locks for name in wanted):
            return Verdict("install", "the test packages are not in it yet", purpose)
        if any(locks[name] != digest for name, digest in wanted.items()):
            return Verdict("install", "the lock files changed", purpose)
        if stamp.project != self.project_digest():
            return Verdict("install", "pyproject.toml changed", purpose)
        if any(name in APART and not self.complete_apart(name) for name in locks):
            return Verdict("install", "the models' environment is not complete", purpose)
        damaged = damaged_distributions(self.site_packages(version), stamp.distributions)
        if damaged:
            return Verdict(
                "repair", f"damaged: {', '.join(project_name(name) for name in damaged)}", purpose, damaged
            )
        return Verdict("ready", "", purpose)

    def lock_digests(self, purpose: str) -> dict[str, str]:
        """Return the SHA-256 of each lock file that ``purpose`` installs, by name.

        Raises:
            BootstrapError: a lock file is missing from the checkout.
        """
        return self.lock_digests_of(LOCKS[purpose])

    def lock_digests_of(self, names: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 of lock files by name; raises BootstrapError."""
        digests = {}
        for name in names:
            path = self.lock_path(name)
            try:
                digests[name] = hashlib.sha256(path.read_bytes()).hexdigest()
            except OSError as error:
                raise BootstrapError(
                    f"The lock file {path.name} cannot be read: {error.strerror}.",
                    hint="Get a complete copy of the program again.",
                ) from error
        return digests

    def lock_path(self, name: str) -> Path:
        """Return the path of the lock file ``name``."""
        return self.root / "requirements" / f"{name}.txt"

    def complete_apart(self, lock: str) -> bool:
        """Return whether the environment of a lock file in APART is there and complete."""
        mark = self.folder / APART[lock] / COMPLETE_NAME
        try:
            return mark.read_text(encoding="ascii").strip() == self.lock_digests_of([lock])[lock]
        except OSError:
            return False

    def project_digest(self) -> str:
        """Return a digest of what ``pyproject.toml`` says about the package itself (scripts, build)."""
        table = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        relevant = {name: table.get(name) for name in ("project", "build-system")}
        return hashlib.sha256(json.dumps(relevant, sort_keys=True).encode()).hexdigest()

    def mark_unfinished(self) -> None:
        """Note that a change has begun: from here on the environment counts as broken until ``stamp``."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.unfinished_path.write_text("A setup has begun and not ended.\n", encoding="utf-8")
        self.stamp_path.unlink(missing_ok=True)

    def stamp(self, purpose: str) -> None:
        """Write down that the environment is complete for ``purpose``."""
        version = self.probe()
        if version is None:
            raise BootstrapError("The new environment does not start.", hint="Remove .venv and try again.")
        locks = self.lock_digests(purpose)
        if purpose == "test":
            locks.update(self.lock_digests("run"))
        present = installed_distributions(self.site_packages(version))
        watched = [name for name in present if not name.startswith(UNWATCHED)]
        record = Stamp(str(self.root), list(version), locks, self.project_digest(), watched)
        half_written = self.stamp_path.with_suffix(".new")
        half_written.write_text(json.dumps(asdict(record), indent=1), encoding="utf-8")
        half_written.replace(self.stamp_path)
        self.unfinished_path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the folder.

        Raises:
            BootstrapError: something in it is in use or not ours.
        """
        for tries_left in reversed(range(REMOVE_TRIES)):
            try:
                if self.folder.is_symlink():
                    self.folder.unlink()
                elif self.folder.exists():
                    shutil.rmtree(self.folder)
                return
            except OSError as error:
                if not tries_left:
                    raise BootstrapError(
                        f"The broken environment cannot be removed: {error}.",
                        hint="Close programs that run from .venv, then start the same command again.",
                    ) from error
            # A tool of a killed setup may still be writing into it for a moment.
            time.sleep(REMOVE_PAUSE_S)

    def create(self, progress: Progress) -> None:
        """Make the folder with Python's own venv, with pip inside where this Python can do that.

        Raises:
            PythonUnsuitableError: this Python has neither ensurepip nor pip.
            BootstrapError: venv failed.
        """
        with_pip = can_bring_pip()
        if not with_pip and importlib.util.find_spec("pip") is None:
            raise PythonUnsuitableError(
                "This Python can make no environment: it has no ensurepip (on Debian: package python3-venv).",
                hint="Install it (Debian/Ubuntu: apt install python3-venv) and start the same command again.",
            )
        self.mark_unfinished()
        command = [base_python(), "-m", "venv", str(self.folder)] + ([] if with_pip else ["--without-pip"])
        result = run_logged(command, progress, keep_open=self.locks_held)
        if result.code != 0:
            raise error_from_output("The environment could not be made.", result.tail)

    def pip_command(self) -> list[str]:
        """Return the start of a pip command that installs into the environment."""
        if ask([str(self.python), "-I", "-c", "import pip"]) is not None:
            return [str(self.python), "-I", "-m", "pip"]
        return [base_python(), "-m", "pip", "--python", str(self.python)]

    def _read_stamp(self) -> Stamp | None:
        """Return the stamp, or None when there is none or it is of another format."""
        try:
            stamp = Stamp(**json.loads(self.stamp_path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return stamp if stamp.format == STAMP_FORMAT else None


def base_python() -> str:
    """Return the interpreter outside any environment: an environment must not be made from itself."""
    return getattr(sys, "_base_executable", None) or sys.executable


def can_bring_pip() -> bool:
    """Return whether venv can put pip into an environment; Debian keeps that part in a package of its own."""
    # The package may have been installed a moment ago, by this very process.
    importlib.invalidate_caches()
    return importlib.util.find_spec("ensurepip") is not None
