"""The ways of writing firmware, one module each; ``METHODS`` lists them."""

from __future__ import annotations

from collections.abc import Mapping

from zeroclaw_desktop.hardware.flashing.method import FlashMethod
from zeroclaw_desktop.hardware.flashing.methods.arduino_cli import ArduinoCli
from zeroclaw_desktop.hardware.flashing.methods.avrdude import Avrdude
from zeroclaw_desktop.hardware.flashing.methods.dfu_util import DfuUtil
from zeroclaw_desktop.hardware.flashing.methods.esptool import Esptool
from zeroclaw_desktop.hardware.flashing.methods.mpremote import Mpremote
from zeroclaw_desktop.hardware.flashing.methods.openocd import OpenOcd
from zeroclaw_desktop.hardware.flashing.methods.pyocd import PyOcd
from zeroclaw_desktop.hardware.flashing.methods.st_flash import StFlash
from zeroclaw_desktop.hardware.flashing.methods.stm32_mass_storage import Stm32MassStorage
from zeroclaw_desktop.hardware.flashing.methods.stm32_uart import Stm32Uart
from zeroclaw_desktop.hardware.flashing.methods.uf2 import Uf2

_METHODS: tuple[FlashMethod, ...] = (
    Avrdude(),
    Esptool(),
    Stm32MassStorage(),
    StFlash(),
    OpenOcd(),
    PyOcd(),
    Stm32Uart(),
    Uf2(),
    Mpremote(),
    DfuUtil(),
    ArduinoCli(),
)
METHODS: Mapping[str, FlashMethod] = {method.key: method for method in _METHODS}
