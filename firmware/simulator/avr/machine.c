/* Time, interrupts, sleep and reset.
 *
 * Source: ATmega328P datasheet sections 6.7 "Reset and Interrupt Handling", 9 "Power Management and Sleep Modes",
 * 10 "System Control and Reset", 11 "Interrupts", and tables 26-7 and 27-x for the boot fuses.
 */
#include "machine.h"

Machine cpu;

static const uint32_t SLEEP_WAKE_CYCLES = 4;      /* section 6.7.1: response grows by four cycles out of sleep */
static const uint32_t INTERRUPT_RESPONSE_CYCLES = 4;

/* Sources that stand still when clk I/O stops (ADC noise reduction), and further ones in the deeper modes. */
static const uint32_t IO_CLOCK_EVENTS = 1u << EVENT_TIMER0 | 1u << EVENT_TIMER1 | 1u << EVENT_TIMER2 |
                                        1u << EVENT_USART_TX | 1u << EVENT_USART_RX | 1u << EVENT_TWI | 1u << EVENT_SPI;

static void update_attention(void) {
    uint64_t earliest = NEVER;
    for (uint32_t source = 0; source < EVENT_COUNT; source++)
        if (cpu.due[source] < earliest) earliest = cpu.due[source];
    cpu.attention = earliest;
}

void schedule(EventSource source, uint64_t cycle) {
    cpu.due[source] = cycle;
    if (cycle < cpu.attention) cpu.attention = cycle;
}

void set_pending(uint32_t vector, bool is_pending) {
    uint32_t mask = 1u << vector;
    if (!is_pending) {
        cpu.pending &= ~mask;
    } else if (!(cpu.pending & mask)) {
        cpu.pending |= mask;
        cpu.attention = 0;
    }
}

/* Tells the part that owns the flag that its interrupt is being served; parts whose flag is a level ignore it. */
static void acknowledge(uint32_t vector) {
    switch (vector) {
    case VECTOR_INT0: case VECTOR_INT1: case VECTOR_PCINT0: case VECTOR_PCINT1: case VECTOR_PCINT2:
        gpio_acknowledge(vector);
        break;
    case VECTOR_WDT: watchdog_acknowledge(); break;
    case VECTOR_SPI_STC: spi_acknowledge(); break;
    case VECTOR_USART_TX: usart_acknowledge_tx(); break;
    case VECTOR_ADC: adc_acknowledge(); break;
    case VECTOR_USART_RX: case VECTOR_USART_UDRE: case VECTOR_EE_READY: case VECTOR_TWI: case VECTOR_SPM_READY:
        break;
    default: timer_acknowledge(vector); break;
    }
}

/* Boot section size by BOOTSZ1:0 (high fuse bits 2:1), table 26-7: 11 = 256 words ... 00 = 2048 words. */
uint32_t boot_start_word(void) {
    return FLASH_WORDS - (256u << (3 - (cpu.fuse_high >> 1 & 3)));
}

bool in_boot_section(uint32_t word_address) { return word_address >= boot_start_word(); }

static void serve_interrupt(void) {
    uint32_t vector = (uint32_t)__builtin_ctz(cpu.pending);
    uint32_t base = (cpu.data[MCUCR] & IVSEL) ? boot_start_word() : 0;
    acknowledge(vector);
    push_return_address(cpu.pc);
    cpu.data[SREG] &= (uint8_t)~FLAG_I;
    cpu.pc = base + vector * 2;
    cpu.cycle += INTERRUPT_RESPONSE_CYCLES;
}

void machine_sleep(void) {
    uint8_t mode = cpu.data[SMCR] & SLEEP_MODE_MASK;
    if (!(cpu.data[SMCR] & SE)) return;
    cpu.sleeping = true;
    cpu.sleep_start = cpu.cycle + 1;
    cpu.attention = 0;
    if (mode == SLEEP_IDLE) {
        cpu.frozen_events = 0;
    } else if (mode == SLEEP_ADC_NOISE) {
        cpu.frozen_events = IO_CLOCK_EVENTS;
        adc_sleep_start();
    } else {
        cpu.frozen_events = IO_CLOCK_EVENTS | 1u << EVENT_ADC;
    }
}

static void wake(void) {
    uint64_t duration = cpu.cycle > cpu.sleep_start ? cpu.cycle - cpu.sleep_start : 0;
    cpu.sleeping = false;
    if (cpu.frozen_events) {
        for (uint32_t source = 0; source < EVENT_COUNT; source++)
            if ((cpu.frozen_events >> source & 1) && cpu.due[source] != NEVER) cpu.due[source] += duration;
        timers_shift(duration);
        cpu.frozen_events = 0;
    }
    cpu.cycle += SLEEP_WAKE_CYCLES;
}

