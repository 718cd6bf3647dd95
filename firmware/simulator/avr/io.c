/* The I/O registers between 0x20 and 0xFF: which part answers for which address.
 *
 * Source: ATmega328P datasheet section 30 "Register Summary"; a register that has no effect in this model keeps the
 * bits that the datasheet shows as writable.
 */
#include "machine.h"

/* Bits that stay as written, for registers without side effects; anything not listed reads 0. */
static uint8_t writable_bits(uint32_t address) {
    switch (address) {
    case GPIOR0: case GPIOR1: case GPIOR2: case OSCCAL: case TWBR: case TWAR: case SPL: case SPH: return 0xFF;
    case TWAMR: return 0xFE;
    case SMCR: return 0x0F;
    case ACSR: return 0xCF; /* ACO and ACI: the comparator is not modelled */
    case DIDR0: return 0x3F;
    case DIDR1: return 0x03;
    case ASSR: return 0x60;
    default: return 0;
    }
}

void io_reset(void) {
    for (uint32_t address = 0x20; address < RAM_START; address++) cpu.data[address] = 0;
    gpio_reset();
    timers_reset();
    usart_reset();
    adc_reset();
    twi_reset();
    spi_reset();
    eeprom_reset();
    flash_reset();
    for (uint32_t port = 0; port < PORT_COUNT; port++) gpio_update((Port)port, cpu.cycle);
}

uint8_t io_read(uint32_t address) {
    switch (address) {
    case PINB: case PINC: case PIND: return gpio_read(address);
    case TIFR0: case TIFR1: case TIFR2: case TCNT0: case TCNT2:
    case TCCR0B: case TCCR1C: case TCCR2B:
    case TCNT1L: case TCNT1H: case ICR1L: case ICR1H:
        return timer_read(address);
    case SPSR: case SPDR: return spi_read(address);
    case ADCL: case ADCH: return adc_read(address);
    case UCSR0A: case UCSR0B: case UDR0: return usart_read(address);
    default: return cpu.data[address];
    }
}

/* Setting I by a write delays the next interrupt by one instruction, as SEI does. */
static void write_status(uint8_t value) {
    if ((value & FLAG_I) && !(cpu.data[SREG] & FLAG_I)) {
        cpu.interrupt_hold = true;
        cpu.attention = 0;
    }
    cpu.data[SREG] = value;
}

/* Section 11.3.2: IVSEL changes only within four cycles of IVCE, during which interrupts wait. */
static void write_mcucr(uint8_t value) {
    uint8_t vectors = cpu.data[MCUCR] & IVSEL;
    if (value & IVCE) {
        cpu.vector_change_until = cpu.cycle + 5;
        cpu.attention = 0;
    } else if (cpu.cycle < cpu.vector_change_until) {
        vectors = value & IVSEL;
        cpu.vector_change_until = 0;
        cpu.attention = 0;
    }
    cpu.data[MCUCR] = (uint8_t)((value & PUD) | vectors);
    for (uint32_t port = 0; port < PORT_COUNT; port++) gpio_update((Port)port, cpu.cycle);
}

/* Section 8.12.2: CLKPS changes only within four cycles of CLKPCE. The host reads CLKPR to pace the machine. */
static void write_clkpr(uint8_t value) {
    if (value == 0x80) {
        cpu.clock_change_until = cpu.cycle + 5;
    } else if (cpu.cycle < cpu.clock_change_until) {
        cpu.data[CLKPR] = value & 0x0F;
        cpu.clock_change_until = 0;
    }
}

static void write_system(uint32_t address, uint8_t value) {
    switch (address) {
    case SREG: write_status(value); break;
    case MCUCR: write_mcucr(value); break;
    case MCUSR: cpu.data[MCUSR] &= value; break;
    case PRR: cpu.data[PRR] = value & 0xEF; timers_power_changed(); break;
    case CLKPR: write_clkpr(value); break;
    case WDTCSR: watchdog_write(value); break;
    case SPMCSR: flash_write_control(value); break;
    case EECR: case EEDR: case EEARL: case EEARH: eeprom_write_register(address, value); break;
    default: cpu.data[address] = value & writable_bits(address); break;
    }
}

void io_write(uint32_t address, uint8_t value) {
    switch (address) {
    case PINB: case DDRB: case PORTB: case PINC: case DDRC: case PORTC: case PIND: case DDRD: case PORTD:
    case PCIFR: case EIFR: case EIMSK: case PCICR: case EICRA: case PCMSK0: case PCMSK1: case PCMSK2:
        gpio_write(address, value);
        break;
    case TIFR0: case TIFR1: case TIFR2: case GTCCR:
    case TCCR0A: case TCCR0B: case TCNT0: case OCR0A: case OCR0B: case TIMSK0: case TIMSK1: case TIMSK2:
    case TCCR1A: case TCCR1B: case TCCR1C: case TCNT1L: case TCNT1H: case ICR1L: case ICR1H:
    case OCR1AL: case OCR1AH: case OCR1BL: case OCR1BH:
    case TCCR2A: case TCCR2B: case TCNT2: case OCR2A: case OCR2B:
        timer_write(address, value);
        break;
    case SPCR: case SPSR: case SPDR: spi_write(address, value); break;
    case TWSR: case TWDR: case TWCR: twi_write(address, value); break;
    case ADCSRA: case ADCSRB: case ADMUX: adc_write(address, value); break;
    case UCSR0A: case UCSR0B: case UCSR0C: case UBRR0L: case UBRR0H: case UDR0: usart_write(address, value); break;
    case ADCL: case ADCH: break;
    default: write_system(address, value); break;
    }
}

/* SBI and CBI. On this chip they touch the named bit only (section 30, note 3), so a flag register loses no other
 * flag; clearing a flag bit or a PIN bit does nothing. */
void io_write_bit(uint32_t address, uint32_t bit, bool value) {
    uint8_t mask = (uint8_t)(1u << bit);
    switch (address) {
    case PINB: case PINC: case PIND: case TIFR0: case TIFR1: case TIFR2: case PCIFR: case EIFR:
        if (value) io_write(address, mask);
        break;
    default:
        io_write(address, (uint8_t)(value ? cpu.data[address] | mask : cpu.data[address] & ~mask));
        break;
    }
}
