"""``python -m benchmarks [NAME ...]``: run the named modules, or all, and print a table or JSON rows."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys
from typing import Any

import benchmarks


def names() -> list[str]:
    """Every module that has something to run."""
    return sorted(
        module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")
    )


def machine() -> str:
    """The machine in one line."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}, Python {platform.python_version()}{load}"


def main() -> int:
    """Run and print; 1 when one of them could not run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", help=f"among: {', '.join(names())}")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    failed = 0
    for name in options.names or names():
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            rows += importlib.import_module(f"benchmarks.{name}").run()
        except (OSError, RuntimeError, ImportError) as error:
            failed += 1
            print(f"{name} could not run: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps({"machine": machine(), "rows": rows}, ensure_ascii=False))
        return 1 if failed else 0
    print(machine())
    print(f"{'id':<16} {'median':>12} {'p99':>12} {'unit':<12} {'ratio':>8}  what")
    for row in rows:
        ratio = "" if row.get("ratio") is None else f"{row['ratio']:.2f}"
        print(
            f"{row['id']:<16} {row['median']:>12,.5g} {row['p99']:>12,.5g} {row['unit']:<12} {ratio:>8}  "
            f"{row['name']}" + (f" ({row['note']})" if row.get("note") else "")
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
