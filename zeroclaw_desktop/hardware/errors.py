"""Faults of the hardware room.

ZeroClawError
├── PortError
│   ├── PortBusyError          another program or part of the app has it (``port_busy``)
│   ├── PortPermissionError    the user may not open it (``port_permission``)
│   ├── PortMissingError       there is no such port (``port_missing``)
│   └── PortGoneError          it vanished while open (``port_gone``)
├── BoardAddressError          an address of a board is not understood (``board_address``)
├── LinkError
│   ├── NoReplyError           no answer in time (``no_reply``)
│   ├── BoardRefusedError      the firmware answered with an error (``board_refused``)
│   ├── NoHandshakeError       nothing on the board speaks our protocol (``no_handshake``)
│   ├── BoardNotLiveError      the board is not connected (``board_not_live``)
│   └── GrantExpiredError      an action used its link after it had ended (``grant_expired``)
├── BoardDataError             a board file is wrong (``board_data``)
├── SimulatorError             the simulated board cannot run (``simulator``)
└── FlashError                 flashing failed; its code says how
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class PortError(ZeroClawError):
    """Something about a port."""


class PortBusyError(PortError):
    """Somebody else has the port."""

    default_code = "port_busy"


class PortPermissionError(PortError):
    """The user may not open the port."""

    default_code = "port_permission"


class PortMissingError(PortError):
    """There is no such port."""

    default_code = "port_missing"


class PortGoneError(PortError):
    """The port vanished while it was open."""

    default_code = "port_gone"


class BoardAddressError(ZeroClawError):
    """An address of a board is not understood."""

    default_code = "board_address"


class LinkError(ZeroClawError):
    """Something about the conversation with a board."""


class NoReplyError(LinkError):
    """The board did not answer in time."""

    default_code = "no_reply"


class BoardRefusedError(LinkError):
    """The firmware answered with an error."""

    default_code = "board_refused"


class NoHandshakeError(LinkError):
    """Nothing on the board speaks our protocol."""

    default_code = "no_handshake"


class BoardNotLiveError(LinkError):
    """The board is not connected."""

    default_code = "board_not_live"


class UnknownBoardError(LinkError):
    """There is no board with this id."""

    default_code = "unknown_board"


class GrantExpiredError(LinkError):
    """An action used its link after it had ended."""

    default_code = "grant_expired"


class BoardDataError(ZeroClawError):
    """A board file is wrong."""

    default_code = "board_data"


class SimulatorError(ZeroClawError):
    """The simulated board cannot run."""

    default_code = "simulator"


class FlashError(ZeroClawError):
    """Flashing did not succeed; ``code`` says how: ``tool_missing``, ``not_in_sync``, ``verify_failed``."""

    default_code = "flash_failed"
