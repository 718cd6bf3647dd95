/* The `capabilities` reply: a JSON object inside a JSON string, as the upstream hosts expect it. */
#include <stddef.h>

#include "zc_events.h"
#include "zc_protocol.h"

#define TYPICAL_REQUEST 60 /* bytes of a command with two arguments */

static bool has_gpio(uint8_t pin)
{
    return zc_hal_mode(pin) != ZC_MODE_RESERVED;
}

static void put_pins(zc_rom_text key, bool (*has)(uint8_t pin))
{
    uint8_t pin;
    bool first = true;

    zc_out_text(key);
    for (pin = 0; pin < zc_hal_pin_count(); pin++) {
        if (has(pin)) {
            if (!first) {
                zc_out_char(',');
            }
            first = false;
            zc_out_unsigned(pin);
        }
    }
    zc_out_char(']');
}

static void put_number(zc_rom_text key, uint32_t value)
{
    zc_out_text(key);
    zc_out_unsigned(value);
}

static void put_name(zc_rom_text key, zc_rom_text name)
{
    zc_out_text(key);
    zc_out_char('"');
    zc_out_text(name);
    zc_out_char('"');
}

static void put_commands(void)
{
    uint8_t index;

    zc_out_text(ZC_TEXT(",\"commands\":["));
    for (index = 0; index < zc_command_count; index++) {
        if (index != 0) {
            zc_out_char(',');
        }
        zc_out_char('"');
        zc_out_text(zc_commands[index].name);
        zc_out_char('"');
    }
    zc_out_char(']');
}

void zc_run_capabilities(const zc_request *request)
{
    uint8_t channel;
    bool first = true;

    zc_reply_begin(request);
    zc_out_char('"');
    zc_out_escape_quotes(true);
    put_pins(ZC_TEXT("{\"gpio\":["), has_gpio);
    zc_out_text(ZC_TEXT(",\"led_pin\":"));
    if (zc_hal_led_pin() == ZC_NO_PIN) {
        zc_out_text(ZC_TEXT("-1"));
    } else {
        zc_out_unsigned(zc_hal_led_pin());
    }
    zc_out_text(ZC_TEXT(",\"adc\":["));
    for (channel = 0; channel < zc_hal_analog_count(); channel++) {
        if (zc_hal_analog_pin(channel) == ZC_NO_PIN) {
            continue;
        }
        if (!first) {
            zc_out_char(',');
        }
        first = false;
        zc_out_unsigned(channel);
    }
    zc_out_char(']');
    put_number(ZC_TEXT(",\"adc_bits\":"), zc_hal_analog_bits());
    put_pins(ZC_TEXT(",\"pwm\":["), zc_hal_has_pwm);
    put_pins(ZC_TEXT(",\"servo\":["), zc_hal_has_servo);
    put_pins(ZC_TEXT(",\"i2c\":["), zc_hal_has_i2c);
    put_pins(ZC_TEXT(",\"spi\":["), zc_hal_has_spi);
    put_pins(ZC_TEXT(",\"uart\":["), zc_hal_has_uart);
    put_number(ZC_TEXT(",\"proto\":"), ZC_PROTOCOL_VERSION);
    put_name(ZC_TEXT(",\"fw\":"), zc_firmware_name);
    put_name(ZC_TEXT(",\"version\":"), zc_firmware_version);
    put_name(ZC_TEXT(",\"board\":"), zc_board_name);
    put_number(ZC_TEXT(",\"window\":"), zc_hal_receive_size() / TYPICAL_REQUEST);
    put_number(ZC_TEXT(",\"window_bytes\":"), zc_hal_receive_size());
    put_number(ZC_TEXT(",\"line_max\":"), ZC_LINE_SIZE - 1);
    put_number(ZC_TEXT(",\"subscriptions\":"), ZC_SUBSCRIPTIONS);
    put_number(ZC_TEXT(",\"watchdog_ms\":"), zc_hal_watchdog_ms());
    put_commands();
    zc_out_char('}');
    zc_out_escape_quotes(false);
    zc_out_char('"');
    zc_reply_end();
}
