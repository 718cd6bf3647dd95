"""Faults of the reporters.

ZeroClawError
└── ReporterError              a destination of reports cannot be used
    └── MqttAddressError       the address of the MQTT broker is not understood
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class ReporterError(ZeroClawError):
    """A destination of reports cannot be used."""

    default_code = "reporter"


class MqttAddressError(ReporterError):
    """The address of the MQTT broker is not understood."""

    default_code = "mqtt_address"
