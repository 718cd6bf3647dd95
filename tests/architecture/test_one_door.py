"""Nothing but the door can move a pin: who holds links, who makes grants, what a dead grant can do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroclaw_desktop.contracts.boards import ExecutionGrant
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.connection import BoardConnection, GrantedLink
from zeroclaw_desktop.hardware.errors import BoardNotLiveError, GrantExpiredError
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

PACKAGE = Path(__file__).resolve().parents[2] / "zeroclaw_desktop"
MAY_MAKE_GRANTS = {"execution/handler_runner.py"}
MAY_TALK_TO_A_SESSION = {
    "hardware/connection.py",
    "hardware/heartbeat.py",
    "hardware/session.py",
    "hardware/roster.py",
}
MOVING_COMMANDS = {
    "gpio_write", "pin_mode", "pwm_write", "servo_write", "servo_detach", "tone", "no_tone", "board_reset",
    "i2c_write", "spi_transfer", "uart_write", "motor_start", "motor_stop",
}  # fmt: skip


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def calls(tree: ast.AST, name: str) -> list[ast.Call]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            target = node.func
            called = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            if called == name:
                found.append(node)
    return found


def test_only_the_executor_makes_grants() -> None:
    makers = {path for path, tree in modules() if calls(tree, "Grant")}
    assert makers == MAY_MAKE_GRANTS


def test_only_handlers_ask_a_board_for_something_that_moves() -> None:
    """A request for a moving command stands in execution/handlers; elsewhere only looks and subscriptions."""
    offenders = []
    for path, tree in modules():
        if path.startswith("execution/handlers/"):
            continue
        for call in (*calls(tree, "request"), *calls(tree, "_exchange"), *calls(tree, "encode_request")):
            named = {argument.value for argument in call.args if isinstance(argument, ast.Constant)}
            offenders += [f"{path}:{call.lineno} {name}" for name in named & MOVING_COMMANDS]
    assert offenders == []


def test_sessions_are_reached_through_connections_only() -> None:
    users = {
        path
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "zeroclaw_desktop.hardware.session"
    }
    assert users <= MAY_TALK_TO_A_SESSION


def test_links_are_made_by_the_roster_only() -> None:
    assert {path for path, tree in modules() if calls(tree, "GrantedLink")} == {"hardware/roster.py"}


async def test_a_link_without_a_living_grant_sends_nothing() -> None:
    connection = BoardConnection(
        "uno",
        "Uno",
        board_catalog()["arduino-uno"],
        "/nowhere",
        store=TelemetryStore(),
        changed=lambda: None,
        pins_changed=lambda: None,
    )
    grant = Grant("task")
    link = GrantedLink(connection, grant)
    with pytest.raises(BoardNotLiveError):
        await link.request("gpio_write", {"pin": 7, "value": 1})
    grant.revoke()
    for attempt in (
        link.request("gpio_write", {"pin": 7, "value": 1}),
        link.observe(),
        link.send_raw(b"x"),
    ):
        with pytest.raises(GrantExpiredError):
            await attempt


def test_a_revoked_grant_stays_revoked() -> None:
    grant: ExecutionGrant = Grant("task")
    assert grant.valid
    assert isinstance(grant, Grant)
    grant.revoke()
    assert not grant.valid
