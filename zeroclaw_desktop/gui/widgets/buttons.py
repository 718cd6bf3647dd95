"""Buttons: one primary at most for each card, red only for stop and danger, icon buttons always named."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QMenu, QPushButton, QToolButton, QWidget

from zeroclaw_desktop.gui.theme import icon, size, space, theme
from zeroclaw_desktop.gui.widgets.layout import row

_ICON_ROLES = {"primary": "on_accent", "danger": "on_danger", "ghost": "text_muted", "secondary": "text"}


class Button(QPushButton):
    """A button with a text and perhaps an icon.

    Args:
        text: what it does, a verb first.
        role: ``primary``, ``secondary``, ``ghost`` or ``danger``.
        icon_name: icon by meaning, see ``theme.icons``; '' for none.
        compact: lower, for rows of a list.
    """

    def __init__(
        self, text: str = "", role: str = "secondary", icon_name: str = "", *, compact: bool = False
    ) -> None:
        super().__init__(text)
        self._role = role
        self._icon_name = icon_name
        self.setProperty("role", role)
        self.setProperty("compact", compact)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self._compact = compact
        self._refresh()
        theme().theme_changed.connect(self._refresh)

    def set_icon_name(self, icon_name: str) -> None:
        """Show another icon."""
        self._icon_name = icon_name
        self._refresh()

    def set_role(self, role: str) -> None:
        """Change the role (``primary`` ...)."""
        self._role = role
        self.setProperty("role", role)
        self.style().unpolish(self)
        self.style().polish(self)
        self._refresh()

    def _refresh(self) -> None:
        edge = size("icon_small") if self._compact else size("icon_small") + 2
        gap = space(1)
        self.setIconSize(QSize(edge + gap, edge))
        if self._icon_name:
            self.setIcon(icon(self._icon_name, _ICON_ROLES.get(self._role, "text"), edge, gap=gap))


class IconButton(QToolButton):
    """A square button with an icon only; its name is its tooltip and its accessible name.

    Args:
        icon_name: icon by meaning.
        name: what it does, for the tooltip and for screen readers.
        checkable: stays down.
        small: lower than other controls.
        ink: colour token of the icon.
    """

    def __init__(
        self,
        icon_name: str,
        name: str = "",
        *,
        checkable: bool = False,
        small: bool = False,
        ink: str = "text_muted",
    ) -> None:
        super().__init__()
        self._ink = ink
        self._icon_name = icon_name
        self._small = small
        self.setProperty("role", "icon")
        self.setCheckable(checkable)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        edge = size("control_small") if small else size("control")
        self.setFixedSize(edge, edge)
        self.set_name(name)
        self._refresh()
        theme().theme_changed.connect(self._refresh)

    def set_name(self, name: str) -> None:
        """Change the tooltip and the accessible name."""
        self.setToolTip(name)
        self.setAccessibleName(name)

    def set_icon_name(self, icon_name: str) -> None:
        """Show another icon."""
        self._icon_name = icon_name
        self._refresh()

    def _refresh(self) -> None:
        edge = size("icon_small") if self._small else size("icon")
        self.setIconSize(QSize(edge, edge))
        self.setIcon(icon(self._icon_name, self._ink, edge))


class MenuButton(IconButton):
    """An icon button that opens its menu at once."""

    def __init__(self, icon_name: str, name: str = "") -> None:
        super().__init__(icon_name, name)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def take_menu(self, menu: QMenu) -> None:
        """Open this menu when pressed."""
        self.setMenu(menu)
        menu.aboutToHide.connect(self._forget_pointer)

    def _forget_pointer(self) -> None:
        """The menu took the pointer, so nobody tells the button that it has left."""
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        self.update()


class SegmentedControl(QFrame):
    """Two to five exclusive choices side by side.

    Args:
        choices: (key, text) in order.
    """

    chosen = Signal(str)
    """Key of the choice that a person made (not sent by ``set_current``)."""

    def __init__(self, choices: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self.setProperty("role", "segmented")
        self._row = row(gap=0.5, margins=(0.5,), parent=self)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QToolButton] = {}
        for key, text in choices:
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, chosen=key: self.chosen.emit(chosen))
            self._group.addButton(button)
            self._row.addWidget(button)
            self._buttons[key] = button
        if choices:
            self.set_current(choices[0][0])

    def set_texts(self, texts: Sequence[str]) -> None:
        """Rename the choices, in their order."""
        for button, text in zip(self._buttons.values(), texts, strict=True):
            button.setText(text)

    def set_current(self, key: str) -> None:
        """Mark a choice; KeyError when there is none with this key."""
        self._buttons[key].setChecked(True)

    def current(self) -> str:
        """Return the key of the marked choice, '' when there is none."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")


class FoldButton(QToolButton):
    """The head of a foldable part: a caret and a name; shows or hides its body.

    Args:
        name: text beside the caret.
        body: widget that is shown while it is open; it starts hidden.
    """

    def __init__(self, name: str, body: QWidget, *, opened: bool = False) -> None:
        super().__init__()
        self._body = body
        self.setProperty("role", "fold")
        self.setText(name)
        self.setCheckable(True)
        self.setChecked(opened)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMinimumHeight(size("control_small"))
        self.toggled.connect(self._refresh)
        self.toggled.connect(self._body.setVisible)
        theme().theme_changed.connect(self._refresh)
        self._refresh()
        if not opened:
            body.hide()

    def _refresh(self) -> None:
        edge = size("icon_small") - 2
        self.setIconSize(QSize(edge, edge))
        self.setIcon(icon("collapse" if self.isChecked() else "expand", "text_muted", edge))
