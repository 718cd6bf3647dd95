/*
 * Demonstration firmware: blinks the LED of pin 13 and prints lines such as `temp:21.5,light:512`.
 *
 * It answers `ping`, `capabilities` and `stop_all` so that a host can tell which firmware is on the board. The
 * temperature is that of a TMP36 on A1 (10 mV per degree, 500 mV at 0 degrees), the light the raw value of A0.
 */
#include <avr/interrupt.h>
#include <avr/wdt.h>

#include "board.h"
#include "zc_protocol.h"

#define BLINK_MS 500
#define PRINT_MS 100
#define LIGHT_CHANNEL 0
#define TEMPERATURE_CHANNEL 1

const char zc_firmware_name[] ZC_ROM = "zeroclaw-demo";
const char zc_firmware_version[] ZC_ROM = ZC_FIRMWARE_VERSION;
const char zc_board_name[] ZC_ROM = "arduino-uno";

static bool stopped;

static void run_stop_all(const zc_request *request)
{
    stopped = true;
    zc_run_stop_all(request);
}

const zc_command zc_commands[] ZC_ROM = {
    {"ping", zc_run_ping},
    {"capabilities", zc_run_capabilities},
    {"stop_all", run_stop_all},
};

const uint8_t zc_command_count = sizeof zc_commands / sizeof zc_commands[0];

/* The firmware drives one pin; no timer is used beside the clock. */
void timers_release(uint8_t pin)
{
    (void)pin;
}

static void print_telemetry(void)
{
    /* tenths of a degree = (millivolts - 500); 5000 mV are 1024 steps */
    int16_t tenths = (int16_t)((uint32_t)zc_hal_analog_read(TEMPERATURE_CHANNEL) * 5000 / 1024) - 500;
    uint16_t magnitude = (uint16_t)(tenths < 0 ? -tenths : tenths);

    zc_out_text(ZC_TEXT("temp:"));
    if (tenths < 0) {
        zc_out_char('-');
    }
    zc_out_unsigned(magnitude / 10);
    zc_out_char('.');
    zc_out_unsigned(magnitude % 10);
    zc_out_text(ZC_TEXT(",light:"));
    zc_out_unsigned(zc_hal_analog_read(LIGHT_CHANNEL));
    zc_out_char('\n');
}

static bool is_due(uint32_t *due_ms, uint16_t period_ms)
{
    if ((int32_t)(zc_hal_millis() - *due_ms) < 0) {
        return false;
    }
    *due_ms += period_ms;
    return true;
}

int main(void)
{
    uint32_t blink_due_ms = 0, print_due_ms = 0;
    uint8_t level = 0;

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
        }
        if (!stopped && is_due(&blink_due_ms, BLINK_MS)) {
            level ^= 1;
            zc_hal_write(LED_PIN, level);
        }
        if (is_due(&print_due_ms, PRINT_MS)) {
            print_telemetry();
        }
        sleep_until_interrupt();
    }
}
