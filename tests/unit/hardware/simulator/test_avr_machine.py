"""The simulated ATmega328P itself: memory, reset, ports, interrupts and sleep, against the datasheet."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.unit.hardware.simulator.avr_program import (
    BREAK,
    CLI,
    DDRB,
    DDRD,
    EICRA,
    EIFR,
    EIMSK,
    MCUCR,
    MCUSR,
    NOP,
    PCICR,
    PCIFR,
    PCMSK2,
    PINB,
    PINC,
    PORTB,
    PORTC,
    PORTD,
    SEI,
    SLEEP,
    SMCR,
    TCCR0B,
    TIMSK0,
    WASM,
    cbi,
    execute,
    in_,
    inc,
    ldi,
    lds,
    machine_with,
    out,
    poke,
    read,
    sbi,
    sts,
    write,
)  # fmt: skip
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, ResetCause, pulse_width_us
from zeroclaw_desktop.hardware.simulator.intel_hex import IntelHexError


def test_shipped_module_is_the_recorded_one() -> None:
    note = (WASM.parents[1] / "simulator" / "avr" / "BUILT.md").read_text()
    recorded = re.search(r"sha256 \| ([0-9a-f]{64})", note)
    assert recorded is not None
    assert recorded[1] == hashlib.sha256(WASM.read_bytes()).hexdigest()


# Memory, reset, fuses


def test_flash_is_erased_loaded_and_read() -> None:
    machine = AvrMachine(wasm_path=WASM)
    assert set(machine.read_flash(0, 0x8000)) == {0xFF}
    machine.load_flash(b"\x12\x34\x56", 0x7FFD)
    assert machine.read_flash(0x7FFC, 4) == b"\xff\x12\x34\x56"
    with pytest.raises(ValueError, match="fit"):
        machine.load_flash(b"ab", 0x7FFF)
    with pytest.raises(ValueError, match="outside"):
        machine.read_flash(0x7FFF, 2)
    with pytest.raises(IntelHexError):
        machine.load_hex("nonsense")


BOOT_STARTS = [(0xDE, 0x7E00), (0xDC, 0x7C00), (0xDA, 0x7800), (0xD8, 0x7000)]


@pytest.mark.parametrize(("high_fuse", "start"), BOOT_STARTS)
def test_boot_fuses_choose_the_reset_address(high_fuse: int, start: int) -> None:
    """BOOTRST and BOOTSZ1:0, table 26-7."""
    machine = AvrMachine(wasm_path=WASM)
    machine.set_fuses(high=high_fuse)
    machine.reset()
    assert (machine.program_counter, machine.in_bootloader) == (start, True)
    machine.set_fuses(high=high_fuse | 1)
    machine.reset()
    assert (machine.program_counter, machine.in_bootloader) == (0, False)


def test_reset_causes_add_up_until_cleared() -> None:
    """MCUSR, section 10.9.1; a power-on reset clears the others."""
    machine = AvrMachine(wasm_path=WASM)
    assert machine.read_data(MCUSR, 1) == bytes([ResetCause.POWER_ON])
    machine.reset(ResetCause.EXTERNAL)
    machine.reset(ResetCause.BROWN_OUT)
    assert machine.read_data(MCUSR, 1)[0] == 7
    assert machine.reset_count == 3
    machine.reset(ResetCause.POWER_ON)
    assert machine.read_data(MCUSR, 1)[0] == 1
    assert machine.reset_count == 1


def test_reset_keeps_sram_and_registers_and_clears_io() -> None:
    machine = machine_with(poke((DDRB, 0xFF), (PORTB, 0x20), (0x200, 0x77)))
    machine.run(50)
    machine.reset()
    assert machine.read_data(0x200, 1) == b"\x77"
    assert machine.registers[16] == 0x77
    assert machine.read_data(DDRB, 1) == b"\x00"
    assert machine.stack_pointer == 0x8FF
    assert machine.pin_modes()[13] == "input"


def test_erased_flash_runs_up_to_the_boot_loader() -> None:
    machine = AvrMachine(boot_reset=False, wasm_path=WASM)
    machine.load_flash(b"\xff\xcf", 0x7E00)
    machine.run(20_000)
    assert machine.in_bootloader
    assert machine.undefined_instructions == 0x7E00 // 2


# Ports


def test_pin_modes_and_levels() -> None:
    machine = machine_with(poke((DDRB, 0x20), (PORTB, 0x21), (DDRD, 0x04)))
    machine.run(50)
    modes, levels = machine.pin_modes(), machine.pin_levels()
    assert (modes[13], modes[8], modes[9], modes[2]) == ("output", "input_pullup", "input", "output")
    assert (levels[13], levels[8], levels[9], levels[2]) == (1, 1, 0, 0)


def test_external_driver_and_release() -> None:
    machine = machine_with(poke((PORTC, 0x01)))
    machine.run(20)
    assert machine.pin_levels()[14] == 1
    machine.drive_pin(14, 0)
    machine.run(10)
    assert read(machine, PINC) & 1 == 0
    machine.drive_pin(14, None)
    machine.run(10)
    assert read(machine, PINC) & 1 == 1
    with pytest.raises(ValueError, match="pin 20"):
        machine.drive_pin(20, 1)


def test_receive_pin_is_held_high_by_the_usb_interface() -> None:
    machine = machine_with([])
    assert machine.pin_levels()[:2] == [1, 0]
    assert machine.take_edges() == []


def test_an_output_keeps_its_level_against_a_driver() -> None:
    machine = machine_with(poke((DDRD, 0x10), (PORTD, 0x10)))
    machine.run(20)
    machine.drive_pin(4, 0)
    assert machine.pin_levels()[4] == 1


def test_writing_pin_toggles_port() -> None:
    """Section 13.2.2; SBI toggles one pin only (section 30, note 3), CBI none."""
    machine = machine_with(poke((DDRB, 0x3F), (PORTB, 0x15), (PINB, 0x03)))
    machine.run(50)
    assert read(machine, PORTB) == 0x16
    execute(machine, [sbi(PINB, 5)])
    assert read(machine, PORTB) == 0x36
    execute(machine, [cbi(PINB, 5)])
    assert read(machine, PORTB) == 0x36


def test_pull_ups_can_be_disabled_for_all() -> None:
    """PUD in MCUCR, section 13.2.3."""
    machine = machine_with(poke((PORTD, 0x04)))
    machine.run(20)
    assert machine.pin_modes()[2] == "input_pullup"
    write(machine, (MCUCR, 0x10))
    assert (machine.pin_modes()[2], machine.pin_levels()[2]) == ("input", 0)


def test_reading_back_needs_one_instruction_between() -> None:
    """OUT, IN reads the old pin; OUT, NOP, IN the new one (section 13.2.4)."""
    machine = machine_with(
        [ldi(16, 0xFF), out(DDRB, 16), NOP, out(PORTB, 16), in_(17, PINB), in_(18, PINB), NOP, in_(19, PINB)]
    )
    machine.run(50)
    assert (machine.registers[17], machine.registers[18]) == (0x00, 0xFF)


def test_edges_carry_the_cycle_of_the_store() -> None:
    stores = [out(PORTB, 16), cbi(PORTB, 5), sbi(PINB, 5)]
    machine = machine_with([ldi(16, 0x20), out(DDRB, 16), *[NOP] * 10, *stores])
    start = machine.cycle_count
    machine.run(50)
    assert machine.take_edges() == [(start + 12, 13, 1), (start + 14, 13, 0), (start + 16, 13, 1)]
    assert machine.take_edges() == []


def test_edge_ring_counts_what_it_drops() -> None:
    toggle_forever = [ldi(16, 0x20), out(DDRB, 16), out(PINB, 16), 0xCFFE]  # rjmp to the OUT
    machine = machine_with(toggle_forever)
    machine.run(30_000)
    assert len(machine.take_edges()) == 8192
    assert machine.edges_dropped > 1000


def test_pulse_width() -> None:
    edges = [(100, 9, 1), (150, 8, 1), (24_100, 9, 0), (30_000, 9, 1)]
    assert pulse_width_us(edges, 9) == 1500
    assert pulse_width_us(edges, 8) is None


# Interrupts


def test_external_interrupt_edges_and_flag() -> None:
    """INT0 falling, INT1 rising (table 12-2)."""
    machine = machine_with([*poke((EICRA, 0x0E), (EIMSK, 3)), SEI], {1: [inc(18)], 2: [inc(19)]})
    machine.drive_pin(2, 1)
    machine.drive_pin(3, 0)
    machine.run(50)
    for level in (0, 1, 0, 1):
        machine.drive_pin(2, level)
        machine.drive_pin(3, level)
        machine.run(50)
    assert (machine.registers[18], machine.registers[19]) == (2, 2)


def test_low_level_interrupt_repeats_while_low() -> None:
    machine = machine_with([*poke((EICRA, 0), (EIMSK, 1)), SEI], {1: [inc(18)]})
    machine.drive_pin(2, 1)
    machine.run(50)
    assert machine.registers[18] == 0
    machine.drive_pin(2, 0)
    machine.run(500)
    assert machine.registers[18] > 10
    assert read(machine, EIFR) == 0


def test_pin_change_interrupt_of_the_masked_pin_only() -> None:
    machine = machine_with([*poke((PCICR, 4), (PCMSK2, 0x80)), SEI], {5: [inc(18)]})
    machine.run(50)
    machine.drive_pin(6, 1)
    machine.run(50)
    assert machine.registers[18] == 0
    machine.drive_pin(7, 1)
    machine.run(50)
    assert machine.registers[18] == 1
    assert read(machine, PCIFR) == 0


def test_lower_vector_goes_first_and_flags_wait() -> None:
    order = [ldi(17, 1), *sts(0x200, 18), inc(18)]
    machine = machine_with(
        [*poke((EICRA, 0x0F), (EIMSK, 3))], {1: [*lds(20, 0x300), *order], 2: [*sts(0x301, 18), inc(18)]}
    )
    machine.run(30)
    machine.drive_pin(3, 1)
    machine.drive_pin(2, 1)
    machine.run(30)
    assert read(machine, EIFR) == 3
    machine.write_data(0x301, b"\xee")
    execute(machine, [SEI, NOP, NOP])
    machine.run(60)
    assert machine.read_data(0x200, 1) == b"\x00"
    assert machine.read_data(0x301, 1) == b"\x01"


def test_one_instruction_runs_after_sei_before_the_interrupt() -> None:
    """Section 6.7; and CLI right after SEI lets none through."""
    machine = machine_with(poke((EICRA, 3), (EIMSK, 1)), {1: [*sts(0x300, 19)]})
    machine.run(30)
    machine.drive_pin(2, 1)
    execute(machine, [SEI, CLI])
    assert machine.read_data(0x300, 1) == b"\x00"
    machine.registers = [0] * 32
    execute(machine, [SEI, inc(19), inc(19), NOP])
    assert machine.read_data(0x300, 1) == b"\x01"


def test_interrupt_response_takes_four_cycles() -> None:
    """Section 6.7.1: four cycles, then the jump in the vector (two cycles for RJMP)."""
    machine = machine_with([*poke((EICRA, 3), (EIMSK, 1)), SEI, NOP, NOP], {1: [NOP]})
    machine.run(60)
    machine.drive_pin(2, 1)
    before, return_address = machine.cycle_count, machine.program_counter
    machine.step()
    assert machine.cycle_count - before == 4
    assert machine.program_counter == 4
    assert machine.stack_pointer == 0x8FD
    pushed = machine.read_data(0x8FE, 2)
    assert int.from_bytes(pushed, "big") * 2 == return_address
    machine.step()
    machine.step()
    assert machine.cycle_count - before == 4 + 2 + 1


def test_vectors_move_to_the_boot_section() -> None:
    """IVSEL within four cycles of IVCE (section 11.3.2)."""
    machine = machine_with(poke((EICRA, 3), (EIMSK, 1)))
    machine.run(50)
    execute(machine, [ldi(16, 1), ldi(17, 2), out(MCUCR, 16), out(MCUCR, 17)])
    assert read(machine, MCUCR) == 2
    execute(machine, [ldi(17, 0), out(MCUCR, 17)])
    assert read(machine, MCUCR) == 2
    machine.drive_pin(2, 1)
    execute(machine, [SEI])
    machine.step()
    machine.step()
    assert machine.program_counter == 0x7E00 + 4


# Sleep


def test_sleep_skips_to_the_next_event_and_resumes() -> None:
    machine = machine_with([*poke((TCCR0B, 5), (TIMSK0, 1), (SMCR, 1)), SEI, SLEEP, inc(19)], {16: [inc(18)]})
    machine.run(1000)
    assert machine.is_sleeping
    machine.run(1024 * 256)
    assert not machine.is_sleeping
    assert (machine.registers[18], machine.registers[19]) == (1, 1)


def test_sleep_without_interrupts_lasts_until_reset() -> None:
    machine = machine_with([*poke((SMCR, 1)), CLI, SLEEP, inc(19)])
    assert machine.run(50_000_000) >= 50_000_000
    assert machine.is_sleeping
    machine.reset()
    assert not machine.is_sleeping


def test_power_down_stops_the_io_clock() -> None:
    """Table 9-1: timers stand still, a pin change wakes."""
    setup = poke((PCICR, 4), (PCMSK2, 4), (TCCR0B, 1), (SMCR, 5))
    machine = machine_with([*setup, SEI, SLEEP], {5: [inc(18)]})
    machine.run(1_000_000)
    assert machine.is_sleeping
    machine.drive_pin(2, 1)
    machine.run(40)
    assert machine.registers[18] == 1
    assert read(machine, 0x46) < 100


def test_break_is_a_nop_without_a_debugger() -> None:
    machine = machine_with([BREAK, inc(18)])
    machine.run(20)
    assert machine.registers[18] == 1
