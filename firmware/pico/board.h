/* The parts of the RP2040 board layer that see each other. */
#ifndef BOARD_H
#define BOARD_H

#include "registers.h"
#include "zc_board.h"

#define CORE_HERTZ 125000000u

/* clock.c */
void clock_start(void);

/* gpio.c */
void gpio_start(void);
void gpio_free_serial_pins(void); /* GP0 and GP1 are pins like others from now on */
void gpio_set_function(uint8_t pin, uint8_t function); /* who has the pin: table 2 of the data sheet */
#define FUNCTION_UART 2
#define FUNCTION_PWM 4
#define FUNCTION_SIO 5

/* uart.c: the line on GP0 and GP1 */
void uart_start(void);
void uart_stop(void);
bool uart_is_stopped(void);
void uart_poll(void);
bool uart_is_sending(void);

/* usb.c: the line on the USB socket */
void usb_start(void);
void usb_poll(void);
bool usb_is_open(void); /* a program has opened the port */

/* timers.c */
void timers_poll(void); /* end a tone that has played to its end */

/* adc.c */
void adc_start(void);

/* power.c */
const char *reset_cause(void);
void watchdog_and_alarm_start(void);
void __attribute__((noreturn)) restart_after_fault(void);
void __attribute__((noreturn)) restart_into_bootloader(void); /* the drive RPI-RP2 appears */
void wait_for_interrupt(void); /* a millisecond at most; returns at once while the line has work */

static inline void enable_interrupt(uint8_t number)
{
    NVIC_ISER = 1u << number;
}

#endif
