"""The simulated ATmega328P apart from its timers, against the datasheet (sections are named in each test)."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.unit.hardware.simulator.avr_program import (
    ADCH,
    ADCL,
    ADCSRA,
    ADMUX,
    BREAK,
    CLI,
    CLKPR,
    DDRB,
    DDRC,
    DDRD,
    EEARL,
    EECR,
    EEDR,
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
    SPCR,
    SPDR,
    SPMCSR,
    SPSR,
    TCCR0B,
    TIMSK0,
    TWBR,
    TWCR,
    TWDR,
    TWSR,
    UBRR0L,
    UCSR0A,
    UCSR0B,
    UDR0,
    WASM,
    WDR,
    WDTCSR,
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

UART_115200 = ((UBRR0L, 16), (UCSR0A, 0x02), (UCSR0B, 0x18))
BIT_CYCLES = 8 * 17
FRAME_CYCLES = 10 * BIT_CYCLES


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
    machine = machine_with(
        [*poke((TCCR0B, 5), (TIMSK0, 1), (SMCR, 1)), SEI, SLEEP, inc(19)], {16: [inc(18)]}
    )
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


# USART


def test_a_byte_takes_its_frame_time() -> None:
    machine = machine_with(poke(*UART_115200, (UDR0, 0x55)))
    start = machine.cycle_count + 3 * 3 + 3
    machine.run(12 + FRAME_CYCLES - 20)
    assert machine.uart_transmitted() == b""
    machine.run(start + FRAME_CYCLES + 2 - machine.cycle_count)
    assert machine.uart_transmitted() == b"\x55"
    assert machine.uart_baud == 16_000_000 // BIT_CYCLES


def test_transmit_flags() -> None:
    """UDRE falls when the buffer is taken, TXC rises after the last frame (section 19.6.3)."""
    machine = machine_with(poke(*UART_115200, (UDR0, 1)))
    machine.run(30)
    assert read(machine, UCSR0A) & 0x60 == 0x20
    write(machine, (UDR0, 2))
    assert read(machine, UCSR0A) & 0x60 == 0x00
    machine.run(FRAME_CYCLES)
    assert read(machine, UCSR0A) & 0x60 == 0x20
    machine.run(FRAME_CYCLES)
    assert read(machine, UCSR0A) & 0x60 == 0x60
    write(machine, (UCSR0A, 0x42))
    assert read(machine, UCSR0A) & 0x60 == 0x20
    assert machine.uart_transmitted() == b"\x01\x02"


def test_received_bytes_arrive_at_line_speed() -> None:
    machine = machine_with(poke(*UART_115200))
    machine.run(50)
    assert machine.uart_receive(b"AB") == 2
    machine.run(FRAME_CYCLES - BIT_CYCLES)
    assert read(machine, UCSR0A) & 0x80 == 0
    machine.run(BIT_CYCLES)
    assert read(machine, UCSR0A) & 0x80
    assert read(machine, UDR0) == ord("A")
    assert read(machine, UCSR0A) & 0x80 == 0
    machine.run(FRAME_CYCLES)
    assert read(machine, UDR0) == ord("B")
    assert machine.uart_input_waiting == 0


def test_receiver_holds_three_frames_and_reports_an_overrun() -> None:
    """Two in the buffer, one in the shift register, the next start bit loses it (section 19.7.4)."""
    machine = machine_with(poke(*UART_115200))
    machine.run(50)
    machine.uart_receive(b"123")
    machine.run(4 * FRAME_CYCLES)
    assert read(machine, UCSR0A) & 0x88 == 0x80
    machine.uart_receive(b"4")
    machine.run(2 * FRAME_CYCLES)
    assert read(machine, UCSR0A) & 0x88 == 0x88
    assert [read(machine, UDR0) for _ in range(3)] == [ord("1"), ord("2"), ord("4")]


def test_bytes_are_lost_while_the_receiver_is_off() -> None:
    machine = machine_with([])
    machine.uart_receive(b"lost")
    machine.run(100_000)
    write(machine, *UART_115200)
    machine.run(10_000)
    assert read(machine, UCSR0A) & 0x80 == 0


def test_input_queue_is_bounded() -> None:
    machine = machine_with([])
    assert machine.uart_receive(bytes(10_000)) == 8192


def test_wrong_line_speed_garbles_both_ways() -> None:
    machine = machine_with(poke(*UART_115200, (UDR0, 0x41)))
    machine.set_line_baud(9600)
    machine.run(5000)
    assert machine.uart_transmitted() != b"A"
    machine.uart_receive(b"A")
    machine.run(40_000)
    assert read(machine, UCSR0A) & 0x10
    assert read(machine, UDR0) != 0x41
    machine.set_line_baud(115_200)
    write(machine, (UDR0, 0x42))
    machine.run(5000)
    assert machine.uart_transmitted() == b"B"


def test_receive_interrupt_echoes_everything() -> None:
    machine = machine_with([*poke(*UART_115200, (UCSR0B, 0x98)), SEI], {18: [*lds(17, UDR0), *sts(UDR0, 17)]})
    machine.run(50)
    text = bytes(range(256)) * 4
    machine.uart_receive(text)
    machine.run(FRAME_CYCLES * (len(text) + 3))
    assert machine.uart_transmitted() == text


# Analogue


def test_conversion_result_time_and_reference() -> None:
    """13 ADC clocks, 25 for the first (table 23-1); ADC = V * 1024 / Vref (section 23.7)."""
    machine = machine_with([])
    machine.set_analog(3, 2.5)
    write(machine, (ADMUX, 0x43), (ADCSRA, 0xC7))
    for clocks in (25, 13):
        start = machine.cycle_count
        while read(machine, ADCSRA) & 0x40:
            pass
        assert abs(machine.cycle_count - start - clocks * 128) < 140
        assert read(machine, ADCL) | read(machine, ADCH) << 8 == 512
        write(machine, (ADCSRA, 0xD7))
    machine.set_analog(3, 0.55)
    write(machine, (ADMUX, 0xC3))
    machine.run(5000)
    write(machine, (ADCSRA, 0xC7))
    machine.run(5000)
    assert read(machine, ADCL) | read(machine, ADCH) << 8 == 512


@pytest.mark.parametrize(("volts", "value"), [(0.0, 0), (1.25, 256), (4.999, 1023), (5.0, 1023), (7.0, 1023)])
def test_conversion_ends_of_scale(volts: float, value: int) -> None:
    machine = machine_with([])
    machine.set_analog(0, volts)
    write(machine, (ADMUX, 0x40), (ADCSRA, 0xC4))
    machine.run(1000)
    assert read(machine, ADCL) | read(machine, ADCH) << 8 == value


def test_left_adjusted_result_and_internal_channels() -> None:
    machine = machine_with([])
    write(machine, (ADMUX, 0x6E), (ADCSRA, 0xC4))  # bandgap against 5 V: 1.1 * 1024 / 5 = 225
    machine.run(1000)
    assert read(machine, ADCH) == 225 >> 2
    write(machine, (ADMUX, 0x4F), (ADCSRA, 0xC4))
    machine.run(1000)
    assert read(machine, ADCL) | read(machine, ADCH) << 8 == 0


def test_conversion_interrupt_and_free_running() -> None:
    machine = machine_with([*poke((ADMUX, 0x40), (ADCSRA, 0xEC)), SEI], {21: [inc(18)]})
    machine.run(25 * 16 + 13 * 16 * 9 + 100)
    assert machine.registers[18] == 10


def test_free_running_conversions_are_evenly_spaced() -> None:
    """13 ADC clocks each, however long the instructions around take (table 23-1)."""
    long_loop = [0xD001, 0xCFFE, 0x9508]  # rcall to a ret, rjmp back: 3 + 4 + 2 cycles
    machine = machine_with([*poke((ADMUX, 0x40), (ADCSRA, 0xEA)), SEI, *long_loop], {21: [inc(18)]})
    machine.run(25 * 4 + 13 * 4 * 199 + 60)
    assert machine.registers[18] == 200


def test_back_to_back_frames_follow_without_a_gap() -> None:
    long_loop = [0xD001, 0xCFFE, 0x9508]
    refill = [*sts(UDR0, 17)]
    machine = machine_with([*poke(*UART_115200, (UCSR0B, 0x28)), SEI, *long_loop], {19: refill})
    machine.run(20 + FRAME_CYCLES * 100 + 60)
    assert len(machine.uart_transmitted()) == 100


def test_analog_voltage_reads_as_a_level_too() -> None:
    machine = machine_with([])
    machine.set_analog(0, 4.0)
    assert machine.pin_levels()[14] == 1
    machine.set_analog(0, 2.0)
    assert machine.pin_levels()[14] == 1  # between the thresholds: as before
    machine.set_analog(0, 1.0)
    assert machine.pin_levels()[14] == 0
    machine.set_analog(0, None)
    write(machine, (PORTC, 1))
    assert machine.pin_levels()[14] == 1
    with pytest.raises(ValueError, match="channel 8"):
        machine.set_analog(8, 1.0)


def test_digital_driver_is_seen_by_the_adc() -> None:
    machine = machine_with(poke((DDRC, 0)))
    machine.drive_pin(15, 1)
    write(machine, (ADMUX, 0x41), (ADCSRA, 0xC4))
    machine.run(1000)
    assert read(machine, ADCL) | read(machine, ADCH) << 8 == 1023


# EEPROM, watchdog, clock


def test_eeprom_write_needs_its_sequence_and_takes_3_4_ms() -> None:
    """Section 7.4.1 and 7.6.3."""
    machine = machine_with([])
    write(machine, (EEARL, 5), (EEDR, 0xA7))
    execute(machine, [sbi(EECR, 1)])
    assert machine.eeprom[5] == 0xFF
    execute(machine, [sbi(EECR, 2), sbi(EECR, 1)])
    assert machine.eeprom[5] == 0xA7
    start = machine.cycle_count
    while read(machine, EECR) & 2:
        pass
    assert abs(machine.cycle_count - start - 0.0034 * 16e6) < 20
    write(machine, (EEDR, 0))
    execute(machine, [sbi(EECR, 0)])
    assert read(machine, EEDR) == 0xA7


def test_eeprom_content_can_be_given() -> None:
    machine = AvrMachine(wasm_path=WASM)
    content = bytes(range(256)) * 4
    machine.eeprom = content
    machine.reset(ResetCause.POWER_ON)
    assert machine.eeprom == content
    with pytest.raises(ValueError, match="1024"):
        machine.eeprom = b"short"


WATCHDOG_ON_16_MS = [WDR, ldi(16, 0x18), *sts(WDTCSR, 16), ldi(16, 0x08), *sts(WDTCSR, 16)]


def test_watchdog_resets_after_its_time() -> None:
    """2048 cycles of 128 kHz = 16 ms (table 10-2); WDRF is set and WDE stays on (section 10.9.2)."""
    machine = machine_with([])
    execute(machine, WATCHDOG_ON_16_MS)
    start = machine.cycle_count
    resets = machine.reset_count
    while machine.reset_count == resets:
        machine.run(100)
    assert abs(machine.cycle_count - start - 256_000) < 200
    assert read(machine, MCUSR) & 0x08
    write(machine, (WDTCSR, 0x10), (WDTCSR, 0x00))
    assert read(machine, WDTCSR) & 0x08


def test_wdr_holds_the_watchdog_off() -> None:
    machine = machine_with([])
    execute(machine, WATCHDOG_ON_16_MS)
    for _ in range(10):
        machine.run(200_000)
        execute(machine, [WDR])
    assert machine.reset_count == 2


def test_watchdog_stops_only_by_its_sequence() -> None:
    machine = machine_with([])
    execute(machine, WATCHDOG_ON_16_MS)
    write(machine, (WDTCSR, 0x00))
    assert read(machine, WDTCSR) & 0x08
    execute(machine, [ldi(16, 0x18), ldi(17, 0), *sts(WDTCSR, 16), *sts(WDTCSR, 17)])
    assert read(machine, WDTCSR) == 0
    machine.run(1_000_000)
    assert machine.reset_count == 2


def test_watchdog_interrupt_mode() -> None:
    machine = machine_with([WDR, *poke((WDTCSR, 0x40)), SEI], {6: [inc(18)]})
    machine.run(256_000 * 3 + 1000)
    assert machine.registers[18] == 3


def test_clock_prescaler_needs_its_sequence() -> None:
    """Section 8.12.2."""
    machine = machine_with([])
    write(machine, (CLKPR, 3))
    assert machine.clock_divider == 1
    execute(machine, [ldi(16, 0x80), ldi(17, 3), *sts(CLKPR, 16), *sts(CLKPR, 17)])
    assert machine.clock_divider == 8


# Self-programming


def test_spm_outside_the_boot_section_does_nothing() -> None:
    machine = machine_with([])
    machine.load_flash(b"\x00" * 128, 0x3000)
    machine.registers = [*[0] * 30, 0x00, 0x30]
    execute(machine, [ldi(16, 3), out(SPMCSR, 16), 0x95E8])
    machine.run(100_000)
    assert machine.read_flash(0x3000, 128) == b"\x00" * 128


def test_signature_and_fuses_are_read_by_lpm() -> None:
    """Sections 26.2.4 and 26.2.5: LPM within three cycles of SIGRD or BLBSET."""
    machine = machine_with([])
    values = []
    for command, pointer in ((0x21, 0), (0x21, 2), (0x21, 4), (0x09, 0), (0x09, 1), (0x09, 2), (0x09, 3)):
        machine.registers = [*[0] * 30, pointer, 0]
        execute(machine, [ldi(16, command), out(SPMCSR, 16), 0x9124])  # LPM R18, Z
        values.append(machine.registers[18])
    assert values == [0x1E, 0x95, 0x0F, 0xFF, 0xCF, 0xFD, 0xDF]


# Buses


class Register8:
    """An I2C device with one register that answers reads with what was written plus one."""

    def __init__(self) -> None:
        self.value = 0
        self.log: list[str] = []

    def begin(self, *, is_read: bool) -> bool:
        self.log.append("read" if is_read else "write")
        return True

    def write(self, value: int) -> bool:
        self.value = value
        return value != 0xEE

    def read(self) -> int:
        return (self.value + 1) & 0xFF

    def end(self) -> None:
        self.log.append("end")


def twi(machine: AvrMachine, control: int, data: int | None = None) -> int:
    """One action on the bus; returns the status code (tables 21-2 and 21-3)."""
    if data is not None:
        write(machine, (TWDR, data))
    write(machine, (TWCR, control))
    for _ in range(100):
        machine.run(100)
        if read(machine, TWCR) & 0x80:
            break
    return read(machine, TWSR) & 0xF8


START, SEND, SEND_ACK, STOP = 0xA4, 0x84, 0xC4, 0x94


def test_twi_without_a_device_is_not_acknowledged() -> None:
    machine = machine_with(poke((TWBR, 72)))
    machine.run(20)
    assert twi(machine, START) == 0x08
    assert twi(machine, SEND, 0x48 << 1) == 0x20
    twi(machine, STOP)
    assert read(machine, TWCR) & 0x10 == 0
    assert twi(machine, START) == 0x08
    assert twi(machine, SEND, 0x48 << 1 | 1) == 0x48


def test_twi_device_is_written_and_read() -> None:
    machine = machine_with(poke((TWBR, 72)))
    machine.run(20)
    device = Register8()
    machine.attach_i2c(0x48, device)
    assert twi(machine, START) == 0x08
    assert twi(machine, SEND, 0x90) == 0x18
    assert twi(machine, SEND, 0x41) == 0x28
    assert twi(machine, SEND, 0xEE) == 0x30
    assert twi(machine, START) == 0x10
    assert twi(machine, SEND, 0x91) == 0x40
    assert twi(machine, SEND_ACK) == 0x50
    assert read(machine, TWDR) == 0xEF
    assert twi(machine, SEND) == 0x58
    twi(machine, STOP)
    assert device.log == ["write", "end", "read", "end"]
    machine.attach_i2c(0x48, None)
    assert twi(machine, START) == 0x08
    assert twi(machine, SEND, 0x90) == 0x20


def test_spi_exchanges_a_byte_in_eight_clocks() -> None:
    """Sections 18.3 to 18.5."""
    machine = machine_with(poke((DDRB, 0x2C), (SPCR, 0x53)))
    machine.run(20)
    machine.spi_transfer = lambda value: value ^ 0xFF
    write(machine, (SPDR, 0x35))
    machine.run(8 * 128 - 20)
    assert read(machine, SPSR) & 0x80 == 0
    machine.run(40)
    assert read(machine, SPSR) & 0x80
    assert read(machine, SPDR) == 0xCA
    assert read(machine, SPSR) & 0x80 == 0


def test_spi_without_a_device_reads_high() -> None:
    machine = machine_with(poke((DDRB, 0x2C), (SPCR, 0x50), (SPDR, 0x00)))
    machine.run(100)
    assert read(machine, SPDR) == 0xFF
