"""Lines, requests and replies of the board protocol: firmware/protocol/SPEC.md says what is right."""

import zc_json

LINE_MAX = 255


class Refused(Exception):  # noqa: N818
    """A request that is not done; `text` and `code` go into the reply."""

    def __init__(self, text, code):
        super().__init__(text)
        self.text = text
        self.code = code


class Request:
    """A request; its arguments are checked when they are asked for.

    line: the bytes it came in.
    identity: the id's bytes as they were written.
    args: the object of the arguments, None when there is none.
    """

    def __init__(self, line, board):
        self.line = line
        self.board = board
        self.identity = b"null"
        self.args = None
        self.command = ""

    def read(self):
        """Take the line apart; raises Refused."""
        line = self.line
        try:
            root = zc_json.read(line)
        except zc_json.NotJson:
            raise Refused("Bad JSON", "bad_json") from None
        if root[0] != "o":
            raise Refused("Request must be an object", "bad_request")
        found = zc_json.find(root, "id")
        if len(found) > 1 or any(value[0] not in "snz" for value in found):
            raise Refused("id must be one string or number", "bad_request")
        if found:
            self.identity = line[found[0][1] : found[0][2]]
        found = zc_json.find(root, "cmd")
        if len(found) != 1 or found[0][0] != "s":
            raise Refused("cmd must be one string", "bad_request")
        self.command = zc_json.text(line, found[0])
        found = zc_json.find(root, "args")
        if len(found) > 1 or any(value[0] not in "oz" for value in found):
            raise Refused("args must be one object", "bad_request")
        if found and found[0][0] == "o":
            self.args = found[0]

    def has(self, name):
        """Whether an argument is there, of whatever kind."""
        return bool(zc_json.find(self.args, name))

    def argument(self, name):
        """An argument that must be there once."""
        found = zc_json.find(self.args, name)
        if len(found) != 1:
            raise Refused(("Repeated " if found else "Missing ") + name, "bad_request")
        return found[0]

    def text(self, name):
        """A string, or None when the argument is something else."""
        return zc_json.text(self.line, self.argument(name))

    def number(self, name, low, high):
        """An integer from low to high."""
        value = zc_json.integer(self.line, self.argument(name))
        if value is None:
            raise Refused(name + " must be an integer", "bad_value")
        if not low <= value <= high:
            span = "%d or %d" if low + 1 == high else "from %d to %d"
            raise Refused(name + " must be " + span % (low, high), "bad_value")
        return value

    def optional(self, name, low, high, missing):
        """As number(); `missing` when the argument is not there."""
        return self.number(name, low, high) if self.has(name) else missing

    def byte_list(self, name, limit):
        """1 to `limit` bytes."""
        found = zc_json.byte_list(self.line, self.argument(name), limit)
        if not found:
            raise Refused("%s must be 1 to %d bytes" % (name, limit), "bad_value")
        return found

    def pin(self, name="pin"):
        """A pin by number or name, unknown and reserved ones refused."""
        number, written = self.any_pin(name)
        if number not in self.board.GPIO:
            raise self.reserved(number, written)
        return number

    def any_pin(self, name):
        """(pin, as it was written), reserved ones as well."""
        value = self.argument(name)
        raw = str(self.line[value[1] : value[2]], "utf-8")
        if value[0] == "s":
            written = raw[1:-1]
            number = pin_by_name(raw, self.board)
        else:
            written = raw
            number = zc_json.integer(self.line, value)
            if number is None:
                raise Refused(name + " must be an integer", "bad_value")
        if not 0 <= number < self.board.PIN_COUNT:
            raise Refused("Invalid pin " + written, "bad_pin")
        return number, written

    def reserved(self, number, written):
        """The error for a pin that is not for use."""
        return Refused("Invalid pin " + written + ": " + self.board.reserved(number), "bad_pin")

    def output(self, name="pin"):
        """As pin(), and one that can be an output."""
        return self.checked_output(self.pin(name))

    def checked_output(self, pin):
        """The pin, refused when it cannot be an output."""
        if pin in self.board.INPUT_ONLY:
            raise Refused("Pin %d cannot be an output" % pin, "unsupported")
        return pin


def letter_and_number(quoted):
    """("d", 5) for `"D5"` with its quotes; ("", -1) when it is not made like that."""
    digits = quoted[2:-1]
    if not (quoted.startswith('"') and 1 <= len(digits) <= 2 and digits.isdigit()):
        return "", -1
    return quoted[1].lower(), int(digits)


def pin_by_name(quoted, board):
    """The pin of a name such as `"A0"` or `"D5"`, -1 for anything else."""
    letter, number = letter_and_number(quoted)
    if letter == "a" and number < len(board.ANALOG):
        return board.ANALOG[number]
    return number if letter == "d" else -1


class Line:
    """The line to the host: bytes in, bytes out.

    put: writes bytes to the host.
    run: carries out a Request and returns its result as JSON text; raises Refused.
    """

    def __init__(self, put, run, board):
        self.put = put
        self._run = run
        self._board = board
        self._buffer = bytearray(LINE_MAX)
        self._length = 0
        self._discarding = False
        self._damaged = False
        self.request_time = None

    def receive(self, byte):
        """Take one byte (0 to 255); answers when it ends a request."""
        if byte in (0x0A, 0x0D):
            length, self._length = self._length, 0
            if not self._discarding and (self._damaged or self._buffer[:length].strip(b" \t")):
                self._handle(bytes(self._buffer[:length]))
            self._discarding = self._damaged = False
        elif self._discarding:
            return
        elif byte == 0:  # stands for bytes that were lost
            self._damaged = True
        elif self._length < LINE_MAX:
            self._buffer[self._length] = byte
            self._length += 1
        else:
            self._discarding = True
            self._fail(b"null", Refused("Line longer than %d bytes" % LINE_MAX, "line_too_long"))

    def _handle(self, line):
        request = Request(line, self._board)
        try:
            if self._damaged:
                raise Refused("Bytes of the line were lost", "line_damaged")
            request.read()
            result = self._run(request)
        except Refused as error:
            self._fail(request.identity, error)
            return
        self.put(b'{"id":' + request.identity + b',"ok":true,"result":')
        self.put(result)
        self.put(b"}\n")

    def _fail(self, identity, error):
        self.put(b'{"id":' + identity + b',"ok":false,"error":"')
        self.put(error.text.encode())
        self.put(b'","code":"' + error.code.encode() + b'"}\n')
