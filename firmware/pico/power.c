/* Reset cause, hardware watchdog and restart (data sheet sections 2.10.6 and 4.7). */
#include "board.h"

#define COMMANDED 0xB05EB05Eu
#define FAULTED 0xFA017FA0u
#define CTRL_ENABLE (1u << 30)
#define CTRL_TRIGGER (1u << 31)
#define CTRL_PAUSE_FOR_DEBUG (7u << 24)
#define LOAD_PER_MS 2000u /* the counter goes down twice each microsecond: errata RP2040-E1 */
#define ALL_BUT_OSCILLATORS 0x1FFFCu
#define HAD_POR (1u << 8)
#define HAD_RUN (1u << 16)
#define HAD_DEBUGGER (1u << 20)
#define REASON_TIMER 1u
#define REASON_FORCED 2u
#define SLEEP_US 1000u
#define ROM_FUNCTIONS (*(const uint16_t *)0x14u) /* section 2.8.3 */
#define ROM_LOOKUP (*(const uint16_t *)0x18u)
#define CODE_RESET_TO_USB_BOOT ('U' | 'B' << 8)

typedef void (*boot_function)(uint32_t activity_pins, uint32_t without);
typedef boot_function (*lookup_function)(const uint16_t *table, uint32_t code);

const char *reset_cause(void)
{
    uint32_t mark = WATCHDOG_SCRATCH0; /* a power-on clears it, the watchdog does not */
    uint32_t reason = WATCHDOG_REASON;

    WATCHDOG_SCRATCH0 = 0;
    if (reason & REASON_FORCED && mark == COMMANDED) {
        return "command";
    }
    if (reason & (REASON_TIMER | REASON_FORCED)) {
        return "watchdog";
    }
    if (CHIP_RESET & (HAD_RUN | HAD_DEBUGGER)) {
        return "external";
    }
    return CHIP_RESET & HAD_POR ? "power" : "unknown"; /* a brown-out is not told apart from a power-on */
}

void watchdog_and_alarm_start(void)
{
    PSM_WDSEL = ALL_BUT_OSCILLATORS;
    WATCHDOG_LOAD = HARDWARE_WATCHDOG_MS * LOAD_PER_MS;
    WATCHDOG_CTRL = CTRL_PAUSE_FOR_DEBUG | CTRL_ENABLE;
    TIMER_INTE = 1;
    enable_interrupt(IRQ_TIMER0);
}

void board_feed_watchdog(void)
{
    WATCHDOG_LOAD = HARDWARE_WATCHDOG_MS * LOAD_PER_MS;
}

uint16_t zc_hal_watchdog_ms(void)
{
    return HARDWARE_WATCHDOG_MS;
}

static void __attribute__((noreturn)) restart(uint32_t mark)
{
    WATCHDOG_SCRATCH0 = mark;
    PSM_WDSEL = ALL_BUT_OSCILLATORS;
    WATCHDOG_CTRL = CTRL_TRIGGER;
    for (;;) {
    }
}

void __attribute__((noreturn)) restart_after_fault(void)
{
    restart(FAULTED);
}

void __attribute__((noreturn)) restart_into_bootloader(void)
{
    lookup_function lookup = (lookup_function)(uintptr_t)ROM_LOOKUP;
    boot_function boot = lookup((const uint16_t *)(uintptr_t)ROM_FUNCTIONS, CODE_RESET_TO_USB_BOOT);

    WATCHDOG_CTRL = 0;
    board_lock();
    boot(0, 0);
    restart(FAULTED);
}

void wait_for_interrupt(void)
{
    board_lock(); /* an interrupt that comes now ends the sleep all the same, and is served afterwards */
    if (serial_is_quiet()) {
        TIMER_ALARM0 = board_micros() + SLEEP_US;
        __asm__ volatile("wfi" : : : "memory");
    }
    board_unlock();
}

void zc_hal_reset(void)
{
    uint32_t begun_us;

    serial_flush();
    begun_us = board_micros();
    while (uart_is_sending() || board_micros() - begun_us < 5000) { /* the host takes what USB still holds */
        board_attend();
        board_feed_watchdog();
    }
    restart(COMMANDED);
}
