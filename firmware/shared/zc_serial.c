/* Rings between the serial line and the protocol: see zc_board.h. */
#include "zc_board.h"
#include "zc_protocol.h"

#define RECEIVE_SIZE 1024 /* powers of two; one place stays free */
#define TRANSMIT_SIZE 2048
#define EVENT_BYTES 255   /* so much may stand before a reply because of events (SPEC.md, Events) */
#define STALLED_US 100000 /* a host that takes nothing for so long is not waited for: the board must stay in charge */

static volatile char receive_ring[RECEIVE_SIZE];
static volatile uint16_t receive_head, receive_tail;
static volatile bool receive_lost;

static volatile char transmit_ring[TRANSMIT_SIZE];
static volatile uint16_t transmit_head, transmit_tail;

static bool receive_store(char byte)
{
    uint16_t next = (uint16_t)((receive_head + 1) % RECEIVE_SIZE);

    if (next == receive_tail) {
        return false;
    }
    receive_ring[receive_head] = byte;
    receive_head = next;
    return true;
}

/*
 * A lost byte must never join two halves of different requests to a third one. So a gap is marked by
 * ZC_LOST_BYTE, and nothing is stored behind the gap before the mark is.
 */
void serial_received(char byte, bool is_good)
{
    if (!is_good) {
        receive_lost = true;
    }
    if (receive_lost) {
        if (!receive_store(ZC_LOST_BYTE)) {
            return;
        }
        receive_lost = false;
        if (!is_good) {
            return;
        }
    }
    if (!receive_store(byte)) {
        receive_lost = true;
    }
}

uint16_t serial_room(void)
{
    return (uint16_t)(RECEIVE_SIZE - 1 - (uint16_t)(receive_head - receive_tail) % RECEIVE_SIZE);
}

bool serial_take(char *byte)
{
    if (receive_tail == receive_head) {
        return false;
    }
    *byte = receive_ring[receive_tail];
    receive_tail = (uint16_t)((receive_tail + 1) % RECEIVE_SIZE);
    return true;
}

bool serial_has_output(void)
{
    return transmit_tail != transmit_head;
}

bool serial_is_quiet(void)
{
    return transmit_tail == transmit_head && receive_tail == receive_head;
}

bool serial_next(char *byte)
{
    if (transmit_tail == transmit_head) {
        return false;
    }
    *byte = transmit_ring[transmit_tail];
    transmit_tail = (uint16_t)((transmit_tail + 1) % TRANSMIT_SIZE);
    return true;
}

/* Wait while the ring has more than `limit` bytes; false when the other end has taken nothing for too long. */
static bool wait_for_room(uint16_t limit)
{
    uint16_t tail = transmit_tail;
    uint32_t since_us = board_micros();

    while ((uint16_t)(transmit_head - transmit_tail) % TRANSMIT_SIZE > limit) {
        board_attend();
        board_feed_watchdog(); /* this wait always ends */
        if (tail != transmit_tail) {
            tail = transmit_tail;
            since_us = board_micros();
        } else if (board_micros() - since_us > STALLED_US) {
            return false;
        }
    }
    return true;
}

void zc_hal_put(char c)
{
    if (!wait_for_room(TRANSMIT_SIZE - 2)) {
        transmit_tail = transmit_head; /* what nobody reads is thrown away, whole, so that waiting comes once */
    }
    transmit_ring[transmit_head] = c;
    transmit_head = (uint16_t)((transmit_head + 1) % TRANSMIT_SIZE);
}

uint16_t zc_hal_put_free(void)
{
    uint16_t used = (uint16_t)(transmit_head - transmit_tail) % TRANSMIT_SIZE;

    return used < EVENT_BYTES ? (uint16_t)(EVENT_BYTES - used) : 0;
}

uint16_t zc_hal_receive_size(void)
{
    return RECEIVE_SIZE - 1;
}

void serial_flush(void)
{
    (void)wait_for_room(0);
}

void serial_clear(void)
{
    receive_tail = receive_head;
    receive_lost = false;
    transmit_tail = transmit_head;
}

void board_run_once(void)
{
    char byte;

    board_feed_watchdog();
    board_attend();
    while (serial_take(&byte)) {
        zc_receive(byte);
        board_feed_watchdog();
        board_attend();
        uart_lines_poll();
        zc_poll();
    }
    uart_lines_poll();
    zc_poll();
}
