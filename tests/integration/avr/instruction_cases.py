"""Random instructions and programs of the ATmega328P, as cases for case_runner.c.

Written from the opcode lines of the "AVR Instruction Set Manual" (DS40002198), independently of decode.c.
Each case keeps to what the manual defines: memory operands lie in SRAM or in registers that only store, and
pointer instructions do not use a register of their own pointer as data (result undefined there).
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

HEADER = struct.Struct("<IHHB32sHH")
RESULT = np.dtype(
    [
        ("pc", "<u2"),
        ("stack_pointer", "<u2"),
        ("sreg", "u1"),
        ("registers", "u1", 32),
        ("cycles", "<u4"),
        ("memory_hash", "<u4"),
    ]
)
SRAM_START, SRAM_END = 0x100, 0x8FF
PLAIN_IO = [0x24, 0x25, 0x2A, 0x2B, 0x3E, 0x4A, 0x4B]  # DDRB, PORTB, DDRD, PORTD, GPIORx in data space
PLAIN_BIT_IO = [address for address in PLAIN_IO if address < 0x40]
READABLE_IO = [*PLAIN_IO, 0x5D, 0x5E, 0x5F]


@dataclass
class Case:
    """One start state and the words that are run from there."""

    name: str
    words: list[int]
    registers: list[int]
    sreg: int
    pc: int
    stack_pointer: int
    memory_seed: int
    step_count: int = 1

    def encode(self) -> bytes:
        """Return the bytes that case_runner.c reads."""
        header = HEADER.pack(
            self.memory_seed, self.pc, self.stack_pointer, self.sreg, bytes(self.registers),
            len(self.words), self.step_count,
        )  # fmt: skip
        return header + struct.pack(f"<{len(self.words)}H", *self.words)


@dataclass
class Instruction:
    """An opcode pattern: letters are operand fields, as in the manual ("0000 11rd dddd rrrr")."""

    name: str
    pattern: str
    prepare: Callable[[random.Random, dict[str, int], Case], None] | None = None
    second_word: Callable[[random.Random], int] | None = None
    fixed_operands: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def build(self, rng: random.Random, case: Case, operands: dict[str, int] | None = None) -> list[int]:
        """Return the words with random operands; may adapt the case's registers."""
        bits = self.pattern.replace(" ", "")
        values = {
            letter: rng.choice(list(self.fixed_operands.get(letter, range(1 << bits.count(letter)))))
            for letter in sorted(set(bits) - {"0", "1"})
        }
        values.update(operands or {})
        if self.prepare is not None:
            self.prepare(rng, values, case)
        left = {letter: bits.count(letter) for letter in values}
        word = 0
        for bit in bits:
            if bit in values:
                left[bit] -= 1
                word = word << 1 | (values[bit] >> left[bit] & 1)
            else:
                word = word << 1 | int(bit)
        return [word] if self.second_word is None else [word, self.second_word(rng)]


def _set_pointer(case: Case, low: int, address: int) -> None:
    case.registers[low], case.registers[low + 1] = address & 0xFF, address >> 8


def _data_address(rng: random.Random) -> int:
    """An address for data: mostly SRAM, its ends, sometimes a plain I/O register or a low register."""
    places = [rng.randint(SRAM_START, SRAM_END), SRAM_START + 1, SRAM_END - 1, rng.choice(PLAIN_IO)]
    return rng.choice(places)


def _pointer(low: int, displacement: str = "") -> Callable[[random.Random, dict[str, int], Case], None]:
    def prepare(rng: random.Random, values: dict[str, int], case: Case) -> None:
        while values["d"] in (low, low + 1):
            values["d"] = rng.randrange(32)
        address = _data_address(rng)
        if displacement:
            address = rng.randint(SRAM_START, SRAM_END - 63)
        elif address in PLAIN_IO:
            address = 0x4A  # its neighbours below and above are safe to touch: 0x4A and 0x4B
        _set_pointer(case, low, address)

    return prepare


