/* State of one timer/counter, shared by timer.c (registers, interrupts, pins) and timer_count.c (counting). */
#ifndef AVR_TIMER_H
#define AVR_TIMER_H

#include "machine.h"

typedef enum { MODE_NORMAL, MODE_CTC, MODE_FAST, MODE_PHASE, MODE_PHASE_FREQUENCY } CountMode;
typedef enum { TOP_FIXED, TOP_COMPARE_A, TOP_CAPTURE } TopSource;
enum { CHANNEL_A, CHANNEL_B, CHANNEL_COUNT };
enum { CLOCK_STOPPED = -1, CLOCK_EXTERNAL_FALLING = -2, CLOCK_EXTERNAL_RISING = -3 };

/* One row of the waveform generation tables 15-8, 16-4 and 18-8. */
typedef struct {
    uint8_t mode;
    uint8_t top_source;
    uint16_t fixed_top;
    bool toggles_a; /* COMxA = 1 toggles OCxA although this is a PWM mode */
} Waveform;

typedef struct {
    uint32_t index;
    Waveform waveform;
    uint32_t maximum; /* 0xFF or 0xFFFF */
    uint32_t counter;
    bool is_counting_down;
    bool is_match_blocked; /* a write to TCNT blocks compare matches on the next timer clock */
    uint32_t compare[CHANNEL_COUNT], compare_buffer[CHANNEL_COUNT];
    uint32_t capture;
    int32_t clock_shift; /* log2 of the prescaler, or one of CLOCK_... */
    uint64_t synced_at;  /* the counter is right for this time */
    uint8_t output_mode[CHANNEL_COUNT]; /* COMxA and COMxB */
    bool output_level[CHANNEL_COUNT];
} Timer;

extern Timer timers[3];

/* timer_count.c */
bool timer_is_dual_slope(const Timer *timer);
bool timer_is_pwm(const Timer *timer);
uint32_t timer_top(const Timer *timer);
uint64_t timer_period_ticks(const Timer *timer);
uint64_t timer_last_tick(const Timer *timer);
uint32_t timer_ticks_to_change(const Timer *timer, bool want_a, bool want_b);
void timer_sync(Timer *timer, uint64_t now);
void timer_clock_step(Timer *timer, uint64_t now);
void timer_load_compare(Timer *timer);
void prescaler_restart(bool is_asynchronous, uint64_t now);
void prescaler_shift(uint64_t duration);

/* timer.c */
enum { TIMER_OVERFLOW = 1 << 0, TIMER_MATCH_A = 1 << 1, TIMER_MATCH_B = 1 << 2, TIMER_CAPTURE = 1 << 5 };
void timer_raise(Timer *timer, uint8_t flag);
bool timer_is_connected(const Timer *timer, uint32_t channel);
void timer_set_output(Timer *timer, uint32_t channel, bool level, uint64_t cycle);

#endif
