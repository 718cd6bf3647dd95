"""What a person chose for the plots, kept from one start to the next: looks of series, limits, layouts.

One JSON file. Keys that this version does not know are kept as they are; a file that cannot be read is set
aside under another name, never overwritten.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import write_atomically
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.telemetry.calibration import Calibration
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold
from zeroclaw_desktop.runtime.plot_service import PlotService

FILE_NAME = "plot-views.json"
VERSION = 1
MOST_LAYOUT_NAME = 60
"""Characters of a layout's name."""
_log = logger("runtime")


class PlotViews:
    """Looks, limits and layouts of the plots.

    Args:
        path: the file; None keeps everything for this run only.
        store: gets the calibrations.
        service: gets the limits.

    Attributes:
        set_aside: where a file went that could not be read; None when all was well.
    """

    def __init__(self, path: Path | None, store: TelemetryStore, service: PlotService) -> None:
        self.set_aside: Path | None = None
        self._path = path
        self._store = store
        self._service = service
        self._document = self._read()
        self._looks = dict(_looks_of(self._document))
        for key, look in self._looks.items():
            store.calibrate(key, calibration_of(look))
        for threshold in _thresholds_of(self._document):
            service.add_threshold(threshold)

    # -- series ---------------------------------------------------------------------------------------
    def look(self, key: SeriesKey) -> SeriesLook:
        """How a series looks."""
        return self._looks.get(key, SeriesLook())

    def looks(self) -> dict[SeriesKey, SeriesLook]:
        """Every look that was chosen."""
        return dict(self._looks)

    def set_looks(self, looks: Mapping[SeriesKey, SeriesLook]) -> None:
        """Change the looks of series and keep them.

        Raises:
            TelemetrySettingError: a scale cannot be; nothing was changed.
            ZeroClawError: they hold for now but could not be written.
        """
        calibrations = {key: calibration_of(look) for key, look in looks.items()}
        for key, calibration in calibrations.items():
            self._store.calibrate(key, calibration)
        self._looks |= {SeriesKey(*key): look for key, look in looks.items()}
        self._document["series"] = [
            {"source": key.source_id, "label": key.label, **dataclasses.asdict(look)}
            for key, look in self._looks.items()
            if look != SeriesLook()
        ]
        self._write()

    def dress(self, store: TelemetryStore) -> None:
        """Give the calibrations to another store, such as that of a replay."""
        for key, look in self._looks.items():
            store.calibrate(key, calibration_of(look))

    # -- limits ---------------------------------------------------------------------------------------
    def add_threshold(self, threshold: Threshold) -> None:
        """Watch a limit and keep it; raises ZeroClawError when it could not be written."""
        self._service.add_threshold(threshold)
        self._keep_thresholds()

    def remove_threshold(self, name: str) -> None:
        """Forget a limit; raises ZeroClawError when that could not be written."""
        self._service.remove_threshold(name)
        self._keep_thresholds()

    def _keep_thresholds(self) -> None:
        self._document["thresholds"] = [
            dataclasses.asdict(threshold) for threshold in self._service.watch.thresholds
        ]
        self._write()

    # -- layouts --------------------------------------------------------------------------------------
    def layouts(self) -> list[str]:
        """Names of the layouts in alphabetical order."""
        return sorted(self._layouts(), key=str.casefold)

    def layout(self, name: str) -> dict[str, Any] | None:
        """What was saved under a name, None when there is none."""
        found = self._layouts().get(name)
        return dict(found) if isinstance(found, dict) else None

    def save_layout(self, name: str, layout: Mapping[str, Any]) -> None:
        """Save a layout, over one of the same name.

        Raises:
            ZeroClawError: no usable name, or it could not be written.
        """
        chosen = " ".join(name.split())
        if not chosen or len(chosen) > MOST_LAYOUT_NAME:
            raise ZeroClawError(
                f"A layout needs a name of 1 to {MOST_LAYOUT_NAME} characters.",
                hint="Type a short name.",
                code="illegal_name",
            )
        self._document["layouts"] = self._layouts() | {chosen: dict(layout)}
        self._write()

    def remove_layout(self, name: str) -> None:
        """Forget a layout; raises ZeroClawError when that could not be written."""
        self._document["layouts"] = {key: kept for key, kept in self._layouts().items() if key != name}
        self._write()

    def _layouts(self) -> dict[str, Any]:
        found = self._document.get("layouts")
        return found if isinstance(found, dict) else {}

    # -- file -----------------------------------------------------------------------------------------
    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            document = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            return self._give_up(str(error))
        if not isinstance(document, dict):
            return self._give_up("it holds no object")
        return document

    def _give_up(self, reason: str) -> dict[str, Any]:
        assert self._path is not None
        aside = self._path.with_name(f"{self._path.name}.{time.strftime('%Y%m%d-%H%M%S')}.unreadable")
        try:
            os.replace(self._path, aside)
        except OSError:
            # It can be neither read nor moved: what is chosen in this run must not overwrite it.
            self._path = None
        else:
            self.set_aside = aside
        _log.error("What you chose for the plots could not be read (%s); set aside as %s.", reason, aside)
        return {}

    def _write(self) -> None:
        if self._path is not None:
            text = json.dumps(self._document | {"version": VERSION}, ensure_ascii=False, indent=1)
            write_atomically(self._path, text + "\n")


def calibration_of(look: SeriesLook) -> Calibration:
    """Return the calibration of a look; raises TelemetrySettingError when it cannot be."""
    return Calibration(look.factor, look.offset, look.unit)


def _rows(document: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rows = document.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _looks_of(document: Mapping[str, Any]) -> list[tuple[SeriesKey, SeriesLook]]:
    found = []
    for row in _rows(document, "series"):
        try:
            look = SeriesLook(
                color=None if row.get("color") is None else int(row["color"]),
                unit=str(row.get("unit", "")),
                factor=float(row.get("factor", 1.0)),
                offset=float(row.get("offset", 0.0)),
                panel=str(row.get("panel", "")),
                visible=bool(row.get("visible", True)),
            )
            calibration_of(look)
            found.append((SeriesKey(str(row["source"]), str(row["label"])), look))
        except (KeyError, TypeError, ValueError, ZeroClawError) as error:
            _log.warning("One series of %s is left out: %s", FILE_NAME, error)
    return found


def _thresholds_of(document: Mapping[str, Any]) -> list[Threshold]:
    found = []
    for row in _rows(document, "thresholds"):
        try:
            found.append(
                Threshold(
                    str(row["name"]),
                    str(row["source_id"]),
                    str(row["label"]),
                    float(row["limit"]),
                    bool(row.get("above", True)),
                    float(row.get("hysteresis", 0.0)),
                )
            )
        except (KeyError, TypeError, ValueError, ZeroClawError) as error:
            _log.warning("One limit of %s is left out: %s", FILE_NAME, error)
    return found
