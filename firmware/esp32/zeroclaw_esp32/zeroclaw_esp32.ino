/* ZeroClaw protocol firmware for ESP32, ESP32-S2, -S3, -C3, -C6 and ESP8266, in the dialect of Arduino. */
#include <Arduino.h>

#include "board.h"
#include "zc_protocol.h"

void setup()
{
    serial_line_start();
    pins_start();
    power_start();
    zc_start(reset_cause());
}

void loop()
{
    board_run_once();
    if (serial_is_quiet()) {
        delay(1); /* the other tasks of the chip, and its sleep */
    }
}
