"""Grants: proof that an action passed the door. Only the executor makes them; a link refuses without one."""

from __future__ import annotations


class Grant:
    """Belongs to one running action and dies with it."""

    def __init__(self, task_id: str) -> None:
        self._task_id = task_id
        self._valid = True

    @property
    def task_id(self) -> str:
        """Action that the grant belongs to."""
        return self._task_id

    @property
    def valid(self) -> bool:
        """Whether the action is still running."""
        return self._valid

    def revoke(self) -> None:
        """End the grant."""
        self._valid = False
