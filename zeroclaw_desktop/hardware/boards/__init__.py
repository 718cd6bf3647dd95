"""Kinds of boards as data: ``resources/boards/*.toml``, checked when read. A new board is one file."""
