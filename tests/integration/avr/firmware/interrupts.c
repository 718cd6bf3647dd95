/* Timer, USART, external, pin-change and ADC interrupts with sleep between them. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

static volatile uint8_t queue[64], head, tail;

static void put(uint8_t value) {
    queue[head++ & 63] = value;
    UCSR0B |= _BV(UDRIE0);
}

ISR(USART_UDRE_vect) {
    UDR0 = queue[tail++ & 63];
    if (head == tail) UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

ISR(USART_RX_vect) { put((uint8_t)(UDR0 + 1)); }

ISR(TIMER1_COMPA_vect) { PINB = _BV(PINB5); }

ISR(TIMER0_OVF_vect) { PINB = _BV(PINB4); }

ISR(TIMER2_COMPB_vect) { PINB = _BV(PINB3); }

ISR(INT0_vect) { put('i'); }

ISR(INT1_vect) { put('j'); }

ISR(PCINT1_vect) { put((PINC & _BV(PINC3)) ? 'H' : 'L'); ADCSRA |= _BV(ADSC); }

ISR(ADC_vect) {
    uint16_t value = ADC;
    put((uint8_t)('0' + (value >> 8)));
    put((uint8_t)('A' + (value >> 4 & 15)));
    put((uint8_t)('A' + (value & 15)));
}

int main(void) {
    DDRB = 0x38;
    UBRR0 = 16;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    TCCR1B = _BV(WGM12) | _BV(CS11);
    OCR1A = 1999;
    TIMSK1 = _BV(OCIE1A);
    TCCR0B = _BV(CS01) | _BV(CS00);
    TIMSK0 = _BV(TOIE0);
    TCCR2A = _BV(WGM21);
    OCR2A = 124;
    OCR2B = 60;
    TCCR2B = _BV(CS22);
    TIMSK2 = _BV(OCIE2B);
    EICRA = _BV(ISC01) | _BV(ISC11) | _BV(ISC10);
    EIMSK = _BV(INT0) | _BV(INT1);
    PCICR = _BV(PCIE1);
    PCMSK1 = _BV(PCINT11);
    ADMUX = _BV(REFS0) | 2;
    ADCSRA = _BV(ADEN) | _BV(ADIE) | 7;
    sei();
    for (;;) sleep_mode();
}
