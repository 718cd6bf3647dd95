/* Reset cause, hardware watchdog and restart (RM0368 sections 6.3.20 and 16). */
#include "board.h"

#define COMMANDED 0xB05EB05Eu
#define FAULTED 0xFA017FA0u
#define FEED_US 10000
#define TICK_FROM_CORE_WITH_INTERRUPT 7u
#define RESET_REQUEST (0x05FA0000u | 1u << 2)

static uint32_t reset_mark __attribute__((section(".noinit")));

const char *reset_cause(void)
{
    uint32_t flags = RCC_CSR;
    uint32_t mark = reset_mark;
    bool is_by_program = (flags & CSR_SFT) != 0 || RCC_CR == 0; /* QEMU keeps no flags */

    reset_mark = 0;
    RCC_CSR |= CSR_RMVF;
    if (flags & CSR_POR) {
        return "power"; /* the other flags come with it */
    }
    if (is_by_program && mark == COMMANDED) {
        return "command";
    }
    if ((is_by_program && mark == FAULTED) || (flags & (CSR_IWDG | CSR_WWDG))) {
        return "watchdog";
    }
    if (flags & CSR_BOR) {
        return "brownout";
    }
    return flags & (CSR_SFT | CSR_PIN) ? "external" : "unknown"; /* a debug probe resets by the program's way */
}

void watchdog_and_tick_start(void)
{
    DBGMCU_CR |= DBG_SLEEP; /* a debug probe can get in while the processor sleeps */
    DBGMCU_APB1_FZ |= APB1_FZ_IWDG; /* not while a debugger holds the processor */
    IWDG_KR = 0x5555;
    IWDG_PR = 3; /* 32 kHz / 32 */
    IWDG_RLR = HARDWARE_WATCHDOG_MS - 1;
    IWDG_KR = 0xCCCC;
    SYST_RVR = clock_core_hertz() / 1000 - 1;
    SYST_CVR = 0;
    SYST_CSR = TICK_FROM_CORE_WITH_INTERRUPT;
}

void board_feed_watchdog(void)
{
    static uint32_t fed_us;
    uint32_t now_us = board_micros();

    if (now_us - fed_us >= FEED_US) {
        fed_us = now_us;
        IWDG_KR = 0xAAAA;
    }
}

void wait_for_interrupt(void)
{
    board_lock(); /* an interrupt that comes now ends the sleep all the same, and is served afterwards */
    if (serial_is_quiet()) {
        __asm__ volatile("wfi" : : : "memory");
    }
    board_unlock();
}

uint16_t zc_hal_watchdog_ms(void)
{
    return HARDWARE_WATCHDOG_MS;
}

static void __attribute__((noreturn)) restart(uint32_t mark)
{
    reset_mark = mark;
    __asm__ volatile("dsb" : : : "memory");
    SCB_AIRCR = RESET_REQUEST;
    for (;;) {
    }
}

void __attribute__((noreturn)) restart_after_fault(void)
{
    restart(FAULTED);
}

void zc_hal_reset(void)
{
    usart_wait_until_sent();
    restart(COMMANDED);
}
