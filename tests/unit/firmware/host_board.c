/*
 * The protocol core on a host computer with a pretended board of 20 pins, for the tests.
 *
 * Orders on stdin, one a line; each is answered by any number of result lines and "ok":
 *   recv HEX              bytes from the serial line
 *   tick MS               let time pass, polling each millisecond
 *   analog CHANNEL VALUE  value of an analog input
 *   drive PIN LEVEL       level at an input pin, 2 lets go
 *   room BYTES            free places in the transmit buffer from now on
 *   pins                  "pin N MODE LEVEL VALUE" for each pin
 *   boot CAUSE            start anew
 * Sent bytes come back as "sent HEX".
 *
 * On its buses are the devices that vectors/README.md names: three on I2C, a loop-back on SPI.
 * What is written to the second serial line comes back on the pin that is listened to.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zc_protocol.h"

#define PINS 20
#define MEMORY_BYTES 4096
#define RELEASED 2 /* nothing drives the input */

const char zc_firmware_name[] = "zeroclaw-arduino";
const char zc_firmware_version[] = ZC_FIRMWARE_VERSION;
const char zc_board_name[] = "arduino-uno";

static struct {
    zc_mode mode;
    uint8_t output, driven;
    unsigned value; /* duty, microseconds or hertz */
} pins[PINS];
static uint16_t analog[6];
static uint32_t now;
static uint16_t room = 255;
static int resets;
static uint32_t tone_end[PINS];

static uint8_t thermometer_pointer;
static uint8_t memory[MEMORY_BYTES];
static uint16_t memory_address;
static uint8_t uart_pin;
static uint8_t uart_ring[64];
static uint8_t uart_count;
static uint16_t uart_lost;

static char *sent;
static size_t sent_length, sent_size;

void zc_hal_put(char c)
{
    if (sent_length == sent_size) {
        sent_size = sent_size * 2 + 256;
        sent = realloc(sent, sent_size);
    }
    sent[sent_length++] = c;
}

uint16_t zc_hal_put_free(void) { return room; }
uint32_t zc_hal_millis(void) { return now; }
uint16_t zc_hal_receive_size(void) { return 255; }
uint16_t zc_hal_watchdog_ms(void) { return 2000; }
uint8_t zc_hal_pin_count(void) { return PINS; }
uint8_t zc_hal_led_pin(void) { return 13; }
uint8_t zc_hal_analog_count(void) { return 6; }
uint8_t zc_hal_analog_pin(uint8_t channel) { return (uint8_t)(14 + channel); }
uint16_t zc_hal_analog_read(uint8_t channel) { return analog[channel]; }

static void check(uint8_t pin)
{
    if (pin < 2 || pin >= PINS) { /* the core must never let such a pin through */
        fprintf(stderr, "pin %u reached the board\n", pin);
        abort();
    }
}

zc_mode zc_hal_mode(uint8_t pin)
{
    if (pin >= PINS) {
        abort();
    }
    return pin < 2 ? ZC_MODE_RESERVED : pins[pin].mode;
}

void zc_hal_set_mode(uint8_t pin, zc_mode mode)
{
    check(pin);
    if (pins[pin].mode != ZC_MODE_OUTPUT) {
        pins[pin].output = 0;
    }
    pins[pin].mode = mode;
}

uint8_t zc_hal_read(uint8_t pin)
{
    check(pin);
    if (pins[pin].mode != ZC_MODE_INPUT && pins[pin].mode != ZC_MODE_PULLUP) {
        return pins[pin].output;
    }
    return pins[pin].driven == RELEASED ? pins[pin].mode == ZC_MODE_PULLUP : pins[pin].driven;
}

void zc_hal_write(uint8_t pin, uint8_t level)
{
    check(pin);
    if (level > 1) {
        abort();
    }
    pins[pin].mode = ZC_MODE_OUTPUT;
    pins[pin].output = level;
}

uint8_t zc_hal_stop_all(void)
{
    uint8_t pin, stopped = 0;

    for (pin = 2; pin < PINS; pin++) {
        if (pins[pin].mode != ZC_MODE_INPUT && pins[pin].mode != ZC_MODE_PULLUP) {
            zc_hal_write(pin, 0);
            stopped++;
        }
    }
    return stopped;
}

bool zc_hal_has_pwm(uint8_t pin)
{
    return pin == 3 || pin == 5 || pin == 6 || pin == 9 || pin == 10 || pin == 11;
}

static zc_result use(uint8_t pin, zc_mode mode, unsigned value)
{
    check(pin);
    pins[pin].output = 0;
    pins[pin].mode = mode;
    pins[pin].value = value;
    return ZC_OK;
}

