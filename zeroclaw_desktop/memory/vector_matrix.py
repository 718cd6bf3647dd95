"""Vectors of all entries in one matrix of bytes, for similarity by brute force.

The matrix is dimension-major: (dimensions, places). A vector of the built-in engine has few values that are
not zero, and a question needs only the rows of those, block by block so that the numbers stay in the
processor's cache (2 ms for 60 of 512 rows and 100,000 entries; all rows in float32 took 25). Values are kept
as bytes, each vector with a factor of its own, which costs less than 0.01 of a cosine.

Places are appended; a forgotten one becomes a tombstone and is given up when the matrix is compacted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FIRST_PLACES = 1_024
BLOCK_PLACES = 4_096
DENSE_SHARE = 0.5
"""From this share of values that are not zero on, all rows are read without picking."""

Packed = tuple[bytes, float]
"""A vector as bytes (signed, one for each dimension) and its factor."""


def pack(vector: NDArray[np.float32]) -> Packed:
    """Quantise a vector to signed bytes; value = byte * factor."""
    largest = float(np.abs(vector).max(initial=0.0))
    if largest == 0.0:
        return bytes(vector.size), 0.0
    factor = largest / 127.0
    return np.rint(vector / factor).astype(np.int8).tobytes(), factor


class VectorMatrix:
    """Vectors by place; not safe for several threads.

    Args:
        dimensions: length of a vector.
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.places = 0
        """Places in use, tombstones included."""
        self._bytes = np.zeros((dimensions, FIRST_PLACES), dtype=np.int8)
        self._factors = np.zeros(FIRST_PLACES, dtype=np.float32)

    def append(self, packed: Sequence[Packed]) -> None:
        """Add vectors at the end, in order; one of another length becomes a zero, which is like nothing."""
        if not packed:
            return
        self._grow(self.places + len(packed))
        zero = bytes(self.dimensions)
        right = [len(data) == self.dimensions for data, _ in packed]
        joined = b"".join(data if fits else zero for (data, _), fits in zip(packed, right, strict=True))
        end = self.places + len(packed)
        block = np.frombuffer(joined, dtype=np.int8).reshape(len(packed), self.dimensions)
        self._bytes[:, self.places : end] = block.T
        self._factors[self.places : end] = [
            factor if fits else 0.0 for (_, factor), fits in zip(packed, right, strict=True)
        ]
        self.places = end

    def similarities(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of all places with a vector of length one; of tombstones too."""
        scores = np.empty(self.places, dtype=np.float32)
        used = np.flatnonzero(vector)
        sparse = used.size < DENSE_SHARE * self.dimensions
        wanted = np.ascontiguousarray(vector[used] if sparse else vector)
        for start in range(0, self.places, BLOCK_PLACES):
            end = min(self.places, start + BLOCK_PLACES)
            block = self._bytes[used, start:end] if sparse else self._bytes[:, start:end]
            np.matmul(wanted, block.astype(np.float32), out=scores[start:end])
        scores *= self._factors[: self.places]
        return scores

    def compact(self, kept: NDArray[np.bool_]) -> None:
        """Give up the places that are not kept; the others move together, in order."""
        places = np.flatnonzero(kept)
        room = max(FIRST_PLACES, int(places.size * 1.25))
        data = np.zeros((self.dimensions, room), dtype=np.int8)
        factors = np.zeros(room, dtype=np.float32)
        data[:, : places.size] = self._bytes[:, places]
        factors[: places.size] = self._factors[places]
        self._bytes, self._factors, self.places = data, factors, int(places.size)

    def _grow(self, needed: int) -> None:
        room = self._factors.size
        if needed <= room:
            return
        larger = max(needed, room * 3 // 2)
        data = np.zeros((self.dimensions, larger), dtype=np.int8)
        data[:, : self.places] = self._bytes[:, : self.places]
        factors = np.zeros(larger, dtype=np.float32)
        factors[: self.places] = self._factors[: self.places]
        self._bytes, self._factors = data, factors
