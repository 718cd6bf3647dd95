/* 125 MHz for the processor and 48 MHz for USB and ADC, both from the 12 MHz crystal; microseconds from the timer. */
#include "board.h"

#define CRYSTAL_MEGAHERTZ 12u
#define STARTUP_DELAY ((CRYSTAL_MEGAHERTZ * 1000u + 128u) / 256u) /* 1 ms: section 2.16.3 */
#define XOSC_1_TO_15_MHZ 0xAA0u
#define XOSC_ENABLE 0xFABu
#define STABLE_OR_LOCKED (1u << 31)
#define PLL_OFF_PD (1u << 0)
#define PLL_OFF_POSTDIV (1u << 3)
#define PLL_OFF_VCO (1u << 5)
#define TICK_ENABLE (1u << 9)

/* Section 2.18.2: crystal * feedback / (divider1 * divider2). */
static void start_pll(pll_block *pll, uint32_t feedback, uint32_t divider1, uint32_t divider2)
{
    pll->CS = 1;
    pll->FBDIV = feedback;
    CLEAR_BITS(pll->PWR) = PLL_OFF_PD | PLL_OFF_VCO;
    while (!(pll->CS & STABLE_OR_LOCKED)) {
    }
    pll->PRIM = divider1 << 16 | divider2 << 12;
    CLEAR_BITS(pll->PWR) = PLL_OFF_POSTDIV;
}

static void take_out_of_reset(uint32_t blocks)
{
    CLEAR_BITS(RESETS_RESET) = blocks;
    while ((RESETS_DONE & blocks) != blocks) {
    }
}

void clock_start(void)
{
    XOSC_STARTUP = STARTUP_DELAY;
    XOSC_CTRL = XOSC_ENABLE << 12 | XOSC_1_TO_15_MHZ;
    while (!(XOSC_STATUS & STABLE_OR_LOCKED)) {
    }
    CLOCK_REF->CTRL = 2; /* the crystal */
    while (CLOCK_REF->SELECTED != 1u << 2) {
    }
    CLEAR_BITS(CLOCK_SYS->CTRL) = 1; /* from the crystal as well while the PLL is set up */
    while (CLOCK_SYS->SELECTED != 1u << 0) {
    }
    take_out_of_reset(RESET_PLL_SYS | RESET_PLL_USB);
    start_pll(PLL_SYS, 125, 6, 2);
    start_pll(PLL_USB, 100, 5, 5);
    CLOCK_SYS->CTRL = 0; /* source "aux" is PLL_SYS */
    SET_BITS(CLOCK_SYS->CTRL) = 1;
    while (CLOCK_SYS->SELECTED != 1u << 1) {
    }
    CLOCK_PERI->CTRL = CLOCK_ENABLE;
    CLOCK_USB->CTRL = CLOCK_ENABLE; /* PLL_USB */
    CLOCK_ADC->CTRL = CLOCK_ENABLE; /* PLL_USB */
    WATCHDOG_TICK = TICK_ENABLE | CRYSTAL_MEGAHERTZ;
    take_out_of_reset(RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER | RESET_PWM | RESET_UART0 | RESET_ADC | RESET_USB);
}

uint32_t board_micros(void)
{
    return TIMER_RAWL;
}

/* The loop takes three cycles (Cortex-M0+ manual, table 3-1: SUBS 1, BNE taken 2). */
void board_wait_ns(uint32_t nanoseconds)
{
    uint32_t turns = nanoseconds / 1000u * (CORE_HERTZ / 3000000u + 1) + nanoseconds % 1000u / 24u + 1;

    __asm__ volatile(".syntax unified\n1: subs %0, #1\n bne 1b" : "+l"(turns) : : "cc");
}
