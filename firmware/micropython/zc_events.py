"""Subscriptions: telemetry and changes of pins, sent by poll(); see Events in firmware/protocol/SPEC.md."""

from zc_protocol import letter_and_number

PLACES = 8
PERIOD_MIN_MS = 5
PERIOD_MAX_MS = 3600000
DROPPED_MAX = 65535
MODULUS = 1 << 32


class Events:
    """Up to 8 subscriptions.

    put: writes bytes to the host.
    pins: zc_pins.Pins.
    """

    def __init__(self, put, pins, board):
        self._put = put
        self._pins = pins
        self._board = board
        self._places = [None] * PLACES  # each: [signal, period_ms, due_ms, level]
        self._turn = 0
        self.dropped = 0

    def signal(self, quoted):
        """The signal of a quoted name, as the board writes it; None when there is no such."""
        if quoted == '"uptime"':
            return "uptime"
        letter, number = letter_and_number(quoted)
        analog = letter == "a" and number < len(self._board.ANALOG) and self._board.ANALOG[number] is not None
        return letter + str(number) if analog or (letter == "d" and number in self._board.GPIO) else None

    def value(self, signal, now):
        """The value of a signal."""
        if signal == "uptime":
            return now % MODULUS
        number = int(signal[1:])
        return self._pins.analog(number) if signal[0] == "a" else self._pins.level(number)

    def subscribe(self, signal, period_ms, now):
        """Begin or replace one; False when none is free. period_ms 0: changes only."""
        names = [place and place[0] for place in self._places]
        if signal not in names and None not in names:
            return False
        place = names.index(signal if signal in names else None)
        level = self._pins.level(int(signal[1:])) if signal[0] == "d" else 0
        self._places[place] = [signal, period_ms, now, level]
        return True

    def unsubscribe(self, signal):
        """End one, or all (None); returns how many ended."""
        ended = 0
        for number, place in enumerate(self._places):
            if place and signal in (None, place[0]):
                self._places[number] = None
                ended += 1
        return ended

    def poll(self, now):
        """Send what is due; who was served comes last the next time."""
        first = self._turn
        for step in range(PLACES):
            number = (first + step) % PLACES
            place = self._places[number]
            if place is None:
                continue
            if place[0][0] == "d":
                self._poll_change(place, now)
            if place[1] and now >= place[2]:
                self._send("telemetry", place[0], self.value(place[0], now), now)
                missed = (now - place[2]) // place[1]
                self.dropped = min(DROPPED_MAX, self.dropped + missed)
                place[2] += (missed + 1) * place[1]
                self._turn = (number + 1) % PLACES

    def _poll_change(self, place, now):
        level = self._pins.level(int(place[0][1:]))
        if level != place[3]:
            place[3] = level
            self._send("change", place[0], level, now)

    def _send(self, event, signal, value, now):
        self._put(
            (
                '{"evt":"%s","signal":"%s","value":%d,"t":%d}\n' % (event, signal, value, now % MODULUS)
            ).encode()
        )
