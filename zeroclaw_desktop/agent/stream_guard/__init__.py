"""The stream guard (AG-4): what of an answer the person may see, while it comes, and which calls are in it.

Pure: no window, no file, no network.
"""
