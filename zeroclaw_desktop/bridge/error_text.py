"""The one mapping from errors to texts for a person, English and Chinese. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.bridge.reason_text import chinese_reason
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.templates import filled

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.actions import ActionFault

_ACTIONS = {
    "board_not_live": "connect",
    "no_handshake": "flash",
    "boot_port_missing": "retry",
    "not_in_sync": "retry",
    "sketch_prints": "retry",
    "verify_failed": "retry",
    "flash_failed": "retry",
    "flash_timeout": "retry",
    "wrong_boot_mode": "boot_mode",
    "no_serial_data": "boot_mode",
    "loader_deaf": "retry",
    "serial_noise": "retry",
    "restore_point_failed": "skip_saving",
    "no_boot_loader": "choose_firmware",
    "image_unfit": "choose_firmware",
    "probe_missing": "retry",
    "dfu_missing": "retry",
    "dfu_several": "retry",
    "raw_repl": "retry",
    "usb_permission": "retry",
    "rom_noise": "retry",
    "rom_silent": "retry",
    "probe_permission": "retry",
    "probe_several": "retry",
    "target_silent": "retry",
    "volume_missing": "retry",
    "volume_refused": "retry",
    "volume_several": "retry",
    "volume_unmounted": "retry",
    "port_busy": "retry",
    "port_busy_modem": "allow_access",
    "port_permission": "allow_access",
    "port_missing": "retry",
    "network_failed": "retry",
    "device_offline": "retry",
    "host_unknown": "retry",
    "host_silent": "retry",
    "connection_refused": "retry",
    "mqtt_unreachable": "retry",
    "no_micropython": "retry",
    "protocol_missing": "retry",
    "simulator": "start_simulator",
}
_BEFORE_ANYTHING = frozenset(
    {
        "board_full",
        "board_not_live",
        "board_read_only",
        "board_refused",
        "boot_port_missing",
        "core_missing",
        "dfu_missing",
        "dfu_several",
        "flash_protected",
        "flash_unsupported",
        "image_unfit",
        "lock_held",
        "no_boot_loader",
        "not_in_sync",
        "port_busy",
        "port_busy_modem",
        "port_failed",
        "port_missing",
        "port_permission",
        "shared_state_refused",
        "shared_state_unavailable",
        "restore_point_failed",
        "probe_missing",
        "probe_permission",
        "probe_several",
        "raw_repl",
        "rom_noise",
        "rom_silent",
        "sketch_prints",
        "target_unknown",
        "tool_missing",
        "unknown_board",
        "usb_permission",
        "volume_missing",
        "volume_several",
        "volume_unmounted",
        "wrong_board",
        "wrong_chip",
    }
)
"""Faults of rooms below that arise before anything was done; of others we do not know."""
_NOTHING_DONE: dict[Language, str] = {"en": "Nothing was changed.", "zh": "没有任何更改。"}


@cache
def _chinese() -> Mapping[str, Mapping[str, str]]:
    import tomllib

    with resource_path("errors/messages_zh.toml").open("rb") as file:
        return tomllib.load(file)


def error_view(
    code: str, message: str, hint: str, details: Mapping[str, Any], language: Language, *, raw: str = ""
) -> ErrorView:
    """Text of a fault that comes as code, message and hint.

    Args:
        raw: original text of a tool, shown folded.
    """
    title, next_text = message, hint
    row = _chinese().get(code) if language == "zh" else None
    if row is not None and code == "port_busy" and details.get("holders"):
        details = {**details, "holders": "、".join(details["holders"])}
        row = _chinese()["port_held"]
    if row is not None:
        details = _with_chinese_reason(details)
        title = filled(row["text"], details, language)
        next_text = filled(row["next"], details, language)
        if details.get("wrote"):
            title += _chinese()["flash_wrote"]["text"]
        raw = raw or message
    return ErrorView(
        title, "", next_text, _ACTIONS.get(code, ""), raw or str(details.get("output", "")), code
    )


def _with_chinese_reason(details: Mapping[str, Any]) -> Mapping[str, Any]:
    reason = details.get("reason")
    if not isinstance(reason, str) or "reason_zh" in details:
        return details
    chinese = chinese_reason(reason)
    return details if chinese is None else {**details, "reason_zh": chinese}


def error_view_of(error: ZeroClawError, language: Language) -> ErrorView:
    """Text of an exception."""
    return error_view(error.code, error.message, error.hint, error.details, language)


def fault_view(fault: ActionFault, language: Language) -> ErrorView:
    """Text of a fault of the execution layer; a fault from a room below keeps that room's words."""
    from zeroclaw_desktop.execution.error_table import explain_error, next_step

    kind = str(fault.details.get("kind", ""))
    if kind and (kind in _chinese() or language == "en"):
        view = error_view(kind, fault.message, str(fault.details.get("hint", "")), fault.details, language)
        not_done = _NOTHING_DONE[language] if kind in _BEFORE_ANYTHING else ""
        return ErrorView(view.title, not_done, view.next_step, view.action, view.raw, f"0x{fault.code:02X}")
    return ErrorView(
        explain_error(fault.code, language, fault.details),
        _NOTHING_DONE[language] if 0x01 <= fault.code <= 0x2F or fault.code == 0x34 else "",
        next_step(fault.code, language, fault.details),
        "release" if fault.code == 0x34 else "",
        fault.message,
        f"0x{fault.code:02X}",
    )
