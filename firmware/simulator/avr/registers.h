/* Data-space addresses, bit masks and interrupt vectors of the ATmega328P.
 *
 * Source: ATmega328P datasheet (DS40002061), sections 30 "Register Summary" and 11.1 "Interrupt Vectors in
 * ATmega328P". Register and bit names are the datasheet's own.
 */
#ifndef AVR_REGISTERS_H
#define AVR_REGISTERS_H

enum {
    FLASH_BYTES = 0x8000,
    FLASH_WORDS = FLASH_BYTES / 2,
    PAGE_BYTES = 128,
    EEPROM_BYTES = 1024,
    RAM_START = 0x0100,
    RAM_END = 0x08FF,
    DATA_BYTES = RAM_END + 1,
    NRWW_START = 0x7000, /* first byte of the no-read-while-write section, table 26-13 */
};

/* Data-space addresses (I/O address + 0x20 where the register has one). */
enum {
    PINB = 0x23, DDRB, PORTB, PINC, DDRC, PORTC, PIND, DDRD, PORTD,
    TIFR0 = 0x35, TIFR1, TIFR2,
    PCIFR = 0x3B, EIFR, EIMSK, GPIOR0, EECR, EEDR, EEARL, EEARH,
    GTCCR = 0x43, TCCR0A, TCCR0B, TCNT0, OCR0A, OCR0B,
    GPIOR1 = 0x4A, GPIOR2, SPCR, SPSR, SPDR,
    ACSR = 0x50,
    SMCR = 0x53, MCUSR, MCUCR,
    SPMCSR = 0x57,
    SPL = 0x5D, SPH, SREG,
    WDTCSR = 0x60, CLKPR,
    PRR = 0x64,
    OSCCAL = 0x66,
    PCICR = 0x68, EICRA,
    PCMSK0 = 0x6B, PCMSK1, PCMSK2, TIMSK0, TIMSK1, TIMSK2,
    ADCL = 0x78, ADCH, ADCSRA, ADCSRB, ADMUX,
    DIDR0 = 0x7E, DIDR1,
    TCCR1A = 0x80, TCCR1B, TCCR1C,
    TCNT1L = 0x84, TCNT1H, ICR1L, ICR1H, OCR1AL, OCR1AH, OCR1BL, OCR1BH,
    TCCR2A = 0xB0, TCCR2B, TCNT2, OCR2A, OCR2B,
    ASSR = 0xB6,
    TWBR = 0xB8, TWSR, TWAR, TWDR, TWCR, TWAMR,
    UCSR0A = 0xC0, UCSR0B, UCSR0C,
    UBRR0L = 0xC4, UBRR0H, UDR0,
};

/* Status register, section 6.3.1. */
enum {
    FLAG_C = 1 << 0, FLAG_Z = 1 << 1, FLAG_N = 1 << 2, FLAG_V = 1 << 3,
    FLAG_S = 1 << 4, FLAG_H = 1 << 5, FLAG_T = 1 << 6, FLAG_I = 1 << 7,
};

/* MCUSR section 10.9.1, MCUCR 11.3.2 and 13.4.1, SMCR 9.11.1. */
enum {
    PORF = 1 << 0, EXTRF = 1 << 1, BORF = 1 << 2, WDRF = 1 << 3,
    IVCE = 1 << 0, IVSEL = 1 << 1, PUD = 1 << 4,
    SE = 1 << 0, SLEEP_MODE_MASK = 0x0E, SLEEP_IDLE = 0x00, SLEEP_ADC_NOISE = 0x02,
};

/* Interrupt vector numbers, counted from 0 = RESET (table 11-6 counts from 1). */
enum {
    VECTOR_INT0 = 1, VECTOR_INT1, VECTOR_PCINT0, VECTOR_PCINT1, VECTOR_PCINT2, VECTOR_WDT,
    VECTOR_TIMER2_COMPA, VECTOR_TIMER2_COMPB, VECTOR_TIMER2_OVF,
    VECTOR_TIMER1_CAPT, VECTOR_TIMER1_COMPA, VECTOR_TIMER1_COMPB, VECTOR_TIMER1_OVF,
    VECTOR_TIMER0_COMPA, VECTOR_TIMER0_COMPB, VECTOR_TIMER0_OVF,
    VECTOR_SPI_STC, VECTOR_USART_RX, VECTOR_USART_UDRE, VECTOR_USART_TX,
    VECTOR_ADC, VECTOR_EE_READY, VECTOR_ANALOG_COMP, VECTOR_TWI, VECTOR_SPM_READY,
    VECTOR_COUNT,
};

#endif
