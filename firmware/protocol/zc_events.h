/* Unsolicited lines: boot, telemetry, pin changes, host lost; and the table of subscriptions behind them. */
#ifndef ZC_EVENTS_H
#define ZC_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "zc_json.h"
#include "zc_rom.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ZC_SUBSCRIPTIONS
#define ZC_SUBSCRIPTIONS 8
#endif

#define ZC_PERIOD_MIN_MS 5
#define ZC_PERIOD_MAX_MS 3600000L

/* A signal: a digital pin, an analog channel or the clock. */
typedef enum { ZC_SIGNAL_NONE = 0, ZC_SIGNAL_DIGITAL = 'd', ZC_SIGNAL_ANALOG = 'a', ZC_SIGNAL_UPTIME = 'u' } zc_signal_kind;

typedef struct {
    uint8_t kind;  /* zc_signal_kind */
    uint8_t index; /* pin or channel */
} zc_signal;

/* The signal of a name such as "a0", "D2" or "uptime"; kind is ZC_SIGNAL_NONE for anything else. */
zc_signal zc_signal_by_name(zc_slice name);

/* The pin of a name such as "A0" or "D5", -1 for anything else. */
int16_t zc_pin_by_name(zc_slice name);

/* Start or change a subscription. period_ms 0: digital changes only. Returns false when the table is full. */
bool zc_subscribe(zc_signal signal, uint32_t period_ms);
/* End one; returns how many were ended. ZC_SIGNAL_NONE ends all. */
uint8_t zc_unsubscribe(zc_signal signal);

/* Samples left out since the start because the line was full; stays at 65535. */
uint16_t zc_events_dropped(void);

void zc_events_clear(void);
void zc_events_poll(uint32_t now);
void zc_event_boot(zc_rom_text reset_cause);
void zc_event_host_lost(uint8_t stopped, uint32_t now);

#ifdef __cplusplus
}
#endif

#endif
