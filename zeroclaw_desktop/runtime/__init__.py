"""The composition root: builds the services, starts and stops them in order. No Qt, no business rules.

The window and the command line use the same ``Runtime``.
"""
