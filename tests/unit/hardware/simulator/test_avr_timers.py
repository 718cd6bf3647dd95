"""Timers of the simulated ATmega328P against the datasheet (sections 15 to 18) and a tick-by-tick model."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import pytest

from tests.unit.hardware.simulator.avr_program import (
    DDRB,
    DDRD,
    GTCCR,
    ICR1H,
    ICR1L,
    NOP,
    OCR0A,
    OCR0B,
    OCR1AH,
    OCR1AL,
    OCR1BH,
    OCR1BL,
    OCR2A,
    OCR2B,
    PIND,
    PORTB,
    SEI,
    TCCR0A,
    TCCR0B,
    TCCR1A,
    TCCR1B,
    TCCR2A,
    TCCR2B,
    TCNT0,
    TCNT1H,
    TCNT1L,
    TIFR0,
    TIFR1,
    TIMSK0,
    TIMSK1,
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
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, pulse_width_us

TOV, OCFA, OCFB, ICF = 1, 2, 4, 32


def edges_of(machine: AvrMachine, pin: int) -> list[tuple[int, int]]:
    return [(cycle, level) for cycle, edge_pin, level in machine.take_edges() if edge_pin == pin]


def high_and_period(edges: list[tuple[int, int]]) -> tuple[int, int]:
    """High time and period between the second and third rising edge."""
    rises = [cycle for cycle, level in edges if level]
    falls = [cycle for cycle, level in edges if not level and cycle > rises[1]]
    return falls[0] - rises[1], rises[2] - rises[1]


@pytest.mark.parametrize(
    ("reader", "expected"), [([in_(17, TCNT0)], 0x31), (lds(17, TCNT0), 0x32), ([NOP, in_(17, TCNT0)], 0x32)]
)
def test_counter_read_back_as_on_a_real_chip(reader: list[int], expected: int) -> None:
    """TCNT0 written by OUT, a NOP, then read, as on a physical ATmega328P (avr8js issues 36 and 40)."""
    start = [ldi(16, 1), out(TCCR0B, 16), ldi(16, 0x30), out(TCNT0, 16), NOP]
    machine = machine_with([*start, *reader])
    machine.run(40)
    assert machine.registers[17] == expected


def test_counting_starts_one_cycle_after_the_clock_is_chosen() -> None:
    """STS TCCR2B, NOP, LDS TCNT2 reads 2 on a physical ATmega328P (avr8js issue 41)."""
    machine = machine_with([ldi(16, 1), *sts(TCCR2B, 16), NOP, *lds(17, 0xB2)])
    machine.run(40)
    assert machine.registers[17] == 2


@dataclass
class TickModel:
    """One 8-bit timer, clock by clock, straight from sections 15.7 and 15.8."""

    mode: int
    compare: list[int]
    value: int = 0
    down: bool = False
    flags: int = 0
    ticks: int = 0

    @property
    def top(self) -> int:
        return self.compare[0] if self.mode in (2, 5, 7) else 0xFF

    def advance_to(self, ticks: int) -> None:
        while self.ticks < ticks:
            self.tick()
            self.ticks += 1

    def tick(self) -> None:
        before = self.value
        for channel, flag in enumerate((OCFA, OCFB)):
            if before == self.compare[channel]:
                self.flags |= flag
        if self.mode in (1, 5):
            self.tick_dual_slope()
        elif before == self.top:
            self.value = 0
            if self.mode != 2 or before == 0xFF:
                self.flags |= TOV
        elif before == 0xFF:
            self.value = 0
            if self.mode == 2:
                self.flags |= TOV
        else:
            self.value += 1

    def tick_dual_slope(self) -> None:
        if not self.down and self.value >= self.top:
            self.down = True
        if self.down and self.value == 0:
            self.down = False
            self.flags |= TOV
        if self.top != 0:
            self.value += -1 if self.down else 1


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 5, 7])
def test_counter_and_flags_follow_the_tick_model(mode: int) -> None:
    rng = random.Random(mode)
    for _ in range(12):
        compare = [rng.choice([0, 1, 3, 100, 254, 255, rng.randrange(256)]) for _ in range(2)]
        machine = machine_with([])
        # OCR0x are written in normal mode, where they take effect at once (section 15.7.3).
        write(machine, (OCR0A, compare[0]), (OCR0B, compare[1]), (TCCR0A, mode & 3), (TIFR0, 0xFF))
        write(machine, (TCCR0B, (mode & 4) << 1 | 1))
        started = machine.cycle_count - 2  # the store acts in the second cycle of STS; LOOP has not run yet
        model = TickModel(mode, compare)
        for _ in range(25):
            machine.run(rng.choice([1, 2, 7, 30, 255, 256, 511, 1000]))
            value = read(machine, TCNT0)
            target = machine.cycle_count - 1 - started - 2
            model.advance_to(target)
            assert value == model.value, (mode, compare, target)
            flags = read(machine, TIFR0)
            model.advance_to(target + 2)
            assert flags == model.flags, (mode, compare, target)
            if rng.random() < 0.3:
                cleared = rng.choice([TOV, OCFA, OCFB, 7])
                machine.registers = [*machine.registers[:16], cleared, *machine.registers[17:]]
                execute(machine, [out(TIFR0, 16)])
                model.advance_to(target + 4)  # OUT acts two cycles after LDS and holds from the next one on
                model.flags &= ~cleared


@pytest.mark.parametrize(
    ("control_a", "control_b", "compare", "high", "period"),
    [
        (0x83, 3, 64, 65 * 64, 256 * 64),  # fast PWM, clear on match: OCR + 1 of 256 (section 15.7.3)
        (0x83, 3, 0, 64, 256 * 64),  # OCR = BOTTOM: a narrow spike of one timer clock
        (0xC3, 2, 99, 156 * 8, 256 * 8),  # fast PWM, set on match: the inverse
        (0x81, 3, 64, 128 * 64, 510 * 64),  # phase correct: 2 * OCR of 510 (section 15.7.4)
        (0xC1, 1, 100, 310, 510),
    ],
)
def test_pwm_on_pin_6(control_a: int, control_b: int, compare: int, high: int, period: int) -> None:
    machine = machine_with(poke((DDRD, 0x40), (OCR0A, compare), (TCCR0A, control_a), (TCCR0B, control_b)))
    machine.run(period * 5)
    assert high_and_period(edges_of(machine, 6)) == (high, period)
    assert machine.pwm(6) == (16e6 / period, high / period)


@pytest.mark.parametrize(("control_a", "compare", "level"), [(0x83, 255, 1), (0x81, 255, 1), (0x81, 0, 0)])
def test_pwm_at_its_ends_is_constant(control_a: int, compare: int, level: int) -> None:
    machine = machine_with(poke((DDRD, 0x40), (OCR0A, compare), (TCCR0A, control_a), (TCCR0B, 1)))
    machine.run(2000)
    machine.take_edges()
    machine.run(5000)
    assert machine.pin_levels()[6] == level
    assert edges_of(machine, 6) == []
    pwm = machine.pwm(6)
    assert pwm is not None
    assert pwm[1] == level


def test_new_compare_value_waits_for_the_end_of_the_period() -> None:
    """In PWM modes OCR0x is double buffered (section 15.7.3): no period has a mixed high time."""
    machine = machine_with(poke((DDRD, 0x40), (OCR0A, 200), (TCCR0A, 0x83), (TCCR0B, 1)))
    machine.run(5000)
    machine.take_edges()
    while read(machine, TCNT0) > 50:
        machine.run(1)
    write(machine, (OCR0A, 20))
    machine.run(2000)
    edges = edges_of(machine, 6)
    highs = [b[0] - a[0] for a, b in itertools.pairwise(edges) if a[1]]
    assert set(highs) <= {201, 21}
    assert highs[-1] == 21


def test_servo_pulse_from_timer_1() -> None:
    """Mode 14, TOP = ICR1 = 39999 at clk/8: 50 Hz; OCR1A = 2999: 1500 us (section 16.9.3)."""
    # ICR1 is writable only once it is TOP (section 16.11.6), hence its second writing.
    setup = poke(
        (DDRB, 0x02), (ICR1H, 39999 >> 8), (ICR1L, 39999 & 0xFF), (OCR1AH, 2999 >> 8), (OCR1AL, 2999 & 0xFF),
        (TCCR1A, 0x82), (TCCR1B, 0x1A),
    )  # fmt: skip
    late_icr = poke((ICR1H, 39999 >> 8), (ICR1L, 39999 & 0xFF))
    machine = machine_with([*setup, *late_icr])
    machine.run(16_000_000 // 10)
    edges = machine.take_edges()
    assert pulse_width_us(edges, 9) == 1500
    assert machine.pwm(9) == (50.0, 3000 / 40000)


def test_phase_and_frequency_correct_mode() -> None:
    """Mode 8 with ICR1 = 1000, OCR1B = 250: period 2 * TOP, high 2 * OCR (section 16.9.5)."""
    machine = machine_with(
        poke(
            (DDRB, 0x04), (TCCR1B, 0x10), (ICR1H, 0x03), (ICR1L, 0xE8), (OCR1BH, 0), (OCR1BL, 250),
            (TCCR1A, 0x20), (TCCR1B, 0x11),
        )
    )  # fmt: skip
    machine.run(20_000)
    assert high_and_period(edges_of(machine, 10)) == (500, 2000)
    assert machine.pwm(10) == (8000.0, 0.25)


def test_ctc_toggles_pin_11() -> None:
    """f = clk / (2 * N * (1 + OCR2A)) (section 18.7.2); 440 Hz needs N = 128, OCR2A = 141."""
    machine = machine_with(poke((DDRB, 0x08), (OCR2A, 141), (TCCR2A, 0x42), (TCCR2B, 0x05)))
    machine.run(1_000_000)
    half = 128 * 142
    assert high_and_period(edges_of(machine, 11)) == (half, 2 * half)
    assert machine.pwm(11) == (16e6 / (2 * half), 0.5)


def test_no_pwm_without_output_direction_clock_or_mode() -> None:
    machine = machine_with(poke((OCR0B, 10), (TCCR0A, 0x23), (TCCR0B, 1)))
    machine.run(1000)
    assert machine.pwm(5) is None
    write(machine, (DDRD, 0x20))
    assert machine.pwm(5) == (62500.0, 11 / 256)
    write(machine, (TCCR0B, 0))
    assert machine.pwm(5) is None
    assert machine.pwm(2) is None


def test_overflow_interrupt_comes_every_1024_microseconds() -> None:
    """Timer 0 as the Arduino core sets it: clk/64, fast PWM (section 15.7.3)."""
    machine = machine_with([*poke((TCCR0A, 3), (TCCR0B, 3), (TIMSK0, 1)), SEI], {16: [inc(18)]})
    machine.run(16_384 * 100 + 200)
    assert machine.registers[18] == 100
    assert read(machine, TIFR0) & TOV == 0


def test_compare_interrupt_runs_once_per_match() -> None:
    machine = machine_with([*poke((OCR0A, 99), (TCCR0A, 2), (TCCR0B, 2), (TIMSK0, 2)), SEI], {14: [inc(18)]})
    machine.run(800 * 50 + 100)
    assert machine.registers[18] == 50


def test_flags_are_cleared_by_one_and_by_sbi_alone() -> None:
    """SBI touches only the named bit on this chip (section 30, note 3)."""
    machine = machine_with(poke((OCR0A, 1), (OCR0B, 2), (TCCR0B, 1)))
    machine.run(600)
    write(machine, (TCCR0B, 0))
    assert read(machine, TIFR0) == TOV | OCFA | OCFB
    execute(machine, [sbi(TIFR0, 1)])
    assert read(machine, TIFR0) == TOV | OCFB
    write(machine, (TIFR0, TOV))
    assert read(machine, TIFR0) == OCFB


def test_high_byte_goes_through_temp() -> None:
    """Section 16.3: the low byte's access takes or gives both bytes at once."""
    machine = machine_with(poke((TCNT1H, 0x12)))
    machine.run(40)
    assert read(machine, TCNT1L) == 0
    write(machine, (TCNT1H, 0x12), (TCNT1L, 0x34))
    assert (read(machine, TCNT1L), read(machine, TCNT1H)) == (0x34, 0x12)
    write(machine, (OCR1AH, 0xAB), (OCR1AL, 0xCD))
    assert (read(machine, OCR1AL), read(machine, OCR1AH)) == (0xCD, 0xAB)


