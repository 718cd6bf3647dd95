"""The Devices page: board cards, ports without a board, serial console, flash sheet, virtual parts."""

from __future__ import annotations

from zeroclaw_desktop.gui.devices.page import DevicesPage

__all__ = ["DevicesPage"]