static void run_event(EventSource source) {
    cpu.event_cycle = cpu.due[source];
    cpu.due[source] = NEVER;
    switch (source) {
    case EVENT_WATCHDOG: watchdog_event(); break;
    case EVENT_TIMER0: case EVENT_TIMER1: case EVENT_TIMER2: timer_event((uint32_t)(source - EVENT_TIMER0)); break;
    case EVENT_ADC: adc_event(); break;
    case EVENT_USART_TX: usart_tx_event(); break;
    case EVENT_USART_RX: usart_rx_event(); break;
    case EVENT_TWI: twi_event(); break;
    case EVENT_SPI: spi_event(); break;
    case EVENT_EEPROM: eeprom_event(); break;
    case EVENT_SPM: flash_event(); break;
    default: break;
    }
}

static bool is_running(uint32_t source) { return !(cpu.sleeping && (cpu.frozen_events >> source & 1)); }

/* Runs everything that is due, earliest first. EVENT_RUN_END only marks a time and is left to the caller. */
static void run_due_events(void) {
    for (;;) {
        uint32_t next = EVENT_COUNT;
        for (uint32_t source = 0; source < EVENT_RUN_END; source++) {
            if (cpu.due[source] > cpu.cycle || !is_running(source)) continue;
            if (next == EVENT_COUNT || cpu.due[source] < cpu.due[next]) next = source;
        }
        if (next == EVENT_COUNT) return;
        run_event((EventSource)next);
    }
}

static uint64_t next_running_due(void) {
    uint64_t earliest = NEVER;
    for (uint32_t source = 0; source < EVENT_COUNT; source++)
        if (is_running(source) && cpu.due[source] < earliest) earliest = cpu.due[source];
    return earliest;
}

/* Events, then at most one interrupt; afterwards attention says how far instructions may run. */
static void service(void) {
    run_due_events();
    if (cpu.sleeping) {
        if (!cpu.pending || !(cpu.data[SREG] & FLAG_I)) {
            uint64_t next = next_running_due();
            if (next > cpu.cycle) cpu.cycle = next;
            cpu.attention = 0;
            return;
        }
        wake();
    }
    update_attention();
    if (cpu.interrupt_hold) {
        cpu.interrupt_hold = false;
        cpu.attention = cpu.cycle + 1;
    } else if (cpu.pending && (cpu.data[SREG] & FLAG_I) && cpu.cycle >= cpu.vector_change_until) {
        serve_interrupt();
    }
}

/* Runs for at least that many cycles (the last instruction is completed) and returns how many went by. */
uint64_t machine_run(uint64_t cycles) {
    uint64_t start = cpu.cycle, end = start + cycles;
    cpu.due[EVENT_RUN_END] = end;
    cpu.attention = 0;
    while (cpu.cycle < end) {
        service();
        if (!cpu.sleeping) execute_until_attention();
    }
    cpu.due[EVENT_RUN_END] = NEVER;
    return cpu.cycle - start;
}

/* One instruction, or one interrupt response, or one jump ahead in sleep. */
void machine_step(void) {
    uint32_t pc = cpu.pc;
    uint64_t cycle = cpu.cycle;
    cpu.attention = 0;
    service();
    if (cpu.sleeping || cpu.pc != pc || cpu.cycle != cycle) return;
    cpu.attention = cpu.cycle + 1;
    execute_until_attention();
}

/* System reset: every I/O register to its initial value; registers, SRAM and EEPROM keep theirs (section 10.2). */
void machine_reset(uint8_t cause) {
    uint8_t causes = (uint8_t)(cause == PORF ? PORF : cpu.data[MCUSR] | cause);
    for (uint32_t source = 0; source < EVENT_COUNT; source++)
        if (source != EVENT_RUN_END) cpu.due[source] = NEVER;
    cpu.pending = 0;
    cpu.sleeping = false;
    cpu.frozen_events = 0;
    cpu.interrupt_hold = false;
    cpu.vector_change_until = cpu.clock_change_until = 0;
    cpu.attention = 0;
    cpu.resets = cause == PORF ? 1 : cpu.resets + 1;
    io_reset();
    cpu.data[MCUSR] = causes;
    set_pair(SPL, RAM_END);
    watchdog_reset((causes & WDRF) != 0);
    cpu.pc = (cpu.fuse_high & 1) ? 0 : boot_start_word();
}

/* Erased memories and the fuses of an Arduino Uno (boards.txt: low FF, high DE, extended FD, lock CF). */
void machine_power_on(void) {
    cpu.cycle = 0;
    cpu.undefined_instructions = 0;
    cpu.fuse_low = 0xFF;
    cpu.fuse_high = 0xDE;
    cpu.fuse_extended = 0xFD;
    cpu.lock_bits = 0xCF;
    for (uint32_t i = 0; i < DATA_BYTES; i++) cpu.data[i] = 0;
    for (uint32_t i = 0; i < FLASH_BYTES; i++) cpu.flash[i] = 0xFF;
    for (uint32_t i = 0; i < EEPROM_BYTES; i++) cpu.eeprom[i] = 0xFF;
    cpu.due[EVENT_RUN_END] = NEVER;
    decode_range(0, FLASH_WORDS);
    edges_clear();
    gpio_power_on();
    usart_host_clear();
    machine_reset(PORF);
}
