"""Runs one target under atheris (coverage-guided): ``python -m tests.fuzz.harness TARGET [options]``.

Options are libFuzzer's, e.g. ``-max_total_time=60 FOLDER tests/fuzz/corpus/json_payload``. An input that
breaks a promise is printed and kept; put it into the folder of the target in ``tests/fuzz/corpus`` when it is
mended.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["zeroclaw_desktop.execution", "zeroclaw_desktop.agent", "yaml"]):
    from tests.fuzz.targets import TARGETS


def main() -> None:
    """Fuzz until the time is over or something is found; ends the process."""
    target = TARGETS[sys.argv[1]]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
