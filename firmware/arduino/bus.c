/* I2C and SPI masters (data sheet of the ATmega328P, sections 21 and 18; the ATmega2560 has the same). */
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "board.h"
#include "pin_map.h"
#include "zc_hal.h"

#define SDA _BV(SDA_BIT)
#define SCL _BV(SCL_BIT)
#define I2C_DIRECTION DIRECTION_OF(&I2C_PORT)
#define I2C_INPUT INPUT_OF(&I2C_PORT)
#define I2C_HERTZ 100000UL
#define HALF_BIT_US 5
#define RECOVERY_CLOCKS 9 /* UM10204 section 3.1.16: a device lets go of SDA within nine clocks */
#define RISE_US 20        /* 30 kOhm of pull-up and 400 pF, the most that the bus may have */

#define SPI_BYTE_MS 2 /* the slowest byte takes 64 us */

static uint32_t begun_ms;

static bool is_late(void)
{
    return zc_hal_millis() - begun_ms >= ZC_I2C_LIMIT_MS - 5; /* the stop condition needs some time as well */
}

bool zc_hal_has_i2c(uint8_t pin)
{
    return pin == SDA_PIN || pin == SCL_PIN;
}

/* The pull-ups of both lines; the tone interrupt changes port bits as well. */
static void set_pull_ups(uint8_t lines)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        I2C_PORT = (I2C_PORT & (uint8_t)~(SDA | SCL)) | lines;
    }
}

/* Pull a line low, or let it go, for half a bit. */
static void pull(uint8_t line, bool low)
{
    if (low) {
        set_pull_ups(I2C_PORT & (SDA | SCL) & (uint8_t)~line);
        I2C_DIRECTION |= line;
    } else {
        I2C_DIRECTION &= (uint8_t)~line;
        set_pull_ups((I2C_PORT & (SDA | SCL)) | line);
    }
    _delay_us(HALF_BIT_US);
}

/* A device that was cut off in the middle of a byte holds SDA until it has been clocked through. */
static void recover(void)
{
    uint8_t clocks;

    for (clocks = 0; clocks < RECOVERY_CLOCKS && !(I2C_INPUT & SDA); clocks++) {
        pull(SCL, true);
        pull(SCL, false);
    }
    pull(SCL, true);
    pull(SDA, true);
    pull(SCL, false);
    pull(SDA, false); /* SDA rises while SCL is high: stop condition */
}

static bool is_bus_free(void)
{
    _delay_us(RISE_US);
    while (!(I2C_INPUT & SCL)) { /* a device may still be busy with the last transfer */
        if (is_late()) {
            return false;
        }
    }
    if (!(I2C_INPUT & SDA)) {
        recover();
    }
    return (I2C_INPUT & (SDA | SCL)) == (SDA | SCL);
}

/* Let the hardware go on and wait; returns the status code of tables 21-3 and 21-4, 0 when nothing came of it. */
static uint8_t go_on(uint8_t control)
{
    TWCR = _BV(TWINT) | _BV(TWEN) | control;
    while (!(TWCR & _BV(TWINT))) {
        if (is_late()) {
            return 0;
        }
    }
    return TWSR & 0xF8;
}

static zc_result address_device(uint8_t address_and_direction)
{
    uint8_t status = go_on(_BV(TWSTA));

    if (status != 0x08 && status != 0x10) {
        return ZC_BUS_FAULT;
    }
    TWDR = address_and_direction;
    status = go_on(0);
    if (status == 0x18 || status == 0x40) {
        return ZC_OK;
    }
    return status == 0x20 || status == 0x48 ? ZC_NO_DEVICE : ZC_BUS_FAULT;
}

static zc_result transfer(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    zc_result result = ZC_OK;
    uint8_t index, status;

    if (out_count != 0 || in_count == 0) {
        result = address_device((uint8_t)(address << 1));
    }
    for (index = 0; index < out_count && result == ZC_OK; index++) {
        TWDR = out[index];
        status = go_on(0);
        if (status != 0x28) {
            result = status == 0x30 ? ZC_NO_ACK : ZC_BUS_FAULT;
        }
    }
    if (in_count != 0 && result == ZC_OK) {
        result = address_device((uint8_t)(address << 1 | 1));
    }
    for (index = 0; index < in_count && result == ZC_OK; index++) {
        bool is_last = index + 1 == in_count;
        status = go_on(is_last ? 0 : _BV(TWEA));
        if (status != (is_last ? 0x58 : 0x50)) {
            result = ZC_BUS_FAULT;
        }
        in[index] = TWDR;
    }
    return result;
}

static bool send_stop(void)
{
    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
    while (TWCR & _BV(TWSTO)) {
        if (zc_hal_millis() - begun_ms >= ZC_I2C_LIMIT_MS) {
            return false;
        }
    }
    return true;
}

