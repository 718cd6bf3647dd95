/*
 * Direct-current motors: a PWM pin for the speed and, where the driver has one, a pin for the direction.
 *
 * A motor belongs to this table only as long as its pin carries the PWM that was put there last: stop_all, the host
 * watchdog and every other command that takes the pin end it by that alone, and no ramp goes on behind their back.
 */
#include <stddef.h>

#include "zc_protocol.h"

#ifndef ZC_MOTORS
#define ZC_MOTORS 2
#endif

#define NO_PIN ZC_NO_PIN
#define RAMP_MAX_MS 10000

typedef struct {
    bool is_used;
    uint8_t pin;
    uint8_t direction_pin; /* NO_PIN: the motor turns one way only */
    uint8_t direction;
    uint8_t start, target, shown; /* duties: where the ramp began, where it ends, what is at the pin */
    uint32_t began_ms;
    uint16_t ramp_ms;
} motor;

static motor motors[ZC_MOTORS];
static bool is_any_used; /* spares an idle board the look at each */

static bool is_running(const motor *entry)
{
    return entry->is_used && zc_hal_mode(entry->pin) == ZC_MODE_PWM && zc_hal_pwm_duty(entry->pin) == entry->shown;
}

/* The running motor on a pin, or NULL. */
static motor *find_motor(uint8_t pin)
{
    uint8_t index;

    for (index = 0; index < ZC_MOTORS; index++) {
        if (motors[index].pin == pin && is_running(&motors[index])) {
            return &motors[index];
        }
    }
    return NULL;
}

static motor *free_place(void)
{
    uint8_t index;

    for (index = 0; index < ZC_MOTORS; index++) {
        if (!is_running(&motors[index])) {
            return &motors[index];
        }
    }
    return NULL;
}

static void show(motor *entry, uint8_t duty)
{
    entry->shown = duty;
    if (entry->target == 0 && duty == 0) {
        entry->is_used = false;
        zc_hal_write(entry->pin, 0);
    } else {
        (void)zc_hal_pwm(entry->pin, duty); /* the pin is in PWM mode already: no conflict is possible */
    }
}

static void begin_ramp(motor *entry, uint8_t target, uint16_t ramp_ms)
{
    entry->start = entry->shown;
    entry->target = target;
    entry->ramp_ms = ramp_ms;
    entry->began_ms = zc_hal_millis();
    if (ramp_ms == 0) {
        show(entry, target);
    }
}

static uint8_t duty_at(const motor *entry, uint32_t elapsed_ms)
{
    int32_t way = (int32_t)entry->target - entry->start;

    if (elapsed_ms >= entry->ramp_ms) {
        return entry->target;
    }
    return (uint8_t)(entry->start + way * (int32_t)elapsed_ms / entry->ramp_ms);
}

/* Not inlined, so that zc_motor_poll saves no registers on an idle board. */
static void __attribute__((noinline)) move_motors(uint32_t now)
{
    uint8_t index;

    is_any_used = false;
    for (index = 0; index < ZC_MOTORS; index++) {
        motor *entry = &motors[index];
        if (!entry->is_used) {
            continue;
        }
        is_any_used = true;
        if (!is_running(entry)) {
            entry->is_used = false;
        } else if (entry->shown != entry->target || entry->target == 0) {
            uint8_t duty = duty_at(entry, now - entry->began_ms);
            if (duty != entry->shown || now - entry->began_ms >= entry->ramp_ms) {
                show(entry, duty);
            }
        }
    }
}

void zc_motor_poll(uint32_t now)
{
    if (is_any_used) {
        move_motors(now);
    }
}

static bool is_plain(uint8_t pin)
{
    zc_mode mode = zc_hal_mode(pin);

    return mode == ZC_MODE_INPUT || mode == ZC_MODE_PULLUP || mode == ZC_MODE_OUTPUT;
}

/* Whether a running motor has the pin for its direction. */
static bool is_direction_pin(uint8_t pin)
{
    uint8_t index;

    for (index = 0; index < ZC_MOTORS; index++) {
        if (motors[index].direction_pin == pin && is_running(&motors[index])) {
            return true;
        }
    }
    return false;
}

