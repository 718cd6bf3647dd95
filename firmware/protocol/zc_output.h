/* Writes JSON text character by character to the board's serial line; nothing is buffered here. */
#ifndef ZC_OUTPUT_H
#define ZC_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "zc_json.h"
#include "zc_rom.h"

#ifdef __cplusplus
extern "C" {
#endif

void zc_out_char(char c);
void zc_out_text(zc_rom_text text);
void zc_out_slice(zc_slice slice);
void zc_out_unsigned(uint32_t value);
void zc_out_hex(const uint8_t *bytes, uint8_t count); /* two lower-case digits for each byte */

/* While on, every quotation mark gets a backslash: for JSON inside a JSON string. */
void zc_out_escape_quotes(bool on);

#ifdef __cplusplus
}
#endif

#endif
