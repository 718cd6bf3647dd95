"""What ``installer/bootstrap.py`` does, step by step: system packages, environment, packages, start or tests.

Standard library only, and nothing of the product: it must work before anything is installed.
"""