def test_input_capture_on_the_chosen_edge() -> None:
    machine = machine_with(poke((TCCR1B, 0x41)))
    machine.run(500)
    machine.drive_pin(8, 1)
    captured = read(machine, ICR1L) | read(machine, ICR1H) << 8
    assert abs(captured - 490) < 15
    assert read(machine, TIFR1) & ICF
    machine.run(300)
    machine.drive_pin(8, 0)
    assert read(machine, ICR1L) | read(machine, ICR1H) << 8 == captured


def test_external_clock_counts_edges_of_t0() -> None:
    machine = machine_with(poke((TCCR0B, 7)))
    machine.run(50)
    for _ in range(5):
        machine.drive_pin(4, 1)
        machine.run(10)
        machine.drive_pin(4, 0)
        machine.run(10)
    assert read(machine, TCNT0) == 5


def test_prescalers_are_held_and_released_together() -> None:
    """TSM with PSRSYNC stops prescaled timers 0 and 1 (section 17.4.1)."""
    machine = machine_with(poke((GTCCR, 0x81), (TCCR0B, 3), (TCCR1B, 3)))
    machine.run(5000)
    assert (read(machine, TCNT0), read(machine, TCNT1L)) == (0, 0)
    write(machine, (GTCCR, 0))
    released = machine.cycle_count
    machine.run(64 * 10)
    count = (machine.cycle_count + 2 - released) // 64
    assert read(machine, TCNT0) == count
    assert read(machine, TCNT1L) == count


