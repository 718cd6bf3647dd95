/* Events and subscriptions: see zc_events.h. */
#include "zc_events.h"

#include <stddef.h>

#include "zc_hal.h"
#include "zc_output.h"
#include "zc_protocol.h"

#define EVENT_SIZE_MAX 80 /* characters of the longest telemetry or change line, rounded up */

typedef struct {
    zc_signal signal;
    uint8_t level; /* last level that was reported, digital only */
    uint32_t period_ms;
    uint32_t due_ms;
} subscription;

static subscription subscriptions[ZC_SUBSCRIPTIONS];
static uint16_t dropped;
static uint8_t next_turn; /* where the table is begun with */

static bool same_signal(zc_signal a, zc_signal b)
{
    return a.kind == b.kind && a.index == b.index;
}

/* The number after the first letter of a quoted name, -1 when it is not one or two digits. */
static int16_t number_in_name(zc_slice name)
{
    int16_t number = 0;
    uint16_t index;

    if (name.length < 4 || name.length > 5) { /* quote, letter, one or two digits, quote */
        return -1;
    }
    for (index = 2; index < name.length - 1; index++) {
        char c = name.text[index];
        if (c < '0' || c > '9') {
            return -1;
        }
        number = (int16_t)(number * 10 + (c - '0'));
    }
    return number;
}

zc_signal zc_signal_by_name(zc_slice name)
{
    zc_signal signal = {ZC_SIGNAL_NONE, 0};
    int16_t number;
    char letter;

    if (zc_json_kind_of(name) != ZC_JSON_STRING) {
        return signal;
    }
    if (zc_json_equals(name, ZC_TEXT("uptime"))) {
        signal.kind = ZC_SIGNAL_UPTIME;
        return signal;
    }
    number = number_in_name(name);
    letter = (char)(name.text[1] | 0x20);
    if (number < 0) {
        return signal;
    }
    signal.index = (uint8_t)number;
    if (letter == 'a' && number < zc_hal_analog_count() && zc_hal_analog_pin((uint8_t)number) != ZC_NO_PIN) {
        signal.kind = ZC_SIGNAL_ANALOG;
    } else if (letter == 'd' && number < zc_hal_pin_count() &&
               zc_hal_mode((uint8_t)number) != ZC_MODE_RESERVED) {
        signal.kind = ZC_SIGNAL_DIGITAL;
    }
    return signal;
}

int16_t zc_pin_by_name(zc_slice name)
{
    int16_t number = number_in_name(name);
    char letter = (char)(name.text[1] | 0x20);

    if (number >= 0 && letter == 'a' && number < zc_hal_analog_count()) {
        return zc_hal_analog_pin((uint8_t)number);
    }
    return letter == 'd' ? number : -1;
}

bool zc_subscribe(zc_signal signal, uint32_t period_ms)
{
    subscription *entry = NULL;
    uint8_t index;

    for (index = 0; index < ZC_SUBSCRIPTIONS; index++) {
        subscription *candidate = &subscriptions[index];
        if (same_signal(candidate->signal, signal)) {
            entry = candidate;
            break;
        }
        if (candidate->signal.kind == ZC_SIGNAL_NONE && entry == NULL) {
            entry = candidate;
        }
    }
    if (entry == NULL) {
        return false;
    }
    entry->signal = signal;
    entry->period_ms = period_ms;
    entry->due_ms = zc_hal_millis();
    entry->level = signal.kind == ZC_SIGNAL_DIGITAL ? zc_hal_read(signal.index) : 0;
    return true;
}

uint8_t zc_unsubscribe(zc_signal signal)
{
    uint8_t index, count = 0;

    for (index = 0; index < ZC_SUBSCRIPTIONS; index++) {
        subscription *entry = &subscriptions[index];
        if (entry->signal.kind != ZC_SIGNAL_NONE &&
            (signal.kind == ZC_SIGNAL_NONE || same_signal(entry->signal, signal))) {
            entry->signal.kind = ZC_SIGNAL_NONE;
            count++;
        }
    }
    return count;
}

uint16_t zc_events_dropped(void)
{
    return dropped;
}

