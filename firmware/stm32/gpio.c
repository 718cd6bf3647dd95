/* Pins (RM0368 section 8) and edges of one of them (section 10). */
#include "board.h"

enum { AS_INPUT = 0, AS_OUTPUT = 1, AS_ALTERNATE = 2 };
enum { NO_PULL = 0, PULL_UP = 1 };

static uint8_t watched = ZC_NO_PIN;

static gpio_block *port_of(uint8_t pin)
{
    return GPIO(pin / 16u);
}

bool board_is_reserved(uint8_t pin)
{
    switch (pin) {
    case TX_PIN:
    case RX_PIN:
    case PIN_A(13):
    case PIN_A(14):
    case PIN_B(11):
    case PIN_C(14):
    case PIN_C(15):
    case PIN_D(0):
    case PIN_D(1):
        return true;
    default:
        return false;
    }
}

zc_rom_text zc_hal_reserved_reason(uint8_t pin)
{
    switch (pin) {
    case TX_PIN:
    case RX_PIN:
        return "serial line";
    case PIN_A(13):
    case PIN_A(14):
        return "debug port";
    case PIN_C(14):
    case PIN_C(15):
        return "crystal";
    default:
        return "not on this chip";
    }
}

/* The modes and pulls are kept here, and whole registers written: what they hold does not depend on reading them back. */
static struct {
    uint32_t modes, pulls;
} ports[4];

static void set_two_bits(uint32_t *kept, uint8_t pin, uint32_t value)
{
    uint32_t shift = pin % 16u * 2;

    *kept = (*kept & ~(3u << shift)) | value << shift;
}

static void set_mode(uint8_t pin, uint32_t mode)
{
    uint8_t port = pin / 16u;

    set_two_bits(&ports[port].modes, pin, mode);
    port_of(pin)->MODER = ports[port].modes;
}

static void set_pull(uint8_t pin, uint32_t pull)
{
    uint8_t port = pin / 16u;

    set_two_bits(&ports[port].pulls, pin, pull);
    port_of(pin)->PUPDR = ports[port].pulls;
}

void board_set_latch(uint8_t pin, bool high)
{
    port_of(pin)->BSRR = 1u << (pin % 16u + (high ? 0 : 16));
}

void board_set_output(uint8_t pin, bool output)
{
    set_mode(pin, output ? AS_OUTPUT : AS_INPUT);
}

void board_set_pull_up(uint8_t pin, bool on)
{
    set_pull(pin, on ? PULL_UP : NO_PULL);
}

bool board_read(uint8_t pin)
{
    return (port_of(pin)->IDR >> (pin % 16u) & 1) != 0;
}

void gpio_set_alternate(uint8_t pin, uint8_t function)
{
    reg *target = &port_of(pin)->AFR[pin % 16u / 8];
    uint32_t shift = pin % 8u * 4;

    *target = (*target & ~(15u << shift)) | (uint32_t)function << shift;
    set_mode(pin, AS_ALTERNATE);
}

void gpio_start(void)
{
    uint8_t pin;

    /* Table 24: only the debug port and its pulls are not zero after a reset; it is kept, its JTAG half is not. */
    ports[0].modes = GPIO(0)->MODER & (15u << 26);
    ports[0].pulls = GPIO(0)->PUPDR & (15u << 26);
    for (pin = 0; pin < PIN_COUNT; pin++) {
        if (!board_is_reserved(pin)) {
            board_set_output(pin, false);
            board_set_pull_up(pin, false);
        }
    }
    set_pull(RX_PIN, PULL_UP); /* no noise while the ST-LINK is not there */
    gpio_set_alternate(TX_PIN, 7);
    gpio_set_alternate(RX_PIN, 7);
}

static uint8_t interrupt_of(uint8_t line)
{
    return line <= 4 ? (uint8_t)(IRQ_EXTI0 + line) : line <= 9 ? IRQ_EXTI9_5 : IRQ_EXTI15_10;
}

void board_watch_edges(uint8_t pin)
{
    uint8_t line = pin % 16u;
    uint32_t shift = line % 4u * 4;

    EXTI_IMR = 0;
    watched = pin;
    if (pin == ZC_NO_PIN) {
        return;
    }
    SYSCFG_EXTICR[line / 4] = (SYSCFG_EXTICR[line / 4] & ~(15u << shift)) | (uint32_t)(pin / 16u) << shift;
    EXTI_RTSR = 1u << line;
    EXTI_FTSR = 1u << line;
    EXTI_PR = 1u << line;
    enable_interrupt(interrupt_of(line));
    EXTI_IMR = 1u << line;
}

void on_edge(void)
{
    EXTI_PR = EXTI_PR;
    if (watched != ZC_NO_PIN) {
        uart_lines_edge();
    }
}

void board_lock(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
}

void board_unlock(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}
