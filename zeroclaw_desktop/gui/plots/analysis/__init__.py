"""The analysis pane of the Plots page: spectrum, histogram and X-Y of the stretch of time that is visible.

A worker's thread computes a content (``spectrum``, ``histogram``, ``xy``) from a request; the chart paints
it. ``options``, ``axis`` and ``reduction`` are Qt-free.
"""
