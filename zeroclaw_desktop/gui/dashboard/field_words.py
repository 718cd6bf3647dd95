"""Names of the settings of tiles, and sentences for what is wrong with them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from zeroclaw_desktop.bridge.tile_fields import Problem


def field_name(kind: str, name: str) -> str:
    """What a setting is called."""
    names = {
        "series": QCoreApplication.translate("TileFields", "Series"),
        "window_s": QCoreApplication.translate("TileFields", "Window"),
        "low": QCoreApplication.translate("TileFields", "From"),
        "high": QCoreApplication.translate("TileFields", "To"),
        "unit": QCoreApplication.translate("TileFields", "Unit"),
        "decimals": QCoreApplication.translate("TileFields", "Decimals"),
        "alarm_below": QCoreApplication.translate("TileFields", "Too low below"),
        "warn_below": QCoreApplication.translate("TileFields", "Low below"),
        "warn_above": QCoreApplication.translate("TileFields", "High above"),
        "alarm_above": QCoreApplication.translate("TileFields", "Too high above"),
        "figures": QCoreApplication.translate("TileFields", "Least, mean and most"),
        "sparkline": QCoreApplication.translate("TileFields", "Small line"),
        "rule": QCoreApplication.translate("TileFields", "On when the value is"),
        "limit": QCoreApplication.translate("TileFields", "Limit"),
        "on_text": QCoreApplication.translate("TileFields", "Word for on"),
        "off_text": QCoreApplication.translate("TileFields", "Word for off"),
        "note": QCoreApplication.translate("TileFields", "Text"),
        "board": QCoreApplication.translate("TileFields", "Last line of"),
        "command": QCoreApplication.translate("TileFields", "Command"),
        "on": QCoreApplication.translate("TileFields", "Switching on sends"),
        "off": QCoreApplication.translate("TileFields", "Switching off sends"),
        "parameter": QCoreApplication.translate("TileFields", "Moves"),
        "live": QCoreApplication.translate("TileFields", "Send while it moves"),
    }
    return names.get(name, name)


def choice_name(name: str) -> str:
    """A choice in words."""
    names = {
        "above": QCoreApplication.translate("TileFields", "above the limit"),
        "below": QCoreApplication.translate("TileFields", "below the limit"),
    }
    return names.get(name, name)


def problem_text(problem: Problem) -> str:
    """Why a setting cannot stay as it is, one sentence."""
    low = "" if problem.low is None else f"{problem.low:g}"
    high = "" if problem.high is None else f"{problem.high:g}"
    if problem.code == "missing":
        return QCoreApplication.translate("TileFields", "Choose one.")
    if problem.code == "not_a_number":
        return QCoreApplication.translate("TileFields", "This must be a number.")
    if problem.code == "not_whole":
        return QCoreApplication.translate("TileFields", "This must be a whole number.")
    if problem.code == "outside":
        return QCoreApplication.translate("TileFields", "Allowed is {0} to {1}.").format(low, high)
    if problem.code == "order":
        return QCoreApplication.translate("TileFields", "This must be more than {0}.").format(low)
    if problem.code == "too_many":
        return QCoreApplication.translate("TileFields", "At most {0} can be shown.").format(high)
    return QCoreApplication.translate("TileFields", "This is not one of the choices.")
