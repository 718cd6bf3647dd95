/* Reset cause, hardware watchdog and sleep (data sheet sections 9 and 10). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "zc_hal.h"

#define COMMANDED_RESET 0xB05Eu

/* Kept over a reset: the start-up code does not clear this section. */
static uint8_t reset_flags __attribute__((section(".noinit")));
static uint8_t boot_flags __attribute__((section(".noinit")));
static uint16_t reset_mark __attribute__((section(".noinit")));

static bool commanded;

/*
 * Runs before main and before the variables are set up. After a watchdog reset the watchdog goes on with its
 * shortest time, so it is stopped here first. A bootloader clears MCUSR and hands its value over in r2.
 */
void __attribute__((naked, used, section(".init3"))) take_reset_flags(void)
{
    __asm__ volatile("sts %0, r2" : "=m"(boot_flags));
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

const char *reset_cause(void)
{
    uint8_t flags = reset_flags;

    if (flags == 0 && boot_flags < 0x10) {
        flags = boot_flags;
    }
    commanded = (flags & _BV(WDRF)) && reset_mark == COMMANDED_RESET;
    reset_mark = 0;
    if (commanded) {
        return PSTR("command");
    }
    if (flags & _BV(WDRF)) {
        return PSTR("watchdog");
    }
    if (flags & _BV(PORF)) {
        return PSTR("power"); /* the brown-out and reset flags come with it */
    }
    if (flags & _BV(BORF)) {
        return PSTR("brownout");
    }
    return flags & _BV(EXTRF) ? PSTR("external") : PSTR("unknown");
}

void watchdog_start(void)
{
    wdt_enable(WDTO_2S);
}

uint16_t zc_hal_watchdog_ms(void)
{
    return HARDWARE_WATCHDOG_MS;
}

void sleep_until_interrupt(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
    cli();
    if (!serial_pending()) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so no interrupt can slip in before the sleep */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

void zc_hal_reset(void)
{
    serial_flush();
    reset_mark = COMMANDED_RESET;
    wdt_disable(); /* some simulators only take a new limit from a stopped watchdog */
    wdt_enable(WDTO_15MS);
    for (;;) {
    }
}
