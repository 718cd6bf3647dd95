/* A ring of the latest level changes on the Arduino pins, for the host to collect. */
#include "machine.h"

enum { EDGE_CAPACITY = 8192 };

static Edge ring[EDGE_CAPACITY];
static uint32_t first, count, dropped;

void edges_clear(void) { first = count = dropped = 0; }

void edges_append(uint64_t cycle, uint32_t pin, uint32_t level) {
    if (count == EDGE_CAPACITY) {
        dropped++;
        return;
    }
    ring[(first + count++) % EDGE_CAPACITY] = (Edge){cycle, pin, level};
}

uint32_t edges_take(Edge *destination, uint32_t capacity) {
    uint32_t taken = count < capacity ? count : capacity;
    for (uint32_t i = 0; i < taken; i++) destination[i] = ring[(first + i) % EDGE_CAPACITY];
    first = (first + taken) % EDGE_CAPACITY;
    count -= taken;
    return taken;
}

uint32_t edges_waiting(void) { return count; }

uint32_t edges_dropped(void) { return dropped; }
