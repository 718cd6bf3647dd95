"""Formats of firmware files: each module turns the bytes of one format into what the ways of writing take.

A reader takes the whole content and the board, checks everything that the format itself tells (marks,
checksums, chip, order, overlaps) and gives a FirmwareContent. It never opens a port, never asks the network
and never trusts a length that the file states.
"""
