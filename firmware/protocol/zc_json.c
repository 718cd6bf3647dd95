/* JSON reader: see zc_json.h. Grammar: RFC 8259; UTF-8 table: RFC 3629 section 4. */
#include "zc_json.h"

#include <stddef.h>

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
        at++;
    }
    return at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 0..15, or 0xFF when c is no hexadecimal digit. */
static uint8_t hex_digit(char c)
{
    if (is_digit(c)) {
        return (uint8_t)(c - '0');
    }
    c = (char)(c | 0x20);
    return (c >= 'a' && c <= 'f') ? (uint8_t)(c - 'a' + 10) : 0xFF;
}

/* After the well-formed multi-byte sequence that starts at `at`, or NULL. */
static const char *scan_utf8(const char *at)
{
    uint8_t lead = (uint8_t)*at++;
    uint8_t low = 0x80, high = 0xBF, following;

    if (lead >= 0xC2 && lead <= 0xDF) {
        following = 1;
    } else if ((lead & 0xF0) == 0xE0) {
        following = 2;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        following = 3;
    } else {
        return NULL;
    }
    /* The second byte is what keeps over-long forms, surrogates and values above U+10FFFF out. */
    if (lead == 0xE0) {
        low = 0xA0;
    } else if (lead == 0xED) {
        high = 0x9F;
    } else if (lead == 0xF0) {
        low = 0x90;
    } else if (lead == 0xF4) {
        high = 0x8F;
    }
    while (following-- > 0) {
        uint8_t byte = (uint8_t)*at;
        if (byte < low || byte > high) {
            return NULL;
        }
        low = 0x80;
        high = 0xBF;
        at++;
    }
    return at;
}

static const char *scan_escape(const char *at)
{
    uint8_t count;

    switch (*at++) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        return at;
    case 'u':
        for (count = 0; count < 4; count++, at++) {
            if (hex_digit(*at) > 15) {
                return NULL;
            }
        }
        return at;
    default:
        return NULL;
    }
}

static const char *scan_string(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    while (*at != '"') {
        uint8_t byte = (uint8_t)*at;
        if (byte < 0x20) {
            return NULL; /* control characters, and the end of the line */
        }
        if (byte == '\\') {
            at = scan_escape(at + 1);
        } else if (byte >= 0x80) {
            at = scan_utf8(at);
        } else {
            at++;
        }
        if (at == NULL) {
            return NULL;
        }
    }
    return at + 1;
}

static const char *scan_digits(const char *at)
{
    if (!is_digit(*at)) {
        return NULL;
    }
    while (is_digit(*at)) {
        at++;
    }
    return at;
}

static const char *scan_number(const char *at)
{
    if (*at == '-') {
        at++;
    }
    if (*at == '0') {
        at++;
    } else {
        at = scan_digits(at);
    }
    if (at != NULL && *at == '.') {
        at = scan_digits(at + 1);
    }
    if (at != NULL && (*at == 'e' || *at == 'E')) {
        at++;
        if (*at == '+' || *at == '-') {
            at++;
        }
        at = scan_digits(at);
    }
    return at;
}

static const char *scan_literal(const char *at, zc_rom_text text)
{
    char c;

    while ((c = zc_rom_char(text)) != '\0') {
        if (*at++ != c) {
            return NULL;
        }
        text++;
    }
    return at;
}

static const char *scan_value(const char *at, uint8_t depth);

/* Both kinds of container; `at` stands after the opening bracket. */
static const char *scan_container(const char *at, uint8_t depth, bool is_object)
{
    char closing = is_object ? '}' : ']';

    if (depth == 0) {
        return NULL;
    }
    at = skip_space(at);
    if (*at == closing) {
        return at + 1;
    }
    for (;;) {
        if (is_object) {
            at = scan_string(at);
            if (at == NULL) {
                return NULL;
            }
            at = skip_space(at);
            if (*at++ != ':') {
                return NULL;
            }
            at = skip_space(at);
        }
        at = scan_value(at, (uint8_t)(depth - 1));
        if (at == NULL) {
            return NULL;
        }
        at = skip_space(at);
        if (*at == closing) {
            return at + 1;
        }
        if (*at++ != ',') {
            return NULL;
        }
        at = skip_space(at);
    }
}

static const char *scan_value(const char *at, uint8_t depth)
{
    switch (*at) {
    case '{':
        return scan_container(at + 1, depth, true);
    case '[':
        return scan_container(at + 1, depth, false);
    case '"':
        return scan_string(at);
    case 't':
        return scan_literal(at, ZC_TEXT("true"));
    case 'f':
        return scan_literal(at, ZC_TEXT("false"));
    case 'n':
        return scan_literal(at, ZC_TEXT("null"));
    default:
        return scan_number(at);
    }
}

static zc_slice slice_at(const char *start)
{
    zc_slice slice = {start, 0};
    const char *end = scan_value(start, ZC_JSON_DEPTH);

    slice.length = (uint16_t)(end - start);
    return slice;
}

bool zc_json_valid(const char *line)
{
    const char *at = scan_value(skip_space(line), ZC_JSON_DEPTH);

    return at != NULL && *skip_space(at) == '\0';
}

zc_slice zc_json_root(const char *line)
{
    return slice_at(skip_space(line));
}

