"""The Dashboard page: tiles that show series and act on boards, in grids that a person arranges."""

from __future__ import annotations
