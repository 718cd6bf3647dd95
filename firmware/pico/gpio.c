/* Pins (data sheet section 2.19) and edges of one of them. */
#include "board.h"

#define PAD_INPUT_ENABLE (1u << 6)
#define PAD_4_MILLIAMPS (1u << 4)
#define PAD_PULL_UP (1u << 3)
#define PAD_SCHMITT (1u << 1)
#define EDGES (0xCu << watched % 8u * 4) /* low and high edge of the pin, section 2.19.6.1 */

static uint8_t watched = ZC_NO_PIN;
static bool are_serial_pins_free;

bool board_is_reserved(uint8_t pin)
{
    return (!are_serial_pins_free && (pin == TX_PIN || pin == RX_PIN)) || pin == 23 || (HAS_RADIO && (pin == 24 || pin == 25 || pin == 29));
}

/* What the board itself drives is for reading only. */
bool zc_hal_can(uint8_t pin, zc_mode mode)
{
    (void)mode;
    return pin != USB_POWER_PIN && pin != SUPPLY_PIN;
}

zc_rom_text zc_hal_reserved_reason(uint8_t pin)
{
    return pin <= RX_PIN ? "serial line" : HAS_RADIO ? "radio" : "power supply";
}

void board_set_latch(uint8_t pin, bool high)
{
    if (high) {
        SIO_GPIO_OUT_SET = 1u << pin;
    } else {
        SIO_GPIO_OUT_CLR = 1u << pin;
    }
}

void board_set_output(uint8_t pin, bool output)
{
    if (output) {
        SIO_GPIO_OE_SET = 1u << pin;
    } else {
        SIO_GPIO_OE_CLR = 1u << pin;
    }
    gpio_set_function(pin, FUNCTION_SIO);
}

void board_set_pull_up(uint8_t pin, bool on)
{
    PAD(pin) = PAD_INPUT_ENABLE | PAD_4_MILLIAMPS | PAD_SCHMITT | (on ? PAD_PULL_UP : 0);
}

bool board_read(uint8_t pin)
{
    return (SIO_GPIO_IN >> pin & 1) != 0;
}

void gpio_set_function(uint8_t pin, uint8_t function)
{
    IO(pin)->CTRL = function;
}

void gpio_start(void)
{
    uint8_t pin;

    for (pin = 0; pin < PIN_COUNT; pin++) {
        if (!board_is_reserved(pin)) {
            board_set_pull_up(pin, false);
            board_set_output(pin, false);
        }
    }
    board_set_pull_up(RX_PIN, true); /* no noise while nothing is connected */
    board_set_pull_up(TX_PIN, false);
    gpio_set_function(RX_PIN, FUNCTION_UART);
    gpio_set_function(TX_PIN, FUNCTION_UART);
    enable_interrupt(IRQ_IO_BANK0);
}

void gpio_free_serial_pins(void)
{
    if (!are_serial_pins_free) {
        are_serial_pins_free = true;
        board_set_pull_up(RX_PIN, false);
        board_set_latch(TX_PIN, false);
        board_set_latch(RX_PIN, false);
        board_set_output(TX_PIN, false);
        board_set_output(RX_PIN, false);
    }
}

void board_watch_edges(uint8_t pin)
{
    if (watched != ZC_NO_PIN) {
        CLEAR_BITS(IO_INTE(watched)) = EDGES;
    }
    watched = pin;
    if (watched != ZC_NO_PIN) {
        IO_INTR(watched) = EDGES;
        SET_BITS(IO_INTE(watched)) = EDGES;
    }
}

void on_edge(void)
{
    if (watched != ZC_NO_PIN) {
        IO_INTR(watched) = EDGES;
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
