"""The one place where whatever a reporter raises is caught: a reporter may be anybody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

Arguments = ParamSpec("Arguments")


def attempt(
    function: Callable[Arguments, object], *arguments: Arguments.args, **options: Arguments.kwargs
) -> Exception | None:
    """Call ``function``; returns what it raised, which the caller must log, or None."""
    try:
        function(*arguments, **options)
    except Exception as error:  # noqa: BLE001 - a report that fails must not fail the action
        return error
    return None
