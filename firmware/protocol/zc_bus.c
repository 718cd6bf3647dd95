/* Commands for devices on the board's buses (I2C, SPI, second serial line): see the command table in SPEC.md. */
#include <stddef.h>

#include "zc_protocol.h"

#define BYTES_MAX 32
#define REGISTER_BYTES_MAX 4
#define I2C_FIRST 0x08 /* UM10204 table 4: the addresses below and above are reserved */
#define I2C_LAST 0x77
#define SCAN_LIMIT_MS 500
#define SPI_HERTZ_MIN 125000L
#define SPI_HERTZ_MAX 8000000L
#define SPI_HERTZ_DEFAULT 1000000L

static uint8_t buffer[BYTES_MAX];

static void reply_bytes(const zc_request *request, uint8_t count)
{
    zc_reply_begin(request);
    zc_out_char('"');
    zc_out_hex(buffer, count);
    zc_out_char('"');
    zc_reply_end();
}

static void error_i2c(const zc_request *request, zc_result result, uint8_t address)
{
    switch (result) {
    case ZC_NO_DEVICE:
    case ZC_NO_ACK:
        zc_error_begin(request);
        zc_out_text(result == ZC_NO_DEVICE ? ZC_TEXT("Nothing answers at address ")
                                           : ZC_TEXT("A byte was refused at address "));
        zc_out_unsigned(address);
        zc_error_end(result == ZC_NO_DEVICE ? ZC_CODE_NO_DEVICE : ZC_CODE_NO_ACK);
        break;
    case ZC_CONFLICT:
        zc_error(request, ZC_TEXT("A pin of the I2C bus is an output"), ZC_IN_CONFLICT);
        break;
    case ZC_BUS_FAULT:
        zc_error(request, ZC_TEXT("I2C is stuck: SDA or SCL is held low"), ZC_CODE_BUS_FAULT);
        break;
    default:
        zc_error(request, ZC_TEXT("This board has no I2C"), ZC_NO_SUPPORT);
        break;
    }
}

static bool arg_address(const zc_request *request, uint8_t *address)
{
    int32_t value;

    if (!zc_arg_number(request, ZC_TEXT("addr"), I2C_FIRST, I2C_LAST, &value)) {
        return false;
    }
    *address = (uint8_t)value;
    return true;
}

/*
 * Whether a device answers. Where write-protected memories live a byte is read instead: a bare write can lock some
 * of them (so does i2cdetect of the Linux i2c-tools).
 */
static zc_result probe(uint8_t address)
{
    bool by_reading = (address >= 0x30 && address <= 0x37) || (address >= 0x50 && address <= 0x5F);

    return zc_hal_i2c(address, buffer, 0, buffer, by_reading ? 1 : 0);
}

void zc_run_i2c_scan(const zc_request *request)
{
    uint8_t found[(I2C_LAST + 8) / 8] = {0};
    uint8_t address;
    uint32_t begun = zc_hal_millis();
    bool first = true;

    for (address = I2C_FIRST; address <= I2C_LAST; address++) {
        zc_result result = probe(address);
        if (zc_hal_millis() - begun > SCAN_LIMIT_MS) { /* each device holds SCL for a long time */
            result = ZC_BUS_FAULT;
        }
        if (result == ZC_OK) {
            found[address / 8] = (uint8_t)(found[address / 8] | 1u << (address % 8));
        } else if (result != ZC_NO_DEVICE) {
            error_i2c(request, result, address);
            return;
        }
    }
    zc_reply_begin(request);
    zc_out_text(ZC_TEXT("{\"found\":["));
    for (address = I2C_FIRST; address <= I2C_LAST; address++) {
        if (found[address / 8] & 1u << (address % 8)) {
            if (!first) {
                zc_out_char(',');
            }
            first = false;
            zc_out_unsigned(address);
        }
    }
    zc_out_text(ZC_TEXT("]}"));
    zc_reply_end();
}

/* The argument "reg": one byte as a number, or some bytes; none when it is missing. */
static bool arg_register(const zc_request *request, uint8_t *bytes, uint8_t *count)
{
    zc_slice slice;
    int32_t value;

    *count = 0;
    if (!zc_has_arg(request, ZC_TEXT("reg"))) {
        return true;
    }
    if (!zc_arg(request, ZC_TEXT("reg"), &slice)) {
        return false;
    }
    if (zc_json_kind_of(slice) != ZC_JSON_NUMBER) {
        return zc_arg_bytes(request, ZC_TEXT("reg"), bytes, REGISTER_BYTES_MAX, count);
    }
    if (!zc_arg_number(request, ZC_TEXT("reg"), 0, 255, &value)) {
        return false;
    }
    bytes[0] = (uint8_t)value;
    *count = 1;
    return true;
}

