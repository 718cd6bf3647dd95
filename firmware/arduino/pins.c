/* Digital pins and the ADC (data sheet of the ATmega328P, sections 13 and 23; of the ATmega2560, sections 13 and 26). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <util/atomic.h>

#include "board.h"
#include "pin_map.h"
#include "zc_hal.h"

/* What a timer does with a pin; plain pins are read from their DDR and PORT bits. */
static zc_mode timer_modes[PIN_COUNT];

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

/* The analog inputs that are nothing else have numbers behind the pins. */
uint8_t zc_hal_pin_count(void)
{
    return FIRST_ANALOG_PIN + ANALOG_COUNT > PIN_COUNT ? FIRST_ANALOG_PIN + ANALOG_COUNT : PIN_COUNT;
}

uint8_t zc_hal_led_pin(void)
{
    return LED_PIN;
}

#if FIRST_ANALOG_PIN + ANALOG_COUNT > PIN_COUNT
zc_rom_text zc_hal_reserved_reason(uint8_t pin)
{
    return pin < 2 ? PSTR("serial line") : PSTR("analog input only");
}
#endif

zc_mode zc_hal_mode(uint8_t pin)
{
    volatile uint8_t *port;
    uint8_t mask;

    if (pin < 2 || pin >= PIN_COUNT) {
        return ZC_MODE_RESERVED;
    }
    port = pin_port(pin);
    mask = pin_mask(pin);
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
    set_bit(pin_port(pin), pin_mask(pin), level != 0);
}

void pin_make_output(uint8_t pin)
{
    set_bit(&DIRECTION_OF(pin_port(pin)), pin_mask(pin), true);
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
    volatile uint8_t *port = pin_port(pin);
    uint8_t mask = pin_mask(pin);
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
    return (INPUT_OF(pin_port(pin)) & pin_mask(pin)) != 0;
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
    return ANALOG_COUNT;
}

uint8_t zc_hal_analog_pin(uint8_t channel)
{
    return (uint8_t)(FIRST_ANALOG_PIN + channel);
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
    uint8_t source = _BV(REFS0) | (channel & 7); /* reference: the 5 V supply */
#ifdef MUX5
    uint8_t upper = channel & 8 ? _BV(MUX5) : 0;
#else
    uint8_t upper = 0;
#endif

    if (ADMUX != source || ADCSRB != upper) {
        ADMUX = source;
        ADCSRB = upper;
        (void)convert(); /* the sampling capacitor still holds some of the former channel's voltage */
    }
    return convert();
}

void pins_start(void)
{
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 125 kHz, 104 us for one conversion */
}
