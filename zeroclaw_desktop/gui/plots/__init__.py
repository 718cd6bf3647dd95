"""The Plots page: curves of every number that a board sends, drawn by the window's own painter.

The page pulls from the bridge at frame rate while it is visible; nothing is sent for each sample. numpy is
loaded with this package, so import it on the first visit only. What is above the Qt-free modules
(``time_view``, ``ticks``, ``value_range``, ``panels``, ``curves``) must hold no arithmetic of its own.
"""
