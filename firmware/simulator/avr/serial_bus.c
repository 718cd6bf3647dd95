/* The two-wire (TWI, I2C) and SPI masters. Devices are the embedder's: host_twi() and host_spi().
 *
 * Source: ATmega328P datasheet sections 21 "2-wire Serial Interface" (bit rate 21.5.2, status codes tables 21-2 and
 * 21-3) and 18 "SPI". Slave modes and the bits on the pins are not modelled; of a bus that is held low from outside
 * the consequences are: a held SCL stops the transfer until it is let go (clock stretching), a held SDA keeps START
 * and STOP from happening and makes the master lose the arbitration when it sends a one (section 21.7).
 */
#include "machine.h"

enum {
    TWINT = 1 << 7, TWEA = 1 << 6, TWSTA = 1 << 5, TWSTO = 1 << 4, TWEN = 1 << 2, TWIE = 1 << 0,
    STATUS_START = 0x08, STATUS_REPEATED_START = 0x10, STATUS_IDLE = 0xF8,
    STATUS_ADDRESS_WRITE = 0x18, STATUS_ADDRESS_READ = 0x40, STATUS_SENT = 0x28, STATUS_RECEIVED = 0x50,
    STATUS_ARBITRATION_LOST = 0x38, TWI_SDA = 1 << 4, TWI_SCL = 1 << 5,
    NOT_ACKNOWLEDGED = 0x08, /* added to each of the four codes above */
    SPIF = 1 << 7, WCOL = 1 << 6, SPI2X = 1 << 0, SPIE = 1 << 7, SPE = 1 << 6, MSTR = 1 << 4,
    SPI_SS = 1 << 2, SPI_MOSI = 1 << 3, SPI_SCK = 1 << 5,
};

typedef enum { TWI_IDLE, TWI_STARTING, TWI_EXPECTS_ADDRESS, TWI_SENDING, TWI_RECEIVING, TWI_STOPPING } TwiState;

static TwiState twi_state;
static bool twi_owns_bus;
static bool spi_flag_was_read; /* SPSR was read with SPIF set: the next access to SPDR clears it */
static uint8_t spi_shift, spi_received;

static uint32_t scl_cycles(void) {
    uint32_t prescaler = 1u << (2 * (cpu.data[TWSR] & 3));
    return 16 + 2u * cpu.data[TWBR] * prescaler;
}

static void twi_update_pending(void) {
    uint8_t control = cpu.data[TWCR];
    set_pending(VECTOR_TWI, (control & TWINT) && (control & TWIE));
}

static void twi_status(uint32_t status) { cpu.data[TWSR] = (uint8_t)(status | (cpu.data[TWSR] & 3)); }

static void lose_arbitration(void) {
    host_twi(BUS_STOP, 0);
    twi_status(STATUS_ARBITRATION_LOST);
    twi_owns_bus = false;
    twi_state = TWI_IDLE;
}

static void finish_address(void) {
    uint8_t address = cpu.data[TWDR];
    bool is_read = address & 1, is_acknowledged = host_twi(BUS_ADDRESS, address) != 0;
    twi_status((is_read ? STATUS_ADDRESS_READ : STATUS_ADDRESS_WRITE) + (is_acknowledged ? 0 : NOT_ACKNOWLEDGED));
    twi_state = is_read ? TWI_RECEIVING : TWI_SENDING;
}

static void finish_stop(void) {
    host_twi(BUS_STOP, 0);
    cpu.data[TWCR] &= (uint8_t)~TWSTO;
    twi_status(STATUS_IDLE);
    twi_owns_bus = false;
    twi_state = TWI_IDLE;
}

static bool twi_must_wait(void) {
    bool needs_both = twi_state == TWI_STARTING || twi_state == TWI_STOPPING;
    return gpio_is_held_low(PORT_C, needs_both ? TWI_SCL | TWI_SDA : TWI_SCL);
}

static bool twi_sends_a_one(void) {
    return (twi_state == TWI_EXPECTS_ADDRESS || twi_state == TWI_SENDING) && cpu.data[TWDR] != 0;
}

/* The action that clearing TWINT began is over. */
void twi_event(void) {
    if (twi_must_wait()) {
        schedule(EVENT_TWI, cpu.event_cycle + scl_cycles());
        return;
    }
    if (twi_sends_a_one() && gpio_is_held_low(PORT_C, TWI_SDA)) {
        lose_arbitration();
        cpu.data[TWCR] |= TWINT;
        twi_update_pending();
        return;
    }
    switch (twi_state) {
    case TWI_STOPPING: finish_stop(); return;
    case TWI_STARTING:
        host_twi(BUS_START, 0);
        twi_status(twi_owns_bus ? STATUS_REPEATED_START : STATUS_START);
        twi_owns_bus = true;
        twi_state = TWI_EXPECTS_ADDRESS;
        break;
    case TWI_EXPECTS_ADDRESS: finish_address(); break;
    case TWI_SENDING:
        twi_status(STATUS_SENT + (host_twi(BUS_WRITE, cpu.data[TWDR]) ? 0 : NOT_ACKNOWLEDGED));
        break;
    case TWI_RECEIVING: {
        bool acknowledge = cpu.data[TWCR] & TWEA;
        uint8_t received = (uint8_t)host_twi(BUS_READ, acknowledge);
        cpu.data[TWDR] = gpio_is_held_low(PORT_C, TWI_SDA) ? 0 : received;
        twi_status(STATUS_RECEIVED + (acknowledge ? 0 : NOT_ACKNOWLEDGED));
        break;
    }
    default: return;
    }
    cpu.data[TWCR] |= TWINT;
    twi_update_pending();
}

