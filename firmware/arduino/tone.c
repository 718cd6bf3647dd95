/* One tone on any pin, by the interrupt of timer 2 (data sheet section 17). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>

#include "board.h"
#include "pin_map.h"
#include "timers.h"
#include "zc_hal.h"

#define NO_PIN ZC_NO_PIN

static uint8_t tone_pin = NO_PIN;
static uint16_t tone_hertz;
static volatile uint8_t *tone_input; /* PIN register: writing a one there toggles the port bit */
static uint8_t tone_mask;
static volatile uint32_t tone_toggles; /* left to do; 0 = without end */
static volatile bool tone_ended;

uint8_t tone_playing_pin(void)
{
    return tone_pin;
}

static void stop_tone(void)
{
    TIMSK2 = 0;
    TCCR2B = 0;
    TCCR2A = 0;
    tone_pin = NO_PIN;
    tone_ended = false;
}

ISR(TIMER2_COMPA_vect)
{
    if (tone_toggles != 0 && --tone_toggles == 0) {
        TIMSK2 = 0;
        tone_ended = true;
        if (*(tone_input + 2) & tone_mask) { /* PORT bit; end low */
            *tone_input = tone_mask;
        }
        return;
    }
    *tone_input = tone_mask;
}

/* Prescaler codes CS22..CS20 of timer 2 from 1 to 7, as powers of two. */
static const uint8_t PRESCALER_SHIFTS[7] PROGMEM = {0, 3, 5, 6, 7, 8, 10};

zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds)
{
    uint32_t counts = (F_CPU / 2 + hertz / 2) / hertz; /* clock cycles between two toggles */
    uint8_t select = 0;

    timers_poll();
    if (pwm_needs_timer2(pin) || (tone_pin != NO_PIN && tone_pin != pin)) {
        return ZC_CONFLICT;
    }
    zc_hal_write(pin, 0);
    while (select < 6 && (counts >> pgm_read_byte(&PRESCALER_SHIFTS[select])) > 256) {
        select++;
    }
    tone_pin = pin;
    tone_hertz = hertz;
    tone_input = &INPUT_OF(pin_port(pin));
    tone_mask = pin_mask(pin);
    tone_toggles = milliseconds * hertz / 500;
    if (milliseconds != 0 && tone_toggles == 0) {
        tone_toggles = 2;
    }
    tone_ended = false;
    pin_timer_mode(pin, ZC_MODE_TONE);
    TCCR2A = _BV(WGM21); /* clear timer on compare match */
    OCR2A = (uint8_t)((counts >> pgm_read_byte(&PRESCALER_SHIFTS[select])) - 1);
    TCNT2 = 0;
    TIFR2 = _BV(OCF2A);
    TIMSK2 = _BV(OCIE2A);
    TCCR2B = (uint8_t)(select + 1);
    return ZC_OK;
}

uint16_t zc_hal_tone_hertz(uint8_t pin)
{
    (void)pin;
    return tone_hertz;
}

void timers_poll(void)
{
    if (tone_ended) {
        zc_hal_write(tone_pin, 0); /* calls timers_release() */
    }
}

void timers_release(uint8_t pin)
{
    if (pin == tone_pin) {
        stop_tone();
    } else {
        pwm_part(pin);
    }
}
