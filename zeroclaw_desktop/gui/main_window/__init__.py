"""The frame around the pages: activity bar, header with the Stop button, status bar, welcome page, memory of
size and place. It knows pages only as ``PageSpec`` and imports none of them.
"""

from __future__ import annotations

from zeroclaw_desktop.gui.main_window.page_spec import PageSpec
from zeroclaw_desktop.gui.main_window.window import MainWindow

__all__ = ["MainWindow", "PageSpec"]
