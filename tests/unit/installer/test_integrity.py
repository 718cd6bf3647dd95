"""Packages whose files are gone or cut short are found by their RECORD."""

from __future__ import annotations

from pathlib import Path

import pytest
from bootstrap_steps.integrity import damaged_distributions, installed_distributions, project_name

NAME = "some_thing-1.0.dist-info"


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    (tmp_path / NAME).mkdir()
    (tmp_path / "some_thing").mkdir()
    (tmp_path / "some_thing/__init__.py").write_bytes(b"x = 1\n")
    (tmp_path / "some_thing/a,b.py").write_bytes(b"")
    (tmp_path / "some_thing/cached.pyc").write_bytes(b"rewritten by Python")
    record = [
        "some_thing/__init__.py,sha256=x,6",
        '"some_thing/a,b.py",sha256=y,0',
        "some_thing/cached.pyc,sha256=z,4",
        f"{NAME}/RECORD,,",
    ]
    (tmp_path / NAME / "RECORD").write_text("\n".join(record) + "\n", encoding="utf-8")
    return tmp_path


def test_a_whole_package_is_not_reported(site_packages: Path) -> None:
    assert installed_distributions(site_packages) == [NAME]
    assert damaged_distributions(site_packages, [NAME]) == []


def test_a_missing_file_is_found(site_packages: Path) -> None:
    (site_packages / "some_thing/a,b.py").unlink()
    assert damaged_distributions(site_packages, [NAME]) == [NAME]


def test_a_cut_file_is_found(site_packages: Path) -> None:
    (site_packages / "some_thing/__init__.py").write_bytes(b"x =")
    assert damaged_distributions(site_packages, [NAME]) == [NAME]


def test_a_missing_record_or_package_is_found(site_packages: Path) -> None:
    (site_packages / NAME / "RECORD").unlink()
    gone = "gone-2.0.dist-info"
    assert damaged_distributions(site_packages, [NAME, gone]) == [NAME, gone]


@pytest.mark.parametrize(
    ("folder", "project"),
    [
        ("PySide6_Essentials-6.11.3.dist-info", "PySide6_Essentials"),
        ("a-1.0.dist-info", "a"),
        ("plain", "plain"),
    ],
)
def test_the_project_of_a_folder(folder: str, project: str) -> None:
    assert project_name(folder) == project
