"""Which processor a chip has, as ELF files name it (System V ABI, "e_machine" and its registered values)."""

from __future__ import annotations

EM_ARM, EM_AVR, EM_XTENSA, EM_RISCV = 40, 83, 94, 243
MACHINE_NAMES = {
    3: "x86",
    8: "MIPS",
    EM_ARM: "ARM",
    62: "x86-64",
    EM_AVR: "AVR",
    EM_XTENSA: "Xtensa",
    183: "AArch64",
    EM_RISCV: "RISC-V",
}
_BY_CHIP = (
    ("ATMEGA", (EM_AVR,)),
    ("ATTINY", (EM_AVR,)),
    ("ESP32C", (EM_RISCV,)),
    ("ESP32H", (EM_RISCV,)),
    ("ESP32P", (EM_RISCV,)),
    ("ESP", (EM_XTENSA,)),
    ("STM32", (EM_ARM,)),
    ("RP2350", (EM_ARM, EM_RISCV)),
    ("RP2040", (EM_ARM,)),
    ("NRF5", (EM_ARM,)),
    ("SAMD", (EM_ARM,)),
)


def machines_of(chip: str) -> tuple[int, ...]:
    """Processors of a chip, by the beginning of its name; empty for a chip that is not known."""
    plain = chip.upper().replace("-", "").replace(" ", "")
    return next((machines for prefix, machines in _BY_CHIP if plain.startswith(prefix)), ())
