/* The state of one simulated ATmega328P and what its parts offer to each other.
 *
 * Time is counted in CPU clock cycles. A register write in cycle c takes effect at time c + 1, a read in cycle c
 * sees the state at time c: this gives the same counter values as a real chip (TCNT written by OUT, one NOP, then
 * IN reads the written value + 1).
 *
 * Parts do not run every cycle. Each keeps the time of its next visible change in due[]; the instruction loop runs
 * until the earliest of them ("attention") and a sleeping CPU jumps straight to it.
 */
#ifndef AVR_MACHINE_H
#define AVR_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "registers.h"

enum { CLOCK_HZ = 16000000 };
#define NEVER UINT64_MAX

/* Sources of timed events; the order is the order of service when two are due in the same cycle. */
typedef enum {
    EVENT_WATCHDOG,
    EVENT_TIMER0,
    EVENT_TIMER1,
    EVENT_TIMER2,
    EVENT_ADC,
    EVENT_USART_TX,
    EVENT_USART_RX,
    EVENT_TWI,
    EVENT_SPI,
    EVENT_EEPROM,
    EVENT_SPM,
    EVENT_RUN_END,
    EVENT_COUNT,
} EventSource;

/* One decoded flash word; see decode.c for what d and k mean for each operation. */
typedef struct {
    uint8_t operation;
    uint8_t d;
    uint16_t k;
} Instruction;

typedef struct {
    uint64_t cycle;
    uint64_t attention; /* the instruction loop stops when cycle reaches this */
    uint64_t due[EVENT_COUNT];
    uint64_t event_cycle; /* when the event that is being served was due; cycle may be a few later */
    uint32_t pc;      /* word address */
    uint32_t pending; /* bit n: vector n is flagged and enabled */
    bool interrupt_hold; /* one more instruction before the next interrupt (after SEI and RETI) */
    bool sleeping;
    uint64_t sleep_start;
    uint32_t frozen_events; /* sources whose clock stands still in the present sleep mode */
    uint64_t vector_change_until; /* IVCE window, section 11.3.2 */
    uint64_t clock_change_until;  /* CLKPCE window, section 8.12.2 */
    uint8_t fuse_low, fuse_high, fuse_extended, lock_bits;
    uint32_t undefined_instructions;
    uint32_t resets;
    uint8_t data[DATA_BYTES];
    uint8_t flash[FLASH_BYTES];
    uint8_t eeprom[EEPROM_BYTES];
    Instruction code[FLASH_WORDS];
} Machine;

extern Machine cpu;

/* machine.c: time, interrupts, reset, sleep */
void machine_power_on(void);
void machine_reset(uint8_t cause);
uint64_t machine_run(uint64_t cycles);
void machine_step(void);
void machine_sleep(void);
void machine_request_reset(uint8_t cause);
void schedule(EventSource source, uint64_t cycle);
void set_pending(uint32_t vector, bool is_pending);
uint32_t boot_start_word(void);
bool in_boot_section(uint32_t word_address);

/* decode.c, execute.c */
void decode_range(uint32_t first_word, uint32_t word_count);
void execute_until_attention(void);
void push_return_address(uint32_t word_address);
bool is_two_words(uint8_t operation);
extern const uint8_t operation_count;

/* io.c: everything between 0x20 and 0xFF */
void io_reset(void);
uint8_t io_read(uint32_t address);
void io_write(uint32_t address, uint8_t value);
void io_write_bit(uint32_t address, uint32_t bit, bool value);

/* gpio.c */
typedef enum { PORT_B, PORT_C, PORT_D, PORT_COUNT } Port;
enum { ARDUINO_PIN_COUNT = 20 };
void gpio_power_on(void);
void gpio_reset(void);
void gpio_update(Port port, uint64_t cycle);
uint8_t gpio_read(uint32_t address);
void gpio_write(uint32_t address, uint8_t value);
void gpio_override(Port port, uint8_t mask, uint8_t level, bool force_output);
void gpio_override_release(Port port, uint8_t mask);
bool gpio_is_held_low(Port port, uint8_t mask);
bool gpio_is_output(Port port, uint8_t mask);
void gpio_acknowledge(uint32_t vector);
void gpio_drive(uint32_t arduino_pin, int32_t level);
void gpio_short(uint32_t arduino_pin, int32_t level);
void gpio_set_analog(uint32_t channel, int32_t millivolts);
int32_t gpio_pin_millivolts(uint32_t channel);
uint8_t gpio_levels(Port port);
uint32_t gpio_pin_mode(uint32_t arduino_pin);