static void twi_begin(uint8_t control) {
    uint64_t now = cpu.cycle + 1;
    if (control & TWSTO) {
        twi_state = TWI_STOPPING;
        schedule(EVENT_TWI, now + scl_cycles());
    } else if (control & TWSTA) {
        twi_state = TWI_STARTING;
        schedule(EVENT_TWI, now + scl_cycles());
    } else if (twi_state != TWI_IDLE) {
        schedule(EVENT_TWI, now + 9ull * scl_cycles());
    }
}

void twi_write(uint32_t address, uint8_t value) {
    switch (address) {
    case TWSR: cpu.data[TWSR] = (cpu.data[TWSR] & 0xF8) | (value & 3); return;
    case TWDR: cpu.data[TWDR] = value; return;
    default: break;
    }
    uint8_t flag = (value & TWINT) ? 0 : cpu.data[TWCR] & TWINT;
    cpu.data[TWCR] = (uint8_t)((value & (TWEA | TWSTA | TWSTO | TWEN | TWIE)) | flag);
    if (!(value & TWEN)) {
        twi_state = TWI_IDLE;
        twi_owns_bus = false;
        cpu.due[EVENT_TWI] = NEVER;
        twi_status(STATUS_IDLE);
    } else if (value & TWINT) {
        twi_begin(value);
    }
    twi_update_pending();
}

void twi_reset(void) {
    twi_state = TWI_IDLE;
    twi_owns_bus = false;
    cpu.data[TWSR] = STATUS_IDLE;
    cpu.data[TWDR] = 0xFF;
    cpu.data[TWAR] = 0xFE;
}

static void spi_update_pending(void) {
    set_pending(VECTOR_SPI_STC, (cpu.data[SPSR] & SPIF) && (cpu.data[SPCR] & SPIE));
}

/* SPR1:0 and SPI2X, table 18-5: 4, 16, 64, 128, halved by SPI2X. */
static uint32_t spi_bit_cycles(void) {
    static const uint8_t dividers[4] = {4, 16, 64, 128};
    return dividers[cpu.data[SPCR] & 3] >> (cpu.data[SPSR] & SPI2X);
}

/* Section 18.3.2: a master whose SS is an input and goes low stops being one; an open SS counts as high here. */
static bool spi_is_robbed(void) {
    if (gpio_is_output(PORT_B, SPI_SS) || !gpio_is_held_low(PORT_B, SPI_SS)) return false;
    cpu.data[SPCR] &= (uint8_t)~MSTR;
    cpu.data[SPSR] |= SPIF;
    gpio_override_release(PORT_B, SPI_MOSI | SPI_SCK);
    spi_update_pending();
    return true;
}

void spi_event(void) {
    if (spi_is_robbed()) return;
    spi_received = (uint8_t)host_spi(spi_shift);
    cpu.data[SPSR] |= SPIF;
    spi_flag_was_read = false;
    spi_update_pending();
}

static void spi_access_data(void) {
    if (!spi_flag_was_read) return;
    cpu.data[SPSR] &= (uint8_t)~(SPIF | WCOL);
    spi_flag_was_read = false;
    spi_update_pending();
}

uint8_t spi_read(uint32_t address) {
    if (address == SPSR) {
        spi_flag_was_read = (cpu.data[SPSR] & (SPIF | WCOL)) != 0;
        return cpu.data[SPSR];
    }
    spi_access_data();
    return spi_received;
}

static void spi_write_control(uint8_t value) {
    cpu.data[SPCR] = value;
    if ((value & (SPE | MSTR)) == (SPE | MSTR))
        gpio_override(PORT_B, SPI_MOSI | SPI_SCK, (value & 1 << 3) ? SPI_SCK : 0, false);
    else
        gpio_override_release(PORT_B, SPI_MOSI | SPI_SCK);
    if ((value & (SPE | MSTR)) == (SPE | MSTR)) spi_is_robbed();
    gpio_update(PORT_B, cpu.cycle);
    spi_update_pending();
}

void spi_write(uint32_t address, uint8_t value) {
    switch (address) {
    case SPCR: spi_write_control(value); return;
    case SPSR: cpu.data[SPSR] = (cpu.data[SPSR] & (SPIF | WCOL)) | (value & SPI2X); return;
    default: break;
    }
    spi_access_data();
    if ((cpu.data[SPCR] & (SPE | MSTR)) != (SPE | MSTR)) return;
    if (cpu.due[EVENT_SPI] != NEVER) {
        cpu.data[SPSR] |= WCOL;
        return;
    }
    spi_shift = value;
    schedule(EVENT_SPI, cpu.cycle + 1 + 8ull * spi_bit_cycles());
}

void spi_acknowledge(void) {
    cpu.data[SPSR] &= (uint8_t)~SPIF;
    spi_update_pending();
}

void spi_reset(void) {
    spi_flag_was_read = false;
    spi_received = 0;
}