zc_result zc_hal_i2c(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    uint8_t pull_ups = I2C_PORT & (SDA | SCL);
    zc_result result = ZC_BUS_FAULT;

    if (zc_hal_mode(SDA_PIN) != ZC_MODE_INPUT && zc_hal_mode(SDA_PIN) != ZC_MODE_PULLUP) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(SCL_PIN) != ZC_MODE_INPUT && zc_hal_mode(SCL_PIN) != ZC_MODE_PULLUP) {
        return ZC_CONFLICT;
    }
    begun_ms = zc_hal_millis();
    set_pull_ups(SDA | SCL);
    if (is_bus_free()) {
        TWSR = 0;
        TWBR = (uint8_t)((F_CPU / I2C_HERTZ - 16) / 2);
        result = transfer(address, out, out_count, in, in_count);
        if (result != ZC_BUS_FAULT && !send_stop()) {
            result = ZC_BUS_FAULT;
        }
        TWCR = 0; /* both lines go free, whatever state the hardware was in */
    }
    set_pull_ups(pull_ups);
    return result;
}

bool zc_hal_has_spi(uint8_t pin)
{
    return pin == MOSI_PIN || pin == MISO_PIN || pin == SCK_PIN;
}

static bool has_timer(uint8_t pin)
{
    zc_mode mode = zc_hal_mode(pin);

    return mode == ZC_MODE_PWM || mode == ZC_MODE_SERVO || mode == ZC_MODE_TONE;
}

/* SPR1 and SPR0, with SPI2X in bit 2, for the divisions by 2, 4, 8 ... 128 (table 18-5). */
static const uint8_t CLOCK_SELECTS[7] PROGMEM = {4, 0, 5, 1, 6, 2, 3};

static uint8_t clock_select(uint32_t hertz)
{
    uint8_t index = 0;

    while (index < 6 && F_CPU / 2 >> index > hertz) {
        index++;
    }
    return pgm_read_byte(&CLOCK_SELECTS[index]);
}

/* The SS pin as an input that goes low takes the mastership away (section 18.3.2), so the wait has an end. */
static bool exchange(uint8_t *bytes, uint8_t count)
{
    uint8_t index;

    for (index = 0; index < count; index++) {
        uint32_t sent_ms = zc_hal_millis();
        SPDR = bytes[index];
        while (!(SPSR & _BV(SPIF))) {
            if (!(SPCR & _BV(MSTR)) || zc_hal_millis() - sent_ms > SPI_BYTE_MS) {
                return false;
            }
        }
        if (!(SPCR & _BV(MSTR))) {
            return false;
        }
        bytes[index] = SPDR;
    }
    return true;
}

typedef struct {
    uint8_t pin;
    zc_mode mode;
    uint8_t level;
} pin_before;

static pin_before look(uint8_t pin)
{
    pin_before before = {pin, zc_hal_mode(pin), zc_hal_read(pin)};

    return before;
}

static void put_back(const pin_before *before)
{
    if (before->mode == ZC_MODE_OUTPUT) {
        zc_hal_write(before->pin, before->level);
    } else {
        zc_hal_set_mode(before->pin, before->mode);
    }
}

static bool run_selected(uint8_t select, uint8_t mode, uint8_t clock, uint8_t *bytes, uint8_t count)
{
    bool done;

    zc_hal_write(SCK_PIN, mode >> 1);
    zc_hal_write(MOSI_PIN, 0);
    if (zc_hal_mode(MISO_PIN) == ZC_MODE_OUTPUT) {
        zc_hal_set_mode(MISO_PIN, ZC_MODE_INPUT);
    }
    zc_hal_write(select, 1);
    SPSR = (uint8_t)(clock >> 2 << SPI2X);
    SPCR = (uint8_t)(_BV(SPE) | _BV(MSTR) | mode << CPHA | (clock & 3));
    pin_level(select, 0);
    done = exchange(bytes, count);
    pin_level(select, 1);
    SPCR = 0;
    pin_level(SCK_PIN, 0); /* only after the device is deselected */
    return done;
}

zc_result zc_hal_spi(uint8_t select, uint8_t mode, uint32_t hertz, uint8_t *bytes, uint8_t count)
{
    pin_before before[4];
    uint8_t index;
    zc_mode ss_mode = zc_hal_mode(SS_PIN);
    bool guards_ss = select != SS_PIN && (ss_mode == ZC_MODE_INPUT || ss_mode == ZC_MODE_PULLUP);
    bool done;

    if (zc_hal_has_spi(select)) {
        return ZC_UNSUPPORTED;
    }
    if (has_timer(select) || has_timer(MOSI_PIN) || has_timer(MISO_PIN) || has_timer(SCK_PIN)) {
        return ZC_CONFLICT;
    }
    before[0] = look(select);
    before[1] = look(MOSI_PIN);
    before[2] = look(MISO_PIN);
    before[3] = look(SCK_PIN);
    if (guards_ss) {
        zc_hal_set_mode(SS_PIN, ZC_MODE_PULLUP);
        _delay_us(RISE_US);
        if (!zc_hal_read(SS_PIN)) {
            zc_hal_set_mode(SS_PIN, ss_mode);
            return ZC_BUS_FAULT;
        }
    }
    done = run_selected(select, mode, clock_select(hertz), bytes, count);
    if (guards_ss) {
        zc_hal_set_mode(SS_PIN, ss_mode);
    }
    if (done) {
        return ZC_OK;
    }
    for (index = 0; index < 4; index++) {
        put_back(&before[index]);
    }
    return ZC_BUS_FAULT;
}
