/* ZeroClaw protocol firmware for the STM32 Nucleo-64 boards. */
#include "board.h"
#include "zc_protocol.h"

const char zc_firmware_name[] = "zeroclaw-stm32";
const char zc_firmware_version[] = ZC_FIRMWARE_VERSION;
const char zc_board_name[] = BOARD_NAME;

int main(void)
{
    clock_start();
    usart_start(); /* first, so that the line is idle when its pins are handed over */
    gpio_start();
    timers_start();
    adc_start();
    watchdog_and_tick_start();
    zc_start(reset_cause());
    for (;;) {
        board_run_once();
        wait_for_interrupt();
    }
}
