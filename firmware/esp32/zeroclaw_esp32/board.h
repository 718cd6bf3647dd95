/* The parts of the Arduino board layer that see each other. */
#ifndef BOARD_H
#define BOARD_H

#include "zc_board.h"

/* board_pins.cpp */
void pins_start(void);
bool pin_is_gpio(uint8_t pin); /* no timer and no converter has it */
void pin_give(uint8_t pin);    /* a timer takes it */

/* board_serial.cpp */
void serial_line_start(void);

/* board_timers.cpp */
void timers_poll(void); /* end a tone that has played to its end */

/* board_power.cpp */
void power_start(void);
const char *reset_cause(void);

#endif