def test_prescaler_is_shared_and_free_running() -> None:
    """The first tick of a prescaled timer depends on when it is started (section 17.2)."""
    first_ticks = set()
    for delay in range(0, 64, 7):
        machine = machine_with([*[NOP] * delay, *poke((TCCR0B, 3))])
        start = machine.cycle_count
        while read(machine, TCNT0) == 0 and machine.cycle_count - start < 500:
            machine.run(1)
        first_ticks.add((machine.cycle_count - start) // 3 * 3)
    assert max(first_ticks) - min(first_ticks) < 70


def test_force_compare_changes_the_pin_without_a_flag() -> None:
    machine = machine_with(poke((DDRD, 0x40), (TCCR0A, 0xC0), (TCCR0B, 0x80)))
    machine.run(50)
    assert machine.pin_levels()[6] == 1
    assert read(machine, TIFR0) & OCFA == 0


def test_power_reduction_stops_timer_1() -> None:
    machine = machine_with(poke((TCCR1B, 1), (0x64, 0x08)))
    machine.run(100)
    first = read(machine, TCNT1L)
    machine.run(1000)
    assert read(machine, TCNT1L) == first


def test_timer_1_modes_give_the_frequency_of_table_16_4() -> None:
    fixed_tops = {1: 0xFF, 2: 0x1FF, 3: 0x3FF, 5: 0xFF, 6: 0x1FF, 7: 0x3FF}
    for mode, top in fixed_tops.items():
        period = 2 * top if mode < 4 else top + 1
        control_a, control_b = 0x80 | mode & 3, (mode & 0x0C) << 1 | 1
        machine = machine_with(
            poke((DDRB, 2), (TCCR1A, control_a), (TCCR1B, control_b), (OCR1AH, 0), (OCR1AL, top // 4))
        )
        machine.run(period * 6)
        high = top // 4 * 2 if mode < 4 else top // 4 + 1
        assert high_and_period(edges_of(machine, 9)) == (high, period), mode
        assert machine.pwm(9) == (16e6 / period, high / period)


def test_interrupt_at_a_match_while_a_pin_is_driven_by_the_same_timer() -> None:
    machine = machine_with(
        [*poke((DDRD, 0x40), (OCR0A, 10), (OCR0B, 100), (TCCR0A, 0x83), (TCCR0B, 1), (TIMSK0, 4)), SEI],
        {15: [inc(18)]},
    )
    machine.run(256 * 40 + 50)
    assert machine.registers[18] in (39, 40)
    assert machine.pwm(6) == (62500.0, 11 / 256)


def test_pins_of_an_unused_timer_stay_ports() -> None:
    machine = machine_with(poke((DDRB, 2), (PORTB, 2), (TCCR1B, 1), (TIMSK1, 0)))
    machine.run(100)
    assert machine.pin_levels()[9] == 1
    write(machine, (PORTB, 0), (OCR2B, 1))
    assert machine.pin_levels()[9] == 0
    assert read(machine, PIND) == 1  # RXD alone is held high from outside
