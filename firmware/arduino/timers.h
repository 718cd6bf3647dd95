/* Between pins.c and timers.c: who owns a pin. */
#ifndef TIMERS_H
#define TIMERS_H

#include <stdint.h>

#include "zc_hal.h"

void pin_timer_mode(uint8_t pin, zc_mode mode); /* note that a timer drives the pin; 0 is "none" */
void pin_make_output(uint8_t pin);
void timers_poll(void); /* end a tone that has played to its end */

#endif
