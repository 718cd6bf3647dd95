/* The functions that the compiler calls by itself, for boards without a C library. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memcpy(void *target, const void *source, size_t size)
{
    uint8_t *to = target;
    const uint8_t *from = source;

    while (size-- > 0) {
        *to++ = *from++;
    }
    return target;
}

void *memset(void *target, int value, size_t size)
{
    uint8_t *to = target;

    while (size-- > 0) {
        *to++ = (uint8_t)value;
    }
    return target;
}
