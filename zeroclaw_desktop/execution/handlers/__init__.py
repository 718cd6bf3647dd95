"""What each command really does. The only code that talks to boards, through a granted link.

One module for each family; ``builtin.py`` lists them all. A handler reads back what it changed and reports
only what it read.
"""
