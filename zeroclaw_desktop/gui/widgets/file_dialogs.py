"""Dialogs that ask for a file, without holding anything up; F12 stops everything from them as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from zeroclaw_desktop.gui.actions import actions


def ask_new_file(
    parent: QWidget, title: str, name: str, kinds: str, then: Callable[[str], object], folder: str = ""
) -> QFileDialog:
    """Open a dialog that asks for a file to write.

    Args:
        parent: widget whose window it belongs to.
        title: of the dialog.
        name: proposed name; other names get its suffix as well.
        kinds: a filter of Qt: ``CSV files (*.csv)``.
        then: called with the path.
        folder: where it opens; '' for the home folder.
    """
    dialog = QFileDialog(parent.window(), title, folder or str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilter(kinds)
    dialog.setDefaultSuffix(Path(name).suffix.lstrip("."))
    dialog.selectFile(name)
    return _shown(dialog, then)


def ask_existing_file(
    parent: QWidget, title: str, kinds: str, then: Callable[[str], object], folder: str = ""
) -> QFileDialog:
    """Open a dialog that asks for a file to read; arguments as for ``ask_new_file``."""
    dialog = QFileDialog(parent.window(), title, folder or str(Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilter(kinds)
    return _shown(dialog, then)


def _shown(dialog: QFileDialog, then: Callable[[str], object]) -> QFileDialog:
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    actions().guard(dialog)
    dialog.fileSelected.connect(then)
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(False)
    dialog.show()
    return dialog
