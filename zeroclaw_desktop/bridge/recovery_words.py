"""What a crash interrupted, in words for a person; reasons by ``recovery.RecoveryPlan.reason_key``. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

from zeroclaw_desktop.contracts.language import Language

REASONS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "dry_run": "It was a dry run; nothing was done.",
        "waiting": "It had not begun, so nothing was done. Doing it now is as good as doing it then.",
        "idempotent": "It may have been done. Doing it again leads to the same state.",
        "moved": "It may have been done in part. Doing it again may not lead to the same state: look first.",
        "resume": "It may have been done. It is not repeated; what follows it can go on.",
        "unknown": "Its command does not exist any more.",
        "safe": "It only makes safe, which is done in any case.",
        "cut": "Its parameters were not kept in full, so it cannot be done again.",
    },
    "zh": {
        "dry_run": "这是一次试运行，什么都没有做。",
        "waiting": "它还没有开始，什么都没有做。现在做和当时做一样。",
        "idempotent": "它可能已经做完。再做一次会得到同样的状态。",
        "moved": "它可能做了一半。再做一次不一定得到同样的状态，请先看看实物。",
        "resume": "它可能已经做完，不会重复；它之后的步骤可以继续。",
        "unknown": "它的命令已经不存在。",
        "safe": "它只是置为安全，这一步总会做。",
        "cut": "它的参数没有完整保存，所以不能再做一次。",
    },
}
BY_ITSELF: Mapping[Language, str] = {
    "en": "It only reads, so it is done again by itself as soon as its board is there.",
    "zh": "它只是读取，开发板一连上就会自动再做一次。",
}
SAFETY: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "untouched": "",
        "safe": "The board was made safe: its outputs are off.",
        "waiting": "Waits for the board. Connect it: its outputs are switched off first.",
        "failed": "The board did not confirm that its outputs are off: {reason}",
    },
    "zh": {
        "untouched": "",
        "safe": "开发板已置于安全状态，输出已关闭。",
        "waiting": "正在等待开发板。请连接它：会先关闭它的输出。",
        "failed": "开发板没有确认输出已关闭：{reason}",
    },
}
NO_BOARD: Mapping[Language, str] = {
    "en": "Connect its board to do it again.",
    "zh": "连接它的开发板后可以再做一次。",
}
