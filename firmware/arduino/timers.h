/* Between pins.c, pwm_*.c and tone.c: who owns a pin and a timer. */
#ifndef TIMERS_H
#define TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "zc_hal.h"

void pin_timer_mode(uint8_t pin, zc_mode mode); /* note that a timer drives the pin; 0 is "none" */
void pin_make_output(uint8_t pin);

/* tone.c */
void timers_poll(void);         /* end a tone that has played to its end */
uint8_t tone_playing_pin(void); /* or ZC_NO_PIN */

/* pwm_uno.c, pwm_mega.c */
bool pwm_needs_timer2(uint8_t but); /* PWM on a pin other than `but` keeps timer 2 from a tone */
void pwm_part(uint8_t pin);         /* the pin is left to its port bit */

#endif
