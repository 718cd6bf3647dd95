/*
 * What a 32-bit board gives to the shared half of its board layer (zc_pins.c, zc_serial.c, zc_i2c_lines.c,
 * zc_spi_lines.c, zc_uart_lines.c), and what that half offers to it. The constants come from the board's board_config.h:
 *
 *   PIN_COUNT            pin numbers in use
 *   LED_PIN              or ZC_NO_PIN
 *   SDA_PIN, SCL_PIN     of the I2C bus
 *   MOSI_PIN, MISO_PIN, SCK_PIN
 *   TONE_BY_OWN_TIMER    1: a tone needs the timer at its pin; 0: a timer of its own
 */
#ifndef ZC_BOARD_H
#define ZC_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "board_config.h"
#include "zc_hal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time since the start; wraps after 71.6 minutes. */
uint32_t board_micros(void);
/* Wait at least so long; some ten nanoseconds are a few instructions. */
void board_wait_ns(uint32_t nanoseconds);
/* Called in every wait of the shared half: serve the serial line and what else cannot wait. */
void board_attend(void);
/* Tell the hardware watchdog that the program goes on. */
void board_feed_watchdog(void);

/* One pin. Only called for pins that are not reserved. */
bool board_is_reserved(uint8_t pin);
void board_set_latch(uint8_t pin, bool high);     /* level that the pin has as an output */
void board_set_output(uint8_t pin, bool output);  /* plain output or plain input; parts it from timers */
void board_set_pull_up(uint8_t pin, bool on);
bool board_read(uint8_t pin);                     /* level at the pin */
/* End PWM, servo or tone on a pin; it may go on for a moment until board_set_output() parts the pin from it. */
void board_release_timer(uint8_t pin, zc_mode mode);

/* zc_pins.c */
void pins_note_timer(uint8_t pin, zc_mode mode, uint16_t value); /* a timer drives it: duty, microseconds or hertz */
uint16_t pins_timer_value(uint8_t pin);
bool pins_has_timer(uint8_t pin);                 /* PWM, servo or tone */
bool pins_is_input(uint8_t pin);

/* zc_timer_use.c */
/* 16 for each timer and the channel of it that reaches a pin; -1: none does. */
int16_t board_timer_channel(uint8_t pin);
/*
 * Whether another pin stands in the way of a use of the timer at `pin`: it does something else with the timer, or has
 * the same channel. *is_running tells whether the timer is in that use already.
 */
bool timer_is_taken(uint8_t pin, zc_mode use, bool *is_running);

/* zc_serial.c: rings between the line's hardware and the protocol; one producer and one consumer each. */
void serial_received(char byte, bool is_good);    /* from an interrupt or from board_attend() */
bool serial_next(char *byte);                     /* next byte to transmit */
bool serial_has_output(void);
bool serial_is_quiet(void);                       /* nothing waits in either direction */
bool serial_take(char *byte);                     /* next received byte for the protocol */
uint16_t serial_room(void);                       /* how many more bytes can be received */
void serial_flush(void);                          /* wait until all is handed over, 100 ms without progress at most */
void serial_clear(void);                          /* throw away what waits in both directions */

/* zc_uart_lines.c */
void uart_lines_edge(void);                       /* from the interrupt of the pin that is listened to */
void uart_lines_poll(void);                       /* at least every 100 ms */
/* Report edges of a pin by uart_lines_edge(), or end that (ZC_NO_PIN). */
void board_watch_edges(uint8_t pin);
/* Keep the edge interrupt away for a few instructions. */
void board_lock(void);
void board_unlock(void);

/* The program's loop, once around: what was received, what is due. */
void board_run_once(void);

#ifdef __cplusplus
}
#endif

#endif
