"""The circuit around a simulated board: virtual parts, their wires, what they do to the pins and show.

Pure: ``part_kinds`` (the catalog), ``bench`` (parts and wires as a document), ``wiring_rules`` (what may not
be wired, and why), ``electrics`` (the formulas), ``readings`` (what the parts show), ``live_bench`` (a
document at work on one board). Only ``bench_file`` touches a file. Nothing here may know of processes or Qt.
"""
