/*
 * PWM and servo pulses of the ATmega2560 (data sheet sections 16, 17 and 20).
 *
 * timer 0: the clock, and PWM on pins 4 and 13 at 976.6 Hz (fast PWM, clock / 64).
 * timers 1, 3, 4, 5: PWM on their three pins at 490.2 Hz (phase correct, 8 bits, clock / 64), or servo pulses, 50 Hz.
 * timer 2: PWM on pins 9 and 10 at 490.2 Hz, or a tone (tone.c).
 * A timer serves one use at a time; asking for another is ZC_CONFLICT.
 */
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <util/atomic.h>

#include "board.h"
#include "timers.h"
#include "zc_hal.h"

#define SERVO_PERIOD_COUNTS 40000u /* 20 ms in counts of 0.5 us */
#define NO_OUTPUT 0xFF

typedef struct {
    uint8_t pin, timer, output_bit; /* output_bit: COMnx1 in TCCRnA */
    uint16_t compare;               /* address of OCRnx */
} pwm_output;

static const pwm_output OUTPUTS[] PROGMEM = {
    {2, 3, COM3B1, (uint16_t)&OCR3B},  {3, 3, COM3C1, (uint16_t)&OCR3C},  {4, 0, COM0B1, (uint16_t)&OCR0B},
    {5, 3, COM3A1, (uint16_t)&OCR3A},  {6, 4, COM4A1, (uint16_t)&OCR4A},  {7, 4, COM4B1, (uint16_t)&OCR4B},
    {8, 4, COM4C1, (uint16_t)&OCR4C},  {9, 2, COM2B1, (uint16_t)&OCR2B},  {10, 2, COM2A1, (uint16_t)&OCR2A},
    {11, 1, COM1A1, (uint16_t)&OCR1A}, {12, 1, COM1B1, (uint16_t)&OCR1B}, {13, 0, COM0A1, (uint16_t)&OCR0A},
    {44, 5, COM5C1, (uint16_t)&OCR5C}, {45, 5, COM5B1, (uint16_t)&OCR5B}, {46, 5, COM5A1, (uint16_t)&OCR5A},
};
#define OUTPUT_COUNT (sizeof OUTPUTS / sizeof OUTPUTS[0])

static uint16_t values[OUTPUT_COUNT]; /* duty or microseconds */

/* The 16-bit timers have the same registers at the same distances (section 33). */
typedef struct {
    volatile uint8_t control_a, control_b, control_c, reserved;
    volatile uint16_t count, capture;
} wide_timer;

static wide_timer *wide_timer_at(uint8_t number)
{
    return (wide_timer *)(number == 1   ? &TCCR1A
                          : number == 3 ? &TCCR3A
                          : number == 4 ? &TCCR4A
                                        : &TCCR5A);
}

static volatile uint8_t *control_a_of(uint8_t timer)
{
    return timer == 0 ? &TCCR0A : timer == 2 ? &TCCR2A : &wide_timer_at(timer)->control_a;
}

static bool is_wide(uint8_t timer)
{
    return timer != 0 && timer != 2;
}

static uint8_t find_output(uint8_t pin, pwm_output *output)
{
    uint8_t index;

    for (index = 0; index < OUTPUT_COUNT; index++) {
        if (pgm_read_byte(&OUTPUTS[index].pin) == pin) {
            memcpy_P(output, &OUTPUTS[index], sizeof *output);
            return index;
        }
    }
    return NO_OUTPUT;
}

bool zc_hal_has_pwm(uint8_t pin)
{
    pwm_output output;

    return find_output(pin, &output) != NO_OUTPUT;
}

bool zc_hal_has_servo(uint8_t pin)
{
    pwm_output output;

    return find_output(pin, &output) != NO_OUTPUT && is_wide(output.timer);
}

/* Whether another pin of the timer is in the mode. */
static bool is_in_mode(uint8_t timer, uint8_t but, zc_mode mode)
{
    uint8_t index;

    for (index = 0; index < OUTPUT_COUNT; index++) {
        uint8_t pin = pgm_read_byte(&OUTPUTS[index].pin);
        if (pin != but && pgm_read_byte(&OUTPUTS[index].timer) == timer && zc_hal_mode(pin) == mode) {
            return true;
        }
    }
    return false;
}

