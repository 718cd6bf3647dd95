/* Pins by busy waiting and by every kind of store, then arithmetic whose results go out over a polled USART. */
#include <avr/io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <util/crc16.h>
#include <util/delay.h>

static void put(char character) {
    while (!(UCSR0A & _BV(UDRE0))) {}
    UDR0 = (uint8_t)character;
}

static void put_text(const char *text) {
    while (*text) put(*text++);
}

static void show(const char *name, int32_t value) {
    char text[12];
    put_text(name);
    put('=');
    put_text(ltoa(value, text, 10));
    put('\n');
}

static int compare(const void *left, const void *right) {
    return *(const int16_t *)left - *(const int16_t *)right;
}

static void pins(void) {
    volatile uint8_t *port = &PORTB;
    DDRB = 0x3F;
    DDRD = 0xFC;
    for (uint8_t round = 0; round < 50; round++) {
        PORTB |= _BV(PORTB5);
        _delay_us(10);
        PORTB &= (uint8_t)~_BV(PORTB5);
        *port = (uint8_t)(round & 0x1F);
        PIND = _BV(PIND2) | _BV(PIND7);
        _delay_us(1.5);
        PINB = _BV(PINB0);
        PINB = _BV(PINB1);
        PORTD ^= 0x38;
        if (PINB & 1) PORTC ^= 1;
        DDRC ^= 3;
        _delay_us(33);
    }
}

static void arithmetic(void) {
    static int16_t numbers[40];
    uint32_t seed = 12345, sum = 0;
    uint16_t crc = 0xFFFF;
    double product = 1.0;
    for (uint8_t i = 0; i < 40; i++) {
        seed = seed * 1103515245UL + 12345;
        numbers[i] = (int16_t)(seed >> 16);
        sum += seed % 1000;
        crc = _crc16_update(crc, (uint8_t)(seed >> 20));
        product *= 1.0 + numbers[i] / 100000.0;
    }
    qsort(numbers, 40, sizeof numbers[0], compare);
    show("smallest", numbers[0]);
    show("largest", numbers[39]);
    show("sum", (int32_t)sum);
    show("crc", crc);
    show("product", (int32_t)(product * 1e6));
    char text[40];
    snprintf(text, sizeof text, "%ld %x %s\n", (long)(sum * 7919UL), crc, "done");
    put_text(text);
}

int main(void) {
    UBRR0 = 16;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(TXEN0);
    pins();
    arithmetic();
    for (;;) {}
}
