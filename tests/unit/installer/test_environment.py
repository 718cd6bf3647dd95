"""The state of ``.venv`` is told rightly, whatever happened to it; the environments here are real ones."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest
from bootstrap_steps.child_process import ask
from bootstrap_steps.environment import APART, COMPLETE_NAME, STAMP_NAME, UNFINISHED_NAME, Environment
from bootstrap_steps.errors import BootstrapError
from bootstrap_steps.progress import Progress


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "requirements").mkdir(parents=True)
    for name in ("build", "gui", "test", "models"):
        (root / "requirements" / f"{name}.txt").write_text(f"# {name}\n", encoding="utf-8")
    (root / "pyproject.toml").write_text(
        '[project]\nname = "x"\n\n[tool.ruff]\nline-length = 110\n', encoding="utf-8"
    )
    return root


@pytest.fixture
def environment(checkout: Path) -> Environment:
    """A stamped environment for ``run`` with one small package in it."""
    made = Environment(checkout)
    venv.create(made.folder, with_pip=False, symlinks=sys.platform != "win32")
    package = made.site_packages(sys.version_info[:2]) / "thing-1.0.dist-info"
    package.mkdir()
    (package / "RECORD").write_text("thing.py,sha256=x,1\n", encoding="utf-8")
    (package.parent / "thing.py").write_text("#", encoding="utf-8")
    made.mark_unfinished()
    made.stamp("run")
    return made


def test_none_yet(checkout: Path) -> None:
    assert Environment(checkout).examine("run").action == "create"


def test_a_complete_one_is_ready(environment: Environment) -> None:
    assert environment.examine("run").action == "ready"
    assert not environment.unfinished_path.exists()


def test_an_interrupted_setup_is_seen(environment: Environment) -> None:
    environment.mark_unfinished()
    verdict = environment.examine("run")
    assert verdict.action == "rebuild"
    assert "interrupted" in verdict.reason


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows copies the interpreter; run it on Linux or macOS"
)
def test_a_vanished_interpreter_is_seen(environment: Environment) -> None:
    environment.python.unlink()
    environment.python.symlink_to(environment.root / "no-such-python")
    assert environment.examine("run").action == "rebuild"


def test_a_moved_checkout_is_seen(environment: Environment) -> None:
    moved = environment.root.with_name("moved")
    environment.root.rename(moved)
    assert Environment(moved).examine("run").action == "rebuild"


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"format": 0}', "[1]"])
def test_an_unreadable_stamp_means_install_again(environment: Environment, content: str) -> None:
    environment.stamp_path.write_text(content, encoding="utf-8")
    assert environment.examine("run").action == "install"


def test_an_environment_of_another_maker_is_kept_and_installed_into(environment: Environment) -> None:
    environment.stamp_path.unlink()
    assert environment.examine("run").action == "install"


def test_a_changed_lock_is_seen(environment: Environment) -> None:
    environment.lock_path("gui").write_text("# newer\n", encoding="utf-8")
    assert environment.examine("run").action == "install"


def test_a_changed_project_table_is_seen_but_not_a_changed_tool_setting(environment: Environment) -> None:
    path = environment.root / "pyproject.toml"
    path.write_text('[project]\nname = "x"\n\n[tool.ruff]\nline-length = 100\n', encoding="utf-8")
    assert environment.examine("run").action == "ready"
    path.write_text('[project]\nname = "y"\n', encoding="utf-8")
    assert environment.examine("run").action == "install"


def test_a_damaged_package_is_repaired_and_named(environment: Environment) -> None:
    (environment.site_packages(sys.version_info[:2]) / "thing.py").unlink()
    verdict = environment.examine("run")
    assert verdict.action == "repair"
    assert verdict.damaged == ["thing-1.0.dist-info"]
    assert "thing" in verdict.reason


def complete_models(environment: Environment) -> Path:
    """Mark the models' environment as complete; returns the mark."""
    mark = environment.folder / APART["models"] / COMPLETE_NAME
    mark.parent.mkdir(exist_ok=True)
    mark.write_text(environment.lock_digests_of(["models"])["models"] + "\n", encoding="ascii")
    return mark


def test_testing_needs_the_models_environment_as_well(environment: Environment) -> None:
    mark = complete_models(environment)
    environment.stamp("test")
    assert environment.examine("test").action == "ready"
    mark.write_text("another digest\n", encoding="ascii")
    assert environment.examine("test").action == "install"
    mark.unlink()
    assert environment.examine("test").action == "install"


def test_testing_needs_more_than_running(environment: Environment) -> None:
    assert environment.examine("test").action == "install"
    complete_models(environment)
    environment.stamp("test")
    assert environment.examine("test").action == "ready"
    assert environment.examine("run").action == "ready"


def test_the_test_packages_stay_when_the_window_is_renewed(environment: Environment) -> None:
    complete_models(environment)
    environment.stamp("test")
    environment.lock_path("gui").write_text("# newer\n", encoding="utf-8")
    environment.lock_path("test").write_text("# newer\n", encoding="utf-8")
    assert environment.examine("run").purpose == "test"


def test_a_missing_lock_is_told(environment: Environment) -> None:
    environment.lock_path("gui").unlink()
    with pytest.raises(BootstrapError, match=r"gui\.txt"):
        environment.examine("run")


def test_marks_lie_inside_so_that_removing_the_folder_removes_them(environment: Environment) -> None:
    assert {path.name for path in environment.folder.iterdir()} >= {STAMP_NAME}
    environment.mark_unfinished()
    assert {path.name for path in environment.folder.iterdir()} >= {UNFINISHED_NAME}
    environment.remove()
    assert environment.examine("run").action == "create"


def test_create_makes_one_that_runs(checkout: Path, tmp_path: Path) -> None:
    environment = Environment(checkout)
    environment.create(Progress(tmp_path / "log"))
    assert environment.probe() == sys.version_info[:2]
    assert ask([*environment.pip_command(), "--version"]) is not None
    assert environment.examine("run").action == "rebuild"