/* edges.c: ring of level changes */
typedef struct {
    uint64_t cycle;
    uint32_t pin;
    uint32_t level;
} Edge;
void edges_clear(void);
void edges_append(uint64_t cycle, uint32_t pin, uint32_t level);
uint32_t edges_take(Edge *destination, uint32_t capacity);
uint32_t edges_waiting(void);
uint32_t edges_dropped(void);

/* timer.c */
void timers_reset(void);
void timers_shift(uint64_t duration);
void timers_power_changed(void);
uint8_t timer_read(uint32_t address);
void timer_write(uint32_t address, uint8_t value);
void timer_event(uint32_t index);
void timer_acknowledge(uint32_t vector);
void timer_external_edge(uint32_t index, bool rising);
void timer_capture_edge(bool rising);
void timer_reschedule(uint32_t index);
bool timer_pwm(uint32_t arduino_pin, uint64_t *period_cycles, uint64_t *high_cycles);

/* usart.c */
void usart_reset(void);
uint8_t usart_read(uint32_t address);
void usart_write(uint32_t address, uint8_t value);
void usart_tx_event(void);
void usart_rx_event(void);
void usart_acknowledge_tx(void);
uint32_t usart_host_send(const uint8_t *bytes, uint32_t count);
uint32_t usart_host_receive(uint8_t *bytes, uint32_t capacity);
uint32_t usart_host_waiting(void);
uint32_t usart_input_waiting(void);
void usart_host_clear(void);
void usart_set_line_baud(uint32_t baud);
uint32_t usart_baud(void);

/* adc.c */
void adc_reset(void);
uint8_t adc_read(uint32_t address);
void adc_write(uint32_t address, uint8_t value);
void adc_event(void);
void adc_acknowledge(void);
void adc_trigger(uint32_t source);
void adc_sleep_start(void);
void adc_set_reference(int32_t millivolts);
enum { TRIGGER_INT0 = 2, TRIGGER_T0_COMPA, TRIGGER_T0_OVF, TRIGGER_T1_COMPB, TRIGGER_T1_OVF, TRIGGER_T1_CAPT };

/* serial_bus.c: TWI and SPI masters */
void twi_reset(void);
uint8_t twi_read(uint32_t address);
void twi_write(uint32_t address, uint8_t value);
void twi_event(void);
void spi_reset(void);
uint8_t spi_read(uint32_t address);
void spi_write(uint32_t address, uint8_t value);
void spi_event(void);
void spi_acknowledge(void);

/* eeprom.c */
void eeprom_reset(void);
void eeprom_write_register(uint32_t address, uint8_t value);
void eeprom_event(void);
bool eeprom_busy(void);

/* flash.c: self-programming */
void flash_reset(void);
void flash_write_control(uint8_t value);
void flash_execute_spm(void);
uint8_t flash_load(uint32_t byte_address);
void flash_event(void);

/* watchdog.c */
void watchdog_reset(bool after_watchdog_reset);
void watchdog_restart(void);
void watchdog_write(uint8_t value);
void watchdog_event(void);
void watchdog_acknowledge(void);

/* Supplied by the embedder: devices on the two buses. */
enum { BUS_START, BUS_ADDRESS, BUS_WRITE, BUS_READ, BUS_STOP };
#ifdef __wasm__
#define IMPORT(name) __attribute__((import_module("host"), import_name(#name)))
#else
#define IMPORT(name)
#endif
IMPORT(twi) int32_t host_twi(int32_t event, int32_t value);
IMPORT(spi) int32_t host_spi(int32_t byte);

static inline uint16_t get_pair(uint32_t low_address) {
    return (uint16_t)(cpu.data[low_address] | cpu.data[low_address + 1] << 8);
}

static inline void set_pair(uint32_t low_address, uint32_t value) {
    cpu.data[low_address] = (uint8_t)value;
    cpu.data[low_address + 1] = (uint8_t)(value >> 8);
}

#endif