static bool is_tone_playing(uint8_t except)
{
    uint8_t pin;

    for (pin = 2; pin < PINS; pin++) {
        if (pin != except && pins[pin].mode == ZC_MODE_TONE) {
            return true;
        }
    }
    return false;
}

zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    if ((pin == 9 && pins[10].mode == ZC_MODE_SERVO) || (pin == 10 && pins[9].mode == ZC_MODE_SERVO) ||
        ((pin == 3 || pin == 11) && is_tone_playing(pin))) {
        return ZC_CONFLICT;
    }
    return use(pin, ZC_MODE_PWM, duty);
}

bool zc_hal_has_servo(uint8_t pin) { return pin == 9 || pin == 10; }

zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    if (pulse_us < 500 || pulse_us > 2500) {
        abort();
    }
    return pins[pin == 9 ? 10 : 9].mode == ZC_MODE_PWM ? ZC_CONFLICT : use(pin, ZC_MODE_SERVO, pulse_us);
}

zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds)
{
    if ((pin != 3 && pins[3].mode == ZC_MODE_PWM) || (pin != 11 && pins[11].mode == ZC_MODE_PWM) ||
        is_tone_playing(pin)) {
        return ZC_CONFLICT;
    }
    tone_end[pin] = milliseconds ? now + milliseconds : 0;
    return use(pin, ZC_MODE_TONE, hertz);
}

uint8_t zc_hal_pwm_duty(uint8_t pin) { return (uint8_t)pins[pin].value; }
uint16_t zc_hal_servo_us(uint8_t pin) { return (uint16_t)pins[pin].value; }
uint16_t zc_hal_tone_hertz(uint8_t pin) { return (uint16_t)pins[pin].value; }
void zc_hal_reset(void) { resets++; }

bool zc_hal_has_i2c(uint8_t pin) { return pin == 18 || pin == 19; }
bool zc_hal_has_spi(uint8_t pin) { return pin >= 11 && pin <= 13; }
bool zc_hal_has_uart(uint8_t pin) { return pin >= 2; }

static bool is_input(uint8_t pin)
{
    return pins[pin].mode == ZC_MODE_INPUT || pins[pin].mode == ZC_MODE_PULLUP;
}

static bool has_timer(uint8_t pin)
{
    return !is_input(pin) && pins[pin].mode != ZC_MODE_OUTPUT;
}

static const uint8_t *thermometer_register(void)
{
    static const uint8_t registers[4][2] = {{0x16, 0x80}, {0, 0}, {0x4B, 0}, {0x50, 0}};

    return registers[thermometer_pointer];
}

static void thermometer(const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    uint8_t index;

    if (out_count > 0) {
        thermometer_pointer = out[0] & 3;
    }
    for (index = 0; index < in_count; index++) {
        in[index] = thermometer_register()[thermometer_pointer == 1 ? 0 : index % 2];
    }
}

static void memory_device(const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    uint8_t index;

    for (index = 0; index < out_count; index++) {
        if (index < 2) {
            memory_address = (uint16_t)((memory_address << 8 | out[index]) % MEMORY_BYTES);
        } else {
            memory[memory_address] = out[index];
            memory_address = (uint16_t)(memory_address / 32 * 32 + (memory_address + 1) % 32);
        }
    }
    for (index = 0; index < in_count; index++) {
        in[index] = memory[memory_address];
        memory_address = (uint16_t)((memory_address + 1) % MEMORY_BYTES);
    }
}

zc_result zc_hal_i2c(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    uint8_t copy[32];

    if (address < 0x08 || address > 0x77 || out_count > 32 || in_count > 32) {
        abort();
    }
    if (!is_input(18) || !is_input(19)) {
        return ZC_CONFLICT;
    }
    if (pins[18].driven == 0 || pins[19].driven == 0) {
        return ZC_BUS_FAULT;
    }
    memcpy(copy, out, out_count);
    if (address == 0x48) {
        thermometer(copy, out_count, in, in_count);
    } else if (address == 0x50) {
        memory_device(copy, out_count, in, in_count);
    } else if (address == 0x60) {
        memset(in, 0, in_count);
        return out_count > 1 ? ZC_NO_ACK : ZC_OK;
    } else {
        return ZC_NO_DEVICE;
    }
    return ZC_OK;
}

