"""What a person chose for the plots, kept from one start to the next: looks of series, limits, layouts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.telemetry.calibration import Calibration
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold
from zeroclaw_desktop.runtime.kept_json import KeptJson
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
    """

    def __init__(self, path: Path | None, store: TelemetryStore, service: PlotService) -> None:
        self._kept = KeptJson(path, VERSION)
        self._store = store
        self._service = service
        self._looks = dict(_looks_of(self._kept))
        for key, look in self._looks.items():
            store.calibrate(key, calibration_of(look))
        for threshold in _thresholds_of(self._kept):
            service.add_threshold(threshold)

    @property
    def set_aside(self) -> Path | None:
        """Where a file went that could not be read; None when all was well."""
        return self._kept.set_aside

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
        rows = [
            {"source": key.source_id, "label": key.label, **dataclasses.asdict(look)}
            for key, look in self._looks.items()
            if look != SeriesLook()
        ]
        self._kept.put({"series": rows})

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
        rows = [dataclasses.asdict(threshold) for threshold in self._service.watch.thresholds]
        self._kept.put({"thresholds": rows})

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
        self._kept.put({"layouts": self._layouts() | {chosen: dict(layout)}})

    def remove_layout(self, name: str) -> None:
        """Forget a layout; raises ZeroClawError when that could not be written."""
        self._kept.put({"layouts": {key: kept for key, kept in self._layouts().items() if key != name}})

    def _layouts(self) -> dict[str, Any]:
        return self._kept.part("layouts")


def calibration_of(look: SeriesLook) -> Calibration:
    """Return the calibration of a look; raises TelemetrySettingError when it cannot be."""
    return Calibration(look.factor, look.offset, look.unit)


def _looks_of(kept: KeptJson) -> list[tuple[SeriesKey, SeriesLook]]:
    found = []
    for row in kept.rows("series"):
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


def _thresholds_of(kept: KeptJson) -> list[Threshold]:
    found = []
    for row in kept.rows("thresholds"):
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
