"""What was not done when the keeper does not answer, in both languages.

The English fits behind 'so' and before 'was not done'.
"""

from __future__ import annotations

from zeroclaw_desktop.contracts.language import Words

LISTING_SNAPSHOTS = Words("listing the states of devices", "列出各设备的状态")
LISTING_HOLDERS = Words("listing who holds devices", "列出各设备的占用者")


def beginning_term(device_id: str) -> Words:
    """SharedState.new_term."""
    return Words(f"beginning a term with the device '{device_id}'", f"登记设备“{device_id}”")


def storing(device_id: str, seq: int) -> Words:
    """SharedState.put_snapshot."""
    return Words(f"storing the state {seq} of the device '{device_id}'", f"保存设备“{device_id}”的状态 {seq}")


def reading(device_id: str) -> Words:
    """SharedState.snapshot."""
    return Words(f"reading the state of the device '{device_id}'", f"读取设备“{device_id}”的状态")


def locking(device_id: str, owner: str) -> Words:
    """SharedState.acquire."""
    return Words(f"locking the device '{device_id}' for '{owner}'", f"为“{owner}”锁定设备“{device_id}”")


def renewing(device_id: str) -> Words:
    """SharedState.renew."""
    return Words(f"renewing the lock of the device '{device_id}'", f"延长设备“{device_id}”的锁定")


def releasing(device_id: str) -> Words:
    """SharedState.release."""
    return Words(f"releasing the lock of the device '{device_id}'", f"解除设备“{device_id}”的锁定")


def asking_holder(device_id: str) -> Words:
    """SharedState.holder."""
    return Words(f"asking who holds the device '{device_id}'", f"查询设备“{device_id}”的占用者")


def passing(name: str) -> Words:
    """SharedState.barrier."""
    return Words(f"passing the barrier '{name}'", f"通过同步点“{name}”")


def leaving(name: str) -> Words:
    """A participant's withdrawal from a barrier."""
    return Words(f"leaving the barrier '{name}'", f"离开同步点“{name}”")
