/*
 * Constant text and tables that live in program memory.
 *
 * An AVR copies every constant into its 2 kB of RAM unless it is read from flash with special instructions; on
 * every other chip these macros are plain C.
 */
#ifndef ZC_ROM_H
#define ZC_ROM_H

#include <stdint.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#define ZC_ROM PROGMEM
#define ZC_TEXT(literal) PSTR(literal)
#define zc_rom_char(pointer) ((char)pgm_read_byte(pointer))
#define zc_rom_copy(target, source, size) memcpy_P((target), (source), (size))
#else
#define ZC_ROM
#define ZC_TEXT(literal) (literal)
#define zc_rom_char(pointer) (*(pointer))
#define zc_rom_copy(target, source, size) memcpy((target), (source), (size))
#endif

/* A NUL-terminated text made by ZC_TEXT or declared with ZC_ROM. Read it with zc_rom_char only. */
typedef const char *zc_rom_text;

#endif
