"""The lowest room: error base, logging, paths, assets, clock and task care. Standard library only.

Nothing in here may know of boards, models, windows or configuration.
"""
