"""What a small live plot can do, for places that may hold one without knowing the Plots page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class LivePlot(Protocol):
    """Curves of the last seconds."""

    @property
    def widget(self) -> QWidget:
        """What is put into a layout."""

    def show_series(self, series: Sequence[tuple[str, str]], window_s: float) -> None:
        """Show these (source, label) series over the last ``window_s`` seconds."""

    def refresh(self) -> bool:
        """Draw what is new; returns whether there was anything. Call it as often as it shall move."""


MakePlot = Callable[[], LivePlot]
