/* Character output: see zc_output.h. */
#include "zc_output.h"

#include "zc_hal.h"

static bool escape_quotes;

void zc_out_escape_quotes(bool on)
{
    escape_quotes = on;
}

void zc_out_char(char c)
{
    if (c == '"' && escape_quotes) {
        zc_hal_put('\\');
    }
    zc_hal_put(c);
}

void zc_out_text(zc_rom_text text)
{
    char c;

    while ((c = zc_rom_char(text)) != '\0') {
        zc_out_char(c);
        text++;
    }
}

void zc_out_slice(zc_slice slice)
{
    uint16_t index;

    for (index = 0; index < slice.length; index++) {
        zc_out_char(slice.text[index]);
    }
}

void zc_out_unsigned(uint32_t value)
{
    char digits[10];
    uint8_t count = 0;

    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count > 0) {
        zc_out_char(digits[--count]);
    }
}

static char hex_character(uint8_t digit)
{
    return (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
}

void zc_out_hex(const uint8_t *bytes, uint8_t count)
{
    uint8_t index;

    for (index = 0; index < count; index++) {
        zc_out_char(hex_character(bytes[index] >> 4));
        zc_out_char(hex_character(bytes[index] & 15));
    }
}
