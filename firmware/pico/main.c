/* ZeroClaw protocol firmware for the Raspberry Pi Pico and Pico W. */
#include "board.h"
#include "zc_protocol.h"

const char zc_firmware_name[] = "zeroclaw-pico";
const char zc_firmware_version[] = ZC_FIRMWARE_VERSION;
const char zc_board_name[] = BOARD_NAME;

void board_attend(void)
{
    usb_poll();
    uart_poll();
    if (uart_is_stopped() && !usb_is_open()) {
        serial_clear(); /* nobody will ever read it */
    }
    timers_poll();
}

int main(void)
{
    clock_start();
    uart_start(); /* first, so that the line is idle when its pins are handed over */
    gpio_start();
    adc_start();
    watchdog_and_alarm_start();
    usb_start();
    zc_start(reset_cause());
    for (;;) {
        board_run_once();
        wait_for_interrupt();
    }
}
