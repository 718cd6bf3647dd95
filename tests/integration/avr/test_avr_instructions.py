"""Instruction by instruction against simavr: registers, SREG, SP, PC, memory and cycles.

Where simavr 1.6 deviates from the manuals, the cases leave the place out and a test says what is right:

- RET and RETI keep 16 bits of program counter; the chip has 14 (datasheet section 6.2). The rest is cut off.
- DDRC and PORTC keep bit 7, which does not exist (datasheet section 30). Not used by the cases.
- A skip over ADIW or SBIW with a constant ending in C to F skips two words: see test_skip_over_adiw.
- SBI on a flag register clears every set flag; the chip touches the one bit (section 30, note 3): see
  tests/unit/hardware/simulator/test_avr_machine.py.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.integration.avr import avr_native
from tests.integration.avr.instruction_cases import (
    INSTRUCTIONS,
    PLAIN_IO,
    RESULT,
    SRAM_END,
    SRAM_START,
    Case,
    program_case,
    single_instruction_case,
)
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine

SEED = random.SystemRandom().getrandbits(32)
CASES_PER_INSTRUCTION = 600
PROGRAM_COUNT = 1500
PROGRAM_PARTS = 40
WASM_CASES_PER_INSTRUCTION = 12
TESTED_ELSEWHERE = {"SLEEP", "BREAK", "SPM", "UNDEFINED", "SPIN"}


def assert_equal(cases: list[Case], expected: np.ndarray, actual: np.ndarray) -> None:
    """Compare step by step; the message names the seed, the first differing case and the fields."""
    assert len(expected) == len(actual) == sum(case.step_count for case in cases)
    if np.array_equal(expected, actual):
        return
    step = int(np.argmax(expected != actual))
    remaining = step
    for case in cases:
        if remaining < case.step_count:
            pairs = {name: (expected[step][name], actual[step][name]) for name in RESULT.names or ()}
            wrong = {name: pair for name, pair in pairs.items() if np.any(pair[0] != pair[1])}
            pytest.fail(f"seed {SEED}: {case.name} step {remaining} of {case}: (expected, actual) {wrong}")
        remaining -= case.step_count


def test_cases_cover_every_operation() -> None:
    assert set(INSTRUCTIONS) | TESTED_ELSEWHERE == avr_native.operation_names()


def test_single_instructions(simavr_cases: Path, core_cases: Path) -> None:
    print("seed", SEED)
    rng = random.Random(SEED)
    cases = [
        single_instruction_case(rng, name) for name in INSTRUCTIONS for _ in range(CASES_PER_INSTRUCTION)
    ]
    assert_equal(cases, avr_native.run_cases(simavr_cases, cases), avr_native.run_cases(core_cases, cases))


def test_random_programs(simavr_cases: Path, core_cases: Path) -> None:
    print("seed", SEED)
    rng = random.Random(SEED + 1)
    cases = [program_case(rng, PROGRAM_PARTS) for _ in range(PROGRAM_COUNT)]
    assert_equal(cases, avr_native.run_cases(simavr_cases, cases), avr_native.run_cases(core_cases, cases))


def _random_bytes(seed: int, length: int) -> bytes:
    """xorshift32, as fill() in case_runner.c."""
    state, result = seed | 1, bytearray()
    for _ in range(length):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        result.append(state >> 11 & 0xFF)
    return bytes(result)


def _hash(memory: bytes) -> int:
    """FNV-1a with the lowest bit set, as hash_memory() in case_runner.c."""
    value = 2166136261
    for byte in memory:
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value | 1


def _run_case_on_wasm(machine: AvrMachine, case: Case) -> np.ndarray:
    machine.load_flash(np.array(case.words, "<u2").tobytes(), case.pc * 2)
    machine.write_data(SRAM_START, _random_bytes(case.memory_seed, SRAM_END + 1 - SRAM_START))
    for index, address in enumerate(PLAIN_IO):
        machine.write_data(address, bytes([case.memory_seed >> index & 0xFF]))
    machine.registers = case.registers
    machine.sreg, machine.stack_pointer, machine.program_counter = case.sreg, case.stack_pointer, case.pc * 2
    start = machine.cycle_count
    machine.step()
    memory = machine.read_data(SRAM_START, SRAM_END + 1 - SRAM_START)
    memory += b"".join(machine.read_data(address, 1) for address in PLAIN_IO)
    row = (
        machine.program_counter // 2, machine.stack_pointer, machine.sreg, machine.registers,
        machine.cycle_count - start, _hash(memory),
    )  # fmt: skip
    return np.array([row], RESULT)


def test_single_instructions_in_the_shipped_module(simavr_cases: Path) -> None:
    print("seed", SEED)
    rng = random.Random(SEED + 2)
    machine = AvrMachine(boot_reset=False, wasm_path=avr_native.WASM)
    machine.load_flash(_random_bytes(1, 0x8000))
    cases = []
    for name in INSTRUCTIONS:
        if name in ("RETI", "BSET"):
            continue  # they hold the next interrupt, which the native runner clears between cases
        cases += [single_instruction_case(rng, name) for _ in range(WASM_CASES_PER_INSTRUCTION)]
    actual = np.concatenate([_run_case_on_wasm(machine, case) for case in cases])
    assert_equal(cases, avr_native.run_cases(simavr_cases, cases), actual)


def test_every_flash_word_is_known_or_not_as_the_manual_says() -> None:
    """All 65536 words: exactly those that match an opcode line of the manual count as instructions."""
    patterns = [instruction.pattern for instruction in INSTRUCTIONS.values()]
    patterns += ["1001 0101 1000 1000", "1001 0101 1001 1000", "1001 0101 1110 1000"]  # SLEEP, BREAK, SPM
    patterns += ["1001 010k kkkk 110k", "1001 010k kkkk 111k"]  # JMP and CALL with any upper address bits
    patterns = [pattern.replace(" ", "") for pattern in patterns]
    known = np.zeros(0x10000, bool)
    words = np.arange(0x10000)
    for pattern in patterns:
        mask = int("".join("1" if bit in "01" else "0" for bit in pattern), 2)
        known |= words & mask == int("".join(bit if bit in "01" else "0" for bit in pattern), 2)
    machine = AvrMachine(boot_reset=False, wasm_path=avr_native.WASM)
    count = machine.undefined_instructions
    for start in range(0, 0x10000, 0x4000):
        machine.load_flash(words[start : start + 0x4000].astype("<u2").tobytes())
        for word in range(start, start + 0x4000):
            machine.write_data(0, bytes(32))
            machine.reset()
            machine.program_counter = (word - start) * 2
            machine.step()
            is_undefined = machine.undefined_instructions != count
            count = machine.undefined_instructions
            assert is_undefined != known[word], hex(word)


@pytest.mark.parametrize("low_nibble", [0x0B, 0x0C, 0x0D, 0x0E, 0x0F])
def test_skip_over_adiw(low_nibble: int) -> None:
    """ADIW has one word whatever its constant: SBRS over it takes two cycles (manual, SBRS and ADIW)."""
    machine = AvrMachine(boot_reset=False, wasm_path=avr_native.WASM)
    sbrs_r16_bit_0, adiw_r24 = 0xFF00, 0x9600 | low_nibble
    machine.load_flash(np.array([sbrs_r16_bit_0, adiw_r24, 0], "<u2").tobytes())
    machine.registers = [1] * 32
    machine.step()
    assert (machine.program_counter, machine.cycle_count) == (4, 2)
