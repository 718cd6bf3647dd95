/*
 * PWM and servo pulses of the ATmega328P (data sheet sections 14, 15 and 17).
 *
 * timer 0: the clock, and PWM on pins 5 and 6 at 976.6 Hz (fast PWM, clock / 64).
 * timer 1: PWM on pins 9 and 10 at 490.2 Hz (phase correct, 8 bits, clock / 64), or servo pulses there, 50 Hz.
 * timer 2: PWM on pins 3 and 11 at 490.2 Hz, or a tone (tone.c).
 * A timer serves one use at a time; asking for another is ZC_CONFLICT.
 */
#include <avr/io.h>

#include "board.h"
#include "timers.h"
#include "zc_hal.h"

#define SERVO_PERIOD_COUNTS 40000u /* 20 ms in counts of 0.5 us */
#define NO_PIN ZC_NO_PIN

static uint8_t duties[6]; /* in the order of output_of() */

/* Place of a PWM pin among the six compare outputs, NO_PIN for other pins. */
static uint8_t output_of(uint8_t pin)
{
    switch (pin) {
    case 3:
        return 0;
    case 5:
        return 1;
    case 6:
        return 2;
    case 9:
        return 3;
    case 10:
        return 4;
    case 11:
        return 5;
    default:
        return NO_PIN;
    }
}

static uint8_t other_of_timer1(uint8_t pin)
{
    return pin == 9 ? 10 : 9;
}

/* Connect or part a pin and its compare output (COM bits: clear on match). */
static void connect(uint8_t pin, bool on)
{
    volatile uint8_t *control = pin == 3 || pin == 11 ? &TCCR2A : pin == 5 || pin == 6 ? &TCCR0A : &TCCR1A;
    bool output_a = pin == 6 || pin == 9 || pin == 11;
    uint8_t bit = output_a ? _BV(COM0A1) : _BV(COM0B1); /* the same places in all three timers */

    if (on) {
        *control |= bit;
    } else {
        *control &= (uint8_t)~bit;
    }
}

static void set_compare(uint8_t pin, uint8_t duty)
{
    switch (pin) {
    case 3:
        OCR2B = duty;
        break;
    case 5:
        OCR0B = duty;
        break;
    case 6:
        OCR0A = duty;
        break;
    case 9:
        OCR1A = duty;
        break;
    case 10:
        OCR1B = duty;
        break;
    default:
        OCR2A = duty;
        break;
    }
}

static void start_pwm_timer(uint8_t pin)
{
    if (pin == 9 || pin == 10) {
        if (TCNT1 > 255) {
            TCNT1 = 0; /* beyond the top, after a servo: it would count on to 65535 first */
        }
        TCCR1A = (TCCR1A & (uint8_t)~_BV(WGM11)) | _BV(WGM10);
        TCCR1B = _BV(CS11) | _BV(CS10);
    } else if (pin == 3 || pin == 11) {
        TCCR2A = (TCCR2A & (uint8_t)~_BV(WGM21)) | _BV(WGM20);
        TCCR2B = _BV(CS22);
    }
}

bool zc_hal_has_pwm(uint8_t pin)
{
    return output_of(pin) != NO_PIN;
}

zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    if (zc_hal_has_servo(pin) && zc_hal_mode(other_of_timer1(pin)) == ZC_MODE_SERVO) {
        return ZC_CONFLICT;
    }
    if ((pin == 3 || pin == 11) && tone_playing_pin() != NO_PIN && tone_playing_pin() != pin) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(pin) != ZC_MODE_PWM) {
        zc_hal_write(pin, 0); /* ends a servo or a tone there */
        start_pwm_timer(pin);
        pin_timer_mode(pin, ZC_MODE_PWM);
    }
    duties[output_of(pin)] = duty;
    set_compare(pin, duty);
    /* Fast PWM has a narrow pulse at 0, so both ends are plain levels. */
    pin_level(pin, duty == 255);
    connect(pin, duty != 0 && duty != 255);
    return ZC_OK;
}

uint8_t zc_hal_pwm_duty(uint8_t pin)
{
    return duties[output_of(pin)];
}

bool zc_hal_has_servo(uint8_t pin)
{
    return pin == 9 || pin == 10;
}

zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    uint8_t other = other_of_timer1(pin);

    if (zc_hal_mode(other) == ZC_MODE_PWM) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(pin) != ZC_MODE_SERVO) {
        zc_hal_write(pin, 0);
        if (zc_hal_mode(other) != ZC_MODE_SERVO) {
            /* ICR1 can be written in this mode only; the clock stays off until the values are there. */
            TCCR1A = _BV(WGM11);
            TCCR1B = _BV(WGM13) | _BV(WGM12);
            ICR1 = SERVO_PERIOD_COUNTS - 1;
            TCNT1 = SERVO_PERIOD_COUNTS - 1; /* the first pulse starts at once */
        }
    }
    if (pin == 9) {
        OCR1A = pulse_us * 2 - 1;
    } else {
        OCR1B = pulse_us * 2 - 1;
    }
    if (zc_hal_mode(pin) != ZC_MODE_SERVO) {
        connect(pin, true);
        TCCR1B = _BV(WGM13) | _BV(WGM12) | _BV(CS11); /* fast PWM up to ICR1, clock / 8 */
        pin_timer_mode(pin, ZC_MODE_SERVO);
    }
    return ZC_OK;
}

uint16_t zc_hal_servo_us(uint8_t pin)
{
    return ((pin == 9 ? OCR1A : OCR1B) + 1) / 2;
}

bool pwm_needs_timer2(uint8_t but)
{
    return (but != 3 && zc_hal_mode(3) == ZC_MODE_PWM) || (but != 11 && zc_hal_mode(11) == ZC_MODE_PWM);
}

void pwm_part(uint8_t pin)
{
    connect(pin, false);
}
