"""Grants: proof that an action passed the door. Only the executor makes them; a link refuses without one."""

from __future__ import annotations

from collections.abc import Callable


class Grant:
    """Belongs to one running action and dies with it.

    Args:
        blocked: whether the emergency stop keeps this action from the boards. The action is cancelled as
            well, but its handler may take one more step before it learns of it.
    """

    def __init__(self, task_id: str, blocked: Callable[[], bool] = lambda: False) -> None:
        self._task_id = task_id
        self._blocked = blocked
        self._valid = True

    @property
    def task_id(self) -> str:
        """Action that the grant belongs to."""
        return self._task_id

    @property
    def valid(self) -> bool:
        """Whether the action may use the board now."""
        return self._valid and not self._blocked()

    def revoke(self) -> None:
        """End the grant."""
        self._valid = False
