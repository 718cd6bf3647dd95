"""A wheel carries the data that a checkout keeps beside the package, and the package finds it there."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("the build backend is missing; python3 installer/bootstrap.py setup installs it")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_it_holds_code_and_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"zeroclaw_desktop"}
    data = {name.split("/")[2] for name in names if name.startswith("zeroclaw_desktop/_data/")}
    assert data == {"resources", "ui", "firmware", "requirements"}
    locks = [name for name in names if "/requirements/" in name]
    assert locks == ["zeroclaw_desktop/_data/requirements/models.txt"]
    assert [name for name in names if name.endswith((".pyc", ".o", ".elf"))] == []


def test_every_resource_of_the_checkout_is_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        f"zeroclaw_desktop/_data/{path.relative_to(ROOT).as_posix()}"
        for folder in ("resources", "ui", "firmware/prebuilt")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected - names == set()
    assert expected != set()


def test_the_unpacked_package_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = "from zeroclaw_desktop.foundation.assets import asset_root; print(asset_root())"
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {script}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(tmp_path / "zeroclaw_desktop" / "_data"), done.stderr
