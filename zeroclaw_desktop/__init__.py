"""ZeroClaw Desktop: talk to your hardware, see what it does, keep it safe."""

from __future__ import annotations

__version__ = "0.1.0"
