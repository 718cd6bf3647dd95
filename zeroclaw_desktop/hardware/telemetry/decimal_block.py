"""Many decimal numbers of one block of text, converted at once.

Each number is looked at through one or two 8-byte words that end at its last character; sign and decimal
point are taken out of the words and the digits weighed by three multiplications (the method of D. Lemire,
"Faster parsing of 8-digit numbers"). The outcome is the same float that ``float`` gives: up to 15 digits are
exact in a float, and so is their power of ten, so that one division rounds correctly (W. Clinger, "How to
read floating point numbers accurately", PLDI 1990).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_CHARACTERS = 15
NUMBER_CHARACTERS = b"0123456789.+-"
PADDING = b"\n" * 16
"""What a buffer must begin with, so that the words of its first number lie inside it."""

WordArray = NDArray[np.uint64]
IndexArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_U = np.uint64
_ZEROS = _U(0x3030303030303030)
_DOTS = _U(0x2E2E2E2E2E2E2E2E)
_ONES = _U(0x0101010101010101)
_HIGH_BITS = _U(0x8080808080808080)
_OVER_NINE = _U(0x7676767676767676)
_BYTE, _SEVEN, _EIGHT, _TOP = _U(0xFF), _U(7), _U(8), _U(56)
# By the length of a number: which bytes of its word belong to it, and zeros for the others.
_KEEP = np.array([2**64 - 2 ** (64 - 8 * length) for length in range(9)], np.uint64)
_FILL = _ZEROS & ~_KEEP
_POWERS = 10.0 ** np.arange(16)
_MINUS, _PLUS, _ZERO = 0x2D, 0x2B, 0x30


class Decimals(NamedTuple):
    """Converted numbers.

    Attributes:
        value: float64, shape (n,); meaningless where not ``good``.
        good: whether the text is ``[+-]digits[.digits]`` of at most ``MAX_CHARACTERS`` characters.
    """

    value: NDArray[np.float64]
    good: BoolArray


def parse_decimals(buffer: bytes, starts: IndexArray, ends: IndexArray, *, json: bool = False) -> Decimals:
    """Convert the numbers that stand at ``starts`` to ``ends`` (exclusive) of a buffer.

    Args:
        buffer: text that begins with ``PADDING``; between a start and its end stand only
            ``NUMBER_CHARACTERS``.
        starts: positions of the first characters, shape (n,).
        ends: positions after the last, above ``starts``.
        json: accept only what JSON calls a number: no plus, no superfluous zero, digits on both sides of a
            point; an integer ``-0`` is not accepted either, as it has no sign in Python's reading.
    """
    lengths = ends - starts
    longest = int(lengths.max()) if len(lengths) else 0
    fits: BoolArray | bool = True
    if longest > MAX_CHARACTERS:
        fits = lengths <= MAX_CHARACTERS
        lengths = np.minimum(lengths, MAX_CHARACTERS)
    first = np.frombuffer(buffer, np.uint8)[starts]
    signed = (first == _MINUS) | (first == _PLUS)
    view: WordArray = np.ndarray((len(buffer) - 7,), "<u8", buffer, 0, (1,))
    low = _digits_only(view[ends - 8], lengths if longest <= 8 else np.minimum(lengths, 8))
    high = None
    if longest > 8:
        high = _digits_only(view[ends - 16], np.maximum(lengths - 8, 0))
    low, high = _without_sign(low, high, lengths, first, signed)
    low, high, decimals, dotted, single = _without_point(low, high)
    good = single & fits & (lengths - signed - dotted >= 1)
    mantissa = _weigh(low, good)
    if high is not None:
        mantissa = mantissa + _weigh(high, good) * _U(100_000_000)
    value = mantissa.astype(np.float64)
    if dotted.any():
        value /= _POWERS.take(decimals, mode="clip")
    if signed.any():
        value = np.where(first == _MINUS, -value, value)
    if json:
        good &= _is_json(buffer, starts, lengths, first, signed, dotted, decimals)
        good &= dotted | (value != 0) | ~signed
    return Decimals(value, good)


def _digits_only(words: WordArray, lengths: IndexArray) -> WordArray:
    """Put zeros in place of what stands before the number in its word (the low bytes)."""
    masked: WordArray = (words & _KEEP.take(lengths)) | _FILL.take(lengths)
    return masked


def _without_sign(
    low: WordArray, high: WordArray | None, lengths: IndexArray, first: NDArray[np.uint8], signed: BoolArray
) -> tuple[WordArray, WordArray | None]:
    if not signed.any():
        return low, high
    flip = np.where(signed, first ^ _ZERO, 0).astype(np.uint64)
    shift = ((-lengths % 8) * 8).astype(np.uint64)
    if high is None:
        return low ^ (flip << shift), None
    in_high = lengths > 8
    return low ^ np.where(in_high, _U(0), flip << shift), high ^ np.where(in_high, flip << shift, _U(0))


def _find_points(words: WordArray) -> WordArray:
    """Set the top bit of each byte that is a point; exact as no byte is a slash."""
    difference = words ^ _DOTS
    points: WordArray = (difference - _ONES) & ~difference & _HIGH_BITS
    return points


def _without_point(
    low: WordArray, high: WordArray | None
) -> tuple[WordArray, WordArray | None, IndexArray, BoolArray, BoolArray]:
    """Close the gap of the point; also returns digits after it, whether there is one, and that not two."""
    point = _find_points(low)
    dotted = point != 0
    single = (point & (point - _U(1) * dotted)) == 0
    below = (point >> _SEVEN) - dotted
    decimals = np.where(dotted, 7 - (np.bitwise_count(below) >> 3).astype(np.int64), 0)
    carried: WordArray | np.uint64 = _U(_ZERO)
    if high is not None:
        point_high = _find_points(high)
        dotted_high = point_high != 0
        single &= ((point_high & (point_high - _U(1) * dotted_high)) == 0) & ~(dotted & dotted_high)
        below_high = (point_high >> _SEVEN) - dotted_high
        decimals += np.where(dotted_high, 15 - (np.bitwise_count(below_high) >> 3).astype(np.int64), 0)
        carried = high >> _TOP
        moved = _close(high, below_high, _U(_ZERO))
        high = np.where(dotted, (high << _EIGHT) | _U(_ZERO), np.where(dotted_high, moved, high))
        low = np.where(dotted, _close(low, below, carried), low)
        return low, high, decimals, dotted | dotted_high, single
    if dotted.all():
        low = _close(low, below, carried)
    elif dotted.any():
        low = np.where(dotted, _close(low, below, carried), low)
    return low, None, decimals, dotted, single


def _close(words: WordArray, below: WordArray, carried: WordArray | np.uint64) -> WordArray:
    """Move the bytes before the point up by one; ``carried`` becomes the lowest byte."""
    closed: WordArray = (words & ~((below << _EIGHT) | _BYTE)) | ((words & below) << _EIGHT) | carried
    return closed


def _weigh(words: WordArray, good: BoolArray) -> WordArray:
    """Return the numbers of eight digits; clears ``good`` where a byte is no digit."""
    digits = words ^ _ZEROS
    good &= (((digits + _OVER_NINE) | digits) & _HIGH_BITS) == 0
    pairs: WordArray = (digits * _U(2561)) >> _EIGHT
    fours: WordArray = ((pairs & _U(0x00FF00FF00FF00FF)) * _U(6553601)) >> _U(16)
    eights: WordArray = ((fours & _U(0x0000FFFF0000FFFF)) * _U(42949672960001)) >> _U(32)
    return eights


def _is_json(
    buffer: bytes,
    starts: IndexArray,
    lengths: IndexArray,
    first: NDArray[np.uint8],
    signed: BoolArray,
    dotted: BoolArray,
    decimals: IndexArray,
) -> BoolArray:
    whole_digits = lengths - signed - dotted - decimals
    leading = np.frombuffer(buffer, np.uint8)[np.minimum(starts + signed, len(buffer) - 1)]
    superfluous = (leading == _ZERO) & (whole_digits > 1)
    return np.asarray(
        (first != _PLUS) & (whole_digits >= 1) & ~superfluous & (~dotted | (decimals >= 1)), dtype=np.bool_
    )
