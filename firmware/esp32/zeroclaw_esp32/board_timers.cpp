/*
 * PWM at 1 kHz, servo pulses at 50 Hz and one tone. On the ESP32 family the LED controller makes them: its channels 2n
 * and 2n+1 share a timer, so both are given to one use. On the ESP8266 it is the waveform timer of its core.
 */
#include <Arduino.h>

#include "board.h"

#define PWM_HERTZ 1000
#define SERVO_HERTZ 50
#define SERVO_PERIOD_US 20000u

#ifdef ESP8266
#include <core_esp8266_waveform.h>
#elif ESP_ARDUINO_VERSION_MAJOR < 3
#error "Needs version 3 or later of the ESP32 core for Arduino."
#endif

static uint8_t tone_pin = ZC_NO_PIN;
static uint32_t tone_begun_us, tone_length_us; /* 0: without end */

extern "C" bool zc_hal_has_pwm(uint8_t pin)
{
#ifdef ESP8266
    return !board_is_reserved(pin) && pin != 16; /* it hangs on the clock part of the chip */
#else
    return !board_is_reserved(pin) && zc_hal_can(pin, ZC_MODE_OUTPUT);
#endif
}

extern "C" bool zc_hal_has_servo(uint8_t pin)
{
    return zc_hal_has_pwm(pin);
}

#ifdef ESP8266

/* The core has one waveform for each pin. */
static bool is_free(uint8_t pin, zc_mode mode)
{
    (void)pin;
    (void)mode;
    return true;
}

static void make_pwm(uint8_t pin, uint16_t duty)
{
    pinMode(pin, OUTPUT);
    analogWriteFreq(PWM_HERTZ);
    analogWriteRange(255);
    analogWrite(pin, duty);
}

static void make_servo(uint8_t pin, uint16_t pulse_us)
{
    pinMode(pin, OUTPUT);
    startWaveform(pin, pulse_us, SERVO_PERIOD_US - pulse_us);
}

static void make_tone(uint8_t pin, uint16_t hertz)
{
    uint32_t half_us = (500000u + hertz / 2u) / hertz;

    pinMode(pin, OUTPUT);
    startWaveform(pin, half_us, half_us);
}

static void end_wave(uint8_t pin)
{
    stopWaveform(pin);
    digitalWrite(pin, LOW);
}

#else

#define PWM_BITS 8     /* 255 of 8 bits is a plain level: the core sees to that */
#define SERVO_BITS 14  /* the most that all chips have: 1.2 us */
#define LOW_TONE_HERTZ 200
#define LOW_TONE_BITS 14 /* with fewer, the divider does not reach down to 31 Hz */
#define HIGH_TONE_BITS 10
#define NO_CHANNEL 0xFF
#if CONFIG_IDF_TARGET_ESP32
#define CHANNELS 16
#elif CONFIG_IDF_TARGET_ESP32S2 || CONFIG_IDF_TARGET_ESP32S3
#define CHANNELS 8
#else
#define CHANNELS 6
#endif

/* The pin on each channel, or ZC_NO_PIN. */
static uint8_t channel_pins[CHANNELS];
static bool is_ready;

static bool is_channel_free(uint8_t channel)
{
    if (!is_ready) {
        memset(channel_pins, ZC_NO_PIN, sizeof channel_pins);
        is_ready = true;
    }
    return channel_pins[channel] == ZC_NO_PIN;
}

/* The channel of a pin, or one that is free for a use of it: beside the same use, else on a timer of its own. */
static uint8_t find_channel(uint8_t pin, zc_mode mode)
{
    uint8_t channel, found = NO_CHANNEL;

    for (channel = 0; channel < CHANNELS; channel++) {
        uint8_t other = channel ^ 1u;
        if (!is_channel_free(channel)) {
            if (channel_pins[channel] == pin && zc_hal_mode(pin) == mode && mode != ZC_MODE_TONE) {
                return channel;
            }
            continue;
        }
        if (is_channel_free(other) || channel_pins[other] == pin) {
            if (found == NO_CHANNEL) {
                found = channel;
            }
        } else if (zc_hal_mode(channel_pins[other]) == mode && mode != ZC_MODE_TONE) {
            return channel;
        }
    }
    return found;
}

static bool is_free(uint8_t pin, zc_mode mode)
{
    return find_channel(pin, mode) != NO_CHANNEL;
}

static void make_wave(uint8_t pin, zc_mode mode, uint32_t hertz, uint8_t bits, uint32_t duty)
{
    uint8_t channel = find_channel(pin, mode);

    if (pin_is_gpio(pin)) {
        channel_pins[channel] = pin;
        ledcAttachChannel(pin, hertz, bits, channel);
    }
    ledcWrite(pin, duty);
}

static void make_pwm(uint8_t pin, uint16_t duty)
{
    make_wave(pin, ZC_MODE_PWM, PWM_HERTZ, PWM_BITS, duty);
}

static void make_servo(uint8_t pin, uint16_t pulse_us)
{
    uint32_t duty = ((uint32_t)pulse_us * (1u << SERVO_BITS) + SERVO_PERIOD_US / 2) / SERVO_PERIOD_US;

    make_wave(pin, ZC_MODE_SERVO, SERVO_HERTZ, SERVO_BITS, duty);
}

static void make_tone(uint8_t pin, uint16_t hertz)
{
    uint8_t bits = hertz < LOW_TONE_HERTZ ? LOW_TONE_BITS : HIGH_TONE_BITS;

    make_wave(pin, ZC_MODE_TONE, hertz, bits, 1u << (bits - 1));
}

static void end_wave(uint8_t pin)
{
    uint8_t channel;

    ledcDetach(pin);
    for (channel = 0; channel < CHANNELS; channel++) {
        if (!is_channel_free(channel) && channel_pins[channel] == pin) {
            channel_pins[channel] = ZC_NO_PIN;
        }
    }
}

#endif

/* `value` is what the state command shows. A pin that does something else is made a plain output first. */
static zc_result use(uint8_t pin, zc_mode mode, void (*make)(uint8_t pin, uint16_t value), uint16_t value)
{
    if (!is_free(pin, mode)) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(pin) != mode || mode == ZC_MODE_TONE) {
        zc_hal_write(pin, 0);
    }
    make(pin, value);
    pin_give(pin);
    pins_note_timer(pin, mode, value);
    return ZC_OK;
}

extern "C" zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    return use(pin, ZC_MODE_PWM, make_pwm, duty);
}

extern "C" zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    return use(pin, ZC_MODE_SERVO, make_servo, pulse_us);
}

extern "C" zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds)
{
    zc_result result;

    if (!zc_hal_has_pwm(pin)) {
        return ZC_UNSUPPORTED;
    }
    if (tone_pin != ZC_NO_PIN && tone_pin != pin) {
        return ZC_CONFLICT;
    }
    result = use(pin, ZC_MODE_TONE, make_tone, hertz);
    if (result == ZC_OK) {
        tone_pin = pin;
        tone_begun_us = board_micros();
        tone_length_us = milliseconds * 1000;
    }
    return result;
}

extern "C" void board_release_timer(uint8_t pin, zc_mode mode)
{
    end_wave(pin);
    if (mode == ZC_MODE_TONE) {
        tone_pin = ZC_NO_PIN;
    }
}

void timers_poll(void)
{
    if (tone_pin != ZC_NO_PIN && tone_length_us != 0 && board_micros() - tone_begun_us >= tone_length_us) {
        zc_hal_write(tone_pin, 0); /* calls board_release_timer() */
    }
}