/* A motor that stands: takes the pins. NULL after an error was answered; nothing has changed then. */
static motor *take_pins(const zc_request *request, uint8_t pin, uint8_t direction_pin, uint8_t direction)
{
    motor *entry = free_place();
    zc_result result;

    if (direction_pin != NO_PIN && !zc_check_output(request, direction_pin)) {
        return NULL;
    }
    if (direction_pin != NO_PIN && (!is_plain(direction_pin) || is_direction_pin(direction_pin))) {
        zc_error_pin(request, direction_pin, ZC_TEXT(" is in use"), ZC_IN_CONFLICT);
        return NULL;
    }
    if (is_direction_pin(pin)) {
        zc_error_pin(request, pin, ZC_TEXT(" is in use"), ZC_IN_CONFLICT);
        return NULL;
    }
    if (entry == NULL) {
        zc_error(request, ZC_TEXT("No free motor"), ZC_FULL);
        return NULL;
    }
    result = zc_hal_has_pwm(pin) ? zc_hal_pwm(pin, 0) : ZC_UNSUPPORTED;
    if (result != ZC_OK) {
        zc_error_pin(request, pin, result == ZC_CONFLICT ? ZC_TEXT(": its timer is in use") : ZC_TEXT(" has no PWM"),
                     result == ZC_CONFLICT ? ZC_IN_CONFLICT : ZC_NO_SUPPORT);
        return NULL;
    }
    if (direction_pin != NO_PIN) {
        zc_hal_write(direction_pin, direction);
    }
    is_any_used = true;
    entry->is_used = true;
    entry->pin = pin;
    entry->direction_pin = direction_pin;
    entry->direction = direction;
    entry->shown = 0;
    return entry;
}

void zc_run_motor_start(const zc_request *request)
{
    uint8_t pin, direction_pin = NO_PIN;
    int32_t duty, direction = 0, ramp_ms = 0;
    motor *entry;

    if (!zc_arg_pin(request, &pin) || !zc_arg_number(request, ZC_TEXT("duty"), 1, 255, &duty) ||
        !zc_arg_optional(request, ZC_TEXT("direction"), 0, 1, &direction) ||
        !zc_arg_optional(request, ZC_TEXT("ramp_ms"), 0, RAMP_MAX_MS, &ramp_ms)) {
        return;
    }
    if (zc_has_arg(request, ZC_TEXT("dir_pin")) &&
        !zc_arg_pin_named(request, ZC_TEXT("dir_pin"), &direction_pin)) {
        return;
    }
    if (direction_pin == pin || (direction_pin == NO_PIN && direction != 0)) {
        zc_error(request, ZC_TEXT("direction needs a dir_pin of its own"), ZC_BAD_VALUE);
        return;
    }
    entry = find_motor(pin);
    if (entry != NULL && (entry->direction_pin != direction_pin || entry->direction != direction)) {
        zc_error(request, ZC_TEXT("The motor runs the other way: stop it first"), ZC_IN_CONFLICT);
        return;
    }
    if (entry == NULL) {
        entry = take_pins(request, pin, direction_pin, (uint8_t)direction);
        if (entry == NULL) {
            return;
        }
    }
    begin_ramp(entry, (uint8_t)duty, (uint16_t)ramp_ms);
    zc_reply_text(request, ZC_TEXT("done"));
}

void zc_run_motor_stop(const zc_request *request)
{
    uint8_t pin;
    int32_t ramp_ms = 0;
    motor *entry;

    if (!zc_arg_pin(request, &pin) ||
        !zc_arg_optional(request, ZC_TEXT("ramp_ms"), 0, RAMP_MAX_MS, &ramp_ms)) {
        return;
    }
    entry = find_motor(pin);
    if (entry != NULL) {
        begin_ramp(entry, 0, (uint16_t)ramp_ms);
    } else if (zc_hal_mode(pin) == ZC_MODE_PWM) { /* pwm_write has taken the pin meanwhile: it must stop all the same */
        zc_hal_write(pin, 0);
    }
    zc_reply_text(request, ZC_TEXT("done"));
}