def _pointer_decrement(low: int) -> Callable[[random.Random, dict[str, int], Case], None]:
    def prepare(rng: random.Random, values: dict[str, int], case: Case) -> None:
        while values["d"] in (low, low + 1):
            values["d"] = rng.randrange(32)
        _set_pointer(case, low, rng.choice([rng.randint(SRAM_START + 1, SRAM_END), SRAM_END, 0x4C]))

    return prepare


def _flash_pointer(rng: random.Random, values: dict[str, int], case: Case) -> None:
    while values.get("d") in (30, 31):
        values["d"] = rng.randrange(32)
    _set_pointer(case, 30, rng.randrange(0x8000))


def _jump_pointer(rng: random.Random, values: dict[str, int], case: Case) -> None:
    _set_pointer(case, 30, rng.randrange(0x4000))


def _return_pointer(rng: random.Random, values: dict[str, int], case: Case) -> None:
    case.stack_pointer = rng.randint(SRAM_START, SRAM_END - 2)


def _equal_registers_half_of_the_time(rng: random.Random, values: dict[str, int], case: Case) -> None:
    if rng.random() < 0.5:
        case.registers[values["d"]] = case.registers[values["r"]]


def _word_address(rng: random.Random) -> int:
    return rng.randrange(0x4000)


_IO = {"A": [address - 0x20 for address in READABLE_IO]}
_IO_WRITE = {"A": [address - 0x20 for address in [*PLAIN_IO, 0x5F]]}
_BIT_IO = {"A": [address - 0x20 for address in PLAIN_BIT_IO]}


