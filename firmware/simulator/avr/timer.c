/* Registers, interrupts and pins of timer/counters 0, 1 and 2.
 *
 * Source: ATmega328P datasheet sections 15 (8-bit timer 0), 16 (16-bit timer 1), 17 (prescaler) and 18 (timer 2; its
 * asynchronous 32 kHz mode is not modelled, the board has no such crystal).
 */
#include "timer.h"

enum { TSM = 1 << 7, PSRASY = 1 << 1, PSRSYNC = 1 << 0 };
enum { ADC_AUTO_TRIGGER = 0xA0 }; /* ADEN and ADATE in ADCSRA */

Timer timers[3];
static uint8_t high_byte; /* TEMP of timer 1, section 16.3 */

static const Waveform WAVEFORMS_8_BIT[8] = {
    {MODE_NORMAL, TOP_FIXED, 0xFF, true},    {MODE_PHASE, TOP_FIXED, 0xFF, false},
    {MODE_CTC, TOP_COMPARE_A, 0, true},      {MODE_FAST, TOP_FIXED, 0xFF, false},
    {MODE_NORMAL, TOP_FIXED, 0xFF, true},    {MODE_PHASE, TOP_COMPARE_A, 0, true},
    {MODE_NORMAL, TOP_FIXED, 0xFF, true},    {MODE_FAST, TOP_COMPARE_A, 0, true},
};
static const Waveform WAVEFORMS_16_BIT[16] = {
    {MODE_NORMAL, TOP_FIXED, 0xFFFF, true},          {MODE_PHASE, TOP_FIXED, 0x00FF, false},
    {MODE_PHASE, TOP_FIXED, 0x01FF, false},          {MODE_PHASE, TOP_FIXED, 0x03FF, false},
    {MODE_CTC, TOP_COMPARE_A, 0, true},              {MODE_FAST, TOP_FIXED, 0x00FF, false},
    {MODE_FAST, TOP_FIXED, 0x01FF, false},           {MODE_FAST, TOP_FIXED, 0x03FF, false},
    {MODE_PHASE_FREQUENCY, TOP_CAPTURE, 0, true},    {MODE_PHASE_FREQUENCY, TOP_COMPARE_A, 0, true},
    {MODE_PHASE, TOP_CAPTURE, 0, true},              {MODE_PHASE, TOP_COMPARE_A, 0, true},
    {MODE_CTC, TOP_CAPTURE, 0, true},                {MODE_NORMAL, TOP_FIXED, 0xFFFF, true},
    {MODE_FAST, TOP_CAPTURE, 0, true},               {MODE_FAST, TOP_COMPARE_A, 0, true},
};

/* Prescalers as log2, tables 15-9 and 18-9. */
static const int8_t CLOCKS_0_1[8] = {CLOCK_STOPPED, 0, 3, 6, 8, 10, CLOCK_EXTERNAL_FALLING, CLOCK_EXTERNAL_RISING};
static const int8_t CLOCKS_2[8] = {CLOCK_STOPPED, 0, 3, 5, 6, 7, 8, 10};

static const uint8_t CONTROL_A[3] = {TCCR0A, TCCR1A, TCCR2A};
static const uint8_t CONTROL_B[3] = {TCCR0B, TCCR1B, TCCR2B};
static const uint8_t FIRST_VECTOR[3] = {VECTOR_TIMER0_COMPA, VECTOR_TIMER1_COMPA, VECTOR_TIMER2_COMPA};
static const uint8_t POWER_REDUCTION[3] = {1 << 5, 1 << 3, 1 << 6};

/* Compare outputs: OC0A = PD6, OC0B = PD5, OC1A = PB1, OC1B = PB2, OC2A = PB3, OC2B = PD3. */
static const struct {
    uint8_t port, mask, arduino_pin;
} OUTPUTS[3][CHANNEL_COUNT] = {
    {{PORT_D, 1 << 6, 6}, {PORT_D, 1 << 5, 5}},
    {{PORT_B, 1 << 1, 9}, {PORT_B, 1 << 2, 10}},
    {{PORT_B, 1 << 3, 11}, {PORT_D, 1 << 3, 3}},
};

static void update_pending(uint32_t index) {
    uint8_t raised = cpu.data[TIFR0 + index] & cpu.data[TIMSK0 + index];
    set_pending(FIRST_VECTOR[index], raised & TIMER_MATCH_A);
    set_pending(FIRST_VECTOR[index] + 1u, raised & TIMER_MATCH_B);
    set_pending(FIRST_VECTOR[index] + 2u, raised & TIMER_OVERFLOW);
    if (index == 1) set_pending(VECTOR_TIMER1_CAPT, raised & TIMER_CAPTURE);
}

