/* Vector table and start of C. */
#include <stdint.h>

#include "board.h"

extern uint32_t stack_top, data_load, data_start, data_end, bss_start, bss_end;

int main(void);
void on_usart2(void);
void on_timer11(void);
void on_edge(void);

void __attribute__((noreturn)) on_reset(void)
{
    uint32_t *from = &data_load, *to;

    for (to = &data_start; to < &data_end; to++) {
        *to = *from++;
    }
    for (to = &bss_start; to < &bss_end; to++) {
        *to = 0;
    }
    (void)main();
    restart_after_fault();
}

/* A fault leaves outputs as they are; a restart makes every pin an input at once. */
static void on_fault(void)
{
    restart_after_fault();
}

static void on_tick(void)
{
    /* it has ended the sleep, that is all */
}

typedef void (*handler)(void);

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    handler exceptions[15];
    handler interrupts[86];
} vectors = {
    &stack_top,
    {on_reset, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault,
     on_fault, on_fault, on_fault, on_tick},
    {
        [0 ... IRQ_EXTI0 - 1] = on_fault,
        [IRQ_EXTI0 ... IRQ_EXTI4] = on_edge,
        [IRQ_EXTI4 + 1 ... IRQ_EXTI9_5 - 1] = on_fault,
        [IRQ_EXTI9_5] = on_edge,
        [IRQ_EXTI9_5 + 1 ... IRQ_TIM11 - 1] = on_fault,
        [IRQ_TIM11] = on_timer11,
        [IRQ_TIM11 + 1 ... IRQ_USART2 - 1] = on_fault,
        [IRQ_USART2] = on_usart2,
        [IRQ_USART2 + 1] = on_fault,
        [IRQ_EXTI15_10] = on_edge,
        [IRQ_EXTI15_10 + 1 ... 85] = on_fault,
    },
};