def _instruction_set() -> list[Instruction]:
    x, y, z = 26, 28, 30
    two = {
        "CPC": "0000 01rd dddd rrrr", "SBC": "0000 10rd dddd rrrr", "ADD": "0000 11rd dddd rrrr",
        "CP": "0001 01rd dddd rrrr", "SUB": "0001 10rd dddd rrrr", "ADC": "0001 11rd dddd rrrr",
        "AND": "0010 00rd dddd rrrr", "EOR": "0010 01rd dddd rrrr", "OR": "0010 10rd dddd rrrr",
        "MOV": "0010 11rd dddd rrrr", "MUL": "1001 11rd dddd rrrr", "MOVW": "0000 0001 dddd rrrr",
        "MULS": "0000 0010 dddd rrrr", "MULSU": "0000 0011 0ddd 0rrr", "FMUL": "0000 0011 0ddd 1rrr",
        "FMULS": "0000 0011 1ddd 0rrr", "FMULSU": "0000 0011 1ddd 1rrr",
        "CPI": "0011 KKKK dddd KKKK", "SBCI": "0100 KKKK dddd KKKK", "SUBI": "0101 KKKK dddd KKKK",
        "ORI": "0110 KKKK dddd KKKK", "ANDI": "0111 KKKK dddd KKKK", "LDI": "1110 KKKK dddd KKKK",
        "COM": "1001 010d dddd 0000", "NEG": "1001 010d dddd 0001", "SWAP": "1001 010d dddd 0010",
        "INC": "1001 010d dddd 0011", "ASR": "1001 010d dddd 0101", "LSR": "1001 010d dddd 0110",
        "ROR": "1001 010d dddd 0111", "DEC": "1001 010d dddd 1010",
        "ADIW": "1001 0110 KKdd KKKK", "SBIW": "1001 0111 KKdd KKKK",
        "BSET": "1001 0100 0sss 1000", "BCLR": "1001 0100 1sss 1000",
        "BLD": "1111 100d dddd 0bbb", "BST": "1111 101d dddd 0bbb",
        "SBRC": "1111 110d dddd 0bbb", "SBRS": "1111 111d dddd 0bbb",
        "BRBS": "1111 00kk kkkk ksss", "BRBC": "1111 01kk kkkk ksss",
        "RJMP": "1100 kkkk kkkk kkkk", "NOP": "0000 0000 0000 0000", "WDR": "1001 0101 1010 1000",
    }  # fmt: skip
    result = [Instruction(name, pattern) for name, pattern in two.items()]
    result += [
        Instruction("CPSE", "0001 00rd dddd rrrr", _equal_registers_half_of_the_time),
        Instruction("RCALL", "1101 kkkk kkkk kkkk", _return_pointer),
        Instruction("IJMP", "1001 0100 0000 1001", _jump_pointer),
        Instruction("ICALL", "1001 0101 0000 1001", _jump_pointer),
        Instruction("RET", "1001 0101 0000 1000", _return_pointer),
        Instruction("RETI", "1001 0101 0001 1000", _return_pointer),
        Instruction("JMP", "1001 0100 0000 1100", second_word=_word_address),
        Instruction("CALL", "1001 0100 0000 1110", second_word=_word_address),
        Instruction("LPM_R0", "1001 0101 1100 1000", _flash_pointer),
        Instruction("LPM", "1001 000d dddd 0100", _flash_pointer),
        Instruction("LPM_INC", "1001 000d dddd 0101", _flash_pointer),
        Instruction("LDS", "1001 000d dddd 0000", second_word=_data_address),
        Instruction("STS", "1001 001d dddd 0000", second_word=_data_address),
        Instruction("POP", "1001 000d dddd 1111", _return_pointer),
        Instruction("PUSH", "1001 001d dddd 1111", _return_pointer),
        Instruction("LD_X", "1001 000d dddd 1100", _pointer(x)),
        Instruction("LD_X_INC", "1001 000d dddd 1101", _pointer(x)),
        Instruction("LD_X_DEC", "1001 000d dddd 1110", _pointer_decrement(x)),
        Instruction("LD_Y_INC", "1001 000d dddd 1001", _pointer(y)),
        Instruction("LD_Y_DEC", "1001 000d dddd 1010", _pointer_decrement(y)),
        Instruction("LD_Z_INC", "1001 000d dddd 0001", _pointer(z)),
        Instruction("LD_Z_DEC", "1001 000d dddd 0010", _pointer_decrement(z)),
        Instruction("LDD_Y", "10q0 qq0d dddd 1qqq", _pointer(y, "q")),
        Instruction("LDD_Z", "10q0 qq0d dddd 0qqq", _pointer(z, "q")),
        Instruction("ST_X", "1001 001d dddd 1100", _pointer(x)),
        Instruction("ST_X_INC", "1001 001d dddd 1101", _pointer(x)),
        Instruction("ST_X_DEC", "1001 001d dddd 1110", _pointer_decrement(x)),
        Instruction("ST_Y_INC", "1001 001d dddd 1001", _pointer(y)),
        Instruction("ST_Y_DEC", "1001 001d dddd 1010", _pointer_decrement(y)),
        Instruction("ST_Z_INC", "1001 001d dddd 0001", _pointer(z)),
        Instruction("ST_Z_DEC", "1001 001d dddd 0010", _pointer_decrement(z)),
        Instruction("STD_Y", "10q0 qq1d dddd 1qqq", _pointer(y, "q")),
        Instruction("STD_Z", "10q0 qq1d dddd 0qqq", _pointer(z, "q")),
        Instruction("IN", "1011 0AAd dddd AAAA", fixed_operands=_IO),
        Instruction("OUT", "1011 1AAd dddd AAAA", fixed_operands=_IO_WRITE),
        Instruction("CBI", "1001 1000 AAAA Abbb", fixed_operands=_BIT_IO),
        Instruction("SBIC", "1001 1001 AAAA Abbb", fixed_operands=_BIT_IO),
        Instruction("SBI", "1001 1010 AAAA Abbb", fixed_operands=_BIT_IO),
        Instruction("SBIS", "1001 1011 AAAA Abbb", fixed_operands=_BIT_IO),
    ]
    return result


INSTRUCTIONS = {instruction.name: instruction for instruction in _instruction_set()}
"""Every instruction that the random cases cover. SLEEP, BREAK and SPM have tests of their own."""

_SKIPS = {"CPSE", "SBRC", "SBRS", "SBIC", "SBIS"}
_EDGE_VALUES = [0x00, 0x01, 0x7F, 0x80, 0x81, 0xFE, 0xFF, 0x0F, 0x10]