void zc_run_i2c_read(const zc_request *request)
{
    uint8_t address, register_count, register_bytes[REGISTER_BYTES_MAX];
    int32_t count;
    zc_result result;

    if (!arg_address(request, &address) || !arg_register(request, register_bytes, &register_count) ||
        !zc_arg_number(request, ZC_TEXT("count"), 1, BYTES_MAX, &count)) {
        return;
    }
    result = zc_hal_i2c(address, register_bytes, register_count, buffer, (uint8_t)count);
    if (result == ZC_OK) {
        reply_bytes(request, (uint8_t)count);
    } else {
        error_i2c(request, result, address);
    }
}

void zc_run_i2c_write(const zc_request *request)
{
    uint8_t address, count;
    zc_result result;

    if (!arg_address(request, &address) ||
        !zc_arg_bytes(request, ZC_TEXT("data"), buffer, BYTES_MAX, &count)) {
        return;
    }
    result = zc_hal_i2c(address, buffer, count, buffer, 0);
    if (result == ZC_OK) {
        zc_reply_text(request, ZC_TEXT("done"));
    } else {
        error_i2c(request, result, address);
    }
}

void zc_run_spi_transfer(const zc_request *request)
{
    uint8_t select, count;
    int32_t mode = 0, hertz = SPI_HERTZ_DEFAULT;

    if (!zc_arg_pin_named(request, ZC_TEXT("cs"), &select) ||
        !zc_arg_bytes(request, ZC_TEXT("data"), buffer, BYTES_MAX, &count) ||
        !zc_arg_optional(request, ZC_TEXT("mode"), 0, 3, &mode) ||
        !zc_arg_optional(request, ZC_TEXT("hz"), SPI_HERTZ_MIN, SPI_HERTZ_MAX, &hertz)) {
        return;
    }
    if (!zc_check_output(request, select)) {
        return;
    }
    switch (zc_hal_spi(select, (uint8_t)mode, (uint32_t)hertz, buffer, count)) {
    case ZC_OK:
        reply_bytes(request, count);
        break;
    case ZC_CONFLICT:
        zc_error(request, ZC_TEXT("A pin of the SPI bus has PWM, servo or tone"), ZC_IN_CONFLICT);
        break;
    case ZC_BUS_FAULT:
        zc_error(request, ZC_TEXT("SPI is stuck: SS is held low"), ZC_CODE_BUS_FAULT);
        break;
    default:
        zc_error_pin(request, select, ZC_TEXT(" cannot select an SPI device"), ZC_NO_SUPPORT);
        break;
    }
}

/* Whether a pin may carry the second serial line; answers with an error when not. */
static bool may_use(const zc_request *request, uint8_t pin, bool as_output)
{
    zc_mode mode = zc_hal_mode(pin);
    bool is_input = mode == ZC_MODE_INPUT || mode == ZC_MODE_PULLUP;

    if (!zc_hal_has_uart(pin) || (as_output && !zc_hal_can(pin, ZC_MODE_OUTPUT))) {
        zc_error_pin(request, pin, ZC_TEXT(" has no serial line"), ZC_NO_SUPPORT);
        return false;
    }
    if (as_output ? zc_hal_uart_listens(pin) || (!is_input && mode != ZC_MODE_OUTPUT) : !is_input) {
        zc_error_pin(request, pin, ZC_TEXT(" is in use"), ZC_IN_CONFLICT);
        return false;
    }
    return true;
}

void zc_run_uart_write(const zc_request *request)
{
    uint8_t pin, receiver = 0, count;
    bool listens = zc_has_arg(request, ZC_TEXT("rx"));

    if (!zc_arg_pin_named(request, ZC_TEXT("tx"), &pin) ||
        !zc_arg_bytes(request, ZC_TEXT("data"), buffer, BYTES_MAX, &count) ||
        (listens && !zc_arg_pin_named(request, ZC_TEXT("rx"), &receiver))) {
        return;
    }
    if (listens && receiver == pin) {
        zc_error(request, ZC_TEXT("tx and rx must be two pins"), ZC_BAD_VALUE);
        return;
    }
    if (!may_use(request, pin, true) || (listens && !may_use(request, receiver, false))) {
        return;
    }
    if (listens) {
        zc_hal_uart_listen(receiver);
    }
    zc_hal_uart_write(pin, buffer, count);
    zc_reply_text(request, ZC_TEXT("done"));
}

void zc_run_uart_read(const zc_request *request)
{
    uint8_t pin;
    int32_t count = BYTES_MAX;

    if (!zc_arg_pin_named(request, ZC_TEXT("rx"), &pin) ||
        !zc_arg_optional(request, ZC_TEXT("count"), 1, BYTES_MAX, &count) || !may_use(request, pin, false)) {
        return;
    }
    zc_hal_uart_listen(pin);
    zc_reply_begin(request);
    zc_out_text(ZC_TEXT("{\"data\":\""));
    zc_out_hex(buffer, zc_hal_uart_take(buffer, (uint8_t)count));
    zc_out_text(ZC_TEXT("\",\"lost\":"));
    zc_out_unsigned(zc_hal_uart_lost());
    zc_out_char('}');
    zc_reply_end();
}
