/*
 * I2C master on two plain pins (UM10204): open drain by switching a pin between low output and input with pull-up.
 *
 * No peripheral: the chips' own ones differ, cannot all send a bare address, and hang in different ways when a line is
 * held. Here no line can hold up more than ZC_I2C_LIMIT_MS.
 */
#include "zc_board.h"

#define HALF_BIT_NS 4700      /* 100 kHz at most: table 10 asks for 4.7 us low and 4.0 us high */
#define RISE_US 20            /* 40 kOhm of pull-up and 400 pF, the most that the bus may have */
#define RECOVERY_CLOCKS 9     /* section 3.1.16: a device lets go of SDA within nine clocks */
#define STOP_RESERVE_MS 5     /* the stop condition needs some time as well */

static uint32_t begun_us;
static bool is_faulty;

bool zc_hal_has_i2c(uint8_t pin)
{
    return pin == SDA_PIN || pin == SCL_PIN;
}

static bool is_late(uint32_t limit_ms)
{
    return board_micros() - begun_us >= limit_ms * 1000;
}

static void let_go(uint8_t line)
{
    board_set_output(line, false);
    board_set_pull_up(line, true);
    board_wait_ns(HALF_BIT_NS);
}

static void pull_low(uint8_t line)
{
    board_set_latch(line, false);
    board_set_output(line, true);
    board_wait_ns(HALF_BIT_NS);
}

/* Let SCL go and wait for it: a device that is not ready holds it (clock stretching, section 3.1.9). */
static void raise_clock(void)
{
    let_go(SCL_PIN);
    while (!board_read(SCL_PIN)) {
        board_attend();
        if (is_late(ZC_I2C_LIMIT_MS - STOP_RESERVE_MS)) {
            is_faulty = true;
            return;
        }
    }
}

static void send_start(void)
{
    let_go(SDA_PIN);
    raise_clock();
    if (!board_read(SDA_PIN)) {
        is_faulty = true;
    }
    pull_low(SDA_PIN);
    pull_low(SCL_PIN);
}

static void send_stop(void)
{
    pull_low(SDA_PIN);
    raise_clock();
    let_go(SDA_PIN);
}

static bool transfer_bit(bool is_high)
{
    bool level;

    if (is_high) {
        let_go(SDA_PIN);
    } else {
        pull_low(SDA_PIN);
    }
    raise_clock();
    level = board_read(SDA_PIN);
    pull_low(SCL_PIN);
    board_attend();
    return level;
}

/* Returns whether the device acknowledged. */
static bool send_byte(uint8_t byte)
{
    uint8_t count;

    for (count = 0; count < 8 && !is_faulty; count++) {
        (void)transfer_bit((byte & 0x80) != 0);
        byte = (uint8_t)(byte << 1);
    }
    return !transfer_bit(true);
}

static uint8_t receive_byte(bool is_last)
{
    uint8_t byte = 0, count;

    for (count = 0; count < 8 && !is_faulty; count++) {
        byte = (uint8_t)(byte << 1 | (transfer_bit(true) ? 1 : 0));
    }
    (void)transfer_bit(is_last);
    return byte;
}

static zc_result address_device(uint8_t address_and_direction)
{
    send_start();
    if (is_faulty) {
        return ZC_BUS_FAULT;
    }
    return send_byte(address_and_direction) ? ZC_OK : ZC_NO_DEVICE;
}

static zc_result transfer(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    zc_result result = ZC_OK;
    uint8_t index;

    if (out_count != 0 || in_count == 0) {
        result = address_device((uint8_t)(address << 1));
    }
    for (index = 0; index < out_count && result == ZC_OK && !is_faulty; index++) {
        result = send_byte(out[index]) ? ZC_OK : ZC_NO_ACK;
    }
    if (in_count != 0 && result == ZC_OK && !is_faulty) {
        result = address_device((uint8_t)(address << 1 | 1));
    }
    for (index = 0; index < in_count && result == ZC_OK && !is_faulty; index++) {
        in[index] = receive_byte(index + 1 == in_count);
    }
    return is_faulty ? ZC_BUS_FAULT : result;
}

/* A device that was cut off in the middle of a byte holds SDA until it has been clocked through. */
static void recover(void)
{
    uint8_t clocks;

    for (clocks = 0; clocks < RECOVERY_CLOCKS && !board_read(SDA_PIN); clocks++) {
        pull_low(SCL_PIN);
        raise_clock();
    }
    pull_low(SCL_PIN);
    send_stop();
}

static bool is_bus_free(void)
{
    board_set_pull_up(SDA_PIN, true);
    board_set_pull_up(SCL_PIN, true);
    board_wait_ns(RISE_US * 1000u);
    raise_clock(); /* a device may still be busy with the last transfer */
    if (!is_faulty && !board_read(SDA_PIN)) {
        recover();
    }
    return !is_faulty && board_read(SDA_PIN) && board_read(SCL_PIN);
}

/* Both lines are free afterwards, and the pins as they were. */
static void put_back(uint8_t pin)
{
    board_set_output(pin, false);
    board_set_pull_up(pin, zc_hal_mode(pin) == ZC_MODE_PULLUP);
}

zc_result zc_hal_i2c(uint8_t address, const uint8_t *out, uint8_t out_count, uint8_t *in, uint8_t in_count)
{
    zc_result result = ZC_BUS_FAULT;

    if (!pins_is_input(SDA_PIN) || !pins_is_input(SCL_PIN)) {
        return ZC_CONFLICT;
    }
    begun_us = board_micros();
    is_faulty = false;
    if (is_bus_free()) {
        result = transfer(address, out, out_count, in, in_count);
        if (result != ZC_BUS_FAULT) {
            send_stop();
            result = is_faulty ? ZC_BUS_FAULT : result;
        }
    }
    put_back(SDA_PIN);
    put_back(SCL_PIN);
    return result;
}
