/* Milliseconds: timer 0, fast PWM, clock / 64, one overflow each 1.024 ms (data sheet section 14). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "zc_hal.h"

#define OVERFLOW_US 1024 /* 256 counts of 4 us */

static volatile uint32_t milliseconds;
static volatile uint8_t overflows;
static uint16_t microseconds; /* what is left over, 0..999 */

void clock_start(void)
{
    TCCR0A = _BV(WGM01) | _BV(WGM00);
    TCCR0B = _BV(CS01) | _BV(CS00);
    TIMSK0 = _BV(TOIE0);
}

ISR(TIMER0_OVF_vect)
{
    uint32_t now = milliseconds + 1;

    overflows++;
    microseconds += OVERFLOW_US - 1000;
    if (microseconds >= 1000) {
        microseconds -= 1000;
        now++;
    }
    milliseconds = now;
}

uint32_t zc_hal_millis(void)
{
    uint32_t now;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = milliseconds;
    }
    return now;
}

uint16_t clock_ticks(void)
{
    uint8_t low, high;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        low = TCNT0;
        high = overflows;
        if ((TIFR0 & _BV(TOV0)) && low < 128) { /* the overflow has not been counted yet */
            high++;
        }
    }
    return (uint16_t)(high << 8 | low);
}
