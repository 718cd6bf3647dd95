"""The few dataclasses and Protocols that rooms share without knowing each other. No logic."""
