"""What an answer cost."""

from __future__ import annotations

from collections.abc import Mapping


def cost_of(usage: Mapping[str, int], prices: Mapping[str, float] | None) -> float | None:
    """Cost of an answer in US dollars; None when the prices are not known.

    Args:
        usage: tokens: ``input`` (with the cached ones), ``output`` (with reasoning), ``cached``.
        prices: US dollars a token: ``input``, ``output`` and, where a server has it, ``cached``.

    Source: the price lists of OpenAI and Anthropic: cached tokens of the request have a price of their own,
    tokens of reasoning are paid as output.
    """
    if prices is None:
        return None
    cached = min(usage.get("cached", 0), usage["input"])
    fresh = usage["input"] - cached
    return (
        fresh * prices["input"]
        + cached * prices.get("cached", prices["input"])
        + usage["output"] * prices["output"]
    )
