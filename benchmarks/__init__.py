"""One module for each budget of the project; ``python -m benchmarks`` runs them all and prints a table.

Each module has ``run() -> list[dict]`` with the keys id, name, median, p99, ratio, unit, note. Figures are
medians of several runs; ratios are against a peer or a physical limit in the same run.
"""
