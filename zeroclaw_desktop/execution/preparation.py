"""Everything that is decided before an action runs: command, board, parameters, pins, permission.

Pure over its inputs, so that ``explain payload``, dry runs and real runs use the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, Permission, PinChange, Source
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import CommandNotFoundError, FaultError
from zeroclaw_desktop.execution.params import check_params
from zeroclaw_desktop.execution.permissions import DEFAULT_CEILINGS, Verdict, judge
from zeroclaw_desktop.execution.pin_policy import passing_faults, policy_faults
from zeroclaw_desktop.execution.pin_roles import needed_permission
from zeroclaw_desktop.execution.pin_timeline import Timeline, timeline_of, timing_faults
from zeroclaw_desktop.execution.registry import Command, CommandRegistry, PassingState
from zeroclaw_desktop.foundation.text import QUOTED, visible


@dataclass(frozen=True)
class Prepared:
    """An action that may run, or that a person must be asked about.

    Attributes:
        resources: (full resource id, mode).
        changes: what the pins are left at.
        passing: what they are put into on the way.
        supersedes: full resource ids of the outputs that it stops.
        timeline: when it changes its pins.
        needed: level that the action needs, which depends on what its pin was named for.
        verdict: ``run`` or ``ask``.
    """

    payload: ActionPayload
    command: Command
    board: BoardInfo | None
    params: Mapping[str, Any]
    resources: tuple[tuple[str, str], ...]
    changes: tuple[PinChange, ...]
    verdict: Verdict
    ceiling: Permission
    passing: tuple[PassingState, ...] = ()
    supersedes: frozenset[str] = frozenset()
    timeline: Timeline = field(default_factory=Timeline)
    needed: Permission = Permission.ROOT

    @property
    def states(self) -> tuple[PinChange, ...]:
        """Every state of a pin that the action leads to, in order."""
        return (*(state.change for state in self.passing), *self.changes)

    @property
    def device(self) -> str:
        """The device instance that it is for, the same in every program (EX-19); '' without a board."""
        return (self.board.instance or self.board.board_id) if self.board is not None else ""

    @property
    def drives(self) -> bool:
        """Whether it may change what its board does, so that no other program may be at it.

        What anybody may do only looks, unless it changes a pin; what only makes safe is never held up.
        """
        if self.board is None or self.command.only_makes_safe:
            return False
        return self.command.permission > Permission.OBSERVER or bool(self.changes or self.passing)

    def is_superseded_by(self, later: Prepared) -> bool:
        """Whether a command that was submitted later stops an output that this one drives."""
        return any(mode == "write" and name in later.supersedes for name, mode in self.resources)


def prepare(
    payload: ActionPayload,
    registry: CommandRegistry,
    boards: Sequence[BoardInfo],
    pins_of: Callable[[str], Mapping[int, PinState]],
    ceilings: Mapping[Source, Permission] = DEFAULT_CEILINGS,
) -> Prepared:
    """Check a payload completely.

    Args:
        pins_of: last observed pins of a board by its id.
        ceilings: highest level of each source.

    Raises:
        FaultError: with every fault that was found.
    """
    command = _resolve(payload, registry)
    faults: list[ActionFault] = []
    board = _choose_board(payload, boards, command, faults) if command.needs_board else None
    given = payload.params
    if board is not None:
        given = command.fill(given, board)
    checked = check_params(command.schema, given, payload.source)
    faults += checked.faults
    if board is not None and not checked.faults:
        faults += command.check(checked.values, board)
    if faults:
        raise FaultError(faults)
    device = board.board_id if board is not None else "app"
    uses = command.resources(checked.values, board)
    resources = tuple((f"{device}/{use.name}", use.mode) for use in uses)
    changes: tuple[PinChange, ...] = ()
    passing: tuple[PassingState, ...] = ()
    timeline = timeline_of((), ())
    stopped: Sequence[str] = ()
    if board is not None:
        pins = pins_of(board.board_id)
        changes = tuple(command.plan(checked.values, board, pins))
        passing = tuple(command.passing(checked.values, board))
        timeline = timeline_of(passing, changes)
        stopped = command.supersedes(checked.values, board)
        if not command.only_makes_safe:
            states = [*(state.change for state in passing), *changes]
            limits = policy_faults(states, board.profile, pins) + passing_faults(passing, board.profile)
            limits += timing_faults(timeline, board.profile)
            if limits:
                raise FaultError(limits)
    ceiling = ceilings.get(payload.source, Permission.OBSERVER)
    needed = needed_permission(command.permission, command.pin_roles, checked.values, board)
    verdict = judge(needed, payload.source, ceilings)
    return Prepared(
        payload,
        command,
        board,
        checked.values,
        resources,
        changes,
        verdict,
        ceiling,
        passing,
        frozenset(f"{device}/{name}" for name in stopped),
        timeline,
        needed,
    )


def _resolve(payload: ActionPayload, registry: CommandRegistry) -> Command:
    try:
        # Also one that no connected board can do: the fault about the board says more.
        return registry.recall(payload.action)
    except CommandNotFoundError as error:
        near = f" ({', '.join(error.details['near'])})" if error.details["near"] else ""
        raise FaultError(
            [fault(Code.UNKNOWN_ACTION, error.message, "action", action=error.details["action"], near=near)]
        ) from error


def _choose_board(
    payload: ActionPayload, boards: Sequence[BoardInfo], command: Command, faults: list[ActionFault]
) -> BoardInfo | None:
    """The named board, or the only live one."""
    if payload.device_id:
        for board in boards:
            if board.board_id == payload.device_id:
                return _if_usable(board, command, faults)
        known = ", ".join(board.board_id for board in boards) or "none"
        wanted = visible(payload.device_id, QUOTED)
        faults.append(
            fault(
                Code.UNKNOWN_DEVICE,
                f"There is no board '{wanted}'; known: {known}.",
                "device_id",
                device=wanted,
                allowed=known,
            )
        )
        return None
    live = [board for board in boards if board.state == "live"]
    if len(live) > 1:
        allowed = ", ".join(board.board_id for board in live)
        faults.append(
            fault(
                Code.DEVICE_NOT_CHOSEN,
                f"Several boards are connected ({allowed}) and none was named.",
                "device_id",
                allowed=allowed,
            )
        )
        return None
    if not live:
        only = boards[0] if len(boards) == 1 else None
        if only is not None:
            return _if_usable(only, command, faults)
        faults.append(fault(Code.DEVICE_NOT_CONNECTED, "No board is connected.", "device_id", device=""))
        return None
    return live[0]


def _if_usable(board: BoardInfo, command: Command, faults: list[ActionFault]) -> BoardInfo | None:
    if board.state == "live" or (not command.needs_live and board.state != "flashing"):
        return board
    faults.append(
        fault(
            Code.DEVICE_NOT_CONNECTED,
            f"The board '{board.name}' is not connected (it is {board.state}).",
            "device_id",
            device=board.name,
        )
    )
    return board
