"""Asks where to write a file, without holding anything up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from zeroclaw_desktop.gui.actions import actions


def ask_file(
    parent: QWidget, title: str, name: str, kind: str, then: Callable[[str], object], folder: str = ""
) -> QFileDialog:
    """Open a dialog that asks for a file to write.

    Args:
        parent: widget whose window it belongs to.
        title: of the dialog.
        name: proposed name with its suffix, which other names get as well.
        kind: what files with this suffix are called.
        then: called with the path.
        folder: where it opens; '' for the home folder.
    """
    suffix = Path(name).suffix.lstrip(".")
    dialog = QFileDialog(parent.window(), title, folder or str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilter(f"{kind} (*.{suffix})")
    dialog.setDefaultSuffix(suffix)
    dialog.selectFile(name)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    actions().guard(dialog)
    dialog.fileSelected.connect(then)
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(False)
    dialog.show()
    return dialog
