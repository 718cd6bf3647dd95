"""The model library gets an environment of its own, and only a complete one is used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.providers.errors import InstallError, ModelsMissingError
from zeroclaw_desktop.providers.models_python import models_python, own_folder, python_in
from zeroclaw_desktop.runtime.model_install import install_models
from zeroclaw_desktop.sandbox.process import ChildProcesses


class Tools(ChildProcesses):
    """Installers that only write down what they are asked; a failing one says why."""

    def __init__(self, failing: str = "") -> None:
        self.failing = failing
        self.commands: list[list[str]] = []

    async def run(self, argv: Sequence[str], **more: Any) -> ChildExit:
        """See ChildRunner."""
        command = list(argv)
        self.commands.append(command)
        if "venv" in command:
            python = python_in(Path(command[-1]))
            python.parent.mkdir(parents=True)
            python.write_text("")
        failed = bool(self.failing) and self.failing in command
        return ChildExit(1 if failed else 0, False, 0.1, "first\nno route to the index\n" if failed else "")


@pytest.fixture(autouse=True)
def no_other_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ZEROCLAW_MODELS_PYTHON", raising=False)
    monkeypatch.setattr("sys.prefix", str(tmp_path / "nothing"))


async def test_it_is_installed_with_hashes_and_used_from_then_on() -> None:
    tools, told = Tools(), list[str]()
    folder = await install_models(told.append, tools)
    assert folder == own_folder()
    installing = next(command for command in tools.commands if "install" in command)
    assert "--require-hashes" in installing
    assert installing[-1].endswith("requirements/models.txt")
    assert str(python_in(folder)) in installing
    assert models_python() == str(python_in(folder))
    again = Tools()
    await install_models(told.append, again)
    assert again.commands == []


async def test_what_is_not_complete_is_not_used_and_made_anew() -> None:
    with pytest.raises(InstallError, match="no route to the index"):
        await install_models(lambda _line: None, Tools(failing="install"))
    with pytest.raises(ModelsMissingError):
        models_python()
    left = own_folder() / "left-over"
    left.write_text("")
    await install_models(lambda _line: None, Tools())
    assert not left.exists()
    assert models_python() == str(python_in(own_folder()))


async def test_a_library_that_cannot_be_found_afterwards_is_no_success() -> None:
    with pytest.raises(InstallError):
        await install_models(lambda _line: None, Tools(failing="-c"))
    with pytest.raises(ModelsMissingError):
        models_python()