void timer_raise(Timer *timer, uint8_t flag) {
    uint8_t *flags = &cpu.data[TIFR0 + timer->index];
    if (*flags & flag) return;
    *flags |= flag;
    update_pending(timer->index);
    if (timer->index == 0 && flag == TIMER_MATCH_A) adc_trigger(TRIGGER_T0_COMPA);
    if (timer->index == 0 && flag == TIMER_OVERFLOW) adc_trigger(TRIGGER_T0_OVF);
    if (timer->index == 1 && flag == TIMER_MATCH_B) adc_trigger(TRIGGER_T1_COMPB);
    if (timer->index == 1 && flag == TIMER_OVERFLOW) adc_trigger(TRIGGER_T1_OVF);
    if (timer->index == 1 && flag == TIMER_CAPTURE) adc_trigger(TRIGGER_T1_CAPT);
}

bool timer_is_connected(const Timer *timer, uint32_t channel) {
    uint8_t mode = timer->output_mode[channel];
    if (mode == 1 && timer_is_pwm(timer)) return channel == CHANNEL_A && timer->waveform.toggles_a;
    return mode != 0;
}

static bool drives_pin(const Timer *timer, uint32_t channel) {
    return timer_is_connected(timer, channel) &&
           gpio_is_output((Port)OUTPUTS[timer->index][channel].port, OUTPUTS[timer->index][channel].mask);
}

static void connect_output(Timer *timer, uint32_t channel, uint64_t cycle) {
    Port port = (Port)OUTPUTS[timer->index][channel].port;
    uint8_t mask = OUTPUTS[timer->index][channel].mask;
    if (timer_is_connected(timer, channel))
        gpio_override(port, mask, timer->output_level[channel] ? mask : 0, false);
    else
        gpio_override_release(port, mask);
    gpio_update(port, cycle);
}

void timer_set_output(Timer *timer, uint32_t channel, bool level, uint64_t cycle) {
    if (timer->output_level[channel] == level) return;
    timer->output_level[channel] = level;
    if (timer_is_connected(timer, channel)) connect_output(timer, channel, cycle);
}

/* Events are wanted only for what somebody can see: an interrupt, a driven pin, a trigger of the ADC. */
void timer_reschedule(uint32_t index) {
    Timer *timer = &timers[index];
    uint8_t enabled = cpu.data[TIMSK0 + index];
    bool is_trigger = index < 2 && (cpu.data[ADCSRA] & ADC_AUTO_TRIGGER) == ADC_AUTO_TRIGGER;
    bool drives_a = drives_pin(timer, CHANNEL_A), drives_b = drives_pin(timer, CHANNEL_B);
    EventSource source = (EventSource)(EVENT_TIMER0 + index);
    if (timer->clock_shift < 0 || !(enabled || is_trigger || drives_a || drives_b)) {
        cpu.due[source] = NEVER;
        return;
    }
    bool want_a = (enabled & TIMER_MATCH_A) || is_trigger || drives_a;
    bool want_b = (enabled & TIMER_MATCH_B) || is_trigger || drives_b;
    uint64_t ticks = timer_ticks_to_change(timer, want_a, want_b);
    schedule(source, timer_last_tick(timer) + (ticks << timer->clock_shift));
}

void timer_event(uint32_t index) {
    timer_sync(&timers[index], cpu.cycle);
    timer_reschedule(index);
}

void timer_acknowledge(uint32_t vector) {
    uint32_t index = vector >= VECTOR_TIMER0_COMPA ? 0 : vector >= VECTOR_TIMER1_CAPT ? 1 : 2;
    static const uint8_t flags[3] = {TIMER_MATCH_A, TIMER_MATCH_B, TIMER_OVERFLOW};
    uint8_t flag = vector == VECTOR_TIMER1_CAPT ? TIMER_CAPTURE : flags[vector - FIRST_VECTOR[index]];
    timer_sync(&timers[index], cpu.cycle);
    cpu.data[TIFR0 + index] &= (uint8_t)~flag;
    update_pending(index);
}

void timer_external_edge(uint32_t index, bool rising) {
    Timer *timer = &timers[index];
    if (timer->clock_shift == (rising ? CLOCK_EXTERNAL_RISING : CLOCK_EXTERNAL_FALLING))
        timer_clock_step(timer, cpu.cycle);
}

