/*
 * The line to the host: USART2, 115200 8N1 (RM0368 section 19). Bytes are received by the interrupt; board_attend()
 * looks as well, so that the line also works where no interrupt comes (some simulators), and transmits.
 */
#include "board.h"

#define BAUD 115200u

static bool sent_anything;

void usart_start(void)
{
    USART2->BRR = (clock_serial_hertz() + BAUD / 2) / BAUD;
    USART2->CR1 = USART_CR1_UE | USART_CR1_TE | USART_CR1_RE | USART_CR1_RXNEIE;
    enable_interrupt(IRQ_USART2);
}

void on_usart2(void)
{
    uint32_t status = USART2->SR;

    if (status & (USART_SR_RXNE | USART_SR_ORE)) {
        char byte = (char)USART2->DR; /* clears the error flags as well */
        if (status & USART_SR_RXNE) {
            serial_received(byte, !(status & (USART_SR_FE | USART_SR_NF)));
        }
        if (status & USART_SR_ORE) { /* the byte in DR is right, the one after it was lost */
            serial_received('\0', false);
        }
    }
}

void board_attend(void)
{
    char byte;

    board_lock();
    on_usart2();
    board_unlock();
    if ((USART2->SR & USART_SR_TXE) && serial_next(&byte)) {
        USART2->DR = (uint8_t)byte;
        sent_anything = true;
    }
    timers_poll();
}

void usart_wait_until_sent(void)
{
    uint32_t begun_us = board_micros();

    serial_flush();
    while (sent_anything && !(USART2->SR & USART_SR_TC) && board_micros() - begun_us < 200000) {
        board_feed_watchdog();
    }
}
