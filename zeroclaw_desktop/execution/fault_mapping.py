"""The one mapping from exceptions to error codes (EX-10)."""

from __future__ import annotations

from collections.abc import Sequence

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.resource_queue import QueueFullError, ResourceQuarantinedError
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger

_BY_CODE: dict[str, Code] = {
    "port_busy": Code.PORT_BUSY,
    "port_gone": Code.BUS_FAULT,
    "link_lost": Code.BUS_FAULT,
    "no_reply": Code.NO_REPLY,
    "board_refused": Code.DEVICE_REFUSED,
    "board_not_live": Code.DEVICE_NOT_CONNECTED,
    "unknown_board": Code.UNKNOWN_DEVICE,
    "tool_missing": Code.TOOL_MISSING,
    "verify_failed": Code.VERIFY_FAILED,
    "flash_failed": Code.FLASH_FAILED,
    "image_unfit": Code.FLASH_FAILED,
    "flash_unsupported": Code.FLASH_FAILED,
    "flash_timeout": Code.FLASH_FAILED,
    **dict.fromkeys(
        (
            *("board_full", "board_read_only", "raw_repl"),
            "boot_port_missing",
            *("core_missing", "dfu_missing", "dfu_several", "usb_permission"),
            "not_in_sync",
            "sketch_prints",
            "wrong_board",
            "wrong_chip",
            "wrong_boot_mode",
            "no_serial_data",
            "loader_deaf",
            "serial_noise",
            "flash_protected",
            "no_boot_loader",
            "restore_point_failed",
            *("probe_missing", "probe_several", "probe_permission"),
            *("target_silent", "target_unknown", "write_protected", "rom_noise", "rom_silent"),
            *("volume_missing", "volume_refused", "volume_several", "volume_unmounted"),
        ),
        Code.FLASH_FAILED,
    ),
    "compiler_missing": Code.TOOL_MISSING,
    **dict.fromkeys(
        (
            *("build_failed", "build_folder", "build_timeout", "core_broken", "firmware_refused"),
            *(
                "firmware_wish",
                "sketch_unreadable",
                "template_data",
                "unknown_dialect",
                "unknown_request",
                "unknown_template",
            ),
        ),
        Code.FIRMWARE_NOT_MADE,
    ),
    "port_permission": Code.BUS_FAULT,
    "port_missing": Code.BUS_FAULT,
    "port_failed": Code.BUS_FAULT,
    **dict.fromkeys(
        (
            *("network_lost", "network_failed", "device_offline", "prompt_lost"),
            *("host_unknown", "host_silent", "connection_refused", "gpio_library", "mqtt_unreachable"),
        ),
        Code.BUS_FAULT,
    ),
    **dict.fromkeys(("no_handshake", "protocol_missing", "no_micropython"), Code.NO_REPLY),
    "grant_expired": Code.CANCELLED,
    "lock_held": Code.DEVICE_HELD,
    "lock_lost": Code.LOCK_LOST,
    **dict.fromkeys(("shared_state_unavailable", "shared_state_refused"), Code.LOCK_UNAVAILABLE),
    **dict.fromkeys(
        ("store_failed", "store_busy", "store_full", "store_io", "store_damaged", "store_closed"),
        Code.JOURNAL_UNAVAILABLE,
    ),
}
_log = logger("execution")


def faults_of(error: Exception, action: str) -> Sequence[ActionFault]:
    """Translate whatever stopped an action.

    Args:
        error: the exception.
        action: name of the command, for the log.
    """
    if isinstance(error, FaultError):
        return error.faults
    if isinstance(error, QueueFullError):
        return [fault(Code.QUEUE_FULL, "Too many commands are waiting.", resource="the board")]
    if isinstance(error, ResourceQuarantinedError):
        return [
            fault(
                Code.RESOURCE_QUARANTINED,
                f"{error.resource} is locked because '{error.holder}' did not end.",
                resource=error.resource,
                holder=error.holder,
            )
        ]
    if isinstance(error, ZeroClawError) and error.code in _BY_CODE:
        return [
            fault(
                _BY_CODE[error.code],
                error.message,
                **{"reason": error.message, "kind": error.code, "hint": error.hint, **error.details},
            )
        ]
    _log.error("%s failed inside the program", action, exc_info=error)
    reason = f"{type(error).__name__}: {error}"
    return [fault(Code.HANDLER_FAULT, f"'{action}' failed: {reason}", reason=reason)]
