/* Stand-ins for the optional functions of zc_hal.h and for zc_motor.c; a definition elsewhere replaces them. */
#include "zc_hal.h"
#include "zc_protocol.h"

#define WEAK __attribute__((weak))

WEAK zc_rom_text zc_hal_reserved_reason(uint8_t pin)
{
    (void)pin;
    return ZC_TEXT("serial line");
}

WEAK bool zc_hal_can(uint8_t pin, zc_mode mode)
{
    (void)pin;
    (void)mode;
    return true;
}

WEAK uint8_t zc_hal_analog_bits(void)
{
    return 10;
}

WEAK uint8_t zc_hal_analog_count(void)
{
    return 0;
}

WEAK uint8_t zc_hal_analog_pin(uint8_t channel)
{
    return channel;
}

WEAK uint16_t zc_hal_analog_read(uint8_t channel)
{
    (void)channel;
    return 0;
}

WEAK bool zc_hal_has_pwm(uint8_t pin)
{
    (void)pin;
    return false;
}

WEAK zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    (void)pin;
    (void)duty;
    return ZC_UNSUPPORTED;
}

WEAK uint8_t zc_hal_pwm_duty(uint8_t pin)
{
    (void)pin;
    return 0;
}

WEAK bool zc_hal_has_servo(uint8_t pin)
{
    (void)pin;
    return false;
}

WEAK zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    (void)pin;
    (void)pulse_us;
    return ZC_UNSUPPORTED;
}

WEAK uint16_t zc_hal_servo_us(uint8_t pin)
{
    (void)pin;
    return 0;
}

WEAK zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds)
{
    (void)pin;
    (void)hertz;
    (void)milliseconds;
    return ZC_UNSUPPORTED;
}

WEAK uint16_t zc_hal_tone_hertz(uint8_t pin)
{
    (void)pin;
    return 0;
}

WEAK void zc_hal_reset(void)
{
}

WEAK bool zc_hal_has_i2c(uint8_t pin)
{
    (void)pin;
    return false;
}

WEAK zc_result zc_hal_i2c(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    (void)address;
    (void)out;
    (void)out_count;
    (void)in;
    (void)in_count;
    return ZC_UNSUPPORTED;
}

WEAK bool zc_hal_has_spi(uint8_t pin)
{
    (void)pin;
    return false;
}

WEAK zc_result zc_hal_spi(uint8_t select, uint8_t mode, uint32_t hertz, uint8_t *bytes, uint8_t count)
{
    (void)select;
    (void)mode;
    (void)hertz;
    (void)bytes;
    (void)count;
    return ZC_UNSUPPORTED;
}

WEAK bool zc_hal_has_uart(uint8_t pin)
{
    (void)pin;
    return false;
}

WEAK void zc_hal_uart_write(uint8_t pin, const uint8_t *bytes, uint8_t count)
{
    (void)pin;
    (void)bytes;
    (void)count;
}

WEAK void zc_hal_uart_listen(uint8_t pin)
{
    (void)pin;
}

WEAK bool zc_hal_uart_listens(uint8_t pin)
{
    (void)pin;
    return false;
}

WEAK uint8_t zc_hal_uart_take(uint8_t *bytes, uint8_t limit)
{
    (void)bytes;
    (void)limit;
    return 0;
}

WEAK uint16_t zc_hal_uart_lost(void)
{
    return 0;
}

WEAK void zc_motor_poll(uint32_t now)
{
    (void)now;
}
