/* The line to the host: what Arduino calls Serial, at 115200 baud. */
#include <Arduino.h>

#include "board.h"

#define DRIVER_BYTES 1024 /* the driver fills it by interrupts while the program is busy */

void serial_line_start(void)
{
    Serial.setRxBufferSize(DRIVER_BYTES);
    Serial.begin(115200);
}

extern "C" void board_attend(void)
{
    char byte;

    while (Serial.available() > 0 && serial_room() > 0) {
        serial_received((char)Serial.read(), true);
    }
    while (Serial.availableForWrite() > 0 && serial_next(&byte)) {
        Serial.write((uint8_t)byte);
    }
    timers_poll();
}
