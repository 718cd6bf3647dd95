"""Faults of models and of the process that talks to them.

ZeroClawError
└── ProviderError
    ├── AuthError               the key is missing, wrong or not allowed to do this
    ├── RateLimitError          asked too often; ``retry_after`` says when again
    ├── ContextTooLongError     the conversation does not fit into the model
    ├── BadRequestError         the server does not take the request
    ├── ModelUnknownError       no such model there, or no such alias here
    ├── UnreachableError        no connection
    ├── ServerFaultError        the server broke
    ├── TimedOutError           silence for too long
    ├── CutOffError             the answer broke off; ``partial`` holds what came
    ├── CircuitOpenError        it failed so often that it is left alone for a while
    ├── ProcessGoneError        the provider process ended or hangs
    ├── ModelsMissingError      the model library is not installed
    └── InstallError            it could not be installed
"""

from __future__ import annotations

from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError


class ProviderError(ZeroClawError):
    """Something went wrong with a model.

    Attributes:
        partial: the text of the answer that had come before; kept, never asked for again by itself.
    """

    default_code = "provider"
    partial: str = ""


class AuthError(ProviderError):
    """The key is not accepted."""

    default_code = "model_auth"


class RateLimitError(ProviderError):
    """Asked too often, or nothing left to spend."""

    default_code = "model_rate_limited"

    @property
    def retry_after(self) -> float | None:
        """Seconds that the server wants to be left alone; None when it does not say."""
        given = self.details.get("retry_after")
        return float(given) if given is not None else None


class ContextTooLongError(ProviderError):
    """The conversation does not fit."""

    default_code = "model_context"


class BadRequestError(ProviderError):
    """The server does not take the request."""

    default_code = "model_request"


class ModelUnknownError(ProviderError):
    """No such model."""

    default_code = "model_unknown"


class UnreachableError(ProviderError):
    """No connection."""

    default_code = "model_unreachable"


class ServerFaultError(ProviderError):
    """The server broke."""

    default_code = "model_server"


class TimedOutError(ProviderError):
    """Silence for too long."""

    default_code = "model_timeout"


class CutOffError(ProviderError):
    """The answer broke off in the middle."""

    default_code = "model_cut_off"


class CircuitOpenError(ProviderError):
    """Left alone for a while."""

    default_code = "model_circuit_open"


class ProcessGoneError(ProviderError):
    """The provider process ended or hangs."""

    default_code = "model_process"


class ModelsMissingError(ProviderError):
    """The model library is not installed."""

    default_code = "models_missing"


class InstallError(ProviderError):
    """The model library could not be installed."""

    default_code = "models_install"


#: Kind of fault in a frame -> error, sentence, hint, whether the same request may succeed later.
_TEXTS: dict[str, tuple[type[ProviderError], str, str, bool]] = {
    "auth": (AuthError, "{name} does not accept the key.", "Check the key of this model.", False),
    "rate_limited": (
        RateLimitError,
        "{name} is asked too often, or the account has nothing left.",
        "Wait a little, or check the account.",
        True,
    ),
    "context_too_long": (
        ContextTooLongError,
        "The conversation is too long for {name}.",
        "Start a new chat, or choose a model with a larger context.",
        False,
    ),
    "bad_request": (BadRequestError, "{name} does not take the request.", "The reason is below.", False),
    "model_unknown": (
        ModelUnknownError,
        "The server of {name} does not know this model.",
        "Check the model's name and the address.",
        False,
    ),
    "unreachable": (
        UnreachableError,
        "{name} cannot be reached at {address}.",
        "Check the address and the network; a local server must be running.",
        True,
    ),
    "server": (ServerFaultError, "The server of {name} had a fault.", "Try again later.", True),
    "timed_out": (TimedOutError, "{name} did not answer in time.", "Try again, or raise the limits.", True),
    "cut_off": (
        CutOffError,
        "The answer of {name} broke off.",
        "What came is kept; ask again for the rest.",
        False,
    ),
    "forbidden_host": (
        UnreachableError,
        "The connection of {name} led to another host than its address names.",
        "Check the address of this model.",
        False,
    ),
    "library_missing": (
        ModelsMissingError,
        "The model library is not installed.",
        "Install it: zeroclaw models install",
        False,
    ),
    "other": (ProviderError, "{name} failed.", "The reason is below.", False),
}


def fault_of(kind: str, *, name: str, address: str, **details: Any) -> ProviderError:
    """The error for a kind of fault (see wire.FAULTS).

    Args:
        name: the model as its person calls it.
        address: where it is.
        details: ``reason`` (the server's own words), ``status``, ``retry_after`` and the like.
    """
    cls, sentence, hint, retryable = _TEXTS.get(kind, _TEXTS["other"])
    message = sentence.format(name=name, address=address)
    reason = str(details.get("reason") or "")
    if reason:
        message = f"{message} ({reason})"
    known = {"name": name, "address": address, "reason": "", **details}
    return cls(message, hint=hint, retryable=retryable, details=known)
