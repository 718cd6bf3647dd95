"""MicroPython's driver `dht` for the tests: a sensor that answers every second time."""

count = 0


class DHT22:
    """See MicroPython's documentation, "Temperature and Humidity"."""

    def __init__(self, pin):
        self._pin = pin

    def measure(self):
        """Read; OSError when the sensor does not answer."""
        global count
        count += 1
        if count % 2 == 0:
            raise OSError(116)

    def temperature(self):
        """Degrees."""
        return 35.1

    def humidity(self):
        """Percent."""
        return 65.2


DHT11 = DHT22
