"""What a person's name for a pin allows (EX-6): the commands of its role, at the level ``skill``.

A pin without a name is raw: driving it needs ``root``, so a model or a schedule has to ask a person. The LED
of the board itself has the role ``led`` without a name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.contracts.boards import BoardInfo

ROLES: Mapping[str, str] = {
    "led": "an LED: on, off, blink, breathe, brightness",
    "switch": "something that is on or off: relay, valve, pump",
    "dimmer": "something whose power can be set: fan, lamp, heater through a transistor",
    "buzzer": "something that sounds",
}
"""Role and what it is for."""


def roles_of_pin(board: BoardInfo, pin: int) -> set[str]:
    """The roles that a pin has on this board."""
    roles = {named.role for named in board.named_pins if named.pin == pin}
    if pin == board.profile.led_pin:
        roles.add("led")
    return roles


def needed_permission(
    permission: Permission, pin_roles: Collection[str], params: Mapping[str, Any], board: BoardInfo | None
) -> Permission:
    """The level that an action needs for the pin that it drives.

    Args:
        permission: of the command.
        pin_roles: roles through which the command may be used; empty for a command about no raw pin.
        params: checked; its ``pin`` counts.
    """
    if not pin_roles or board is None:
        return permission
    if roles_of_pin(board, params["pin"]) & set(pin_roles):
        return min(permission, Permission.SKILL)
    return Permission.ROOT
