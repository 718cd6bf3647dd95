/*
 * Pins, edges and analog inputs by Arduino's functions. What each chip's pins are for: its data sheet, "Pins"; which of
 * them modules and boards use themselves: the data sheets of the modules.
 */
#include <Arduino.h>

#include "board.h"

#define BIT64(n) (1ULL << (n))
#define SPAN(first, last) ((BIT64((last) - (first) + 1) - 1) << (first))

#ifdef ESP8266
static const uint64_t USABLE = SPAN(0, 0) | BIT64(2) | SPAN(4, 5) | SPAN(12, 16);
static const uint64_t MEMORY = SPAN(6, 11);
static const uint64_t USB = 0;
static const uint64_t INPUT_ONLY = 0;
static const uint64_t NO_PULL_UP = BIT64(16);
static const uint8_t CHANNELS[] = {17};
static const uint8_t ANALOG_BITS = 10;
#elif CONFIG_IDF_TARGET_ESP32
static const uint64_t USABLE = BIT64(0) | BIT64(2) | SPAN(4, 5) | SPAN(12, 19) | SPAN(21, 23) | SPAN(25, 27) |
                               SPAN(32, 36) | BIT64(39);
static const uint64_t MEMORY = SPAN(6, 11);
static const uint64_t USB = 0;
static const uint64_t INPUT_ONLY = SPAN(34, 39);
static const uint64_t NO_PULL_UP = SPAN(34, 39);
/* Channel n is channel n of ADC1, or channel n - 10 of ADC2. */
static const uint8_t CHANNELS[] = {36, ZC_NO_PIN, ZC_NO_PIN, 39, 32, 33, 34, 35, ZC_NO_PIN, ZC_NO_PIN,
                                   4,  0,         2,         15, 13, 12, 14, 27, 25,        26};
static const uint8_t ANALOG_BITS = 12;
#elif CONFIG_IDF_TARGET_ESP32S2
static const uint64_t USABLE = SPAN(0, 21) | SPAN(33, 42) | SPAN(45, 46);
static const uint64_t MEMORY = SPAN(26, 32);
static const uint64_t USB = 0;
static const uint64_t INPUT_ONLY = BIT64(46);
static const uint64_t NO_PULL_UP = BIT64(46);
static const uint8_t CHANNELS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
static const uint8_t ANALOG_BITS = 12;
#elif CONFIG_IDF_TARGET_ESP32S3
static const uint64_t USABLE = SPAN(0, 18) | BIT64(21) | SPAN(38, 42) | SPAN(45, 48);
static const uint64_t MEMORY = SPAN(26, 37);
static const uint64_t USB = SPAN(19, 20);
static const uint64_t INPUT_ONLY = 0;
static const uint64_t NO_PULL_UP = 0;
static const uint8_t CHANNELS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
static const uint8_t ANALOG_BITS = 12;
#elif CONFIG_IDF_TARGET_ESP32C3
static const uint64_t USABLE = SPAN(0, 10) | SPAN(18, 19);
static const uint64_t MEMORY = SPAN(11, 17);
static const uint64_t USB = 0;
static const uint64_t INPUT_ONLY = 0;
static const uint64_t NO_PULL_UP = 0;
static const uint8_t CHANNELS[] = {0, 1, 2, 3, 4};
static const uint8_t ANALOG_BITS = 12;
#elif CONFIG_IDF_TARGET_ESP32C6
static const uint64_t USABLE = SPAN(0, 11) | BIT64(15) | SPAN(18, 23);
static const uint64_t MEMORY = 0;
static const uint64_t USB = SPAN(12, 13);
static const uint64_t INPUT_ONLY = 0;
static const uint64_t NO_PULL_UP = 0;
static const uint8_t CHANNELS[] = {0, 1, 2, 3, 4, 5, 6};
static const uint8_t ANALOG_BITS = 12;
#endif

static bool latches[PIN_COUNT];
static bool outputs[PIN_COUNT];
static bool given[PIN_COUNT];
static bool pull_ups[PIN_COUNT];
static uint8_t watched = ZC_NO_PIN;

static bool is_in(uint64_t pins, uint8_t pin)
{
    return (pins >> pin & 1) != 0;
}

