/*
 * JSON reader for one line in a fixed buffer: no memory is taken, nothing is copied.
 *
 * First zc_json_valid() checks the whole line against RFC 8259; the other functions then walk over it and may rely
 * on that check. Values are slices of the line.
 */
#ifndef ZC_JSON_H
#define ZC_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "zc_rom.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ZC_JSON_DEPTH
#define ZC_JSON_DEPTH 8 /* deepest nesting of objects and arrays that is accepted */
#endif

/* Part of the line. text is NULL when there is no such part. Strings keep their quotes and escapes. */
typedef struct {
    const char *text;
    uint16_t length;
} zc_slice;

typedef enum {
    ZC_JSON_ABSENT,
    ZC_JSON_NULL,
    ZC_JSON_BOOL,
    ZC_JSON_NUMBER,
    ZC_JSON_STRING,
    ZC_JSON_ARRAY,
    ZC_JSON_OBJECT
} zc_json_kind;

typedef enum { ZC_INT_OK, ZC_INT_NOT_INTEGER, ZC_INT_TOO_LARGE } zc_int_result;

/* Whether the NUL-terminated line is exactly one JSON value (RFC 8259, valid UTF-8, nesting <= ZC_JSON_DEPTH). */
bool zc_json_valid(const char *line);

/* The value without the white space around it, for a line that zc_json_valid() accepted. */
zc_slice zc_json_root(const char *line);

/* Kind of a value, by its first character. */
zc_json_kind zc_json_kind_of(zc_slice value);

/*
 * Find the member called key in an object.
 * Returns false when the key occurs more than once; value->text is NULL when it does not occur at all or when
 * object is no object.
 */
bool zc_json_member(zc_slice object, zc_rom_text key, zc_slice *value);

/* The element of an array after `previous`, the first one when that is absent; absent at the end and in no array. */
zc_slice zc_json_next(zc_slice array, zc_slice previous);

/*
 * Read bytes: an array of integers from 0 to 255, or a string of two hexadecimal digits for each byte.
 * Returns false when the value is neither or holds more than `limit` bytes.
 */
bool zc_json_bytes(zc_slice value, uint8_t *bytes, uint8_t limit, uint8_t *count);

/* Whether a string value, its escapes decoded, equals an ASCII text. */
bool zc_json_equals(zc_slice string, zc_rom_text text);

/* Read a number value as a 32-bit integer. A fraction or an exponent is ZC_INT_NOT_INTEGER. */
zc_int_result zc_json_int(zc_slice number, int32_t *value);

#ifdef __cplusplus
}
#endif

#endif