/* ICP1; the edge is chosen by ICES1 (bit 6 of TCCR1B), section 16.6. ICR1 as TOP disconnects the pin. */
void timer_capture_edge(bool rising) {
    Timer *timer = &timers[1];
    if (timer->waveform.top_source == TOP_CAPTURE || rising != (cpu.data[TCCR1B] >> 6 & 1)) return;
    timer_sync(timer, cpu.cycle);
    timer->capture = timer->counter;
    timer_raise(timer, TIMER_CAPTURE);
}

static void update_clock(uint32_t index) {
    uint8_t select = cpu.data[CONTROL_B[index]] & 7, held = cpu.data[GTCCR];
    uint8_t hold_mask = index == 2 ? PSRASY : PSRSYNC;
    Timer *timer = &timers[index];
    timer->clock_shift = (index == 2 ? CLOCKS_2 : CLOCKS_0_1)[select];
    if ((held & TSM) && (held & hold_mask) && timer->clock_shift > 0) timer->clock_shift = CLOCK_STOPPED;
    if (cpu.data[PRR] & POWER_REDUCTION[index]) timer->clock_shift = CLOCK_STOPPED;
}

static void update_mode(uint32_t index) {
    Timer *timer = &timers[index];
    uint8_t a = cpu.data[CONTROL_A[index]], b = cpu.data[CONTROL_B[index]];
    if (index == 1)
        timer->waveform = WAVEFORMS_16_BIT[(a & 3) | (b >> 1 & 0x0C)];
    else
        timer->waveform = WAVEFORMS_8_BIT[(a & 3) | (b >> 1 & 0x04)];
    timer->output_mode[CHANNEL_A] = a >> 6;
    timer->output_mode[CHANNEL_B] = a >> 4 & 3;
    if (!timer_is_dual_slope(timer)) timer->is_counting_down = false;
    if (!timer_is_pwm(timer)) timer_load_compare(timer);
    update_clock(index);
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++) connect_output(timer, channel, cpu.cycle);
}

/* FOCxA (bit 7) and FOCxB (bit 6): the output changes as at a match, without a flag; not in PWM modes. */
static void force_compare(Timer *timer, uint8_t strobes) {
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        uint8_t mode = timer->output_mode[channel];
        if (timer_is_pwm(timer) || mode == 0 || !(strobes & (0x80 >> channel))) continue;
        timer_set_output(timer, channel, mode == 1 ? !timer->output_level[channel] : mode == 3, cpu.cycle);
    }
}

static void write_compare(Timer *timer, uint32_t channel, uint32_t value) {
    timer->compare_buffer[channel] = value;
    if (!timer_is_pwm(timer)) timer->compare[channel] = value;
}

static void write_counter(Timer *timer, uint32_t value) {
    timer->counter = value;
    timer->is_match_blocked = true;
}

/* TSM keeps the strobed prescalers at zero until it is cleared; without it they restart at once (section 17.4). */
static void write_prescaler_control(uint8_t value) {
    uint8_t held = value & (TSM | PSRASY | PSRSYNC), restarted = held | cpu.data[GTCCR];
    if (restarted & PSRSYNC) prescaler_restart(false, cpu.cycle + 1);
    if (restarted & PSRASY) prescaler_restart(true, cpu.cycle + 1);
    cpu.data[GTCCR] = (value & TSM) ? held : 0;
    for (uint32_t index = 0; index < 3; index++) update_clock(index);
}

static uint32_t index_of(uint32_t address) {
    if (address >= TCCR2A || address == TIFR2 || address == TIMSK2) return 2;
    return address >= TCCR1A || address == TIFR1 || address == TIMSK1 ? 1 : 0;
}

static void write_timer_1(Timer *timer, uint32_t address, uint8_t value) {
    uint32_t wide = (uint32_t)high_byte << 8 | value;
    switch (address) {
    case TCCR1C: force_compare(timer, value); break;
    case TCNT1H: case ICR1H: case OCR1AH: case OCR1BH: high_byte = value; break;
    case TCNT1L: write_counter(timer, wide); break;
    case ICR1L: if (timer->waveform.top_source == TOP_CAPTURE) timer->capture = wide; break;
    case OCR1AL: write_compare(timer, CHANNEL_A, wide); set_pair(OCR1AL, wide); break;
    case OCR1BL: write_compare(timer, CHANNEL_B, wide); set_pair(OCR1BL, wide); break;
    default: break;
    }
}