bool pwm_needs_timer2(uint8_t but)
{
    return is_in_mode(2, but, ZC_MODE_PWM);
}

static void connect(const pwm_output *output, bool on)
{
    volatile uint8_t *control = control_a_of(output->timer);

    if (on) {
        *control |= _BV(output->output_bit);
    } else {
        *control &= (uint8_t)~_BV(output->output_bit);
    }
}

static void set_compare(const pwm_output *output, uint16_t value)
{
    if (is_wide(output->timer)) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* the upper byte goes through a register that all share (section 17.3) */
        {
            *(volatile uint16_t *)output->compare = value;
        }
    } else {
        *(volatile uint8_t *)output->compare = (uint8_t)value;
    }
}

static void start_pwm_timer(uint8_t number)
{
    if (is_wide(number)) {
        wide_timer *timer = wide_timer_at(number);
        if (timer->count > 255) {
            timer->count = 0; /* beyond the top, after a servo: it would count on to 65535 first */
        }
        timer->control_a = (timer->control_a & (uint8_t)~_BV(WGM11)) | _BV(WGM10);
        timer->control_b = _BV(CS11) | _BV(CS10);
    } else if (number == 2) {
        TCCR2A = (TCCR2A & (uint8_t)~_BV(WGM21)) | _BV(WGM20);
        TCCR2B = _BV(CS22);
    }
}

zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    pwm_output output;
    uint8_t index = find_output(pin, &output);

    if (is_wide(output.timer) && is_in_mode(output.timer, pin, ZC_MODE_SERVO)) {
        return ZC_CONFLICT;
    }
    if (output.timer == 2 && tone_playing_pin() != ZC_NO_PIN && tone_playing_pin() != pin) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(pin) != ZC_MODE_PWM) {
        zc_hal_write(pin, 0); /* ends a servo or a tone there */
        start_pwm_timer(output.timer);
        pin_timer_mode(pin, ZC_MODE_PWM);
    }
    values[index] = duty;
    set_compare(&output, duty);
    /* Fast PWM has a narrow pulse at 0, so both ends are plain levels. */
    pin_level(pin, duty == 255);
    connect(&output, duty != 0 && duty != 255);
    return ZC_OK;
}

uint8_t zc_hal_pwm_duty(uint8_t pin)
{
    pwm_output output;

    return (uint8_t)values[find_output(pin, &output)];
}

zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    pwm_output output;
    uint8_t index = find_output(pin, &output);
    wide_timer *timer = wide_timer_at(output.timer);
    bool is_new = zc_hal_mode(pin) != ZC_MODE_SERVO;

    if (is_in_mode(output.timer, pin, ZC_MODE_PWM)) {
        return ZC_CONFLICT;
    }
    if (is_new) {
        zc_hal_write(pin, 0);
        if (!is_in_mode(output.timer, pin, ZC_MODE_SERVO)) {
            /* ICRn can be written in this mode only; the clock stays off until the values are there. */
            timer->control_a = _BV(WGM11);
            timer->control_b = _BV(WGM13) | _BV(WGM12);
            timer->capture = SERVO_PERIOD_COUNTS - 1;
            timer->count = SERVO_PERIOD_COUNTS - 1; /* the first pulse starts at once */
        }
    }
    set_compare(&output, pulse_us * 2 - 1);
    values[index] = pulse_us;
    if (is_new) {
        connect(&output, true);
        timer->control_b = _BV(WGM13) | _BV(WGM12) | _BV(CS11); /* fast PWM up to ICRn, clock / 8 */
        pin_timer_mode(pin, ZC_MODE_SERVO);
    }
    return ZC_OK;
}

uint16_t zc_hal_servo_us(uint8_t pin)
{
    pwm_output output;

    return values[find_output(pin, &output)];
}

void pwm_part(uint8_t pin)
{
    pwm_output output;

    if (find_output(pin, &output) != NO_OUTPUT) {
        connect(&output, false);
    }
}
