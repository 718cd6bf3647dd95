"""A handful of AVR instruction words and register numbers, to write test programs without a compiler.

Encodings: "AVR Instruction Set Manual" (DS40002198). Register addresses: ATmega328P datasheet section 30.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine

WASM = Path(__file__).resolve().parents[4] / "firmware" / "prebuilt" / "avr.wasm"

PINB, DDRB, PORTB, PINC, DDRC, PORTC, PIND, DDRD, PORTD = range(0x23, 0x2C)
TIFR0, TIFR1, TIFR2 = 0x35, 0x36, 0x37
PCIFR, EIFR, EIMSK, GPIOR0, EECR, EEDR, EEARL, EEARH, GTCCR = range(0x3B, 0x44)
TCCR0A, TCCR0B, TCNT0, OCR0A, OCR0B = range(0x44, 0x49)
SPCR, SPSR, SPDR = 0x4C, 0x4D, 0x4E
SMCR, MCUSR, MCUCR, SPMCSR, SREG = 0x53, 0x54, 0x55, 0x57, 0x5F
WDTCSR, CLKPR, PRR, PCICR, EICRA = 0x60, 0x61, 0x64, 0x68, 0x69
PCMSK0, PCMSK1, PCMSK2, TIMSK0, TIMSK1, TIMSK2 = range(0x6B, 0x71)
ADCL, ADCH, ADCSRA, ADCSRB, ADMUX = range(0x78, 0x7D)
TCCR1A, TCCR1B, TCCR1C = 0x80, 0x81, 0x82
TCNT1L, TCNT1H, ICR1L, ICR1H, OCR1AL, OCR1AH, OCR1BL, OCR1BH = range(0x84, 0x8C)
TCCR2A, TCCR2B, TCNT2, OCR2A, OCR2B = range(0xB0, 0xB5)
TWBR, TWSR, TWAR, TWDR, TWCR = range(0xB8, 0xBD)
UCSR0A, UCSR0B, UCSR0C = 0xC0, 0xC1, 0xC2
UBRR0L, UBRR0H, UDR0 = 0xC4, 0xC5, 0xC6

NOP, SEI, CLI, RETI, RET, SLEEP, WDR, SPM, BREAK = (
    0x0000, 0x9478, 0x94F8, 0x9518, 0x9508, 0x9588, 0x95A8, 0x95E8, 0x9598,
)  # fmt: skip
LOOP = 0xCFFF
"""rjmp to itself"""


def ldi(register: int, value: int) -> int:
    """Load a constant into R16 to R31."""
    return 0xE000 | (value & 0xF0) << 4 | (register - 16) << 4 | value & 0x0F


def sts(address: int, register: int) -> list[int]:
    """Store to data space; two words, two cycles."""
    return [0x9200 | register << 4, address]


def lds(register: int, address: int) -> list[int]:
    """Load from data space; two words, two cycles."""
    return [0x9000 | register << 4, address]


def out(address: int, register: int) -> int:
    """Write an I/O register given by its data-space address; one cycle."""
    number = address - 0x20
    return 0xB800 | (number & 0x30) << 5 | register << 4 | number & 0x0F


def in_(register: int, address: int) -> int:
    """Read an I/O register given by its data-space address; one cycle."""
    number = address - 0x20
    return 0xB000 | (number & 0x30) << 5 | register << 4 | number & 0x0F


def sbi(address: int, bit: int) -> int:
    """Set a bit of an I/O register; two cycles."""
    return 0x9A00 | (address - 0x20) << 3 | bit


def cbi(address: int, bit: int) -> int:
    """Clear a bit of an I/O register; two cycles."""
    return 0x9800 | (address - 0x20) << 3 | bit


def inc(register: int) -> int:
    """Increment a register."""
    return 0x9403 | register << 4


def rjmp(offset: int) -> int:
    """Jump relative to the next instruction, in words."""
    return 0xC000 | offset & 0x0FFF


def poke(*pairs: tuple[int, int]) -> list[int]:
    """Words that write constants to data-space addresses in the given order, three cycles each."""
    return [word for address, value in pairs for word in (ldi(16, value), *sts(address, 16))]


def machine_with(words: Iterable[int], vectors: dict[int, Iterable[int]] | None = None) -> AvrMachine:
    """A machine without boot loader that runs words from 0x100.

    Args:
        words: the program; an endless loop is put after it.
        vectors: vector number to the interrupt routine (any length; RETI is put after it).
    """
    machine = AvrMachine(boot_reset=False, wasm_path=WASM)

    def write(address: int, program: Iterable[int]) -> None:
        data = list(program)
        machine.load_flash(struct.pack(f"<{len(data)}H", *data), address)

    write(0, [rjmp(0x80 - 1)])
    write(0x100, [*words, LOOP])
    for vector, routine in (vectors or {}).items():
        place = 0x400 + vector * 0x20
        write(vector * 4, [rjmp(place // 2 - vector * 2 - 1)])
        write(place, [*routine, RETI])
    machine.reset()
    machine.run(2)
    return machine


def execute(machine: AvrMachine, words: Iterable[int]) -> None:
    """Run more words on a machine that waits in its loop; the words must not jump."""
    data = [*words]
    end = 0x2000 + len(data) * 2
    machine.load_flash(struct.pack(f"<{len(data) + 1}H", *data, LOOP), 0x2000)
    machine.program_counter = 0x2000
    while machine.program_counter != end:
        machine.step()


def read(machine: AvrMachine, address: int) -> int:
    """Read a register with the side effects of LDS; R20 is overwritten."""
    execute(machine, lds(20, address))
    return machine.registers[20]


def write(machine: AvrMachine, *pairs: tuple[int, int]) -> None:
    """Write registers as poke does; R16 is overwritten."""
    execute(machine, poke(*pairs))
