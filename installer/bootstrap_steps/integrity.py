"""Finds packages whose files are gone or cut short, by the list that every installed package carries.

The list is the RECORD file of the 'Recording installed projects' packaging specification: path, hash, size.
Only presence and size are compared: hashing half a gigabyte would make every start slow. Byte code is left
out, since Python rewrites it.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path


def installed_distributions(site_packages: Path) -> list[str]:
    """Return the names of the ``*.dist-info`` folders in ``site_packages``, sorted."""
    return sorted(entry.name for entry in site_packages.glob("*.dist-info"))


def damaged_distributions(site_packages: Path, expected: list[str]) -> list[str]:
    """Return those of ``expected`` (names of dist-info folders) that are missing or not whole."""
    return [name for name in expected if not _is_whole(site_packages, name)]


def project_name(distribution: str) -> str:
    """Return the project of a dist-info folder: ``numpy-2.4.6.dist-info`` gives ``numpy``."""
    return distribution.rsplit("-", 2)[0] if distribution.endswith(".dist-info") else distribution


def _is_whole(site_packages: Path, name: str) -> bool:
    base = str(site_packages)
    try:
        with (site_packages / name / "RECORD").open(newline="", encoding="utf-8") as file:
            for path, _digest, size in csv.reader(file):
                if (
                    size
                    and not path.endswith(".pyc")
                    and os.stat(os.path.join(base, path)).st_size != int(size)
                ):
                    return False
    except (OSError, ValueError):
        return False
    return True
