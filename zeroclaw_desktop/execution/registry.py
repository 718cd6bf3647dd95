"""Commands and their registry (EX-3, EX-4)."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from zeroclaw_desktop.contracts.actions import ActionFault, Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, BoardLink, PinState
from zeroclaw_desktop.execution.errors import CommandExistsError, CommandNotFoundError
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.foundation.text import QUOTED, visible


@dataclass(frozen=True)
class ResourceUse:
    """A resource that a command needs; ``name`` without the device, e.g. ``gpio:13``.

    Several readers share a resource, a writer has it alone.
    """

    name: str
    mode: Literal["read", "write"] = "write"


@dataclass(frozen=True)
class Outcome:
    """What a handler returns: its answer and what it read back from the device."""

    value: Mapping[str, Any] = field(default_factory=dict)
    hardware_states: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Superseder:
    """The later command that ended an action because it stops the same output."""

    action: str
    params: Mapping[str, Any]


class HandlerContext(Protocol):
    """What a running handler may use (EX-8)."""

    @property
    def board(self) -> BoardInfo:
        """The board that the action is for."""

    @property
    def link(self) -> BoardLink:
        """The conversation with that board, valid while the action runs."""

    def is_cancelled(self) -> bool:
        """Whether the action was told to end."""

    @property
    def superseded_by(self) -> Superseder | None:
        """The command that ended the action, for a clean-up that suits it; None for every other end."""

    async def sleep(self, seconds: float) -> None:
        """Wait; a cancel point."""


AfterCrash = Literal["", "ask", "rerun", "resume"]
Handler = Callable[[HandlerContext, Mapping[str, Any]], Coroutine[Any, Any, Outcome]]
Checker = Callable[[Mapping[str, Any], BoardInfo], Sequence[ActionFault]]


@dataclass(frozen=True)
class PassingState:
    """A state that an action puts a pin into on its way.

    Attributes:
        seconds: how long the pin is in it, in one piece.
        times: how often the pin is put into it.
        pause: seconds after each time, in which the pin is at rest.
        steps: into how many changes the way through the state is divided, at even distances (a fade).
        from_rest: the pin is put to rest before the first time, whatever it did.
    """

    change: PinChange
    seconds: float
    times: int = 1
    pause: float = 0.0
    steps: int = 1
    from_rest: bool = False

    @property
    def length(self) -> float:
        """Seconds in all."""
        return self.times * (self.seconds + self.pause)


Passing = Callable[[Mapping[str, Any], BoardInfo], Sequence[PassingState]]
Resources = Callable[[Mapping[str, Any], BoardInfo | None], Sequence[ResourceUse]]
Outputs = Callable[[Mapping[str, Any], BoardInfo], Sequence[str]]
Planner = Callable[[Mapping[str, Any], BoardInfo, Mapping[int, PinState]], Sequence[PinChange]]
Filler = Callable[[Mapping[str, Any], BoardInfo], Mapping[str, Any]]


def _nothing_to_check(_params: Mapping[str, Any], _board: BoardInfo) -> Sequence[ActionFault]:
    return ()


def _changes_nothing(
    _params: Mapping[str, Any], _board: BoardInfo, _pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    return ()


def _passes_nothing(_params: Mapping[str, Any], _board: BoardInfo) -> Sequence[PassingState]:
    return ()


def _needs_nothing(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return ()


def _supersedes_nothing(_params: Mapping[str, Any], _board: BoardInfo) -> Sequence[str]:
    return ()


def _as_given(params: Mapping[str, Any], _board: BoardInfo) -> Mapping[str, Any]:
    return params


@dataclass(frozen=True)
class Command:
    """One thing that can be done.

    Attributes:
        handler: does it.
        fill: completes parameters that depend on the board (the LED's pin).
        check: board-dependent rules: pin policy (EX-6); its faults are reported with the schema's.
        resources: what it needs, from its parameters.
        plan: the pins it will change.
        passing: states between the pins' first and last ones; they obey the pins' limits as the last ones do,
            and each change on the way counts for a pin's rate.
        cancel: puts what it drove into the safe state after a time-out or a stop.
        default_timeout: seconds.
        end_grace: seconds that the handler may take to end when it is told to, before its resources are
            locked; more than the default only where the clean-up itself takes time.
        idempotent: whether it may be repeated after a bus fault.
        needs_board: False for commands about the app itself.
        needs_live: False for a command that also works on a board which does not answer, as flashing does.
        when_stopped: True when it may run while the emergency stop is latched.
        for_models: whether models may be told of it.
        after_crash: what is to be done when the program ended in the middle of it (EX-14): ``ask`` a person,
            ``rerun`` it by itself once its board is safe, ``resume`` with the next step of whoever ordered
            it. ``rerun`` counts for idempotent commands only. ``""``: what only looks is done again, what
            may move something is asked about.
        only_makes_safe: it puts outputs into the safe state and does nothing else, so no limit of a pin may
            stand in its way, nor a full queue or the lock of a handler that did not end.
        supersedes: the outputs that it stops, as names of resources (``gpio:3``). Every action that was
            submitted before it and has one of them for writing ends as CANCELLED (0x3A), whether it runs,
            waits for its turn or waits for a person; what runs puts its outputs into the safe state first.
            For commands that mean 'stop this output' only. A command that gives an output the value 'off'
            (``led_set`` 0) is a step of a sequence and takes its turn. The emergency stop needs no such
            declaration: it ends everything, by ``Executor.cancel_all``.
        pin_roles: roles of a pin (``pin_roles.ROLES``) through which the command may drive its ``pin`` at the
            level ``skill``; on any other pin it needs ``root``. Empty for commands about no raw pin.
        asks: commands of the board protocol; it is offered while a connected board knows one of them (HW-5).
            Empty for one that no board brings.
    """

    name: str
    description: str
    handler: Handler
    schema: Mapping[str, Param] = field(default_factory=dict)
    permission: Permission = Permission.SKILL
    fill: Filler = _as_given
    check: Checker = _nothing_to_check
    resources: Resources = _needs_nothing
    plan: Planner = _changes_nothing
    passing: Passing = _passes_nothing
    cancel: Handler | None = None
    default_timeout: float = 10.0
    end_grace: float = 1.0
    idempotent: bool = False
    needs_board: bool = True
    needs_live: bool = True
    when_stopped: bool = False
    for_models: bool = True
    only_makes_safe: bool = False
    supersedes: Outputs = _supersedes_nothing
    pin_roles: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    after_crash: AfterCrash = ""
    owner: str = "built-in"


class CommandRegistry:
    """All commands by name; closed: what is not here does not exist.

    A command that boards bring is offered while a connected board can do it. Without one it is withheld: it
    is in no list and cannot be resolved, and only ``recall`` knows it, for the history and for faults.
    """

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}
        self._withheld: set[str] = set()

    def register(self, command: Command) -> None:
        """Add a command.

        Raises:
            CommandExistsError: the name is taken.
        """
        taken = self._commands.get(command.name)
        if taken is not None:
            raise CommandExistsError(
                f"The command '{command.name}' is registered already by {taken.owner}.",
                hint="Unregister it first, or choose another name.",
                details={"action": command.name},
            )
        self._commands[command.name] = command

    def unregister(self, name: str) -> None:
        """Remove a command; one that is running finishes.

        Raises:
            CommandNotFoundError: there is no such command.
        """
        self.recall(name)
        del self._commands[name]
        self._withheld.discard(name)

    def offer(self, name: str, offered: bool) -> None:
        """Offer a command, or withhold it; one that is running finishes.

        Raises:
            CommandNotFoundError: there is no such command.
        """
        self.recall(name)
        if offered:
            self._withheld.discard(name)
        else:
            self._withheld.add(name)

    def resolve(self, name: str) -> Command:
        """Return a command that is offered by its exact name.

        Raises:
            CommandNotFoundError: with near names in ``details["near"]``.
        """
        command = self.recall(name)
        if name in self._withheld:
            raise CommandNotFoundError(
                f"No connected board can do '{name}'.",
                hint="Connect a board on the Devices page.",
                details={"action": name, "near": []},
            )
        return command

    def recall(self, name: str) -> Command:
        """Return a command by its exact name, also one that no connected board can do now.

        Raises:
            CommandNotFoundError: with near names in ``details["near"]``.
        """
        command = self._commands.get(name)
        if command is not None:
            return command
        near = difflib.get_close_matches(name[:QUOTED], list(self._commands), 3, 0.6)
        shown = visible(name, QUOTED)
        raise CommandNotFoundError(
            f"There is no command called '{shown}'{f'; did you mean {near[0]}?' if near else '.'}",
            details={"action": shown, "near": near},
        )

    def find(self, name: str) -> Command | None:
        """A command by its exact name, offered or not; None when there is none."""
        return self._commands.get(name)

    def list_commands(self) -> list[Command]:
        """Every command that is offered, by name; for tool lists."""
        return [command for command in self.list_registered() if command.name not in self._withheld]

    def list_registered(self) -> list[Command]:
        """Every command, by name, offered or not; for audit."""
        return [self._commands[name] for name in sorted(self._commands)]
