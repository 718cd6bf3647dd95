/* Vector table and start of C. */
#include <stdint.h>

#include "board.h"

extern uint32_t stack_top, data_load, data_start, data_end, bss_start, bss_end;

int main(void);
void on_uart0(void);
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

/* It has ended the sleep, that is all. */
static void on_alarm(void)
{
    TIMER_INTR = 1;
}

typedef void (*handler)(void);

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    handler exceptions[15];
    handler interrupts[26];
} vectors = {
    &stack_top,
    {on_reset, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault, on_fault,
     on_fault, on_fault, on_fault, on_fault},
    {
        [IRQ_TIMER0] = on_alarm,
        [IRQ_TIMER0 + 1 ... IRQ_IO_BANK0 - 1] = on_fault,
        [IRQ_IO_BANK0] = on_edge,
        [IRQ_IO_BANK0 + 1 ... IRQ_UART0 - 1] = on_fault,
        [IRQ_UART0] = on_uart0,
        [IRQ_UART0 + 1 ... 25] = on_fault,
    },
};