def blank_case(rng: random.Random, name: str) -> Case:
    """A case with random state and no words."""
    registers = [rng.choice(_EDGE_VALUES) if rng.random() < 0.3 else rng.randrange(256) for _ in range(32)]
    return Case(
        name, [], registers, rng.randrange(256), rng.randrange(0x100, 0x3E00), rng.randint(0x400, 0x8F0),
        rng.getrandbits(32),
    )  # fmt: skip


def single_instruction_case(rng: random.Random, name: str) -> Case:
    """One instruction in a random state; a skip is followed by a one-word or a two-word instruction."""
    case = blank_case(rng, name)
    case.words = INSTRUCTIONS[name].build(rng, case)
    if name in _SKIPS:
        follower = INSTRUCTIONS[rng.choice(["NOP", "MOV", "LDS", "STS", "JMP", "CALL"])]
        case.words += follower.build(rng, case)
    return case


_JUMPS = {"BRBS", "BRBC", "RJMP", "JMP", "CALL"}
_STRAIGHT = [
    name
    for name, instruction in INSTRUCTIONS.items()
    if instruction.prepare is None and name not in _JUMPS | _SKIPS
]


def _load_pointer(words: list[int], low: int, address: int) -> None:
    for register, value in ((low, address & 0xFF), (low + 1, address >> 8)):
        words.append(0xE000 | (value & 0xF0) << 4 | (register - 16) << 4 | (value & 0x0F))


def _add_memory_access(rng: random.Random, case: Case) -> None:
    name = rng.choice([n for n in INSTRUCTIONS if n[:2] in ("LD", "ST") and n not in ("LDS", "STS", "LDI")])
    scratch = blank_case(rng, name)
    words = INSTRUCTIONS[name].build(rng, scratch)
    low = {"X": 26, "Y": 28, "Z": 30}[name.split("_")[1]]
    _load_pointer(case.words, low, scratch.registers[low] | scratch.registers[low + 1] << 8)
    case.words += words


def _is_mistaken_for_call(word: int) -> bool:
    """ADIW and SBIW with a constant ending in C to F, which simavr 1.6 skips as if they had two words."""
    return word & 0xFE0C == 0x960C


def _add_control_flow(rng: random.Random, case: Case) -> None:
    """A forward branch, a skip or a call of a short routine that pushes, pops and returns."""
    kind = rng.randrange(4)
    filler: list[int] = []
    for _ in range(rng.randint(1, 4)):
        filler += INSTRUCTIONS[rng.choice(_STRAIGHT)].build(rng, case)
    if kind == 0:
        name = rng.choice(["BRBS", "BRBC"])
        case.words += INSTRUCTIONS[name].build(rng, case, {"k": len(filler)}) + filler
    elif kind == 1:
        name = rng.choice(["SBRC", "SBRS", "SBIC", "SBIS"])
        while _is_mistaken_for_call(filler[0]):
            filler[0] = INSTRUCTIONS["ADIW"].build(rng, case)[0]
        case.words += INSTRUCTIONS[name].build(rng, case) + filler
    elif kind == 2:
        register = rng.randrange(32)
        routine = [0x920F | register << 4, *filler, 0x900F | register << 4, 0x9508]
        case.words += [0xD000 | 1, 0xC000 | len(routine), *routine]
    else:
        case.words += [0xC000 | len(filler), *filler]


def program_case(rng: random.Random, length: int) -> Case:
    """A random program that runs forwards only and ends in an endless loop; length counts its parts."""
    case = blank_case(rng, "program")
    for _ in range(length):
        choice = rng.random()
        if choice < 0.6:
            case.words += INSTRUCTIONS[rng.choice(_STRAIGHT)].build(rng, case)
        elif choice < 0.8:
            _add_memory_access(rng, case)
        else:
            _add_control_flow(rng, case)
    case.words.append(0xCFFF)
    case.step_count = len(case.words)
    return case
