"""Firmware files that are dropped anywhere on the window go to the Devices page (UI-10)."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.actions import actions

ENDINGS = (".hex", ".ihx", ".ihex", ".bin", ".elf", ".axf", ".uf2", ".py", ".mpy", ".ino")
LISTS = ("manifest.json", "flasher_args.json")
"""Lists of parts for chips of Espressif; other JSON files are no firmware."""


def dropped_firmware(event: QDropEvent) -> str:
    """Return the path of the first firmware file, or folder of programs, that is dragged; '' for none."""
    for url in event.mimeData().urls():
        path = url.toLocalFile()
        name = path.lower()
        if name.endswith((*ENDINGS, *LISTS)) or (path and Path(path).is_dir()):
            return path
    return ""


class FileDrop(QObject):
    """Watches a window; what its pages take themselves does not come here.

    Args:
        window: top of the widgets.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept a firmware file and hand it to the Devices page."""
        if isinstance(event, QDragEnterEvent) and dropped_firmware(event):
            event.acceptProposedAction()
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            path = dropped_firmware(event)
            if path:
                event.acceptProposedAction()
                actions().open_page("devices", f"drop:{path}")
                return True
        return super().eventFilter(watched, event)
