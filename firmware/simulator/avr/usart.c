/* USART0 with the timing of a real line, and the host's end of that line.
 *
 * Source: ATmega328P datasheet section 19. A frame takes start + data + parity + stop bits of
 * divisor * (UBRR + 1) cycles, where divisor is 16, 8 (U2X) or 2 (synchronous master), table 19-1. The receiver
 * holds two frames and a third in its shift register; a start bit after that loses the third (DOR, section 19.7.4).
 */
#include "machine.h"

enum {
    RXC = 1 << 7, TXC = 1 << 6, UDRE = 1 << 5, FE = 1 << 4, DOR = 1 << 3, U2X = 1 << 1, MPCM = 1 << 0,
    RXCIE = 1 << 7, TXCIE = 1 << 6, UDRIE = 1 << 5, RXEN = 1 << 4, TXEN = 1 << 3,
    QUEUE_CAPACITY = 8192, DEFAULT_BAUD = 115200, TXD_MASK = 1 << 1, RXD_MASK = 1 << 0,
};

typedef struct {
    uint8_t bytes[QUEUE_CAPACITY];
    uint32_t first, count;
} Queue;

static Queue to_board, to_host;

static struct {
    bool is_shifting, is_buffered;
    uint8_t shift, buffer;
} transmitter;

static struct {
    bool is_receiving, is_waiting_in_shift; /* a frame is on the line; a finished frame waits for the buffer */
    uint8_t incoming, shift;
    uint8_t buffer[2];
    uint32_t buffered;
    uint64_t line_free_at;
} receiver;

static uint32_t line_baud; /* what the host has set; 0 follows the board */

static bool queue_put(Queue *queue, uint8_t byte) {
    if (queue->count == QUEUE_CAPACITY) return false;
    queue->bytes[(queue->first + queue->count++) % QUEUE_CAPACITY] = byte;
    return true;
}

static uint8_t queue_take(Queue *queue) {
    uint8_t byte = queue->bytes[queue->first];
    queue->first = (queue->first + 1) % QUEUE_CAPACITY;
    queue->count--;
    return byte;
}

static uint32_t bit_cycles(void) {
    uint32_t divisor = (cpu.data[UCSR0C] & 0xC0) == 0x40 ? 2 : (cpu.data[UCSR0A] & U2X) ? 8 : 16;
    return divisor * ((get_pair(UBRR0L) & 0x0FFFu) + 1);
}

/* Start bit, 5 to 9 data bits (UCSZ), parity (UPM1), 1 or 2 stop bits (USBS). */
static uint32_t frame_bits(void) {
    uint8_t control = cpu.data[UCSR0C];
    uint32_t data_bits = (cpu.data[UCSR0B] & 1 << 2) ? 9 : 5 + (control >> 1 & 3);
    return 1 + data_bits + (control >> 5 & 1) + 1 + (control >> 3 & 1);
}

static bool is_enabled(uint8_t mask) { return (cpu.data[UCSR0B] & mask) != 0; }

uint32_t usart_baud(void) { return is_enabled(RXEN | TXEN) ? CLOCK_HZ / bit_cycles() : 0; }

static uint32_t line_bit_cycles(void) {
    if (line_baud) return CLOCK_HZ / line_baud;
    return is_enabled(RXEN) ? bit_cycles() : CLOCK_HZ / DEFAULT_BAUD;
}

/* An asynchronous receiver tolerates some 4 % of difference (table 19-2); beyond that the bits are misread. */
static bool is_line_too_different(void) {
    if (!line_baud) return false;
    int64_t mine = bit_cycles(), theirs = line_bit_cycles(), difference = mine - theirs;
    return (difference < 0 ? -difference : difference) * 100 > 4 * mine;
}

static uint8_t misread(uint8_t byte) { return (uint8_t)((byte << 1 | byte >> 3) ^ 0x5A); }

static void update_pending(void) {
    uint8_t status = cpu.data[UCSR0A], control = cpu.data[UCSR0B];
    set_pending(VECTOR_USART_RX, (status & RXC) && (control & RXCIE));
    set_pending(VECTOR_USART_UDRE, (status & UDRE) && (control & UDRIE));
    set_pending(VECTOR_USART_TX, (status & TXC) && (control & TXCIE));
}

static void set_status(uint8_t mask, bool is_set) {
    cpu.data[UCSR0A] = (uint8_t)(is_set ? cpu.data[UCSR0A] | mask : cpu.data[UCSR0A] & ~mask);
}

static void start_frame(uint8_t byte, uint64_t cycle) {
    transmitter.shift = byte;
    transmitter.is_shifting = true;
    schedule(EVENT_USART_TX, cycle + (uint64_t)bit_cycles() * frame_bits());
}

/* The stop bit of a frame has gone out. */
void usart_tx_event(void) {
    uint8_t byte = transmitter.shift;
    queue_put(&to_host, is_line_too_different() ? misread(byte) : byte);
    transmitter.is_shifting = false;
    if (transmitter.is_buffered) {
        transmitter.is_buffered = false;
        set_status(UDRE, true);
        start_frame(transmitter.buffer, cpu.event_cycle);
    } else {
        set_status(TXC, true);
    }
    update_pending();
}

