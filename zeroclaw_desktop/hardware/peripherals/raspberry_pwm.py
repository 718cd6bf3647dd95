"""The kernel's PWM channels of a Raspberry Pi, by sysfs (Documentation/ABI/testing/sysfs-class-pwm).

``dtoverlay=pwm-2chan`` in ``/boot/firmware/config.txt`` makes the chip and gives it its pins.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from zeroclaw_desktop.hardware.peripherals.driver import DriverError

CHANNELS = {12: 0, 13: 1, 18: 0, 19: 1}
CHANNELS_OF_PI_5 = {12: 0, 13: 1, 18: 2, 19: 3}
PI_5 = "pinctrl-rp1"
APPEAR_SECONDS = 0.5
"""How long udev may take to give the files of a channel to the group ``gpio``."""
LOOK_SECONDS = 0.01


class PwmChannels:
    """The channels that pins of the header are on.

    Args:
        folder: where the kernel shows its PWM chips.
        label: name of the header's pin chip.
    """

    def __init__(self, folder: Path, label: str) -> None:
        self._chip = next(iter(sorted(folder.glob("pwmchip*"))), None)
        self._channels = CHANNELS_OF_PI_5 if label == PI_5 else CHANNELS
        self._levels: dict[int, int] = {}
        self._periods: dict[int, int] = {}

    @property
    def present(self) -> bool:
        """Whether the kernel has a PWM chip."""
        return self._chip is not None

    def owns(self, pin: int) -> bool:
        """Whether a pin has its channel since it carried a wave."""
        return pin in self._periods

    def level(self, pin: int) -> int:
        """The level that a pin is held at; 0 while it carries a wave."""
        return self._levels[pin]

    def start(self, pin: int, hertz: float, duty: float) -> None:
        """Begin or change a wave; raises DriverError."""
        channel = self._channels.get(pin)
        if channel is None:
            raise DriverError(f"Pin {pin} has no PWM channel")
        twins = [other for other in self._periods if other != pin and self._channels[other] == channel]
        if twins:
            raise DriverError(f"Pin {twins[0]} has the PWM channel of pin {pin}", "conflict")
        period = round(1e9 / hertz)
        try:
            folder = self._exported(channel)
            # The duty must never exceed the period, in whatever order they are written.
            (folder / "duty_cycle").write_text("0")
            (folder / "period").write_text(str(period))
            (folder / "duty_cycle").write_text(str(round(period * duty)))
            (folder / "enable").write_text("1")
        except OSError as error:
            raise DriverError(f"PWM of pin {pin}: {error.strerror or error}", "bus_fault") from error
        self._periods[pin], self._levels[pin] = period, 0

    def hold(self, pin: int, level: int) -> None:
        """Rest at a level: no duty or full duty; raises DriverError."""
        self.start(pin, 1e9 / self._periods[pin], float(level))
        self._levels[pin] = level

    def let_go(self, pin: int) -> None:
        """Give a pin back."""
        if self._periods.pop(pin, None) is not None and self._chip is not None:
            del self._levels[pin]
            with contextlib.suppress(OSError):
                (self._chip / f"pwm{self._channels[pin]}" / "enable").write_text("0")
                (self._chip / "unexport").write_text(str(self._channels[pin]))

    def close(self) -> None:
        """Give back all of them."""
        for pin in list(self._periods):
            self.let_go(pin)

    def _exported(self, channel: int) -> Path:
        if self._chip is None:
            raise DriverError("The kernel has no PWM chip: dtoverlay=pwm-2chan makes one")
        folder = self._chip / f"pwm{channel}"
        if not folder.exists():
            (self._chip / "export").write_text(str(channel))
            end = time.monotonic() + APPEAR_SECONDS
            while not (folder / "enable").exists() and time.monotonic() < end:
                time.sleep(LOOK_SECONDS)
        return folder
