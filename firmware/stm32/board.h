/* The parts of the STM32 board layer that see each other. */
#ifndef BOARD_H
#define BOARD_H

#include "registers.h"
#include "zc_board.h"

/* clock.c */
void clock_start(void);
uint32_t clock_core_hertz(void);  /* processor, timers, APB2 */
uint32_t clock_serial_hertz(void); /* APB1 */

/* gpio.c */
void gpio_start(void);
void gpio_set_alternate(uint8_t pin, uint8_t function); /* the pin belongs to a peripheral from now on */

/* usart.c */
void usart_start(void);
void usart_wait_until_sent(void);

/* timers.c */
void timers_start(void);
void timers_poll(void); /* end a tone that has played to its end */

/* adc.c */
void adc_start(void);

/* power.c */
const char *reset_cause(void);
void watchdog_and_tick_start(void);
void __attribute__((noreturn)) restart_after_fault(void);
void wait_for_interrupt(void); /* a millisecond at most; returns at once while the line has work */

static inline void enable_interrupt(uint8_t number)
{
    NVIC_ISER[number / 32] = 1u << (number % 32);
}

#endif
