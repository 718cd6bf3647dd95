"""Names the kind of fault behind an exception of litellm, by class names and statuses, not by an import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TOO_LONG = re.compile(
    r"maximum context length|context.{0,12}(length|window).{0,24}(exceed|too)|prompt is too long|"
    r"exceeds? the (available )?context|too many (input )?tokens|context_length_exceeded",
    re.IGNORECASE,
)
_NO_CONNECTION = {
    "ConnectError", "ConnectTimeout", "ClientConnectorError", "ConnectionRefusedError", "gaierror",
    "ClientConnectorDNSError", "ClientConnectorCertificateError",
}  # fmt: skip
_BY_CLASS = {
    "AuthenticationError": "auth",
    "PermissionDeniedError": "auth",
    "RateLimitError": "rate_limited",
    "ContextWindowExceededError": "context_too_long",
    "NotFoundError": "model_unknown",
    "Timeout": "timed_out",
    "MidStreamFallbackError": "cut_off",
    "BadRequestError": "bad_request",
    "UnprocessableEntityError": "bad_request",
    "APIConnectionError": "unreachable",
    "ServiceUnavailableError": "server",
    "InternalServerError": "server",
    "BadGatewayError": "server",
}
_BY_STATUS = {401: "auth", 403: "auth", 404: "model_unknown", 408: "timed_out", 429: "rate_limited"}


def describe(error: BaseException, *, began: bool, secrets: tuple[str, ...]) -> dict[str, Any]:
    """The frame's ``error`` for an exception.

    Args:
        began: whether a part of the answer had come.
        secrets: texts that must not leave the process, such as the key.

    Returns:
        ``kind`` (see wire.FAULTS), ``status``, ``retry_after`` (seconds or None), ``message``.
    """
    message = re.sub(r"\s+", " ", str(error)).strip() or type(error).__name__
    for secret in secrets:
        if secret:
            message = message.replace(secret, "***")
    status = getattr(error, "status_code", None)
    return {
        "kind": _kind(error, message, began),
        "status": status if isinstance(status, int) else None,
        "retry_after": _retry_after(error),
        "message": message[:500],
    }


def _kind(error: BaseException, message: str, began: bool) -> str:
    if any(type(link).__name__ == "ForbiddenHostError" for link in chain(error)):
        return "forbidden_host"
    if began:
        return "cut_off"
    if isinstance(error, ImportError):
        return "library_missing"
    if _TOO_LONG.search(message):
        return "context_too_long"
    names = {cls.__name__ for cls in type(error).__mro__}
    status = getattr(error, "status_code", None)
    if "MidStreamFallbackError" not in names and not _headers(error) and status in (None, 500):
        # litellm says "internal server error" when no server was reached at all.
        roots = {type(link).__name__ for link in chain(error)}
        if roots & _NO_CONNECTION or "onnection error" in message or "annot connect" in message:
            return "unreachable"
    for name, kind in _BY_CLASS.items():
        if name in names:
            return kind
    if isinstance(status, int):
        return _BY_STATUS.get(status, "server" if status >= 500 else "bad_request")
    return "other"


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and what it came from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        original = getattr(error, "original_exception", None)
        error = (
            error.__cause__
            or error.__context__
            or (original if isinstance(original, BaseException) else None)
        )


def _headers(error: BaseException) -> Any:
    own = getattr(error, "litellm_response_headers", None)
    return own or getattr(getattr(error, "response", None), "headers", None)


def _retry_after(error: BaseException) -> float | None:
    """Seconds of ``Retry-After`` (RFC 9110, 10.2.3; its date form is not used by these servers)."""
    headers = _headers(error)
    text = headers.get("retry-after") if headers is not None else None
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None
