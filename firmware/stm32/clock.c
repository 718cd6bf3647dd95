/*
 * 84 MHz from the 8 MHz that the ST-LINK gives to the Nucleo, else from the chip's own 16 MHz (RM0368 section 6);
 * microseconds from timer 5.
 */
#include "board.h"

#define RUN_HERTZ 84000000u
#define INTERNAL_HERTZ 16000000u
#define WAIT_TURNS 20000 /* some milliseconds at 16 MHz; the oscillator and the PLL need less than 3 */
/*
 * QEMU's STM32F405 has no clock control: its RCC reads as zeros, which no chip does (HSION is set while it runs from
 * that oscillator), and its timers count at 1 GHz.
 */
#define EMULATED_TIMER_HERTZ 1000000000u

#define PLL_N_336 (336u << 6)
#define PLL_P_4 (1u << 16)
#define PLL_FROM_HSE (1u << 22)
#define PLL_Q_7 (7u << 24)
#define CFGR_APB1_HALF (4u << 10)
#define CFGR_SW_PLL 2u
#define CFGR_SWS_PLL (2u << 2)
#define ACR_2_WAITS_AND_CACHES (2u | 7u << 8)

static uint32_t core_hertz = INTERNAL_HERTZ;
static uint32_t serial_hertz = INTERNAL_HERTZ;

static bool wait_for(reg *target, uint32_t mask, uint32_t value)
{
    uint32_t turns;

    for (turns = 0; turns < WAIT_TURNS; turns++) {
        if ((*target & mask) == value) {
            return true;
        }
    }
    return false;
}

static void run_fast(void)
{
    bool has_crystal;

    FLASH_ACR = ACR_2_WAITS_AND_CACHES;
    RCC_CR |= CR_HSEBYP;
    RCC_CR |= CR_HSEON;
    has_crystal = wait_for(&RCC_CR, CR_HSERDY, CR_HSERDY);
    if (!has_crystal) {
        RCC_CR &= ~(CR_HSEON | CR_HSEBYP);
    }
    RCC_PLLCFGR = (has_crystal ? 8u | PLL_FROM_HSE : 16u) | PLL_N_336 | PLL_P_4 | PLL_Q_7;
    RCC_CR |= CR_PLLON;
    if (!wait_for(&RCC_CR, CR_PLLRDY, CR_PLLRDY)) {
        return;
    }
    RCC_CFGR = CFGR_APB1_HALF | CFGR_SW_PLL;
    if (wait_for(&RCC_CFGR, 3u << 2, CFGR_SWS_PLL)) {
        core_hertz = RUN_HERTZ;
        serial_hertz = RUN_HERTZ / 2;
    } else {
        RCC_CFGR = 0;
    }
}

void clock_start(void)
{
    uint32_t timer_hertz;

    if (RCC_CR != 0) {
        run_fast();
        timer_hertz = core_hertz; /* section 6.2: twice APB1 where APB1 is divided, else APB1 */
    } else {
        timer_hertz = EMULATED_TIMER_HERTZ;
    }
    RCC_AHB1ENR |= AHB1ENR_GPIO_A_TO_D;
    RCC_APB1ENR |= APB1ENR_TIM2_TO_5 | APB1ENR_USART2;
    RCC_APB2ENR |= APB2ENR_TIM1 | APB2ENR_ADC1 | APB2ENR_SYSCFG | APB2ENR_TIM11;
    (void)RCC_APB2ENR; /* a clock needs two cycles before its peripheral may be used (section 6.3.11) */
    (void)RCC_APB2ENR;
    TIM5->PSC = timer_hertz / 1000000u - 1;
    TIM5->ARR = UINT32_MAX;
    TIM5->EGR = TIM_EGR_UG; /* takes the prescaler over */
    TIM5->SR = 0;
    TIM5->CR1 = TIM_CR1_CEN;
}

uint32_t clock_core_hertz(void)
{
    return core_hertz;
}

uint32_t clock_serial_hertz(void)
{
    return serial_hertz;
}

uint32_t board_micros(void)
{
    return TIM5->CNT;
}

/* The loop takes three cycles or more (Cortex-M4 manual, table 3-1: SUBS 1, BNE taken 2 to 4). */
void board_wait_ns(uint32_t nanoseconds)
{
    uint32_t turns = nanoseconds * (core_hertz / 1000000u) / 3000u + 1;

    __asm__ volatile("1: subs %0, #1\n bne 1b" : "+r"(turns) : : "cc");
}
