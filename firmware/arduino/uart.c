/*
 * Second serial line in software: 9600 baud, 8 data bits, no parity, 1 stop bit, on any two pins.
 *
 * The receiver takes the time of each edge from timer 0 (4 us) and counts how many bits the level before it lasted,
 * so it needs an interrupt for each edge only and never holds up the line to the host. The transmitter waits for
 * each bit's time; interrupts go on, so an edge may come some 10 us late (a tenth of a bit).
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "pin_map.h"
#include "zc_hal.h"

#define BIT_TICKS 26 /* 104 us: 9615 baud */
#define FRAME_BITS 10
#define NO_PIN ZC_NO_PIN
#define RING_SIZE 64 /* a power of two */
/*
 * Edges closer together than half a bit mean that something else is on the pin. So many of them within a turn of the
 * main loop switch the receiver off until the next uart_read: at higher rates it would keep the interrupt of the
 * line to the host, which comes after it, from being served in time, and with it stop_all.
 */
#define SHORT_EDGES_MAX 16

static volatile uint8_t ring[RING_SIZE];
static volatile uint8_t ring_head, ring_tail;
static volatile uint16_t lost;

static uint8_t listening = NO_PIN;
static volatile uint8_t *input; /* PIN register */
static uint8_t mask;
static volatile uint8_t short_edges;

static volatile uint8_t position = FRAME_BITS; /* next bit of the frame; FRAME_BITS: between frames */
static volatile bool level = true;             /* since last_edge */
static volatile uint16_t last_edge;
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

static void see_edge(void)
{
    uint16_t now = clock_ticks();
    uint16_t elapsed = now - last_edge;
    bool new_level = (*input & mask) != 0;
    uint8_t count = 0;

    if (elapsed < BIT_TICKS / 2 && ++short_edges > SHORT_EDGES_MAX) {
        PCICR = 0;
        count_lost();
        position = FRAME_BITS;
        return;
    }
    if (new_level == level) {
        last_edge = now;
        return; /* a pulse that was over before it could be looked at */
    }
    for (; elapsed >= BIT_TICKS / 2 && count < FRAME_BITS; count++) {
        elapsed = elapsed > BIT_TICKS ? elapsed - BIT_TICKS : 0;
    }
    take_bits(count);
    last_edge = now;
    level = new_level;
    if (position >= FRAME_BITS && !level) {
        position = 0;
    }
}

ISR(PCINT0_vect)
{
    see_edge();
}

ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));

static void stop_listening(void)
{
    PCICR = 0;
    listening = NO_PIN;
    ring_head = ring_tail = 0;
    lost = 0;
}

static bool is_input(uint8_t pin)
{
    zc_mode mode = zc_hal_mode(pin);

    return mode == ZC_MODE_INPUT || mode == ZC_MODE_PULLUP;
}

/* Not inlined, so that uart_poll saves no registers on an idle board. */
static void __attribute__((noinline)) look_after_receiver(void)
{
    if (!is_input(listening)) {
        stop_listening(); /* another command has taken the pin */
        return;
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        short_edges = 0;
        if (position < FRAME_BITS && (uint16_t)(clock_ticks() - last_edge) > FRAME_BITS * BIT_TICKS) {
            take_bits(FRAME_BITS);
        }
    }
}

void uart_poll(void)
{
    if (listening != NO_PIN) {
        look_after_receiver();
    }
}

bool zc_hal_has_uart(uint8_t pin)
{
    return pin >= 2 && pin < PIN_COUNT && pin_change_group(pin) != ZC_NO_PIN;
}

bool zc_hal_uart_listens(uint8_t pin)
{
    uart_poll();
    return pin == listening;
}

void zc_hal_uart_listen(uint8_t pin)
{
    uint8_t group;

    if (!zc_hal_uart_listens(pin)) {
        stop_listening();
    } else if (PCICR != 0) {
        return;
    }
    input = &INPUT_OF(pin_port(pin));
    mask = pin_mask(pin);
    group = pin_change_group(pin);
    PCMSK0 = group == 0 ? mask : 0;
    PCMSK1 = group == 1 ? mask : 0;
    PCMSK2 = group == 2 ? mask : 0;
    short_edges = 0;
    position = FRAME_BITS;
    level = (*input & mask) != 0;
    listening = pin;
    PCIFR = 7;
    PCICR = (uint8_t)(1u << group);
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

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = lost;
        lost = 0;
    }
    return count;
}

static void wait_until(uint16_t tick)
{
    while ((int16_t)(clock_ticks() - tick) < 0) {
    }
}

static void send_byte(uint8_t pin, uint8_t byte)
{
    uint16_t frame = (uint16_t)(byte << 1 | 0x200); /* start bit, data from the lowest, stop bit */
    uint16_t due = clock_ticks();
    uint8_t count;

    for (count = 0; count < FRAME_BITS; count++) {
        pin_level(pin, frame & 1);
        frame >>= 1;
        due += BIT_TICKS;
        wait_until(due);
    }
}

void zc_hal_uart_write(uint8_t pin, const uint8_t *bytes, uint8_t count)
{
    bool was_idle = zc_hal_mode(pin) == ZC_MODE_OUTPUT && zc_hal_read(pin);
    uint8_t index;

    zc_hal_write(pin, 1);
    if (!was_idle) { /* the other end must see a whole frame of idle line first */
        wait_until((uint16_t)(clock_ticks() + 2 * FRAME_BITS * BIT_TICKS));
    }
    for (index = 0; index < count; index++) {
        send_byte(pin, bytes[index]);
    }
}
