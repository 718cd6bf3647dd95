"""The USART, ADC, EEPROM, watchdog, SPM and buses of the simulated ATmega328P, against the datasheet."""

from __future__ import annotations

import pytest

from tests.unit.hardware.simulator.avr_program import (
    ADCH,
    ADCL,
    ADCSRA,
    ADMUX,
    CLKPR,
    DDRB,
    DDRC,
    EEARL,
    EECR,
    EEDR,
    MCUSR,
    PORTC,
    SEI,
    SPCR,
    SPDR,
    SPMCSR,
    SPSR,
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
    execute,
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
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, ResetCause

UART_115200 = ((UBRR0L, 16), (UCSR0A, 0x02), (UCSR0B, 0x18))
BIT_CYCLES = 8 * 17
FRAME_CYCLES = 10 * BIT_CYCLES


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
    machine.run(round(0.0034 * 16e6) - 20)
    assert read(machine, EECR) & 2
    machine.run(20)
    assert read(machine, EECR) & 2 == 0
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
