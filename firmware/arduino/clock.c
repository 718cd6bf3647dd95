/* Milliseconds: timer 0, fast PWM, clock / 64, one overflow each 1.024 ms (data sheet section 14). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "zc_hal.h"

#define OVERFLOW_US 1024 /* 256 counts of 4 us */

static volatile uint32_t milliseconds;
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
