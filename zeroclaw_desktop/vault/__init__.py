"""Passwords: kept by the system's keyring under names made from settings, never in a file of ours.

Nothing that is read here may be logged, put into an error or shown.
"""

from __future__ import annotations
