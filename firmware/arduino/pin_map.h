/*
 * Where the board's pins are on the chip, and which pins do what.
 * ATmega328P: data sheet figure 1-1 with the pinout of the Arduino Uno R3. ATmega2560: data sheet figure 1-1 with the
 * pinout of the Arduino Mega 2560 R3.
 */
#ifndef PIN_MAP_H
#define PIN_MAP_H

#include <avr/io.h>
#include <stdint.h>

#include "zc_hal.h"

/* The PIN and DDR registers stand two and one places below PORT in every port. */
#define INPUT_OF(port) (*((port) - 2))
#define DIRECTION_OF(port) (*((port) - 1))

#if defined(__AVR_ATmega328P__)

#define PIN_COUNT 20 /* 0..13 digital, 14..19 = A0..A5 */
#define FIRST_ANALOG_PIN 14
#ifndef ANALOG_COUNT
#define ANALOG_COUNT 6 /* 8 on the Nano, whose A6 and A7 are nothing but analog inputs */
#endif
#define I2C_PORT PORTC
#define SDA_PIN 18
#define SCL_PIN 19
#define SDA_BIT 4
#define SCL_BIT 5
#define SS_PIN 10
#define MOSI_PIN 11
#define MISO_PIN 12
#define SCK_PIN 13

/* 0..7 = port D, 8..13 = port B, 14..19 = port C */
static inline volatile uint8_t *pin_port(uint8_t pin)
{
    return pin < 8 ? &PORTD : pin < 14 ? &PORTB : &PORTC;
}

static inline uint8_t pin_mask(uint8_t pin)
{
    uint8_t bit = pin < 8 ? pin : pin < 14 ? (uint8_t)(pin - 8) : (uint8_t)(pin - 14);

    return (uint8_t)(1u << bit);
}

/* Group of the pin change interrupt (0 to 2), ZC_NO_PIN for none; its bit there is pin_mask(). */
static inline uint8_t pin_change_group(uint8_t pin)
{
    return pin < 8 ? 2 : pin < 14 ? 0 : 1;
}

#elif defined(__AVR_ATmega2560__)

#define PIN_COUNT 70 /* 0..53 digital, 54..69 = A0..A15 */
#define FIRST_ANALOG_PIN 54
#define ANALOG_COUNT 16
#define I2C_PORT PORTD
#define SDA_PIN 20
#define SCL_PIN 21
#define SDA_BIT 1
#define SCL_BIT 0
#define SS_PIN 53
#define MOSI_PIN 51
#define MISO_PIN 50
#define SCK_PIN 52

/* pin_map_mega.c */
volatile uint8_t *pin_port(uint8_t pin);
uint8_t pin_mask(uint8_t pin);
uint8_t pin_change_group(uint8_t pin);

#endif

#endif
