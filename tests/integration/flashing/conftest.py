"""Doubles of Espressif chips that end with their test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.esp_images import partition_table
from tests.helpers.esp_loader import LoaderDouble

if sys.platform == "win32":
    collect_ignore_glob = ["test_esp*.py"]  # pseudo terminals; POSIX only

MakeLoader = Callable[..., LoaderDouble]


@pytest.fixture
def loader(tmp_path: Path) -> Iterator[MakeLoader]:
    """Make a double under ``tmp_path/port``, with a partition table on it unless ``blank``."""
    made: list[LoaderDouble] = []

    def make(chip: str = "esp32", *, blank: bool = False, **options: Any) -> LoaderDouble:
        double = LoaderDouble(tmp_path / f"port{len(made) or ''}", chip, **options)
        made.append(double)
        if not blank and chip != "esp8266":
            double.flash[0x8000:0x8C00] = partition_table()
        return double

    yield make
    for double in made:
        double.close()
