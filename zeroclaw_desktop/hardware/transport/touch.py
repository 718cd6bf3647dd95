"""The 1200-baud touch: boards with native USB take it as the wish to start their boot loader."""

from __future__ import annotations

import contextlib

import serial

from zeroclaw_desktop.hardware.transport.open_errors import explain_open_failure
from zeroclaw_desktop.hardware.transport.port_handle import OPEN_FAULTS, PORT_FAULTS

TOUCH_BAUD = 1200


def touch_1200(port: str) -> None:
    """Open a port at 1200 baud and let go of it with DTR low (Arduino, ``CDC.cpp`` of the AVR core).

    Raises:
        PortError: it could not be opened; once it was, the board may vanish at any moment, which is no fault.
    """
    try:
        device = serial.serial_for_url(port, do_not_open=True)
        device.baudrate = TOUCH_BAUD
        device.open()
    except OPEN_FAULTS as error:
        raise explain_open_failure(port, error) from error
    with contextlib.suppress(*PORT_FAULTS):
        device.dtr = False
    with contextlib.suppress(*PORT_FAULTS):
        device.close()
