/* Modes of the pins, and what follows from them: see zc_board.h. */
#include "zc_board.h"

static uint8_t modes[PIN_COUNT];   /* 0 stands for input, so that a start needs no loop */
static uint16_t values[PIN_COUNT]; /* of a timer: duty, microseconds or hertz */

zc_mode zc_hal_mode(uint8_t pin)
{
    if (board_is_reserved(pin)) {
        return ZC_MODE_RESERVED;
    }
    return modes[pin] == 0 ? ZC_MODE_INPUT : (zc_mode)modes[pin];
}

bool pins_has_timer(uint8_t pin)
{
    zc_mode mode = zc_hal_mode(pin);

    return mode == ZC_MODE_PWM || mode == ZC_MODE_SERVO || mode == ZC_MODE_TONE;
}

bool pins_is_input(uint8_t pin)
{
    zc_mode mode = zc_hal_mode(pin);

    return mode == ZC_MODE_INPUT || mode == ZC_MODE_PULLUP;
}

void pins_note_timer(uint8_t pin, zc_mode mode, uint16_t value)
{
    modes[pin] = (uint8_t)mode;
    values[pin] = value;
}

uint16_t pins_timer_value(uint8_t pin)
{
    return values[pin];
}

uint8_t zc_hal_pwm_duty(uint8_t pin)
{
    return (uint8_t)values[pin];
}

uint16_t zc_hal_servo_us(uint8_t pin)
{
    return values[pin];
}

uint16_t zc_hal_tone_hertz(uint8_t pin)
{
    return values[pin];
}

static void end_timer_use(uint8_t pin)
{
    if (pins_has_timer(pin)) {
        board_release_timer(pin, zc_hal_mode(pin));
    }
}

void zc_hal_set_mode(uint8_t pin, zc_mode mode)
{
    bool was_output = zc_hal_mode(pin) == ZC_MODE_OUTPUT;

    if (mode == ZC_MODE_OUTPUT) {
        if (!was_output) {
            zc_hal_write(pin, 0);
        }
        return;
    }
    end_timer_use(pin);
    board_set_output(pin, false);
    board_set_pull_up(pin, mode == ZC_MODE_PULLUP);
    modes[pin] = (uint8_t)mode;
}

uint8_t zc_hal_read(uint8_t pin)
{
    return board_read(pin) ? 1 : 0;
}

void zc_hal_write(uint8_t pin, uint8_t level)
{
    board_set_latch(pin, level != 0); /* the level first: no pulse of the other level when the pin becomes an output */
    end_timer_use(pin);
    board_set_latch(pin, level != 0); /* a tone may have changed it until it ended */
    board_set_output(pin, true);
    board_set_pull_up(pin, false);
    modes[pin] = (uint8_t)ZC_MODE_OUTPUT;
}

uint8_t zc_hal_pin_count(void)
{
    return PIN_COUNT;
}

uint8_t zc_hal_led_pin(void)
{
    return LED_PIN;
}

uint8_t zc_hal_stop_all(void)
{
    uint8_t pin, stopped = 0;

    for (pin = 0; pin < PIN_COUNT; pin++) {
        if (!board_is_reserved(pin) && !pins_is_input(pin)) {
            zc_hal_write(pin, 0);
            stopped++;
        }
    }
    return stopped;
}

uint32_t zc_hal_millis(void)
{
    static uint32_t milliseconds, last_us, rest_us;
    uint32_t now_us = board_micros();

    rest_us += now_us - last_us;
    last_us = now_us;
    milliseconds += rest_us / 1000;
    rest_us %= 1000;
    return milliseconds;
}
