/* ATmega328P or ATmega2560 at 16 MHz: the parts of the board layer that see each other. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define LED_PIN 13
#define HARDWARE_WATCHDOG_MS 2000

/* serial.c: 115200 8N1 on pins 0 and 1, both directions through interrupts and rings */
void serial_start(void);
bool serial_take(char *byte); /* false when nothing was received */
void serial_flush(void);      /* wait until the last bit is out */
bool serial_pending(void);    /* received bytes are waiting */

/* clock.c: timer 0 counts time and makes the PWM of pins 5 and 6 */
void clock_start(void);
uint16_t clock_ticks(void); /* counts of 4 us, wraps after 262 ms */

/* pins.c */
void pins_start(void);
void pin_level(uint8_t pin, uint8_t level); /* level of an output, without a change of mode */

/* tone.c */
void timers_release(uint8_t pin); /* end whatever a timer does with the pin; the pin is left to its port bit */

/* uart.c: the second serial line */
void uart_poll(void); /* end what a silent line has left half done; call it at least every 100 ms */

/* power.c: reset cause, watchdog, sleep */
const char *reset_cause(void); /* text in flash */
void watchdog_start(void);
void sleep_until_interrupt(void); /* returns at once when received bytes are waiting */

#endif
