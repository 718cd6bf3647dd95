"""JSON reader for one line of bytes: strict (RFC 8259), 8 levels deep, each value with its place in the line.

MicroPython's own reader takes much that is no JSON and forgets how an id was written.

A value is a tuple: its kind, where it begins, where it ends, and what is in it. Kinds: o object, a array, s
string, n number, b true or false, z null. In an object are (key, value) pairs, duplicates included, in an
array values.
"""

import json

MAX_DEPTH = 8
_SPACE = b" \t\r\n"
_ESCAPED = b'"\\/bfnrt'
_DIGITS = b"0123456789"
_HEX = b"0123456789abcdefABCDEF"


class NotJson(ValueError):  # noqa: N818
    """The bytes are no JSON value, or one that is nested too deep."""


def read(line):
    """Return the value that the line is; raises NotJson when it is none."""
    value = _value(line, _space(line, 0), MAX_DEPTH)
    if _space(line, value[2]) != len(line):
        raise NotJson
    return value


def find(value, key):
    """All values of a key of an object; none for other kinds."""
    return [item for name, item in value[3] if name == key] if value and value[0] == "o" else []


def text(line, value):
    """Content of a string with its escapes read; None for other kinds."""
    return _text(line, value[1], value[2]) if value and value[0] == "s" else None


def integer(line, value):
    """A number written without point and exponent; None for everything else."""
    if value[0] != "n":
        return None
    raw = line[value[1] : value[2]]
    return None if b"." in raw or b"e" in raw or b"E" in raw else int(raw)


def byte_list(line, value, limit):
    """Bytes from an array of 0 to 255 or a string of hexadecimal digits; None for others and too many."""
    if value[0] == "a":
        numbers = [integer(line, item) for item in value[3]] if len(value[3]) <= limit else [None]
        return None if any(n is None or not 0 <= n <= 255 for n in numbers) else bytes(numbers)
    digits = (text(line, value) or "") if value[0] == "s" else "-"
    if len(digits) % 2 or len(digits) > 2 * limit or any(ord(c) > 127 or ord(c) not in _HEX for c in digits):
        return None
    return bytes(int(digits[i : i + 2], 16) for i in range(0, len(digits), 2))


def _text(line, start, end):
    raw = line[start:end]
    return json.loads(raw) if b"\\" in raw else str(raw[1:-1], "utf-8")


def _at(line, i):
    return line[i] if i < len(line) else 0


def _space(line, i):
    while i < len(line) and line[i] in _SPACE:
        i += 1
    return i


def _value(line, i, depth):
    c = _at(line, i)
    if c in b"{[" and c:
        return _container(line, i, depth, c == 0x7B)
    if c == 0x22:
        return ("s", i, _string(line, i), ())
    for word, kind in ((b"true", "b"), (b"false", "b"), (b"null", "z")):
        if line[i : i + len(word)] == word:
            return (kind, i, i + len(word), ())
    return ("n", i, _number(line, i), ())


def _container(line, start, depth, is_object):
    if depth == 0:
        raise NotJson
    closing = 0x7D if is_object else 0x5D
    items = []
    i = _space(line, start + 1)
    more = _at(line, i) != closing
    while more:
        if is_object:
            end = _string(line, i)
            key = _text(line, i, end)
            i = _space(line, end)
            if _at(line, i) != 0x3A:
                raise NotJson
            i = _space(line, i + 1)
        item = _value(line, i, depth - 1)
        items.append((key, item) if is_object else item)
        i = _space(line, item[2])
        more = _at(line, i) == 0x2C
        if more:
            i = _space(line, i + 1)
    if _at(line, i) != closing:
        raise NotJson
    return ("o" if is_object else "a", start, i + 1, items)


def _string(line, i):
    """Where the string ends that begins here."""
    if _at(line, i) != 0x22:
        raise NotJson
    i += 1
    while _at(line, i) != 0x22:
        c = _at(line, i)
        if c < 0x20:
            raise NotJson
        if c == 0x5C:
            i = _escape(line, i + 1)
        elif c < 0x80:
            i += 1
        else:
            i = _utf8(line, i)
    return i + 1


def _escape(line, i):
    c = _at(line, i)
    if c == 0x75:  # u
        for place in range(i + 1, i + 5):
            if _at(line, place) not in _HEX or not _at(line, place):
                raise NotJson
        return i + 5
    if not c or c not in _ESCAPED:
        raise NotJson
    return i + 1


def _utf8(line, i):
    """Where the character ends (RFC 3629, section 4: no over-long forms, no surrogates)."""
    lead = line[i]
    if 0xC2 <= lead <= 0xDF:
        count = 1
    elif 0xE0 <= lead <= 0xEF:
        count = 2
    elif 0xF0 <= lead <= 0xF4:
        count = 3
    else:
        raise NotJson
    low = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
    high = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
    for place in range(i + 1, i + 1 + count):
        if not low <= _at(line, place) <= high:
            raise NotJson
        low, high = 0x80, 0xBF
    return i + 1 + count


def _digits(line, i):
    start = i
    while i < len(line) and line[i] in _DIGITS:
        i += 1
    if i == start:
        raise NotJson
    return i


def _number(line, i):
    if _at(line, i) == 0x2D:
        i += 1
    i = i + 1 if _at(line, i) == 0x30 else _digits(line, i)
    if _at(line, i) == 0x2E:
        i = _digits(line, i + 1)
    if _at(line, i) in (0x65, 0x45):
        i += 1
        if _at(line, i) in (0x2B, 0x2D):
            i += 1
        i = _digits(line, i)
    return i
