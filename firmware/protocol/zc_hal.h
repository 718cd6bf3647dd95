/*
 * What a board must give to the protocol core. Found at link time: each board has one file set that defines these.
 *
 * The functions under "optional" have stand-ins in zc_hal_weak.c that answer ZC_UNSUPPORTED, so that a small board
 * or a small firmware leaves out what it cannot do.
 */
#ifndef ZC_HAL_H
#define ZC_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "zc_rom.h"
#include "zc_version.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ZC_NO_PIN 0xFF

typedef enum {
    ZC_OK,
    ZC_UNSUPPORTED, /* the board or the pin cannot do this */
    ZC_CONFLICT,    /* the timer behind the pin, or the pin, is used in another way at present */
    ZC_NO_DEVICE,   /* nothing acknowledged the address */
    ZC_NO_ACK,      /* the device did not acknowledge a byte */
    ZC_BUS_FAULT    /* a line is held low, or the transfer did not go on in time */
} zc_result;

/* Letters as the `state` command shows them. */
typedef enum {
    ZC_MODE_RESERVED = '-',
    ZC_MODE_INPUT = 'i',
    ZC_MODE_PULLUP = 'u',
    ZC_MODE_OUTPUT = 'o',
    ZC_MODE_PWM = 'p',
    ZC_MODE_SERVO = 's',
    ZC_MODE_TONE = 't'
} zc_mode;

/* Names for the boot line and for capabilities. */
extern const char zc_firmware_name[] ZC_ROM;
extern const char zc_firmware_version[] ZC_ROM;
extern const char zc_board_name[] ZC_ROM;

/* Send one character; waits while the transmit buffer is full. */
void zc_hal_put(char c);
/* Free places in the transmit buffer: events are only sent when they fit. */
uint16_t zc_hal_put_free(void);
/* Milliseconds since the start; wraps after 49.7 days. */
uint32_t zc_hal_millis(void);
/* Bytes that the receive buffer holds, and 60-byte requests that fit into it. */
uint16_t zc_hal_receive_size(void);
/* Limit of the hardware watchdog in ms, 0 when there is none. */
uint16_t zc_hal_watchdog_ms(void);

/*
 * Pins are numbered from 0 to zc_hal_pin_count()-1, 99 at most. Reserved pins (the serial line, numbers without a pin)
 * are never passed on.
 */
uint8_t zc_hal_pin_count(void);
uint8_t zc_hal_led_pin(void); /* ZC_NO_PIN: none that a pin drives */
zc_mode zc_hal_mode(uint8_t pin);
void zc_hal_set_mode(uint8_t pin, zc_mode mode); /* input, pull-up or output; ends PWM, servo and tone there */
uint8_t zc_hal_read(uint8_t pin);                /* level now, 0 or 1; changes nothing */
void zc_hal_write(uint8_t pin, uint8_t level);   /* ends PWM, servo and tone there and makes it an output */
/* Put every output low, end PWM, servo and tone; returns how many pins were outputs. */
uint8_t zc_hal_stop_all(void);

/* Optional. What a reserved pin is for, as errors tell it; without it: "serial line". */
zc_rom_text zc_hal_reserved_reason(uint8_t pin);
/* Optional. Whether a pin can be an output (ZC_MODE_OUTPUT) or have a pull-up (ZC_MODE_PULLUP); without it: all can. */
bool zc_hal_can(uint8_t pin, zc_mode mode);

/*
 * Optional. Analog channels are 0..count-1; channel n is at pin zc_hal_analog_pin(n), which may be a reserved one that
 * is nothing but an analog input. ZC_NO_PIN: the board has no channel n.
 */
uint8_t zc_hal_analog_count(void);
uint8_t zc_hal_analog_pin(uint8_t channel);
uint16_t zc_hal_analog_read(uint8_t channel); /* 0 to 2^bits - 1 */
uint8_t zc_hal_analog_bits(void);             /* without it: 10 */
bool zc_hal_has_pwm(uint8_t pin);
zc_result zc_hal_pwm(uint8_t pin, uint8_t duty); /* duty 0..255 */
uint8_t zc_hal_pwm_duty(uint8_t pin);            /* of a pin in ZC_MODE_PWM */
bool zc_hal_has_servo(uint8_t pin);
zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us); /* 50 Hz pulses of this width */
uint16_t zc_hal_servo_us(uint8_t pin);                  /* of a pin in ZC_MODE_SERVO */
zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds); /* 0 ms: until stopped */
uint16_t zc_hal_tone_hertz(uint8_t pin);                                   /* of a pin in ZC_MODE_TONE */

/*
 * I2C master: write out_count bytes, then read in_count bytes after a repeated start; with neither it is a write of
 * the address alone. Returns within ZC_I2C_LIMIT_MS whatever the lines do; pins stay as they were.
 */
#define ZC_I2C_LIMIT_MS 50
bool zc_hal_has_i2c(uint8_t pin);
zc_result zc_hal_i2c(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count);
/* SPI master: exchange bytes in place while select is low, no faster than hertz. mode 0..3. */
bool zc_hal_has_spi(uint8_t pin);
zc_result zc_hal_spi(uint8_t select, uint8_t mode, uint32_t hertz, uint8_t *bytes, uint8_t count);
/* Second serial line, 9600 baud 8N1. The core has seen to it that the pins may be used so. */
bool zc_hal_has_uart(uint8_t pin);
void zc_hal_uart_write(uint8_t pin, const uint8_t *bytes, uint8_t count); /* makes it an output, idle high */
void zc_hal_uart_listen(uint8_t pin);                    /* keep what arrives there; on another pin: begin anew */
bool zc_hal_uart_listens(uint8_t pin);
uint8_t zc_hal_uart_take(uint8_t *bytes, uint8_t limit); /* received bytes, oldest first; returns how many */
uint16_t zc_hal_uart_lost(void);                         /* bytes lost since the last call */

void zc_hal_reset(void); /* restart the board; does not return on hardware */

#ifdef __cplusplus
}
#endif

#endif