zc_json_kind zc_json_kind_of(zc_slice value)
{
    if (value.text == NULL) {
        return ZC_JSON_ABSENT;
    }
    switch (*value.text) {
    case '{':
        return ZC_JSON_OBJECT;
    case '[':
        return ZC_JSON_ARRAY;
    case '"':
        return ZC_JSON_STRING;
    case 't': case 'f':
        return ZC_JSON_BOOL;
    case 'n':
        return ZC_JSON_NULL;
    default:
        return ZC_JSON_NUMBER;
    }
}

bool zc_json_member(zc_slice object, zc_rom_text key, zc_slice *value)
{
    const char *at;

    value->text = NULL;
    value->length = 0;
    if (zc_json_kind_of(object) != ZC_JSON_OBJECT) {
        return true;
    }
    at = skip_space(object.text + 1);
    while (*at == '"') {
        zc_slice name = slice_at(at);
        zc_slice found;

        at = skip_space(at + name.length) + 1; /* the colon */
        found = slice_at(skip_space(at));
        if (zc_json_equals(name, key)) {
            if (value->text != NULL) {
                return false;
            }
            *value = found;
        }
        at = skip_space(found.text + found.length);
        if (*at == ',') {
            at = skip_space(at + 1);
        }
    }
    return true;
}

/* The character that an escape stands for; anything outside ASCII gives NUL, which no text contains. */
static char decode_escape(const char **at)
{
    char c = *(*at)++;
    uint8_t count;
    uint16_t code = 0;

    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        for (count = 0; count < 4; count++) {
            code = (uint16_t)((code << 4) | hex_digit(*(*at)++));
        }
        return code < 0x80 ? (char)code : '\0';
    default:
        return c;
    }
}

bool zc_json_equals(zc_slice string, zc_rom_text text)
{
    const char *at, *end;

    if (zc_json_kind_of(string) != ZC_JSON_STRING) {
        return false;
    }
    at = string.text + 1;
    end = string.text + string.length - 1;
    while (at < end) {
        char c = *at++;
        char expected = zc_rom_char(text);
        if (c == '\\') {
            c = decode_escape(&at);
        }
        if (expected == '\0' || c != expected) {
            return false;
        }
        text++;
    }
    return zc_rom_char(text) == '\0';
}

zc_int_result zc_json_int(zc_slice number, int32_t *value)
{
    const char *at = number.text;
    const char *end = at + number.length;
    bool negative = false, too_large = false;
    uint32_t magnitude = 0;

    if (zc_json_kind_of(number) != ZC_JSON_NUMBER) {
        return ZC_INT_NOT_INTEGER;
    }
    if (*at == '-') {
        negative = true;
        at++;
    }
    for (; at < end; at++) {
        if (!is_digit(*at)) {
            return ZC_INT_NOT_INTEGER;
        }
        if (magnitude > 214748363UL) { /* one more digit could pass 2147483647 */
            too_large = true;
        }
        magnitude = magnitude * 10 + (uint32_t)(*at - '0');
    }
    if (too_large) {
        return ZC_INT_TOO_LARGE;
    }
    *value = negative ? -(int32_t)magnitude : (int32_t)magnitude;
    return ZC_INT_OK;
}

zc_slice zc_json_next(zc_slice array, zc_slice previous)
{
    zc_slice none = {NULL, 0};
    const char *at;

    if (zc_json_kind_of(array) != ZC_JSON_ARRAY) {
        return none;
    }
    if (previous.text == NULL) {
        at = skip_space(array.text + 1);
    } else {
        at = skip_space(previous.text + previous.length);
        if (*at == ',') {
            at = skip_space(at + 1);
        }
    }
    return *at == ']' ? none : slice_at(at);
}

static bool read_byte_array(zc_slice array, uint8_t *bytes, uint8_t limit, uint8_t *count)
{
    zc_slice item = {NULL, 0};
    int32_t value;

    for (;;) {
        item = zc_json_next(array, item);
        if (item.text == NULL) {
            return true;
        }
        if (*count == limit || zc_json_int(item, &value) != ZC_INT_OK || value < 0 || value > 255) {
            return false;
        }
        bytes[(*count)++] = (uint8_t)value;
    }
}

static bool read_hex_string(zc_slice string, uint8_t *bytes, uint8_t limit, uint8_t *count)
{
    const char *at = string.text + 1;
    const char *end = string.text + string.length - 1;
    bool is_second = false;

    while (at < end) {
        char c = *at++;
        uint8_t digit;
        if (c == '\\') {
            c = decode_escape(&at);
        }
        digit = hex_digit(c);
        if (digit > 15 || *count == limit) {
            return false;
        }
        if (is_second) {
            bytes[*count] = (uint8_t)(bytes[*count] | digit);
            (*count)++;
        } else {
            bytes[*count] = (uint8_t)(digit << 4);
        }
        is_second = !is_second;
    }
    return !is_second;
}

bool zc_json_bytes(zc_slice value, uint8_t *bytes, uint8_t limit, uint8_t *count)
{
    *count = 0;
    switch (zc_json_kind_of(value)) {
    case ZC_JSON_ARRAY:
        return read_byte_array(value, bytes, limit, count);
    case ZC_JSON_STRING:
        return read_hex_string(value, bytes, limit, count);
    default:
        return false;
    }
}
