/*
 * PWM, servo pulses and tone by the PWM slices (data sheet section 4.5): 8 of them with 2 channels each. The pins n and
 * n+1 (n even) share a slice, and so do the pins 16 further on, which even have the same channel.
 * A slice serves one use at a time, PWM at 1 kHz, servo pulses at 50 Hz or one tone; else ZC_CONFLICT.
 */
#include "board.h"

#define PWM_STEPS 16u                   /* counts for one step of the duty */
#define PWM_COUNTS (255u * PWM_STEPS)   /* a duty of 255 is above the top: a plain level */
#define PWM_DIVISOR (30u << 4 | 10u)    /* 30 10/16: 1000.4 Hz */
#define SERVO_COUNTS 20000u
#define SERVO_DIVISOR (125u << 4)       /* 1 us */
#define TONE_COUNT_HERTZ 2000000u       /* 31 Hz still fits into 16 bits */
#define TONE_DIVISOR (62u << 4 | 8u)
#define CSR_ENABLE 1u

static uint8_t tone_pin = ZC_NO_PIN;
static uint32_t tone_begun_us, tone_length_us; /* 0: without end */

static uint8_t slice_of(uint8_t pin)
{
    return pin / 2u % 8u;
}

int16_t board_timer_channel(uint8_t pin)
{
    return board_is_reserved(pin) || !zc_hal_can(pin, ZC_MODE_OUTPUT) ? -1 : (int16_t)(slice_of(pin) * 16 + pin % 2u);
}

bool zc_hal_has_pwm(uint8_t pin)
{
    return board_timer_channel(pin) >= 0;
}

bool zc_hal_has_servo(uint8_t pin)
{
    return board_timer_channel(pin) >= 0;
}

static void set_compare(uint8_t pin, uint32_t counts)
{
    uint32_t shift = pin % 2u * 16u;
    pwm_block *slice = PWM(slice_of(pin));

    slice->CC = (slice->CC & ~(0xFFFFu << shift)) | counts << shift;
}

/* While a slice runs, a new value is taken over at the end of a period, so no pulse is cut or too long. */
static zc_result use_slice(uint8_t pin, zc_mode use, uint32_t divisor, uint32_t period, uint32_t high)
{
    pwm_block *slice = PWM(slice_of(pin));
    bool is_running;

    if (timer_is_taken(pin, use, &is_running)) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(pin) != use) {
        zc_hal_write(pin, 0); /* ends another use of the pin */
    }
    if (!is_running) {
        slice->CSR = 0;
        slice->DIV = divisor;
        slice->TOP = period - 1;
        slice->CTR = 0;
        slice->CC = 0;
    }
    set_compare(pin, high);
    slice->CSR = CSR_ENABLE;
    gpio_set_function(pin, FUNCTION_PWM);
    return ZC_OK;
}

zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    zc_result result = use_slice(pin, ZC_MODE_PWM, PWM_DIVISOR, PWM_COUNTS, duty * PWM_STEPS);

    if (result == ZC_OK) {
        pins_note_timer(pin, ZC_MODE_PWM, duty);
    }
    return result;
}

zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    zc_result result = use_slice(pin, ZC_MODE_SERVO, SERVO_DIVISOR, SERVO_COUNTS, pulse_us);

    if (result == ZC_OK) {
        pins_note_timer(pin, ZC_MODE_SERVO, pulse_us);
    }
    return result;
}

zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds)
{
    uint32_t counts = (TONE_COUNT_HERTZ + hertz / 2u) / hertz;
    bool is_running;

    if ((tone_pin != ZC_NO_PIN && tone_pin != pin) || timer_is_taken(pin, ZC_MODE_TONE, &is_running)) {
        return ZC_CONFLICT;
    }
    zc_hal_write(pin, 0); /* also ends the tone before, so that the new one begins anew */
    (void)use_slice(pin, ZC_MODE_TONE, TONE_DIVISOR, counts, counts / 2);
    tone_pin = pin;
    tone_begun_us = board_micros();
    tone_length_us = milliseconds * 1000;
    pins_note_timer(pin, ZC_MODE_TONE, hertz);
    return ZC_OK;
}

void board_release_timer(uint8_t pin, zc_mode mode)
{
    uint8_t other;

    gpio_set_function(pin, FUNCTION_SIO);
    pins_note_timer(pin, ZC_MODE_OUTPUT, 0);
    if (mode == ZC_MODE_TONE) {
        tone_pin = ZC_NO_PIN;
    }
    set_compare(pin, 0);
    for (other = 0; other < PIN_COUNT; other++) {
        if (pins_has_timer(other) && slice_of(other) == slice_of(pin)) {
            return;
        }
    }
    PWM(slice_of(pin))->CSR = 0;
}

void timers_poll(void)
{
    if (tone_pin != ZC_NO_PIN && tone_length_us != 0 && board_micros() - tone_begun_us >= tone_length_us) {
        zc_hal_write(tone_pin, 0); /* calls board_release_timer() */
    }
}
