"""Telemetry: bytes of a serial line become samples in rings that a plot can read at frame rate.

Here live the line formats, the sample store, its time base and its export. Pure Python and numpy: no Qt, no
asyncio, no serial handle, no thread of its own. The thread that owns the port calls ``ingest``; whoever draws
reads ``store``. Modules import each other by their full name, so that reading a line format does not load
numpy.
"""
