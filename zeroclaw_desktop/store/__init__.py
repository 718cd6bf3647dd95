"""The one SQLite database and the one thread that owns it.

What must survive the program is handed to ``StoreThread`` as work on a connection; other rooms bring their
own tables as a ``Schema`` and their own statements, and never import ``sqlite3``. What must not enter:
knowledge of what the rows mean, and work that waits for something else than the disk.
"""
