/* The standard command set of a ZeroClaw board: see the command table in SPEC.md. */
#include <stddef.h>

#include "zc_events.h"
#include "zc_protocol.h"

#define SERVO_MIN_US 500
#define SERVO_MAX_US 2500
/* Pulse widths at 0 and 180 degrees, those that the Arduino servo library uses by default. */
#define SERVO_0_DEGREES_US 544
#define SERVO_180_DEGREES_US 2400

static void reply_done(const zc_request *request)
{
    zc_reply_text(request, ZC_TEXT("done"));
}

static void reply_result(const zc_request *request, uint8_t pin, zc_result result, zc_rom_text unsupported)
{
    if (result == ZC_OK) {
        reply_done(request);
    } else if (result == ZC_CONFLICT) {
        zc_error_pin(request, pin, ZC_TEXT(": its timer is in use"), ZC_IN_CONFLICT);
    } else {
        zc_error_pin(request, pin, unsupported, ZC_NO_SUPPORT);
    }
}

static void run_gpio_read(const zc_request *request)
{
    uint8_t pin;

    if (zc_arg_pin(request, &pin)) {
        zc_reply_text(request, zc_hal_read(pin) ? ZC_TEXT("1") : ZC_TEXT("0"));
    }
}

static void run_gpio_write(const zc_request *request)
{
    uint8_t pin;
    int32_t value;

    if (zc_arg_pin(request, &pin) && zc_arg_number(request, ZC_TEXT("value"), 0, 1, &value) &&
        zc_check_output(request, pin)) {
        zc_hal_write(pin, (uint8_t)value);
        reply_done(request);
    }
}

static void run_pin_mode(const zc_request *request)
{
    uint8_t pin;
    zc_slice name;
    zc_mode mode;

    if (!zc_arg_pin(request, &pin) || !zc_arg(request, ZC_TEXT("mode"), &name)) {
        return;
    }
    if (zc_json_equals(name, ZC_TEXT("input"))) {
        mode = ZC_MODE_INPUT;
    } else if (zc_json_equals(name, ZC_TEXT("input_pullup"))) {
        mode = ZC_MODE_PULLUP;
    } else if (zc_json_equals(name, ZC_TEXT("output"))) {
        mode = ZC_MODE_OUTPUT;
    } else {
        zc_error(request, ZC_TEXT("mode must be input, input_pullup or output"), ZC_BAD_VALUE);
        return;
    }
    if (mode == ZC_MODE_OUTPUT && !zc_check_output(request, pin)) {
        return;
    }
    if (mode == ZC_MODE_PULLUP && !zc_hal_can(pin, mode)) {
        zc_error_pin(request, pin, ZC_TEXT(" has no pull-up"), ZC_NO_SUPPORT);
        return;
    }
    zc_hal_set_mode(pin, mode);
    reply_done(request);
}

static void run_adc_read(const zc_request *request)
{
    int32_t channel;

    if (zc_has_arg(request, ZC_TEXT("pin")) && !zc_has_arg(request, ZC_TEXT("channel"))) {
        uint8_t pin, index;
        zc_slice written;
        if (!zc_arg_any_pin(request, ZC_TEXT("pin"), &pin, &written)) {
            return;
        }
        for (index = 0; index < zc_hal_analog_count(); index++) {
            if (zc_hal_analog_pin(index) == pin) {
                zc_reply_number(request, zc_hal_analog_read(index));
                return;
            }
        }
        if (zc_hal_mode(pin) == ZC_MODE_RESERVED) {
            zc_error_reserved(request, pin, written);
        } else {
            zc_error_pin(request, pin, ZC_TEXT(" has no ADC"), ZC_NO_SUPPORT);
        }
    } else if (zc_arg_number(request, ZC_TEXT("channel"), 0, (int32_t)zc_hal_analog_count() - 1, &channel)) {
        if (zc_hal_analog_pin((uint8_t)channel) == ZC_NO_PIN) {
            zc_error(request, ZC_TEXT("The board has no such channel"), ZC_BAD_VALUE);
        } else {
            zc_reply_number(request, zc_hal_analog_read((uint8_t)channel));
        }
    }
}

