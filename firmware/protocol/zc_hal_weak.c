/* Stand-ins for the optional board functions of zc_hal.h; a board's own definition replaces them. */
#include "zc_hal.h"

#define WEAK __attribute__((weak))

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
