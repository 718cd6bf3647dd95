"""The folder of data sheets for the window: what is in it, and what fits a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.detail_views import FoundView, SheetView
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.text import visible

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.datasheet_facts import PassageFacts, SheetFacts
    from zeroclaw_desktop.runtime.runtime import Runtime

MOST_EXCERPT = 420
_FACTS: dict[Language, tuple[str, str, str, str]] = {
    "en": ("all boards", "passages: {0}", "names of pins: {0}", " · "),
    "zh": ("所有开发板", "段落：{0}", "引脚名称：{0}", " · "),
}
_PLACES: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (),
    "zh": (("line ", "第 {0} 行"), ("page ", "第 {0} 页")),
}


def sheet_view(sheet: SheetFacts, language: Language) -> SheetView:
    """A file, or why it cannot be read."""
    name = visible(sheet.path.name)
    if sheet.fault is not None:
        return SheetView(str(sheet.path), name, "", error_view_of(sheet.fault, language).title)
    everything, passages, names, between = _FACTS[language]
    parts = [sheet.board or everything, passages.format(sheet.passages)]
    if sheet.names:
        parts.append(names.format(sheet.names))
    return SheetView(str(sheet.path), name, between.join(parts))


def found_view(found: PassageFacts, language: Language) -> FoundView:
    """A passage."""
    place = found.place
    for mark, words in _PLACES[language]:
        if place.startswith(mark):
            place = words.format(place.removeprefix(mark))
    heading = " · ".join(part for part in (found.heading, place) if part)
    text = " ".join(found.text.split())
    excerpt = text if len(text) <= MOST_EXCERPT else text[:MOST_EXCERPT].rsplit(" ", 1)[0] + " …"
    return FoundView(visible(found.path.name), visible(heading), visible(excerpt), str(found.path))


class DatasheetsBridge(QObject):
    """Reads and searches when it is asked to."""

    changed = Signal()
    """The files were looked at."""
    found = Signal(str, str, object)
    """(board, question, list of FoundView)."""

    def __init__(self, core: CoreAccess, parent: QObject) -> None:
        super().__init__(parent)
        self._core = core
        self._reading = False
        core.when_ready(lambda _runtime: self.refresh())

    def folder(self) -> str:
        """Where the files are; '' when there is no home folder."""
        runtime = self._core.runtime
        return str(runtime.datasheets.folder or "") if runtime is not None else ""

    def make_folder(self) -> str:
        """Make the folder if it is not there; '' when that cannot be done."""
        runtime = self._core.runtime
        folder = runtime.datasheets.folder if runtime is not None else None
        if folder is None:
            return ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return ""
        return str(folder)

    def reading(self) -> bool:
        """Whether the files are being read."""
        return self._reading

    def refresh(self) -> None:
        """Read what is new or changed; ``changed`` tells when that is done."""
        runtime = self._core.runtime
        if runtime is not None and not self._reading:
            self._reading = True
            self._core.start(self._refresh(runtime), "read data sheets")

    async def _refresh(self, runtime: Runtime) -> None:
        try:
            await runtime.datasheets.refresh()
        finally:
            self._reading = False
        self.changed.emit()

    def sheets(self, board_type: str) -> list[SheetView]:
        """The files about a kind of board or about all, as last read; unreadable ones first."""
        from zeroclaw_desktop.runtime.datasheet_facts import sheet_facts

        runtime = self._core.runtime
        if runtime is None:
            return []
        facts = sheet_facts(runtime.datasheets, board_type)
        return [sheet_view(sheet, self._core.language) for sheet in facts]

    def search(self, board_type: str, question: str) -> None:
        """Look for passages that fit a question; ``found`` tells."""
        runtime = self._core.runtime
        if runtime is not None and question.strip():
            self._core.start(self._search(runtime, board_type, question), "search data sheets")

    async def _search(self, runtime: Runtime, board_type: str, question: str) -> None:
        from zeroclaw_desktop.runtime.datasheet_facts import search_facts

        passages = await search_facts(runtime.datasheets, question, board_type)
        views = [found_view(passage, self._core.language) for passage in passages]
        self.found.emit(board_type, question, views)