static void write_register(uint32_t index, uint32_t address, uint8_t value) {
    Timer *timer = &timers[index];
    switch (address) {
    case TIFR0: case TIFR1: case TIFR2: cpu.data[address] &= (uint8_t)~value; break;
    case TIMSK0: case TIMSK2: cpu.data[address] = value & 0x07; break;
    case TIMSK1: cpu.data[address] = value & 0x27; break;
    case TCCR0A: case TCCR2A: case TCCR1A: cpu.data[address] = value & 0xF3; update_mode(index); break;
    case TCCR0B: case TCCR2B:
        cpu.data[address] = value & 0x0F;
        update_mode(index);
        force_compare(timer, value);
        break;
    case TCCR1B: cpu.data[address] = value & 0xDF; update_mode(index); break;
    case TCNT0: case TCNT2: write_counter(timer, value); break;
    case OCR0A: case OCR2A: write_compare(timer, CHANNEL_A, value); cpu.data[address] = value; break;
    case OCR0B: case OCR2B: write_compare(timer, CHANNEL_B, value); cpu.data[address] = value; break;
    default: write_timer_1(timer, address, value); break;
    }
}

void timer_write(uint32_t address, uint8_t value) {
    if (address == GTCCR) {
        for (uint32_t index = 0; index < 3; index++) timer_sync(&timers[index], cpu.cycle + 1);
        write_prescaler_control(value);
        for (uint32_t index = 0; index < 3; index++) timer_reschedule(index);
        return;
    }
    uint32_t index = index_of(address);
    timer_sync(&timers[index], cpu.cycle + 1);
    write_register(index, address, value);
    update_pending(index);
    timer_reschedule(index);
}

uint8_t timer_read(uint32_t address) {
    Timer *timer = &timers[index_of(address)];
    timer_sync(timer, cpu.cycle);
    switch (address) {
    case TCNT0: case TCNT2: return (uint8_t)timer->counter;
    case TCNT1L: high_byte = (uint8_t)(timer->counter >> 8); return (uint8_t)timer->counter;
    case ICR1L: high_byte = (uint8_t)(timer->capture >> 8); return (uint8_t)timer->capture;
    case TCNT1H: case ICR1H: return high_byte;
    default: return cpu.data[address];
    }
}

/* PRR has been written: a timer whose bit is set has no clock (section 9.11.2). */
void timers_power_changed(void) {
    for (uint32_t index = 0; index < 3; index++) {
        timer_sync(&timers[index], cpu.cycle + 1);
        update_clock(index);
        timer_reschedule(index);
    }
}

void timers_reset(void) {
    for (uint32_t index = 0; index < 3; index++) {
        timers[index] = (Timer){.index = index, .maximum = index == 1 ? 0xFFFF : 0xFF};
        timers[index].synced_at = cpu.cycle;
        update_mode(index);
    }
    prescaler_restart(false, cpu.cycle);
    prescaler_restart(true, cpu.cycle);
    high_byte = 0;
}

/* The clock of the timers stood still for that long. */
void timers_shift(uint64_t duration) {
    for (uint32_t index = 0; index < 3; index++) timers[index].synced_at += duration;
    prescaler_shift(duration);
}

static uint64_t high_ticks(const Timer *timer, uint32_t channel, uint64_t period) {
    uint64_t compare = timer->compare[channel];
    uint64_t high = timer_is_dual_slope(timer) ? 2 * compare : compare + 1;
    if (high > period) high = period;
    return timer->output_mode[channel] == 3 ? period - high : high;
}

/* Period and high time of the signal that a timer puts on an Arduino pin; false when none does. */
bool timer_pwm(uint32_t arduino_pin, uint64_t *period_cycles, uint64_t *high_cycles) {
    for (uint32_t index = 0; index < 3; index++) {
        for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++) {
            Timer *timer = &timers[index];
            if (OUTPUTS[index][channel].arduino_pin != arduino_pin) continue;
            uint8_t mode = timer->output_mode[channel];
            if (timer->clock_shift < 0 || !drives_pin(timer, channel)) return false;
            if (mode != 1 && !timer_is_pwm(timer)) return false;
            timer_sync(timer, cpu.cycle);
            uint64_t ticks = timer_period_ticks(timer);
            *period_cycles = (mode == 1 ? 2 * ticks : ticks) << timer->clock_shift;
            *high_cycles = (mode == 1 ? ticks : high_ticks(timer, channel, ticks)) << timer->clock_shift;
            return true;
        }
    }
    return false;
}
