"""Who answers the chat: the model that the settings name, else the offline assistant."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from zeroclaw_desktop.agent.prompted_provider import PromptedProvider
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.offline import BoardFacts
from zeroclaw_desktop.runtime.memory_keeper import MemoryKeeper
from zeroclaw_desktop.runtime.model_service import ModelService

CHAT_MODEL = "models.chat"
"""Setting: alias of the model; '' for the offline assistant."""


class ChatModels:
    """Makes the provider of each turn, so that a change of the settings holds from the next message on.

    Args:
        config: says which model.
        models: all models.
        facts: what is known of the boards now.
        memory: what is remembered; private entries only go to a model on this computer.
    """

    def __init__(
        self,
        config: ConfigStore,
        models: ModelService,
        facts: Callable[[], Sequence[BoardFacts]],
        memory: MemoryKeeper,
    ) -> None:
        self._config = config
        self._models = models
        self._facts = facts
        self._memory = memory

    @property
    def alias(self) -> str:
        """The model that answers; '' for the offline assistant."""
        return str(self._config.get(CHAT_MODEL))

    @property
    def stays_here(self) -> bool:
        """Whether what is said stays on this computer: with the offline assistant, or a model on it."""
        entry = self._models.entries().get(self.alias)
        return not self.alias or (entry is not None and is_local(entry))

    def provider(self) -> PromptedProvider | None:
        """The model with its system message; None for the offline assistant.

        Raises:
            ModelUnknownError: the settings name a model that there is not.
        """
        alias = self.alias
        if not alias:
            return None
        entry = self._models.entry(alias)
        return PromptedProvider(
            self._models.provider(alias),
            lambda: [board_line(board) for board in self._facts()],
            lambda: self._models.takes_tools(entry),
            lambda text: self._memory.context(text, private=self.stays_here),
        )


def is_local(entry: ModelEntry) -> bool:
    """Whether a model runs on this computer, by its address, and falls back to no other."""
    host = urlsplit(entry.address).hostname or ""
    return not entry.fallback and (host == "localhost" or host.endswith(".localhost") or _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def board_line(board: BoardFacts) -> str:
    """What a model is told of a board; names that a person gave are data, so they stand in quotes."""
    parts = [f'- device_id "{board.board_id}", "{board.board_name}" ({board.board_type})']
    if board.led_pin is not None:
        parts.append(f"built-in LED on pin {board.led_pin}")
    for title, pins in (
        ("digital pins", board.digital_pins),
        ("analog inputs", board.analog_pins),
        ("PWM pins", board.pwm_pins),
        ("servo pins", board.servo_pins),
    ):
        if pins:
            parts.append(f"{title} {', '.join(str(pin) for pin in pins)}")
    if board.aliases:
        parts.append("names of pins " + ", ".join(f'"{name}" = {pin}' for name, pin in board.aliases.items()))
    return "; ".join(parts)
