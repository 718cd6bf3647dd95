"""Boards, ports, sessions, flashing, telemetry and the simulated board.

Imported by execution handlers and the runtime only. No Qt; child processes come from outside through a
``ChildRunner``; one plain thread owns each open port.
"""
