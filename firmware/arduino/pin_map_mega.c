/* Pins of the Arduino Mega 2560: see pin_map.h. */
#include <avr/pgmspace.h>

#include "pin_map.h"

enum { A, B, C, D, E, F, G, H, J, K, L };
#define AT(port, bit) ((port) << 3 | (bit))

static const uint8_t PLACES[PIN_COUNT] PROGMEM = {
    AT(E, 0), AT(E, 1), AT(E, 4), AT(E, 5), AT(G, 5), AT(E, 3), AT(H, 3), AT(H, 4), AT(H, 5), AT(H, 6), /* 0 */
    AT(B, 4), AT(B, 5), AT(B, 6), AT(B, 7), AT(J, 1), AT(J, 0), AT(H, 1), AT(H, 0), AT(D, 3), AT(D, 2), /* 10 */
    AT(D, 1), AT(D, 0), AT(A, 0), AT(A, 1), AT(A, 2), AT(A, 3), AT(A, 4), AT(A, 5), AT(A, 6), AT(A, 7), /* 20 */
    AT(C, 7), AT(C, 6), AT(C, 5), AT(C, 4), AT(C, 3), AT(C, 2), AT(C, 1), AT(C, 0), AT(D, 7), AT(G, 2), /* 30 */
    AT(G, 1), AT(G, 0), AT(L, 7), AT(L, 6), AT(L, 5), AT(L, 4), AT(L, 3), AT(L, 2), AT(L, 1), AT(L, 0), /* 40 */
    AT(B, 3), AT(B, 2), AT(B, 1), AT(B, 0), AT(F, 0), AT(F, 1), AT(F, 2), AT(F, 3), AT(F, 4), AT(F, 5), /* 50 */
    AT(F, 6), AT(F, 7), AT(K, 0), AT(K, 1), AT(K, 2), AT(K, 3), AT(K, 4), AT(K, 5), AT(K, 6), AT(K, 7), /* 60 */
};

static const uint16_t PORTS[11] PROGMEM = {
    (uint16_t)&PORTA, (uint16_t)&PORTB, (uint16_t)&PORTC, (uint16_t)&PORTD, (uint16_t)&PORTE, (uint16_t)&PORTF,
    (uint16_t)&PORTG, (uint16_t)&PORTH, (uint16_t)&PORTJ, (uint16_t)&PORTK, (uint16_t)&PORTL,
};

volatile uint8_t *pin_port(uint8_t pin)
{
    return (volatile uint8_t *)pgm_read_word(&PORTS[pgm_read_byte(&PLACES[pin]) >> 3]);
}

uint8_t pin_mask(uint8_t pin)
{
    return (uint8_t)(1u << (pgm_read_byte(&PLACES[pin]) & 7));
}

/* Section 15: group 0 is port B, 2 is port K; group 1 has its bits elsewhere and is left out. */
uint8_t pin_change_group(uint8_t pin)
{
    uint8_t port = pgm_read_byte(&PLACES[pin]) >> 3;

    return port == B ? 0 : port == K ? 2 : ZC_NO_PIN;
}
