"""What happened, told in place: notice, error card, empty state, progress by phase. No message boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import pixmap, size, theme
from zeroclaw_desktop.gui.widgets.buttons import Button, FoldButton, IconButton
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ErrorView

_NOTICE_ICONS = {
    "info": ("info", "text_muted"),
    "success": ("done", "live_ink"),
    "warning": ("warning", "warn_ink"),
    "error": ("error", "danger_ink"),
    "simulated": ("simulator", "simulated_ink"),
}


class IconLabel(QLabel):
    """An icon that stands for itself and follows the theme."""

    def __init__(self, icon_name: str, role: str = "text_muted", pixels: int | None = None) -> None:
        super().__init__()
        self._icon_name, self._role, self._pixels = icon_name, role, pixels
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._refresh()
        theme().theme_changed.connect(self._refresh)

    def set_icon(self, icon_name: str, role: str) -> None:
        """Show another icon in a token colour."""
        self._icon_name, self._role = icon_name, role
        self._refresh()

    def _refresh(self) -> None:
        self.setPixmap(pixmap(self._icon_name, self._role, self._pixels))


class Notice(QFrame):
    """One sentence in place, with an icon and perhaps one button.

    Args:
        text: the sentence.
        kind: ``info``, ``success``, ``warning``, ``error`` or ``simulated``.
        action_text: text of its button; '' for none.
    """

    action_triggered = Signal()

    def __init__(self, text: str = "", kind: str = "info", action_text: str = "") -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._icon = IconLabel(*_NOTICE_ICONS[kind], size("icon_small"))
        self._text = Text(text, wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = Button(action_text, compact=True)
        self.button.clicked.connect(self.action_triggered)
        row(self._icon, self._text, self.button, gap=2, margins=(3, 2), parent=self)
        self.set_notice(text, kind, action_text)

    def set_notice(self, text: str, kind: str = "info", action_text: str = "") -> None:
        """Say something else; KeyError for a kind that is not known."""
        self._icon.set_icon(*_NOTICE_ICONS[kind])
        self._text.setText(text)
        self.button.setText(action_text)
        self.button.setVisible(bool(action_text))
        self.setProperty("kind", kind)
        for part in (self, self._text):  # a rule for what is inside is not looked at again by itself
            part.style().unpolish(part)
            part.style().polish(part)

    def text(self) -> str:
        """Return the sentence."""
        return self._text.text()


class ErrorCard(QFrame):
    """A fault where it arose: what went wrong, what was not done, the next step, the raw text folded."""

    action_requested = Signal(str)
    """Key of the next step (``ErrorView.action``)."""
    dismissed = Signal()

    def __init__(self, error: ErrorView | None = None, *, dismissible: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "error")
        self._action = ""
        self._title = Text(role="strong", tone="danger", wrap=True)
        self._not_done = Text(wrap=True)
        self._next_step = Text(wrap=True)
        self.action_button = Button(compact=True)
        self.action_button.clicked.connect(lambda: self.action_requested.emit(self._action))
        self._raw = Text(role="mono_small", tone="muted", wrap=True)
        self._raw.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.fold = FoldButton("", self._raw)
        self.close_button = IconButton("close", small=True)
        self.close_button.clicked.connect(self.dismissed)
        head = row(IconLabel("error", "danger_ink"), self._title, self.close_button, gap=2)
        head.setStretch(1, 1)
        foot = row(self.action_button, self.fold, STRETCH)
        column(head, self._not_done, self._next_step, foot, self._raw, gap=2, margins=(4, 3), parent=self)
        self.close_button.setVisible(dismissible)
        self._retranslate()
        if error is not None:
            self.set_error(error)

    def set_error(self, error: ErrorView, *, offer_action: bool = True) -> None:
        """Show a fault.

        Args:
            error: what to say.
            offer_action: False where a button beside the card does the next step already.
        """
        self._action = error.action
        self._title.setText(error.title)
        for label, text in ((self._not_done, error.not_done), (self._next_step, error.next_step)):
            label.setText(text)
            label.setVisible(bool(text))
        self.action_button.setText(action_text(error.action))
        self.action_button.setVisible(bool(error.action) and offer_action)
        raw = "\n".join(part for part in (error.code, error.raw) if part)
        self._raw.setText(raw)
        self.fold.setVisible(bool(raw))
        self.setAccessibleName(error.title)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.fold.setText(self.tr("Technical details"))
        self.close_button.set_name(self.tr("Dismiss"))
        self.action_button.setText(action_text(self._action))


def action_text(action: str) -> str:
    """Return the button text for an ``ErrorView.action`` key; a key that is not known gives 'Show help'."""
    texts = {
        "": "",
        "retry": QCoreApplication.translate("ErrorCard", "Try again"),
        "start_simulator": QCoreApplication.translate("ErrorCard", "Start the simulator"),
        "connect": QCoreApplication.translate("ErrorCard", "Connect"),
        "reconnect": QCoreApplication.translate("ErrorCard", "Connect again"),
        "skip_saving": QCoreApplication.translate("ErrorCard", "Flash without saving"),
        "choose_firmware": QCoreApplication.translate("ErrorCard", "Choose another firmware"),
        "flash": QCoreApplication.translate("ErrorCard", "Flash board"),
        "release_stop": QCoreApplication.translate("ErrorCard", "Release the stop"),
        "open_settings": QCoreApplication.translate("ErrorCard", "Open settings"),
        "open_devices": QCoreApplication.translate("ErrorCard", "Open devices"),
        "open_logs": QCoreApplication.translate("ErrorCard", "Open the log"),
        "allow_access": QCoreApplication.translate("ErrorCard", "Allow access…"),
        "refresh": QCoreApplication.translate("ErrorCard", "Look again"),
    }
    return texts.get(action, QCoreApplication.translate("ErrorCard", "Show help"))


class EmptyState(QWidget):
    """An empty page that teaches: one picture, one sentence, one button.

    Args:
        picture: a widget, or the name of an icon that is drawn large.
        sentence: what this place is for.
        action_text: the button; '' for none.
        hint: one more muted line below the sentence.
    """

    action_triggered = Signal()

    def __init__(
        self, picture: QWidget | str, sentence: str = "", action_text: str = "", hint: str = ""
    ) -> None:
        super().__init__()
        shown = IconLabel(picture, "text_faint", size("icon_large")) if isinstance(picture, str) else picture
        self._sentence = Text(sentence, "lead", wrap=True)
        self._hint = Text(hint, "body", "muted", wrap=True)
        for label in (self._sentence, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setMaximumWidth(size("sheet_width"))
        self.button = Button(action_text, "primary")
        self.button.clicked.connect(self.action_triggered)
        texts = column(_centred(self._sentence), _centred(self._hint), gap=1)
        self.body = column(STRETCH, shown, texts, self.button, STRETCH, gap=4, margins=(6,), parent=self)
        for item in (shown, self.button):
            self.body.setAlignment(item, Qt.AlignmentFlag.AlignHCenter)
        self.set_texts(sentence, action_text, hint)

    def set_texts(self, sentence: str, action_text: str = "", hint: str = "") -> None:
        """Change sentence, button and hint."""
        self._sentence.setText(sentence)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.button.setText(action_text)
        self.button.setVisible(bool(action_text))


def _centred(label: QLabel) -> QHBoxLayout:
    line = row(gap=0)
    line.addStretch(1)
    line.addWidget(label, 100)
    line.addStretch(1)
    return line


class PhaseProgress(QWidget):
    """A thin bar with the phase's name at its left and percent and seconds at its right."""

    def __init__(self) -> None:
        super().__init__()
        self._phase = Text(role="strong")
        self._figures = Text(role="mono", tone="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        column(row(self._phase, STRETCH, self._figures), self._bar, gap=2, parent=self)
        self.set_progress("", None)

    def set_progress(self, phase: str, percent: float | None, seconds: float = 0.0) -> None:
        """Show a phase.

        Args:
            phase: its name for the person.
            percent: 0..100, or None when nobody knows (the bar then moves to and fro).
            seconds: time since the start.
        """
        self._phase.setText(phase)
        elapsed = f"{seconds:.0f} s" if seconds else ""
        known = "" if percent is None else f"{percent:.0f} %"
        self._figures.setText("   ".join(part for part in (known, elapsed) if part))
        self._bar.setRange(0, 0 if percent is None else 100)
        self._bar.setValue(0 if percent is None else round(percent))
        self._bar.setAccessibleName(f"{phase} {known}")

    def percent(self) -> int:
        """Return the percent shown, -1 when unknown."""
        return self._bar.value() if self._bar.maximum() else -1
