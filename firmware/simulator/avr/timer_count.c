/* How the counters count: from one value at which something happens to the next, never tick by tick.
 *
 * Source: ATmega328P datasheet sections 15.7 to 15.8, 16.9 to 16.10, 18.7 to 18.8 (modes and timing diagrams) and 17
 * (prescalers). A flag is set by the timer clock that moves the counter away from the value in question (figures
 * 15-9 to 15-11).
 */
#include "timer.h"

static uint64_t prescaler_base[2]; /* when the prescaler of timers 0 and 1, and that of timer 2, was last zero */

bool timer_is_dual_slope(const Timer *timer) { return timer->waveform.mode >= MODE_PHASE; }

bool timer_is_pwm(const Timer *timer) { return timer->waveform.mode >= MODE_FAST; }

uint32_t timer_top(const Timer *timer) {
    switch (timer->waveform.top_source) {
    case TOP_COMPARE_A: return timer->compare[CHANNEL_A];
    case TOP_CAPTURE: return timer->capture;
    default: return timer->waveform.fixed_top;
    }
}

uint64_t timer_period_ticks(const Timer *timer) {
    uint32_t top = timer_top(timer);
    if (timer_is_dual_slope(timer)) return top == 0 ? 1 : 2ull * top;
    return 1ull + top;
}

void prescaler_restart(bool is_asynchronous, uint64_t now) { prescaler_base[is_asynchronous] = now; }

void prescaler_shift(uint64_t duration) {
    prescaler_base[0] += duration;
    prescaler_base[1] += duration;
}

static uint64_t ticks_since_base(const Timer *timer, uint64_t now) {
    return (now - prescaler_base[timer->index == 2]) >> timer->clock_shift;
}

uint64_t timer_last_tick(const Timer *timer) {
    return prescaler_base[timer->index == 2] + (ticks_since_base(timer, timer->synced_at) << timer->clock_shift);
}

/* Timer clocks until the counter has left the next value that matters; compare values count when wanted. */
uint32_t timer_ticks_to_change(const Timer *timer, bool want_a, bool want_b) {
    uint32_t value = timer->counter, a = timer->compare[CHANNEL_A], b = timer->compare[CHANNEL_B];
    if (timer->is_counting_down) {
        uint32_t next = 0;
        if (want_a && a <= value && a > next) next = a;
        if (want_b && b <= value && b > next) next = b;
        return value - next + 1;
    }
    uint32_t top = timer_top(timer), next = top >= value ? top : timer_is_dual_slope(timer) ? value : timer->maximum;
    if (want_a && a >= value && a < next) next = a;
    if (want_b && b >= value && b < next) next = b;
    return next - value + 1;
}

void timer_load_compare(Timer *timer) {
    timer->compare[CHANNEL_A] = timer->compare_buffer[CHANNEL_A];
    timer->compare[CHANNEL_B] = timer->compare_buffer[CHANNEL_B];
}

/* The effect of a compare match at value on the output, tables 15-2 to 15-7 and their like. In fast PWM a match at TOP
 * gives way to what happens at BOTTOM in the same timer clock: the output stays constant (section 15.7.3). */
static void match_output(Timer *timer, uint32_t channel, uint32_t value, uint64_t now) {
    uint8_t mode = timer->output_mode[channel];
    if (mode == 0) return;
    if (mode > 1 && timer->waveform.mode == MODE_FAST && value == timer_top(timer)) return;
    bool level = mode == 1 ? !timer->output_level[channel] : mode == 3;
    if (mode > 1 && timer_is_dual_slope(timer) && timer->is_counting_down) level = !level;
    timer_set_output(timer, channel, level, now);
}

static void bottom_outputs(Timer *timer, uint64_t now) {
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++)
        if (timer->output_mode[channel] > 1)
            timer_set_output(timer, channel, timer->output_mode[channel] == 2, now);
}

static void step_single_slope(Timer *timer, uint32_t value, uint64_t now) {
    uint8_t mode = timer->waveform.mode;
    if (value == timer_top(timer)) {
        timer->counter = 0;
        if (mode != MODE_CTC || value == timer->maximum) timer_raise(timer, TIMER_OVERFLOW);
        if (timer->waveform.top_source == TOP_CAPTURE) timer_raise(timer, TIMER_CAPTURE);
        if (mode == MODE_FAST) {
            timer_load_compare(timer);
            bottom_outputs(timer, now);
        }
    } else if (value == timer->maximum) {
        timer->counter = 0;
        if (mode != MODE_FAST) timer_raise(timer, TIMER_OVERFLOW);
    } else {
        timer->counter = value + 1;
    }
}

static void turn_dual_slope(Timer *timer, uint32_t value) {
    if (!timer->is_counting_down && value >= timer_top(timer)) {
        timer->is_counting_down = true;
        if (timer->waveform.top_source == TOP_CAPTURE) timer_raise(timer, TIMER_CAPTURE);
        if (timer->waveform.mode == MODE_PHASE) timer_load_compare(timer);
    }
    if (timer->is_counting_down && value == 0) {
        timer->is_counting_down = false;
        timer_raise(timer, TIMER_OVERFLOW);
        if (timer->waveform.mode == MODE_PHASE_FREQUENCY) timer_load_compare(timer);
    }
}

/* One timer clock at time now. */
void timer_clock_step(Timer *timer, uint64_t now) {
    uint32_t value = timer->counter;
    bool matches[CHANNEL_COUNT];
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++)
        matches[channel] = value == timer->compare[channel] && !timer->is_match_blocked;
    timer->is_match_blocked = false;
    if (timer_is_dual_slope(timer)) turn_dual_slope(timer, value);
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        if (!matches[channel]) continue;
        timer_raise(timer, channel == CHANNEL_A ? TIMER_MATCH_A : TIMER_MATCH_B);
        match_output(timer, channel, value, now);
    }
    if (!timer_is_dual_slope(timer))
        step_single_slope(timer, value, now);
    else if (timer->is_counting_down)
        timer->counter = value - 1;
    else
        timer->counter = timer_top(timer) == 0 ? 0 : value + 1;
}

/* Nothing new can happen in the third of three equal periods, so a long pause is cut short. */
static uint64_t without_idle_periods(const Timer *timer, uint64_t ticks) {
    uint64_t period = timer_period_ticks(timer), limit = 2 * (timer->maximum + 1ull) + 4 * period;
    if (ticks <= limit) return ticks;
    return ticks - (ticks - limit) / (2 * period) * (2 * period);
}

void timer_sync(Timer *timer, uint64_t now) {
    if (now <= timer->synced_at) return;
    if (timer->clock_shift < 0) {
        timer->synced_at = now;
        return;
    }
    uint64_t origin = timer_last_tick(timer);
    uint64_t ticks = ticks_since_base(timer, now) - ticks_since_base(timer, timer->synced_at);
    uint64_t kept = without_idle_periods(timer, ticks);
    origin += (ticks - kept) << timer->clock_shift;
    timer->synced_at = now;
    while (kept > 0) {
        uint32_t distance = timer_ticks_to_change(timer, true, true);
        uint32_t plain = distance > kept ? (uint32_t)kept : distance - 1;
        timer->counter += timer->is_counting_down ? 0 - plain : plain;
        if (plain > 0) timer->is_match_blocked = false;
        kept -= plain;
        origin += (uint64_t)plain << timer->clock_shift;
        if (kept == 0) break;
        origin += 1ull << timer->clock_shift;
        timer_clock_step(timer, origin);
        kept--;
    }
}