zc_result zc_hal_spi(uint8_t select, uint8_t mode, uint32_t hertz, uint8_t *bytes, uint8_t count)
{
    (void)bytes; /* they come back as they are */
    check(select);
    if (mode > 3 || hertz < 125000 || hertz > 8000000 || count == 0 || count > 32) {
        abort();
    }
    if (zc_hal_has_spi(select)) {
        return ZC_UNSUPPORTED;
    }
    if (has_timer(select) || has_timer(11) || has_timer(12) || has_timer(13)) {
        return ZC_CONFLICT;
    }
    if (select != 10 && is_input(10) && pins[10].driven == 0) {
        return ZC_BUS_FAULT;
    }
    zc_hal_write(select, 1);
    zc_hal_write(11, 0);
    zc_hal_write(13, 0);
    if (!is_input(12)) {
        pins[12].mode = ZC_MODE_INPUT;
    }
    return ZC_OK;
}

void zc_hal_uart_listen(uint8_t pin)
{
    check(pin);
    if (pin != uart_pin) {
        uart_count = 0;
        uart_lost = 0;
        uart_pin = pin;
    }
}

bool zc_hal_uart_listens(uint8_t pin)
{
    if (uart_pin != 0 && !is_input(uart_pin)) {
        uart_pin = 0;
    }
    return pin == uart_pin;
}

void zc_hal_uart_write(uint8_t pin, const uint8_t *bytes, uint8_t count)
{
    if (zc_hal_uart_listens(pin) || has_timer(pin)) {
        abort();
    }
    zc_hal_write(pin, 1);
    while (count-- > 0 && uart_pin != 0) {
        if (uart_count == sizeof uart_ring - 1) {
            uart_lost++;
        } else {
            uart_ring[uart_count++] = *bytes;
        }
        bytes++;
    }
}

uint8_t zc_hal_uart_take(uint8_t *bytes, uint8_t limit)
{
    uint8_t count = uart_count < limit ? uart_count : limit;

    memcpy(bytes, uart_ring, count);
    uart_count = (uint8_t)(uart_count - count);
    memmove(uart_ring, uart_ring + count, uart_count);
    return count;
}

uint16_t zc_hal_uart_lost(void)
{
    uint16_t count = uart_lost;

    uart_lost = 0;
    return count;
}

static void start(const char *cause)
{
    uint8_t pin;

    memset(tone_end, 0, sizeof tone_end);
    for (pin = 0; pin < PINS; pin++) {
        pins[pin].mode = ZC_MODE_INPUT;
        pins[pin].output = 0;
        pins[pin].driven = RELEASED;
    }
    memset(analog, 0, sizeof analog);
    memset(memory, 0xFF, sizeof memory);
    thermometer_pointer = 0;
    memory_address = 0;
    uart_pin = 0;
    now = 0;
    room = 255;
    zc_start(cause);
}

static void receive(const char *hex)
{
    unsigned byte;

    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        zc_receive((char)byte);
        if (resets) {
            resets = 0;
            start("command");
        }
    }
}

static void advance(unsigned milliseconds)
{
    uint8_t pin;

    while (milliseconds-- > 0) {
        now++;
        for (pin = 2; pin < PINS; pin++) {
            if (pins[pin].mode == ZC_MODE_TONE && tone_end[pin] != 0 && now >= tone_end[pin]) {
                zc_hal_write(pin, 0);
            }
        }
        (void)zc_hal_uart_listens(0); /* as the firmware looks at the listening pin in each turn of its main loop */
        zc_poll();
    }
}

static void show_pins(void)
{
    uint8_t pin;

    for (pin = 2; pin < PINS; pin++) {
        printf("pin %u %c %u %u\n", pin, pins[pin].mode, zc_hal_read(pin), pins[pin].value);
    }
}

static void flush_sent(void)
{
    size_t index;

    if (sent_length == 0) {
        return;
    }
    fputs("sent ", stdout);
    for (index = 0; index < sent_length; index++) {
        printf("%02x", (unsigned char)sent[index]);
    }
    putchar('\n');
    sent_length = 0;
}

int main(void)
{
    char *order = NULL;
    size_t size = 0;
    int first, second;

    start("power");
    while (getline(&order, &size, stdin) > 0) {
        order[strcspn(order, "\n")] = '\0';
        if (strncmp(order, "recv ", 5) == 0) {
            receive(order + 5);
        } else if (sscanf(order, "tick %d", &first) == 1) {
            advance((unsigned)first);
        } else if (sscanf(order, "analog %d %d", &first, &second) == 2) {
            analog[first] = (uint16_t)second;
        } else if (sscanf(order, "drive %d %d", &first, &second) == 2) {
            pins[first].driven = (uint8_t)second;
        } else if (sscanf(order, "room %d", &first) == 1) {
            room = (uint16_t)first;
        } else if (strncmp(order, "boot ", 5) == 0) {
            start(order + 5);
        } else if (strcmp(order, "pins") == 0) {
            show_pins();
        } else {
            return 2;
        }
        flush_sent();
        puts("ok");
        fflush(stdout);
    }
    free(order);
    free(sent);
    return 0;
}
