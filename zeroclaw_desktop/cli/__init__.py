"""The command line ``zeroclaw``: every command is a thin head over the runtime.

Nothing heavy is imported before a command needs it. Exit codes: 0 done, 1 it did not succeed, 2 bad use,
70 an internal fault, 130 interrupted.
"""
