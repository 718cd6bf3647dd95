"""Faults of MQTT connections.

ZeroClawError
└── MqttLinkError   no connection to the broker, or it was lost
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class MqttLinkError(ZeroClawError):
    """There is no connection to the MQTT broker; its code says why (``mqtt_login``, ``mqtt_refused`` ...)."""

    default_code = "mqtt_link"
