/* The watchdog timer.
 *
 * Source: ATmega328P datasheet sections 10.8 "Watchdog Timer" and 10.9.2 (WDTCSR): time-out of 2048 << WDP cycles of
 * a 128 kHz oscillator, that is 125 CPU cycles each at 16 MHz.
 */
#include "machine.h"

enum { WDIF = 1 << 7, WDIE = 1 << 6, WDP3 = 1 << 5, WDCE = 1 << 4, WDE = 1 << 3, WDP_LOW = 0x07 };
enum { OSCILLATOR_CYCLES = 125, SHORTEST_TIMEOUT = 2048, LONGEST_PRESCALER = 9, FUSE_WDTON = 1 << 4 };

static uint64_t change_until; /* WDCE window of four cycles */

static bool is_always_on(void) { return !(cpu.fuse_high & FUSE_WDTON); }

static uint64_t timeout_cycles(void) {
    uint8_t control = cpu.data[WDTCSR];
    uint32_t prescaler = (control & WDP_LOW) | ((control & WDP3) ? 8u : 0u);
    if (prescaler > LONGEST_PRESCALER) prescaler = LONGEST_PRESCALER;
    return (uint64_t)SHORTEST_TIMEOUT * OSCILLATOR_CYCLES << prescaler;
}

void watchdog_restart(void) {
    if ((cpu.data[WDTCSR] & (WDE | WDIE)) || is_always_on())
        schedule(EVENT_WATCHDOG, cpu.cycle + timeout_cycles());
    else
        cpu.due[EVENT_WATCHDOG] = NEVER;
}

static void update_pending(void) {
    uint8_t control = cpu.data[WDTCSR];
    set_pending(VECTOR_WDT, (control & WDIF) && (control & WDIE));
}

/* WDE and the prescaler change only within four cycles of writing WDCE and WDE; WDE can always be set. */
void watchdog_write(uint8_t value) {
    uint8_t before = cpu.data[WDTCSR], control = (uint8_t)(value & WDIE);
    bool is_unlocked = cpu.cycle < change_until;
    if (!(value & WDIF)) control |= before & WDIF;
    if (is_unlocked && !(value & WDCE))
        control |= value & (WDP3 | WDP_LOW | WDE);
    else
        control |= (before & (WDP3 | WDP_LOW | WDE)) | (value & WDE);
    if (cpu.data[MCUSR] & WDRF) control |= WDE;
    if ((value & (WDCE | WDE)) == (WDCE | WDE)) {
        change_until = cpu.cycle + 5;
    } else if (is_unlocked) {
        change_until = 0;
    }
    cpu.data[WDTCSR] = control;
    update_pending();
    if (((before ^ control) & (WDP3 | WDP_LOW | WDE | WDIE)) != 0) watchdog_restart();
}

/* In the combined mode the first time-out interrupts and the next one resets, table 10-1. */
void watchdog_event(void) {
    uint8_t control = cpu.data[WDTCSR];
    if (control & WDIE) {
        cpu.data[WDTCSR] |= WDIF;
        update_pending();
        schedule(EVENT_WATCHDOG, cpu.event_cycle + timeout_cycles());
    } else {
        machine_reset(WDRF);
    }
}

void watchdog_acknowledge(void) {
    uint8_t control = cpu.data[WDTCSR];
    cpu.data[WDTCSR] = (uint8_t)(control & ~(WDIF | ((control & WDE) ? WDIE : 0)));
    update_pending();
}

/* After a watchdog reset WDE stays set, with the shortest time-out, until WDRF is cleared (10.8.2). */
void watchdog_reset(bool after_watchdog_reset) {
    change_until = 0;
    cpu.data[WDTCSR] = after_watchdog_reset ? WDE : 0;
    watchdog_restart();
}
