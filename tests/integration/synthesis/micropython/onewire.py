"""MicroPython's driver `onewire` for the tests."""


class OneWire:
    """A 1-Wire line."""

    def __init__(self, pin):
        self.pin = pin
