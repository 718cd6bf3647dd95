"""Tool calls as models write them (AG-5): from the text of a block to calls, or to faults with a reason.

Pure: no window, no file, no network. ``stream_guard`` finds the blocks; what a call may do is decided
elsewhere.
"""
