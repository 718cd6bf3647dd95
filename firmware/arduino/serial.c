/* Serial line: USART0 (data sheet of the ATmega328P, section 19; of the ATmega2560, section 22). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"
#include "zc_hal.h"
#include "zc_protocol.h"

/* Double speed with UBRR 16: 117647 baud, 2.1 % fast, what Arduino boards use; UBRR 8 without it would be 3.5 % slow. */
#define UBRR_115200 16

#ifdef USART0_RX_vect
#define RECEIVED_VECTOR USART0_RX_vect
#define EMPTY_VECTOR USART0_UDRE_vect
#else
#define RECEIVED_VECTOR USART_RX_vect
#define EMPTY_VECTOR USART_UDRE_vect
#endif

/* Both rings have 256 places and 8-bit indices that wrap by themselves; one place stays free. */
static volatile char receive_ring[256];
static volatile uint8_t receive_head, receive_tail;
static volatile bool receive_lost;

static volatile char transmit_ring[256];
static volatile uint8_t transmit_head, transmit_tail;
static bool sent_anything;

void serial_start(void)
{
    UBRR0 = UBRR_115200;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

/* Store one byte; false when the ring is full. */
static bool receive_store(char byte)
{
    uint8_t next = (uint8_t)(receive_head + 1);

    if (next == receive_tail) {
        return false;
    }
    receive_ring[receive_head] = byte;
    receive_head = next;
    return true;
}

/*
 * A lost byte must never join two halves of different requests to a third one. So a gap is marked by
 * ZC_LOST_BYTE, and nothing is stored behind the gap before the mark is.
 */
ISR(RECEIVED_VECTOR)
{
    uint8_t status = UCSR0A;
    char byte = (char)UDR0;

    if (status & (_BV(FE0) | _BV(DOR0))) {
        receive_lost = true;
    }
    if (receive_lost) {
        if (!receive_store(ZC_LOST_BYTE)) {
            return;
        }
        receive_lost = false;
        if (status & _BV(FE0)) {
            return;
        }
    }
    if (!receive_store(byte)) {
        receive_lost = true;
    }
}

bool serial_take(char *byte)
{
    if (receive_tail == receive_head) {
        return false;
    }
    *byte = receive_ring[receive_tail];
    receive_tail = (uint8_t)(receive_tail + 1);
    return true;
}

bool serial_pending(void)
{
    return receive_tail != receive_head;
}

ISR(EMPTY_VECTOR)
{
    if (transmit_tail == transmit_head) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UCSR0A = _BV(U2X0) | _BV(TXC0); /* TXC is cleared by writing a one */
    UDR0 = (uint8_t)transmit_ring[transmit_tail];
    transmit_tail = (uint8_t)(transmit_tail + 1);
}

void zc_hal_put(char c)
{
    uint8_t next = (uint8_t)(transmit_head + 1);

    while (next == transmit_tail) {
        wdt_reset(); /* the line moves on by itself, so this wait always ends */
    }
    transmit_ring[transmit_head] = c;
    transmit_head = next;
    sent_anything = true;
    cli(); /* UCSR0B is out of reach of the single-instruction bit operations */
    UCSR0B |= _BV(UDRIE0);
    sei();
}

uint16_t zc_hal_put_free(void)
{
    return (uint8_t)(transmit_tail - transmit_head - 1);
}

uint16_t zc_hal_receive_size(void)
{
    return 255;
}

void serial_flush(void)
{
    if (!sent_anything) {
        return;
    }
    while (transmit_tail != transmit_head || !(UCSR0A & _BV(TXC0))) {
        wdt_reset();
    }
}