void zc_events_clear(void)
{
    zc_signal every = {ZC_SIGNAL_NONE, 0};

    (void)zc_unsubscribe(every);
    dropped = 0;
}

static void count_dropped(uint32_t count)
{
    uint32_t sum = dropped + count;

    dropped = sum > UINT16_MAX || sum < count ? UINT16_MAX : (uint16_t)sum;
}

static void send_sample(zc_rom_text event, zc_signal signal, uint32_t value, uint32_t now)
{
    zc_out_text(ZC_TEXT("{\"evt\":\""));
    zc_out_text(event);
    zc_out_text(ZC_TEXT("\",\"signal\":\""));
    if (signal.kind == ZC_SIGNAL_UPTIME) {
        zc_out_text(ZC_TEXT("uptime"));
    } else {
        zc_out_char((char)signal.kind);
        zc_out_unsigned(signal.index);
    }
    zc_out_text(ZC_TEXT("\",\"value\":"));
    zc_out_unsigned(value);
    zc_out_text(ZC_TEXT(",\"t\":"));
    zc_out_unsigned(now);
    zc_out_text(ZC_TEXT("}\n"));
}

static uint32_t signal_value(zc_signal signal, uint32_t now)
{
    switch (signal.kind) {
    case ZC_SIGNAL_ANALOG:
        return zc_hal_analog_read(signal.index);
    case ZC_SIGNAL_DIGITAL:
        return zc_hal_read(signal.index);
    default:
        return now;
    }
}

/* A change that finds no room stays unreported and is tried again at the next call. */
static void poll_change(subscription *entry, uint32_t now)
{
    uint8_t level = zc_hal_read(entry->signal.index);

    if (level == entry->level) {
        return;
    }
    if (zc_hal_put_free() < EVENT_SIZE_MAX) {
        return;
    }
    entry->level = level;
    send_sample(ZC_TEXT("change"), entry->signal, level, now);
}

/*
 * Returns whether a sample was sent. One that finds no room waits for it; when that takes longer than the period,
 * the samples in between are left out and the next one is due on the old grid again.
 */
static bool poll_period(subscription *entry, uint32_t now)
{
    uint32_t late_ms = now - entry->due_ms;

    if ((int32_t)late_ms < 0 || zc_hal_put_free() < EVENT_SIZE_MAX) {
        return false;
    }
    send_sample(ZC_TEXT("telemetry"), entry->signal, signal_value(entry->signal, now), now);
    entry->due_ms += entry->period_ms;
    if (late_ms >= entry->period_ms) {
        uint32_t missed = late_ms / entry->period_ms;
        count_dropped(missed);
        entry->due_ms += missed * entry->period_ms;
    }
    return true;
}

void zc_events_poll(uint32_t now)
{
    uint8_t count, index = next_turn;

    for (count = 0; count < ZC_SUBSCRIPTIONS; count++) {
        subscription *entry = &subscriptions[index];
        index = (uint8_t)((index + 1) % ZC_SUBSCRIPTIONS);
        if (entry->signal.kind == ZC_SIGNAL_NONE) {
            continue;
        }
        if (entry->signal.kind == ZC_SIGNAL_DIGITAL) {
            poll_change(entry, now);
        }
        if (entry->period_ms != 0 && poll_period(entry, now)) {
            next_turn = index; /* on a full line the others come first the next time */
        }
    }
}

void zc_event_boot(zc_rom_text reset_cause)
{
    zc_out_text(ZC_TEXT("{\"evt\":\"boot\",\"fw\":\""));
    zc_out_text(zc_firmware_name);
    zc_out_text(ZC_TEXT("\",\"version\":\""));
    zc_out_text(zc_firmware_version);
    zc_out_text(ZC_TEXT("\",\"reset\":\""));
    zc_out_text(reset_cause);
    zc_out_text(ZC_TEXT("\"}\n"));
}

void zc_event_host_lost(uint8_t stopped, uint32_t now)
{
    zc_out_text(ZC_TEXT("{\"evt\":\"host_lost\",\"stopped\":"));
    zc_out_unsigned(stopped);
    zc_out_text(ZC_TEXT(",\"t\":"));
    zc_out_unsigned(now);
    zc_out_text(ZC_TEXT("}\n"));
}
