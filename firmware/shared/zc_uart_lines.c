/*
 * Second serial line in software: 9600 baud, 8 data bits, no parity, 1 stop bit, on any two pins.
 *
 * The receiver takes the time of each edge and counts how many bits the level before it lasted, so it needs an
 * interrupt for each edge only and never holds up the line to the host. The transmitter waits for each bit's time.
 */
#include "zc_board.h"

#define FRAME_BITS 10
#define RING_SIZE 64          /* a power of two; one place stays free */
#define BITS_TO_US(bits) ((bits) * 625u / 6u) /* one bit of 9600 baud is 104 1/6 us */
#define SHORT_EDGE_US 52      /* half a bit */
/*
 * Edges closer together than half a bit mean that something else is on the pin. So many of them within a turn of the
 * main loop switch the receiver off until the next uart_read: at high rates it would leave the board no time.
 */
#define SHORT_EDGES_MAX 16

static volatile uint8_t ring[RING_SIZE];
static volatile uint8_t ring_head, ring_tail;
static volatile uint16_t lost;

static uint8_t listening = ZC_NO_PIN;
static volatile bool is_watching;
static volatile uint8_t short_edges;

static volatile uint8_t position = FRAME_BITS; /* next bit of the frame; FRAME_BITS: between frames */
static volatile bool level = true;             /* since last_edge_us */
static volatile uint32_t last_edge_us;
static uint8_t bits;

static void count_lost(void)
{
    if (lost != UINT16_MAX) {
        lost++;
    }
}

static void store(uint8_t byte)
{
    uint8_t next = (uint8_t)((ring_head + 1) % RING_SIZE);

    if (next == ring_tail) {
        count_lost();
        return;
    }
    ring[ring_head] = byte;
    ring_head = next;
}

/* `level` lasted so many bits: bit 0 is the start bit, 1 to 8 the data from the lowest, 9 the stop bit. */
static void take_bits(uint8_t count)
{
    while (count-- > 0 && position < FRAME_BITS) {
        if (position == FRAME_BITS - 1) {
            if (level) {
                store(bits);
            } else {
                count_lost(); /* no stop bit: a break, or another speed */
            }
        } else if (position > 0) {
            bits = (uint8_t)(bits >> 1 | (level ? 0x80 : 0));
        }
        position++;
    }
}

void uart_lines_edge(void)
{
    uint32_t now_us = board_micros();
    uint32_t elapsed_us = now_us - last_edge_us;
    bool new_level;
    uint8_t count;

    if (listening == ZC_NO_PIN) {
        return;
    }
    new_level = board_read(listening);
    if (elapsed_us < SHORT_EDGE_US && ++short_edges > SHORT_EDGES_MAX) {
        board_watch_edges(ZC_NO_PIN);
        is_watching = false;
        count_lost();
        position = FRAME_BITS;
        return;
    }
    if (new_level == level) {
        last_edge_us = now_us;
        return; /* a pulse that was over before it could be looked at */
    }
    for (count = 0; count < FRAME_BITS && elapsed_us > BITS_TO_US(count) + SHORT_EDGE_US; count++) {
    }
    take_bits(count);
    last_edge_us = now_us;
    level = new_level;
    if (position >= FRAME_BITS && !level) {
        position = 0;
    }
}

static void stop_listening(void)
{
    board_watch_edges(ZC_NO_PIN);
    is_watching = false;
    listening = ZC_NO_PIN;
    ring_head = ring_tail = 0;
    lost = 0;
}

void uart_lines_poll(void)
{
    if (listening == ZC_NO_PIN) {
        return;
    }
    if (!pins_is_input(listening)) {
        stop_listening(); /* another command has taken the pin */
        return;
    }
    board_lock();
    short_edges = 0;
    if (position < FRAME_BITS && board_micros() - last_edge_us > BITS_TO_US(FRAME_BITS)) {
        take_bits(FRAME_BITS); /* the line has been silent since: no edge will end this frame */
    }
    board_unlock();
}

bool zc_hal_has_uart(uint8_t pin)
{
    return !board_is_reserved(pin);
}

bool zc_hal_uart_listens(uint8_t pin)
{
    uart_lines_poll();
    return pin == listening;
}

void zc_hal_uart_listen(uint8_t pin)
{
    if (!zc_hal_uart_listens(pin)) {
        stop_listening();
    } else if (is_watching) {
        return;
    }
    short_edges = 0;
    position = FRAME_BITS;
    level = board_read(pin);
    listening = pin;
    is_watching = true;
    board_watch_edges(pin);
}

uint8_t zc_hal_uart_take(uint8_t *bytes, uint8_t limit)
{
    uint8_t count = 0;

    while (count < limit && ring_tail != ring_head) {
        bytes[count++] = ring[ring_tail];
        ring_tail = (uint8_t)((ring_tail + 1) % RING_SIZE);
    }
    return count;
}

uint16_t zc_hal_uart_lost(void)
{
    uint16_t count;

    board_lock();
    count = lost;
    lost = 0;
    board_unlock();
    return count;
}

static void wait_since(uint32_t begun_us, uint32_t length_us)
{
    while (board_micros() - begun_us < length_us) {
        board_attend();
    }
}

static void send_byte(uint8_t pin, uint8_t byte)
{
    uint16_t frame = (uint16_t)(byte << 1 | 0x200); /* start bit, data from the lowest, stop bit */
    uint32_t begun_us = board_micros();
    uint8_t count;

    for (count = 1; count <= FRAME_BITS; count++) {
        board_set_latch(pin, (frame & 1) != 0);
        frame >>= 1;
        wait_since(begun_us, BITS_TO_US(count));
    }
}

void zc_hal_uart_write(uint8_t pin, const uint8_t *bytes, uint8_t count)
{
    bool was_idle = zc_hal_mode(pin) == ZC_MODE_OUTPUT && zc_hal_read(pin);
    uint8_t index;

    zc_hal_write(pin, 1);
    if (!was_idle) { /* the other end must see a whole frame of idle line first */
        wait_since(board_micros(), BITS_TO_US(2 * FRAME_BITS));
    }
    for (index = 0; index < count; index++) {
        send_byte(pin, bytes[index]);
    }
}
