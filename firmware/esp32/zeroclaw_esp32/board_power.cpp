/* Reset cause, watchdog and restart. */
#include <Arduino.h>

#include "board.h"
#include "zc_protocol.h"

const char zc_firmware_name[] = "zeroclaw-esp32";
const char zc_firmware_version[] = ZC_FIRMWARE_VERSION;
const char zc_board_name[] = BOARD_NAME;

#ifdef ESP8266

#include <user_interface.h>

#define WATCHDOG_MS 3200 /* the software watchdog of the core */

const char *reset_cause(void)
{
    switch (ESP.getResetInfoPtr()->reason) {
    case REASON_DEFAULT_RST:
        return "power"; /* a brown-out looks the same */
    case REASON_EXT_SYS_RST:
        return "external";
    case REASON_SOFT_RESTART:
        return "command";
    case REASON_WDT_RST:
    case REASON_SOFT_WDT_RST:
    case REASON_EXCEPTION_RST:
        return "watchdog";
    default:
        return "unknown";
    }
}

void power_start(void)
{
}

extern "C" void board_feed_watchdog(void)
{
    ESP.wdtFeed();
}

#else

#include <esp_system.h>

#define WATCHDOG_MS 5000 /* the task watchdog as the core sets it up */

const char *reset_cause(void)
{
    switch (esp_reset_reason()) {
    case ESP_RST_POWERON:
        return "power";
    case ESP_RST_EXT:
        return "external";
    case ESP_RST_SW:
        return "command";
    case ESP_RST_PANIC:
    case ESP_RST_INT_WDT:
    case ESP_RST_TASK_WDT:
    case ESP_RST_WDT:
        return "watchdog";
    case ESP_RST_BROWNOUT:
        return "brownout";
    default:
        return "unknown";
    }
}

void power_start(void)
{
    enableLoopWDT();
}

extern "C" void board_feed_watchdog(void)
{
    feedLoopWDT();
}

#endif

extern "C" uint16_t zc_hal_watchdog_ms(void)
{
    return WATCHDOG_MS;
}

extern "C" void zc_hal_reset(void)
{
    serial_flush();
    Serial.flush();
    ESP.restart();
}
