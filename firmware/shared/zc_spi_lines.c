/* SPI master on plain pins, any pin for select: see zc_hal.h. The protocol's 32 bytes do not need more speed. */
#include "zc_board.h"

#define NS_PER_SECOND 1000000000UL

bool zc_hal_has_spi(uint8_t pin)
{
    return pin == MOSI_PIN || pin == MISO_PIN || pin == SCK_PIN;
}

/*
 * mode bit 1 is CPOL, the clock's level at rest; bit 0 is CPHA: 0 takes the level at the first edge of the clock,
 * 1 at the second one.
 */
static uint8_t exchange_byte(uint8_t out, uint8_t mode, uint32_t half_ns)
{
    bool rest = (mode & 2) != 0;
    bool late = (mode & 1) != 0;
    uint8_t in = 0, count;

    for (count = 0; count < 8; count++) {
        if (late) {
            board_set_latch(SCK_PIN, !rest);
        }
        board_set_latch(MOSI_PIN, (out & 0x80) != 0);
        out = (uint8_t)(out << 1);
        board_wait_ns(half_ns);
        board_set_latch(SCK_PIN, late ? rest : !rest);
        in = (uint8_t)(in << 1 | (board_read(MISO_PIN) ? 1 : 0));
        board_wait_ns(half_ns);
        if (!late) {
            board_set_latch(SCK_PIN, rest);
        }
    }
    return in;
}

zc_result zc_hal_spi(uint8_t select, uint8_t mode, uint32_t hertz, uint8_t *bytes, uint8_t count)
{
    uint32_t half_ns = NS_PER_SECOND / 2 / hertz + 1;
    uint8_t index;

    if (zc_hal_has_spi(select)) {
        return ZC_UNSUPPORTED;
    }
    if (pins_has_timer(select) || pins_has_timer(MOSI_PIN) || pins_has_timer(MISO_PIN) || pins_has_timer(SCK_PIN)) {
        return ZC_CONFLICT;
    }
    zc_hal_write(SCK_PIN, mode >> 1);
    zc_hal_write(MOSI_PIN, 0);
    if (zc_hal_mode(MISO_PIN) == ZC_MODE_OUTPUT) {
        zc_hal_set_mode(MISO_PIN, ZC_MODE_INPUT);
    }
    zc_hal_write(select, 1);
    board_set_latch(select, false);
    board_wait_ns(half_ns);
    for (index = 0; index < count; index++) {
        bytes[index] = exchange_byte(bytes[index], mode, half_ns);
        board_attend();
    }
    board_set_latch(MOSI_PIN, false);
    board_set_latch(select, true);
    board_set_latch(SCK_PIN, false); /* only after the device is deselected */
    return ZC_OK;
}
