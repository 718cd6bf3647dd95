"""The Logs page: what the application wrote down, as it happens; filter, search, copy, save.

It shows records that the bridge hands over and holds no logger of its own.
"""
