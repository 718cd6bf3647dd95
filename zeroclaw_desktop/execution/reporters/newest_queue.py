"""A bounded queue of reports that keeps what matters most: the latest state of each device."""

from __future__ import annotations

from collections import Counter, deque

from zeroclaw_desktop.contracts.actions import ActionResult


class NewestQueue:
    """First in, first out. When full, an old report gives way, first of all one that a newer report of the
    same device has made out of date. Not thread-safe: its owner guards it.

    Args:
        limit: how many reports wait at most, at least 1.
    """

    def __init__(self, limit: int) -> None:
        self._limit = max(1, limit)
        self._results: deque[ActionResult] = deque()
        self._waiting: Counter[str] = Counter()
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._results)

    def put(self, result: ActionResult) -> None:
        """Add the newest report."""
        if len(self._results) >= self._limit:
            self._drop_one(result.device_id)
        self._results.append(result)
        self._waiting[result.device_id] += 1

    def take(self) -> ActionResult | None:
        """Remove and return the oldest report; None when empty."""
        if not self._results:
            return None
        result = self._results.popleft()
        self._forget(result.device_id)
        return result

    def put_back(self, result: ActionResult) -> None:
        """Return a report that could not be delivered to the front; it is dropped when newer ones fill the
        queue."""
        if len(self._results) >= self._limit:
            self.dropped += 1
            return
        self._results.appendleft(result)
        self._waiting[result.device_id] += 1

    def clear(self) -> int:
        """Drop everything; returns how many reports that were."""
        left = len(self._results)
        self._results.clear()
        self._waiting.clear()
        self.dropped += left
        return left

    def _drop_one(self, coming: str) -> None:
        """Drop the oldest report that a newer one replaces, or else the oldest of all."""
        self.dropped += 1
        for place, result in enumerate(self._results):
            if self._waiting[result.device_id] > 1 or result.device_id == coming:
                del self._results[place]
                self._forget(result.device_id)
                return
        self._forget(self._results.popleft().device_id)

    def _forget(self, device_id: str) -> None:
        self._waiting[device_id] -= 1
        if not self._waiting[device_id]:
            del self._waiting[device_id]
