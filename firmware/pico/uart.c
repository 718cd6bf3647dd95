/*
 * UART0 on GP0 and GP1, 115200 8N1 (data sheet section 4.2). It is the line to the host until a program opens the port
 * on USB; then it is given up until the board is restarted.
 */
#include "board.h"

#define BAUD 115200u
#define DIVISOR_64THS (CORE_HERTZ * 4u / BAUD)
#define LCR_8_BITS_WITH_FIFO (3u << 5 | 1u << 4)
#define CR_ENABLE (1u | 1u << 8 | 1u << 9)

static volatile bool is_stopped;

void uart_start(void)
{
    UART0->IBRD = DIVISOR_64THS / 64;
    UART0->FBRD = DIVISOR_64THS % 64;
    UART0->LCR_H = LCR_8_BITS_WITH_FIFO; /* takes the divisors over as well */
    UART0->IFLS = 0; /* the interrupt comes when an eighth of the FIFO is full, or by time */
    UART0->CR = CR_ENABLE;
    UART0->IMSC = UART_INT_RX | UART_INT_RX_TIMEOUT;
    enable_interrupt(IRQ_UART0);
}

void on_uart0(void)
{
    UART0->ICR = UART_INT_RX | UART_INT_RX_TIMEOUT;
    while (!(UART0->FR & UART_FR_RXFE)) {
        uint32_t data = UART0->DR;
        if (data & UART_DR_OVERRUN) {
            serial_received('\0', false);
        }
        serial_received((char)data, !(data & UART_DR_FAULT));
    }
}

void uart_poll(void)
{
    char byte;

    if (is_stopped) {
        return;
    }
    board_lock();
    on_uart0();
    board_unlock();
    while (!(UART0->FR & UART_FR_TXFF) && serial_next(&byte)) {
        UART0->DR = (uint8_t)byte;
    }
}

void uart_stop(void)
{
    is_stopped = true;
    UART0->IMSC = 0;
    UART0->CR = 0;
}

bool uart_is_stopped(void)
{
    return is_stopped;
}

bool uart_is_sending(void)
{
    return !is_stopped && (UART0->FR & UART_FR_BUSY) != 0;
}
