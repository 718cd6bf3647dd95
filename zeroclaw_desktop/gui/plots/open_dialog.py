"""Asks for a file that is there, without holding anything up; the counterpart of ``save_dialog``."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFileDialog, QWidget

from zeroclaw_desktop.gui.actions import actions


def ask_existing_file(
    parent: QWidget, title: str, folder: str, kinds: str, then: Callable[[str], object]
) -> None:
    """Open a dialog that asks for a file to read.

    Args:
        parent: widget whose window it belongs to.
        title: of the dialog.
        folder: where it opens.
        kinds: a filter of Qt: ``Recordings (*.zcrec)``.
        then: called with the path.
    """
    dialog = QFileDialog(parent.window(), title, folder)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilter(kinds)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    actions().guard(dialog)
    dialog.fileSelected.connect(then)
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(False)
    dialog.show()
