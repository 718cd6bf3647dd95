"""Kinds of boards beside the serial ones (HW-5): over TCP and MQTT, MicroPython's prompt, the pins of a Pi.

Each kind is a line that the port's thread opens and uses like a serial port. Two kinds carry our JSON lines
as they are (``tcp_line``, ``mqtt_line``); behind the others this program answers the lines itself, by a
``Driver`` (``hosted_board``). So the session, the execution layer and the window know no kinds.
"""