static void run_pwm_write(const zc_request *request)
{
    uint8_t pin;
    int32_t duty;

    if (zc_arg_pin(request, &pin) && zc_arg_number(request, ZC_TEXT("duty"), 0, 255, &duty)) {
        zc_result result = zc_hal_has_pwm(pin) ? zc_hal_pwm(pin, (uint8_t)duty) : ZC_UNSUPPORTED;
        reply_result(request, pin, result, ZC_TEXT(" has no PWM"));
    }
}

static void run_servo_write(const zc_request *request)
{
    uint8_t pin;
    int32_t pulse_us;
    zc_result result;

    if (!zc_arg_pin(request, &pin)) {
        return;
    }
    if (zc_has_arg(request, ZC_TEXT("us"))) {
        if (!zc_arg_number(request, ZC_TEXT("us"), SERVO_MIN_US, SERVO_MAX_US, &pulse_us)) {
            return;
        }
    } else {
        int32_t angle;
        if (!zc_arg_number(request, ZC_TEXT("angle"), 0, 180, &angle)) {
            return;
        }
        pulse_us = SERVO_0_DEGREES_US + (angle * (SERVO_180_DEGREES_US - SERVO_0_DEGREES_US) + 90) / 180;
    }
    result = zc_hal_has_servo(pin) ? zc_hal_servo(pin, (uint16_t)pulse_us) : ZC_UNSUPPORTED;
    reply_result(request, pin, result, ZC_TEXT(" has no servo output"));
}

/* servo_detach and no_tone: the pin stays an output, low. */
static void release_pin(const zc_request *request, zc_mode mode)
{
    uint8_t pin;

    if (!zc_arg_pin(request, &pin)) {
        return;
    }
    if (zc_hal_mode(pin) == mode) {
        zc_hal_write(pin, 0);
    }
    reply_done(request);
}

static void run_servo_detach(const zc_request *request)
{
    release_pin(request, ZC_MODE_SERVO);
}

static void run_no_tone(const zc_request *request)
{
    release_pin(request, ZC_MODE_TONE);
}

static void run_tone(const zc_request *request)
{
    uint8_t pin;
    int32_t hertz, milliseconds = 0;

    if (!zc_arg_pin(request, &pin) || !zc_arg_number(request, ZC_TEXT("hz"), 31, 20000, &hertz)) {
        return;
    }
    if (zc_has_arg(request, ZC_TEXT("ms")) &&
        !zc_arg_number(request, ZC_TEXT("ms"), 0, 60000, &milliseconds)) {
        return;
    }
    if (!zc_check_output(request, pin)) {
        return;
    }
    reply_result(request, pin, zc_hal_tone(pin, (uint16_t)hertz, (uint32_t)milliseconds),
                 ZC_TEXT(" has no tone output"));
}

/* {"9":128}: the value of each pin that is in a mode. */
static void put_mode_values(zc_rom_text key, zc_mode mode)
{
    uint8_t pin;
    bool first = true;

    zc_out_text(key);
    for (pin = 0; pin < zc_hal_pin_count(); pin++) {
        uint16_t value;
        if (zc_hal_mode(pin) != mode) {
            continue;
        }
        value = mode == ZC_MODE_PWM ? zc_hal_pwm_duty(pin)
              : mode == ZC_MODE_SERVO ? zc_hal_servo_us(pin) : zc_hal_tone_hertz(pin);
        if (!first) {
            zc_out_char(',');
        }
        first = false;
        zc_out_char('"');
        zc_out_unsigned(pin);
        zc_out_text(ZC_TEXT("\":"));
        zc_out_unsigned(value);
    }
    zc_out_char('}');
}

static void run_state(const zc_request *request)
{
    uint8_t pin;

    zc_reply_begin(request);
    zc_out_text(ZC_TEXT("{\"mode\":\""));
    for (pin = 0; pin < zc_hal_pin_count(); pin++) {
        zc_out_char((char)zc_hal_mode(pin));
    }
    zc_out_text(ZC_TEXT("\",\"level\":\""));
    for (pin = 0; pin < zc_hal_pin_count(); pin++) {
        bool reserved = zc_hal_mode(pin) == ZC_MODE_RESERVED;
        zc_out_char(reserved ? '-' : zc_hal_read(pin) ? '1' : '0');
    }
    put_mode_values(ZC_TEXT("\",\"pwm\":{"), ZC_MODE_PWM);
    put_mode_values(ZC_TEXT(",\"servo\":{"), ZC_MODE_SERVO);
    put_mode_values(ZC_TEXT(",\"tone\":{"), ZC_MODE_TONE);
    zc_out_text(ZC_TEXT(",\"host_ms\":"));
    zc_out_unsigned(zc_host_watchdog());
    zc_out_text(ZC_TEXT(",\"dropped\":"));
    zc_out_unsigned(zc_events_dropped());
    zc_out_text(ZC_TEXT(",\"t\":"));
    zc_out_unsigned(zc_hal_millis());
    zc_out_char('}');
    zc_reply_end();
}