extern "C" bool board_is_reserved(uint8_t pin)
{
    return !is_in(USABLE, pin);
}

extern "C" zc_rom_text zc_hal_reserved_reason(uint8_t pin)
{
    if (pin == TX_PIN || pin == RX_PIN) {
        return "serial line";
    }
    if (is_in(MEMORY, pin)) {
        return "memory of the module";
    }
    return is_in(USB, pin) ? "USB" : "not on this board";
}

extern "C" bool zc_hal_can(uint8_t pin, zc_mode mode)
{
    return mode == ZC_MODE_PULLUP ? !is_in(NO_PULL_UP, pin) : !is_in(INPUT_ONLY, pin);
}

bool pin_is_gpio(uint8_t pin)
{
    return !given[pin];
}

void pin_give(uint8_t pin)
{
    given[pin] = true;
}

/* Whatever had the pin, it is a plain one again. */
static void take_back(uint8_t pin)
{
    if (given[pin]) {
        given[pin] = false;
        pinMode(pin, INPUT);
        digitalWrite(pin, latches[pin] ? HIGH : LOW);
    }
}

static void set_plain_mode(uint8_t pin)
{
    pinMode(pin, outputs[pin] ? OUTPUT : pull_ups[pin] ? INPUT_PULLUP : INPUT);
}

extern "C" void board_set_latch(uint8_t pin, bool high)
{
    latches[pin] = high;
    if (!given[pin]) {
        digitalWrite(pin, high ? HIGH : LOW);
    }
}

extern "C" void board_set_output(uint8_t pin, bool output)
{
    take_back(pin);
    outputs[pin] = output;
    set_plain_mode(pin);
}

extern "C" void board_set_pull_up(uint8_t pin, bool on)
{
    if (pull_ups[pin] != on) {
        pull_ups[pin] = on;
        if (!outputs[pin] && !given[pin]) {
            set_plain_mode(pin);
        }
    }
}

extern "C" bool board_read(uint8_t pin)
{
    return digitalRead(pin) == HIGH;
}

extern "C" uint8_t zc_hal_analog_count(void)
{
    return sizeof CHANNELS;
}

extern "C" uint8_t zc_hal_analog_pin(uint8_t channel)
{
    return CHANNELS[channel];
}

extern "C" uint8_t zc_hal_analog_bits(void)
{
    return ANALOG_BITS;
}

/*
 * The converter takes the pin away from its plain mode, which is put back. It would end an output, so for one the
 * level that it has tells the value.
 */
extern "C" uint16_t zc_hal_analog_read(uint8_t channel)
{
    uint8_t pin = CHANNELS[channel];
    bool is_analog_only = board_is_reserved(pin);
    uint16_t value;

    if (!is_analog_only && !pins_is_input(pin)) {
        return board_read(pin) ? (uint16_t)((1u << ANALOG_BITS) - 1) : 0;
    }
    value = (uint16_t)analogRead(pin);
#ifndef ESP8266
    if (!is_analog_only) {
        set_plain_mode(pin);
    }
#endif
    return value;
}

static void IRAM_ATTR on_edge(void)
{
    uart_lines_edge();
}

extern "C" void board_watch_edges(uint8_t pin)
{
    if (watched != ZC_NO_PIN) {
        detachInterrupt(digitalPinToInterrupt(watched));
    }
    watched = pin;
    if (pin != ZC_NO_PIN) {
        attachInterrupt(digitalPinToInterrupt(pin), on_edge, CHANGE);
    }
}

extern "C" void board_lock(void)
{
    noInterrupts();
}

extern "C" void board_unlock(void)
{
    interrupts();
}

extern "C" uint32_t board_micros(void)
{
    return (uint32_t)micros();
}

extern "C" void board_wait_ns(uint32_t nanoseconds)
{
    delayMicroseconds((nanoseconds + 999) / 1000);
}

void pins_start(void)
{
    uint8_t pin;

    for (pin = 0; pin < PIN_COUNT; pin++) {
        if (!board_is_reserved(pin)) {
            pinMode(pin, INPUT);
        }
    }
#ifndef ESP8266
    analogReadResolution(ANALOG_BITS);
#endif
}