static void write_data(uint8_t value) {
    if (!is_enabled(TXEN)) return;
    if (!transmitter.is_shifting) {
        start_frame(value, cpu.cycle + 1);
    } else if (!transmitter.is_buffered) {
        transmitter.buffer = value;
        transmitter.is_buffered = true;
        set_status(UDRE, false);
    }
    update_pending();
}

/* Puts the next byte of the host on the line as soon as the line is free. */
static void start_receiving(uint64_t earliest) {
    if (receiver.is_receiving || to_board.count == 0) return;
    uint64_t start = earliest > receiver.line_free_at ? earliest : receiver.line_free_at;
    uint32_t bits = is_enabled(RXEN) ? frame_bits() : 10, bit = line_bit_cycles();
    receiver.incoming = queue_take(&to_board);
    receiver.is_receiving = true;
    receiver.line_free_at = start + (uint64_t)bits * bit;
    if (receiver.is_waiting_in_shift && is_enabled(RXEN)) {
        receiver.is_waiting_in_shift = false;
        set_status(DOR, true);
    }
    schedule(EVENT_USART_RX, receiver.line_free_at - bit / 2);
}

static void accept_frame(void) {
    if (!is_enabled(RXEN)) return;
    uint8_t byte = is_line_too_different() ? misread(receiver.incoming) : receiver.incoming;
    set_status(FE, is_line_too_different());
    if (receiver.buffered < 2) {
        receiver.buffer[receiver.buffered++] = byte;
        set_status(RXC, true);
    } else {
        receiver.shift = byte;
        receiver.is_waiting_in_shift = true;
    }
    update_pending();
}

/* In the middle of the stop bit. */
void usart_rx_event(void) {
    receiver.is_receiving = false;
    accept_frame();
    start_receiving(cpu.cycle);
}

static uint8_t read_data(void) {
    uint8_t byte = receiver.buffer[0];
    if (receiver.buffered == 0) return byte;
    receiver.buffer[0] = receiver.buffer[1];
    receiver.buffered--;
    set_status(DOR | FE, false);
    if (receiver.is_waiting_in_shift) {
        receiver.buffer[receiver.buffered++] = receiver.shift;
        receiver.is_waiting_in_shift = false;
    }
    set_status(RXC, receiver.buffered > 0);
    update_pending();
    return byte;
}

uint8_t usart_read(uint32_t address) { return address == UDR0 ? read_data() : cpu.data[address]; }

/* TXD is held high by an enabled transmitter; the bits of a frame are not shown on the pin. */
static void write_control_b(uint8_t value) {
    cpu.data[UCSR0B] = value & 0xFD;
    if (!(value & RXEN)) {
        receiver.buffered = 0;
        receiver.is_waiting_in_shift = false;
        set_status(RXC | DOR | FE, false);
    }
    if ((value & TXEN) || transmitter.is_shifting)
        gpio_override(PORT_D, TXD_MASK, TXD_MASK, true);
    else
        gpio_override_release(PORT_D, TXD_MASK);
    gpio_update(PORT_D, cpu.cycle);
}

void usart_write(uint32_t address, uint8_t value) {
    switch (address) {
    case UDR0: write_data(value); return;
    case UCSR0A:
        if (value & TXC) set_status(TXC, false);
        cpu.data[UCSR0A] = (uint8_t)((cpu.data[UCSR0A] & ~(U2X | MPCM)) | (value & (U2X | MPCM)));
        break;
    case UCSR0B: write_control_b(value); break;
    case UBRR0H: cpu.data[UBRR0H] = value & 0x0F; break;
    default: cpu.data[address] = value; break;
    }
    update_pending();
}

void usart_acknowledge_tx(void) {
    set_status(TXC, false);
    update_pending();
}

void usart_reset(void) {
    transmitter.is_shifting = transmitter.is_buffered = false;
    receiver.is_waiting_in_shift = false;
    receiver.buffered = 0;
    cpu.data[UCSR0A] = UDRE;
    cpu.data[UCSR0C] = 0x06;
    if (receiver.is_receiving) schedule(EVENT_USART_RX, receiver.line_free_at);
}

/* Bytes from the host; returns how many the line has room for. They go out one by one at the line's speed. */
uint32_t usart_host_send(const uint8_t *bytes, uint32_t count) {
    uint32_t accepted = 0;
    while (accepted < count && queue_put(&to_board, bytes[accepted])) accepted++;
    start_receiving(cpu.cycle);
    return accepted;
}

uint32_t usart_host_receive(uint8_t *bytes, uint32_t capacity) {
    uint32_t taken = 0;
    while (taken < capacity && to_host.count > 0) bytes[taken++] = queue_take(&to_host);
    return taken;
}

uint32_t usart_host_waiting(void) { return to_host.count; }

uint32_t usart_input_waiting(void) { return to_board.count + (receiver.is_receiving ? 1 : 0); }

void usart_host_clear(void) {
    to_board.count = to_host.count = 0;
    receiver.is_receiving = false;
    receiver.line_free_at = 0;
    cpu.due[EVENT_USART_RX] = NEVER;
}

void usart_set_line_baud(uint32_t baud) { line_baud = baud; }
