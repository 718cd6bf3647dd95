/* Digital pins and the ADC of the Arduino Uno (data sheet sections 13 and 23). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "zc_hal.h"

/* What a timer does with a pin; plain pins are read from their DDR and PORT bits. */
static zc_mode timer_modes[PIN_COUNT];

/* 0..7 = port D, 8..13 = port B, 14..19 = port C */
static volatile uint8_t *port_register(uint8_t pin)
{
    return pin < 8 ? &PORTD : pin < 14 ? &PORTB : &PORTC;
}

/* The PIN and DDR registers stand two and one places below PORT in every port. */
#define INPUT_OF(port) (*((port) - 2))
#define DIRECTION_OF(port) (*((port) - 1))

static uint8_t bit_mask(uint8_t pin)
{
    uint8_t bit = pin < 8 ? pin : pin < 14 ? (uint8_t)(pin - 8) : (uint8_t)(pin - 14);

    return (uint8_t)(1u << bit);
}

static void set_bit(volatile uint8_t *target, uint8_t mask, bool on)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* the tone interrupt changes PORT bits as well */
    {
        if (on) {
            *target |= mask;
        } else {
            *target &= (uint8_t)~mask;
        }
    }
}

uint8_t zc_hal_pin_count(void)
{
    return PIN_COUNT;
}

uint8_t zc_hal_led_pin(void)
{
    return LED_PIN;
}

zc_mode zc_hal_mode(uint8_t pin)
{
    volatile uint8_t *port = port_register(pin);
    uint8_t mask = bit_mask(pin);

    if (pin < 2) {
        return ZC_MODE_RESERVED;
    }
    if (timer_modes[pin] != 0) {
        return timer_modes[pin];
    }
    if (DIRECTION_OF(port) & mask) {
        return ZC_MODE_OUTPUT;
    }
    return (*port & mask) ? ZC_MODE_PULLUP : ZC_MODE_INPUT;
}

void pin_timer_mode(uint8_t pin, zc_mode mode)
{
    timer_modes[pin] = mode;
}

void pin_level(uint8_t pin, uint8_t level)
{
    set_bit(port_register(pin), bit_mask(pin), level != 0);
}

void pin_make_output(uint8_t pin)
{
    set_bit(&DIRECTION_OF(port_register(pin)), bit_mask(pin), true);
}

static void end_timer_use(uint8_t pin)
{
    if (timer_modes[pin] != 0) {
        timers_release(pin);
        timer_modes[pin] = 0;
    }
}

void zc_hal_set_mode(uint8_t pin, zc_mode mode)
{
    volatile uint8_t *port = port_register(pin);
    uint8_t mask = bit_mask(pin);
    bool was_output = (DIRECTION_OF(port) & mask) != 0;

    end_timer_use(pin);
    if (mode == ZC_MODE_OUTPUT) {
        if (!was_output) {
            set_bit(port, mask, false); /* an output starts low, whatever the pull-up was */
        }
        set_bit(&DIRECTION_OF(port), mask, true);
    } else {
        set_bit(&DIRECTION_OF(port), mask, false);
        set_bit(port, mask, mode == ZC_MODE_PULLUP);
    }
}

uint8_t zc_hal_read(uint8_t pin)
{
    return (INPUT_OF(port_register(pin)) & bit_mask(pin)) != 0;
}

void zc_hal_write(uint8_t pin, uint8_t level)
{
    pin_level(pin, level); /* the level first: no pulse of the other level when the pin becomes an output */
    end_timer_use(pin);
    pin_level(pin, level);
    pin_make_output(pin);
}

uint8_t zc_hal_stop_all(void)
{
    uint8_t pin, stopped = 0;

    for (pin = 2; pin < PIN_COUNT; pin++) {
        zc_mode mode = zc_hal_mode(pin);
        if (mode != ZC_MODE_INPUT && mode != ZC_MODE_PULLUP) {
            zc_hal_write(pin, 0);
            stopped++;
        }
    }
    return stopped;
}

uint8_t zc_hal_analog_count(void)
{
    return 6;
}

uint8_t zc_hal_analog_pin(uint8_t channel)
{
    return (uint8_t)(14 + channel);
}

static uint16_t convert(void)
{
    ADCSRA |= _BV(ADSC);
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}

uint16_t zc_hal_analog_read(uint8_t channel)
{
    uint8_t source = _BV(REFS0) | channel; /* reference: the 5 V supply */

    if (ADMUX != source) {
        ADMUX = source;
        (void)convert(); /* the sampling capacitor still holds some of the former channel's voltage */
    }
    return convert();
}

void pins_start(void)
{
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 125 kHz, 104 us for one conversion */
}
