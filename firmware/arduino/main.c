/* ZeroClaw protocol firmware for the Arduino Uno, Nano and Mega 2560. */
#include <avr/interrupt.h>
#include <avr/wdt.h>

#include "board.h"
#include "timers.h"
#include "zc_protocol.h"

const char zc_firmware_name[] ZC_ROM = "zeroclaw-arduino";
const char zc_firmware_version[] ZC_ROM = ZC_FIRMWARE_VERSION;
const char zc_board_name[] ZC_ROM = BOARD_NAME;

int main(void)
{
    clock_start();
    pins_start();
    serial_start();
    sei();
    watchdog_start();
    zc_start(reset_cause());
    for (;;) {
        char byte;

        wdt_reset();
        while (serial_take(&byte)) {
            zc_receive(byte);
            wdt_reset();
        }
        timers_poll();
        uart_poll();
        zc_poll();
        sleep_until_interrupt();
    }
}
