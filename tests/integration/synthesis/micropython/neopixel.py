"""MicroPython's driver `neopixel` for the tests: what is written is printed."""


class NeoPixel:
    """See MicroPython's documentation, "WS2812 and NeoPixel LEDs"."""

    def __init__(self, pin, count):
        self._pixels = [(0, 0, 0)] * count

    def fill(self, color):
        """Set all."""
        self._pixels = [color] * len(self._pixels)

    def __setitem__(self, at, color):
        assert all(isinstance(part, int) and 0 <= part <= 255 for part in color)
        self._pixels[at] = color

    def write(self):
        """Send the data."""
        print("#strip " + " ".join(f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in self._pixels))
