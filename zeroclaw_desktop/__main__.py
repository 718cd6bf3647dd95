"""``python -m zeroclaw_desktop`` opens the window."""

from __future__ import annotations

import sys

from zeroclaw_desktop.gui.app import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