/* The argument "signal"; answers with an error when it names none. */
static bool arg_signal(const zc_request *request, zc_signal *signal)
{
    zc_slice name;

    if (!zc_arg(request, ZC_TEXT("signal"), &name)) {
        return false;
    }
    *signal = zc_signal_by_name(name);
    if (signal->kind == ZC_SIGNAL_NONE) {
        zc_error(request, ZC_TEXT("Unknown signal"), ZC_BAD_VALUE);
        return false;
    }
    return true;
}

static void run_subscribe(const zc_request *request)
{
    zc_signal signal;
    int32_t period = 0;
    bool periodic;

    if (!arg_signal(request, &signal)) {
        return;
    }
    /* A digital pin may be watched for changes alone; everything else needs a period. */
    periodic = signal.kind != ZC_SIGNAL_DIGITAL || zc_has_arg(request, ZC_TEXT("period_ms"));
    if (periodic && !zc_arg_number(request, ZC_TEXT("period_ms"), ZC_PERIOD_MIN_MS, ZC_PERIOD_MAX_MS, &period)) {
        return;
    }
    if (zc_subscribe(signal, (uint32_t)period)) {
        reply_done(request);
    } else {
        zc_error(request, ZC_TEXT("No free subscription"), ZC_FULL);
    }
}

static void run_unsubscribe(const zc_request *request)
{
    zc_signal signal = {ZC_SIGNAL_NONE, 0};

    if (zc_has_arg(request, ZC_TEXT("signal")) && !arg_signal(request, &signal)) {
        return;
    }
    zc_reply_begin(request);
    zc_out_text(ZC_TEXT("{\"ended\":"));
    zc_out_unsigned(zc_unsubscribe(signal));
    zc_out_char('}');
    zc_reply_end();
}

static void run_watchdog_host(const zc_request *request)
{
    int32_t milliseconds;

    if (!zc_arg_number(request, ZC_TEXT("ms"), 0, 600000, &milliseconds)) {
        return;
    }
    if (milliseconds != 0 && milliseconds < 100) {
        zc_error(request, ZC_TEXT("ms must be 0 or from 100 to 600000"), ZC_BAD_VALUE);
        return;
    }
    zc_host_watchdog_set((uint32_t)milliseconds);
    reply_done(request);
}

static void run_board_reset(const zc_request *request)
{
    (void)zc_hal_stop_all();
    reply_done(request);
    zc_hal_reset();
}

const zc_command zc_commands[] ZC_ROM = {
    {"ping", zc_run_ping},
    {"capabilities", zc_run_capabilities},
    {"state", run_state},
    {"gpio_read", run_gpio_read},
    {"gpio_write", run_gpio_write},
    {"pin_mode", run_pin_mode},
    {"adc_read", run_adc_read},
    {"pwm_write", run_pwm_write},
    {"servo_write", run_servo_write},
    {"servo_detach", run_servo_detach},
    {"tone", run_tone},
    {"no_tone", run_no_tone},
    {"i2c_scan", zc_run_i2c_scan},
    {"i2c_read", zc_run_i2c_read},
    {"i2c_write", zc_run_i2c_write},
    {"spi_transfer", zc_run_spi_transfer},
    {"uart_write", zc_run_uart_write},
    {"uart_read", zc_run_uart_read},
    {"motor_start", zc_run_motor_start},
    {"motor_stop", zc_run_motor_stop},
    {"stop_all", zc_run_stop_all},
    {"subscribe", run_subscribe},
    {"unsubscribe", run_unsubscribe},
    {"watchdog_host", run_watchdog_host},
    {"board_reset", run_board_reset},
};

const uint8_t zc_command_count = sizeof zc_commands / sizeof zc_commands[0];
