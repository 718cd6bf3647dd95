/* What the module exports: the interface for the program that embeds the machine.
 *
 * Blocks of data go through one buffer, exchange[], whose address avr_exchange() gives. What the host asks for after
 * each slice of time stands in one record, status, refreshed by every call that can change it: a host for which a call
 * is dear reads it in place.
 */
#include "machine.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name), used))
#else
#define EXPORT(name)
#endif

enum { EXCHANGE_BYTES = 65536 };

static union {
    uint8_t bytes[EXCHANGE_BYTES];
    Edge edges[EXCHANGE_BYTES / sizeof(Edge)];
    uint64_t words[EXCHANGE_BYTES / 8];
} exchange;

/* The layout is mirrored by _Status in avr_machine.py. */
static struct {
    uint64_t cycles_to_run; /* argument of avr_run() */
    uint64_t cycles_run;    /* its result */
    uint64_t cycle;
    uint32_t pin_levels; /* bit n: level on Arduino pin n */
    uint32_t bytes_waiting, edges_waiting, edges_dropped;
    uint32_t input_waiting; /* bytes of the host that have not reached the board */
    uint32_t in_bootloader, is_sleeping, resets;
} status;

static void refresh_status(void) {
    status.cycle = cpu.cycle;
    status.pin_levels =
        gpio_levels(PORT_D) | (gpio_levels(PORT_B) & 0x3Fu) << 8 | (gpio_levels(PORT_C) & 0x3Fu) << 14;
    status.bytes_waiting = usart_host_waiting();
    status.edges_waiting = edges_waiting();
    status.edges_dropped = edges_dropped();
    status.input_waiting = usart_input_waiting();
    status.in_bootloader = in_boot_section(cpu.pc);
    status.is_sleeping = cpu.sleeping;
    status.resets = cpu.resets;
}

EXPORT(avr_status) void *avr_status(void) { return &status; }
EXPORT(avr_exchange) uint8_t *avr_exchange(void) { return exchange.bytes; }
EXPORT(avr_exchange_size) uint32_t avr_exchange_size(void) { return EXCHANGE_BYTES; }
EXPORT(avr_data) uint8_t *avr_data(void) { return cpu.data; }
EXPORT(avr_flash) uint8_t *avr_flash(void) { return cpu.flash; }
EXPORT(avr_eeprom) uint8_t *avr_eeprom(void) { return cpu.eeprom; }

EXPORT(avr_power_on) void avr_power_on(void) {
    machine_power_on();
    refresh_status();
}
EXPORT(avr_reset) void avr_reset_machine(uint32_t cause) {
    machine_reset((uint8_t)cause);
    refresh_status();
}
EXPORT(avr_run) void avr_run_cycles(void) {
    status.cycles_run = machine_run(status.cycles_to_run);
    refresh_status();
}
EXPORT(avr_step) void avr_step(void) {
    machine_step();
    refresh_status();
}
EXPORT(avr_pc) uint32_t avr_pc(void) { return cpu.pc; }
EXPORT(avr_set_pc) void avr_set_pc(uint32_t word_address) {
    cpu.pc = word_address & (FLASH_WORDS - 1);
    refresh_status();
}
EXPORT(avr_undefined_count) uint32_t avr_undefined_count(void) { return cpu.undefined_instructions; }
EXPORT(avr_clock_divider) uint32_t avr_clock_divider(void) {
    uint32_t exponent = cpu.data[CLKPR] & 0x0F;
    return 1u << (exponent > 8 ? 8 : exponent);
}

EXPORT(avr_set_fuses) void avr_set_fuses(uint32_t low, uint32_t high, uint32_t extended, uint32_t lock_bits) {
    cpu.fuse_low = (uint8_t)low;
    cpu.fuse_high = (uint8_t)high;
    cpu.fuse_extended = (uint8_t)extended;
    cpu.lock_bits = (uint8_t)lock_bits;
}

/* Copies exchange[0..length) into flash and decodes it; returns how many bytes fitted. */
EXPORT(avr_load_flash) uint32_t avr_load_flash(uint32_t address, uint32_t length) {
    if (address >= FLASH_BYTES || length > EXCHANGE_BYTES) return 0;
    if (length > FLASH_BYTES - address) length = FLASH_BYTES - address;
    for (uint32_t i = 0; i < length; i++) cpu.flash[address + i] = exchange.bytes[i];
    decode_range(address / 2, length / 2 + 2);
    return length;
}

EXPORT(avr_uart_send) uint32_t avr_uart_send(uint32_t length) {
    uint32_t accepted = usart_host_send(exchange.bytes, length > EXCHANGE_BYTES ? EXCHANGE_BYTES : length);
    refresh_status();
    return accepted;
}
EXPORT(avr_uart_take) uint32_t avr_uart_take(void) {
    uint32_t taken = usart_host_receive(exchange.bytes, EXCHANGE_BYTES);
    refresh_status();
    return taken;
}
EXPORT(avr_uart_baud) uint32_t avr_uart_baud(void) { return usart_baud(); }
EXPORT(avr_uart_line_baud) void avr_uart_line_baud(uint32_t baud) { usart_set_line_baud(baud); }

EXPORT(avr_pin_mode) uint32_t avr_pin_mode(uint32_t pin) { return gpio_pin_mode(pin); }
EXPORT(avr_drive_pin) void avr_drive_pin(uint32_t pin, int32_t level) {
    gpio_drive(pin, level);
    refresh_status();
}
EXPORT(avr_short_pin) void avr_short_pin(uint32_t pin, int32_t level) {
    gpio_short(pin, level);
    refresh_status();
}
EXPORT(avr_set_analog) void avr_set_analog(uint32_t channel, int32_t millivolts) {
    gpio_set_analog(channel, millivolts);
    refresh_status();
}
EXPORT(avr_set_reference) void avr_set_reference(int32_t millivolts) { adc_set_reference(millivolts); }

/* exchange: period and high time in cycles as two 64-bit words. */
EXPORT(avr_pwm) uint32_t avr_pwm(uint32_t pin) { return timer_pwm(pin, &exchange.words[0], &exchange.words[1]); }

/* exchange: records of 64-bit cycle, 32-bit pin, 32-bit level. */
EXPORT(avr_edges_take) uint32_t avr_edges_take(void) {
    uint32_t taken = edges_take(exchange.edges, EXCHANGE_BYTES / sizeof(Edge));
    refresh_status();
    return taken;
}
