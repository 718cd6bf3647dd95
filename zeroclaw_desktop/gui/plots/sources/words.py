"""What a source is called and what its counters say."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from zeroclaw_desktop.bridge.plot_views import SourceView
from zeroclaw_desktop.gui.plots.recording.words import size_text


def kind_text(source: SourceView) -> str:
    """Return what kind of source it is."""
    kinds = {
        "board": QCoreApplication.translate("SourceWords", "Board"),
        "udp": QCoreApplication.translate("SourceWords", "UDP sender"),
        "mqtt": QCoreApplication.translate("SourceWords", "MQTT topics"),
        "port": QCoreApplication.translate("SourceWords", "Port without protocol"),
    }
    return kinds[source.kind]


def state_text(source: SourceView) -> tuple[str, str]:
    """Return the word and the badge kind of a source's state."""
    states = {
        "live": (QCoreApplication.translate("SourceWords", "Connected"), "live"),
        "away": (QCoreApplication.translate("SourceWords", "Waited for"), "waits"),
        "lent": (QCoreApplication.translate("SourceWords", "Being flashed"), "busy"),
        "off": (QCoreApplication.translate("SourceWords", "Not connected"), "off"),
    }
    return states[source.state]


def hops_text(source: SourceView) -> str:
    """Return how many bytes, lines or frames and samples passed each hop."""
    found = source.counters
    unit = (
        _frames(found)
        if source.frames
        else QCoreApplication.translate("SourceWords", "{0} lines").format(f"{found.get('lines', 0):,}")
    )
    samples = QCoreApplication.translate("SourceWords", "{0} samples")
    stored = QCoreApplication.translate("SourceWords", "{0} stored")
    parts = (
        size_text(found.get("bytes", 0)),
        unit,
        samples.format(f"{found.get('samples', 0):,}"),
        stored.format(f"{source.stored:,}"),
    )
    return "  →  ".join(parts)


def _frames(found: Mapping[str, int]) -> str:
    return QCoreApplication.translate("SourceWords", "{0} frames").format(f"{found.get('frames', 0):,}")


def rest_text(source: SourceView) -> str:
    """Return what did not become samples, each with its number; '' when everything did."""
    found = source.counters
    words = (
        ("text_lines", QCoreApplication.translate("SourceWords", "{0} lines of text")),
        ("protocol_lines", QCoreApplication.translate("SourceWords", "{0} replies")),
        ("non_utf8", QCoreApplication.translate("SourceWords", "{0} lines that are no text")),
        ("overlong", QCoreApplication.translate("SourceWords", "{0} lines cut")),
        ("checksum_errors", QCoreApplication.translate("SourceWords", "{0} wrong checksums")),
        ("wrong_length", QCoreApplication.translate("SourceWords", "{0} frames of a wrong length")),
        ("discarded_bytes", QCoreApplication.translate("SourceWords", "{0} bytes left out")),
    )
    return " · ".join(text.format(f"{found[key]:,}") for key, text in words if found.get(key))


def hint_text(source: SourceView) -> str:
    """Return why lines come and nothing is plotted, with an example of what would be; '' for no hint."""
    if source.hint == "prefix":
        return QCoreApplication.translate(
            "SourceWords",
            "These lines look like Teleplot's but lack the > in front, so nothing is plotted. "
            "Print for example >temp:1627551892437:23.5",
        )
    if source.hint == "text":
        return QCoreApplication.translate(
            "SourceWords",
            "Lines arrive, but none has a value that can be plotted. Understood are temp:23.5, light=512, "
            '1.2,3.4 (CSV), >temp:23.5 (Teleplot) and JSON such as {"temp": 23.5}, each on its own line. '
            "If the lines look wrong, choose another baud rate or encoding.",
        )
    return ""
