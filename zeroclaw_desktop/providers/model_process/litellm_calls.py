"""The only module that knows litellm: a request becomes one streamed call, its chunks become events.

litellm's import costs seconds and hundreds of megabytes, so it happens with the first request. Its own
retries, telemetry, callbacks and downloads are off: the program decides when something is asked again.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.providers.wire import CALL, TEXT, THINK

MAP_NAME = "model_prices_and_context_window_backup.json"
QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_LOG": "ERROR",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "NO_COLOR": "1",
}
"""Set before the import: no price map, model card or tokenizer is fetched."""
_PRICES = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached": "cache_read_input_token_cost",
}
_loaded: list[Any] = []
_map: dict[str, Any] = {}


def library() -> Any:
    """litellm, imported and made quiet on first use.

    Raises:
        ImportError: it is not installed here.
    """
    if not _loaded:
        os.environ.update(QUIET)
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.drop_params = True
        litellm.turn_off_message_logging = True
        litellm.num_retries = 0
        _loaded.append(litellm)
    return _loaded[0]


async def stream(request: Mapping[str, Any], emit: Callable[[list[Any]], None]) -> dict[str, Any]:
    """Ask a model and hand on each piece of its answer; cancelling closes the connection.

    Args:
        request: ``model`` (with litellm's prefix), ``base_url``, ``key``, ``messages`` and ``tools`` in the
            form of OpenAI, ``params``, ``connect_seconds``, ``total_seconds``, ``prices``.
        emit: given each event (see wire).

    Returns:
        The frame's ``done``: ``finish``, ``usage``, ``prices``, ``context``.
    """
    litellm = library()
    import httpx

    tell_prices(litellm, request)
    answer = await litellm.acompletion(
        model=request["model"],
        api_base=request["base_url"],
        # Some clients refuse to work without a key; a server without keys does not look at it.
        api_key=request["key"] or "none",
        messages=request["messages"],
        tools=request["tools"] or None,
        stream=True,
        stream_options={"include_usage": True},
        timeout=httpx.Timeout(request["total_seconds"], connect=request["connect_seconds"]),
        num_retries=0,
        max_retries=0,
        **request["params"],
    )
    finish, usage = "", None
    try:
        async for chunk in answer:
            usage = getattr(chunk, "usage", None) or usage
            for choice in chunk.choices[:1]:
                finish = choice.finish_reason or finish
                for event in events_of(choice.delta):
                    emit(event)
    finally:
        await answer.aclose()
    return {"finish": finish, "usage": _usage(usage), **facts(request["model"])}


def events_of(delta: Any) -> list[list[Any]]:
    """The events of one chunk, in the order in which they are told."""
    events: list[list[Any]] = []
    thought = getattr(delta, "reasoning_content", None)
    if thought:
        events.append([THINK, thought])
    if delta.content:
        events.append([TEXT, delta.content])
    for call in delta.tool_calls or ():
        function = call.function
        name, arguments = function.name or "", function.arguments or ""
        events.append([CALL, call.index or 0, call.id or "", name, arguments])
    return events


def tell_prices(litellm: Any, request: Mapping[str, Any]) -> None:
    """Enter an unknown model, so that litellm does not ask a server of Ollama what it is (it would block)."""
    model = request["model"]
    if model not in litellm.model_cost:
        provider = model.partition("/")[0]
        row = {"litellm_provider": provider, "mode": "chat", "supports_function_calling": True}
        litellm.register_model({model: {**row, "input_cost_per_token": 0.0, "output_cost_per_token": 0.0}})


def _usage(usage: Any) -> dict[str, int] | None:
    if usage is None:
        return None
    details = getattr(usage, "prompt_tokens_details", None)
    thought = getattr(usage, "completion_tokens_details", None)
    return {
        "input": int(usage.prompt_tokens or 0),
        "output": int(usage.completion_tokens or 0),
        "cached": int(getattr(details, "cached_tokens", None) or 0),
        "reasoning": int(getattr(thought, "reasoning_tokens", None) or 0),
    }


def model_map() -> dict[str, Any]:
    """litellm's bundled map of models, read without importing litellm.

    Raises:
        ImportError: litellm is not installed here.
        OSError: the map cannot be read.
    """
    if not _map:
        spec = importlib.util.find_spec("litellm")
        if spec is None or not spec.submodule_search_locations:
            raise ImportError("litellm is not installed")
        path = Path(spec.submodule_search_locations[0]) / MAP_NAME
        _map.update(json.loads(path.read_text(encoding="utf-8")))
    return _map


def facts(model: str) -> dict[str, Any]:
    """Prices (USD a token) and context (tokens) of a model; None for what the map does not know."""
    known = model_map()
    row = known.get(model) or known.get(model.partition("/")[2])
    if row is None:
        return {"prices": None, "context": None}
    prices = {name: row[key] for name, key in _PRICES.items() if isinstance(row.get(key), int | float)}
    complete = "input" in prices and "output" in prices
    return {"prices": prices if complete else None, "context": row.get("max_input_tokens")}


def catalogue(provider: str) -> list[dict[str, Any]]:
    """The map's chat models of a provider, by name.

    Args:
        provider: litellm's name (``openai``).
    """
    rows: dict[str, dict[str, Any]] = {}
    for name, row in model_map().items():
        if row.get("litellm_provider") != provider or row.get("mode") not in ("chat", "responses"):
            continue
        # Some stand there twice, with and without the provider's name before them.
        model = name.removeprefix(f"{provider}/")
        rows[model] = {
            "model": model,
            "context": row.get("max_input_tokens") or row.get("max_tokens"),
            "max_output": row.get("max_output_tokens"),
            "native_tools": bool(row.get("supports_function_calling")),
            "vision": bool(row.get("supports_vision")),
            "reasoning": bool(row.get("supports_reasoning")),
            **facts(name),
        }
    return [rows[model] for model in sorted(rows)]
