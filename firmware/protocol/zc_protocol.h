/*
 * ZeroClaw board protocol, portable core: lines in, replies out. The wire format is written down in SPEC.md.
 *
 * A firmware gives a command table (zc_commands, the standard one is in zc_commands.c), feeds every received byte
 * to zc_receive() and calls zc_poll() from its main loop. C99; needs <string.h> and <stdint.h> only.
 */
#ifndef ZC_PROTOCOL_H
#define ZC_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "zc_hal.h"
#include "zc_json.h"
#include "zc_output.h"
#include "zc_rom.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ZC_PROTOCOL_VERSION 1

#ifndef ZC_LINE_SIZE
#define ZC_LINE_SIZE 256 /* line buffer: 255 characters and the closing NUL */
#endif

/* Byte that stands for received bytes that were lost (buffer overrun, framing error); it spoils its line. */
#define ZC_LOST_BYTE '\0'

typedef struct {
    zc_slice id;   /* raw JSON value, echoed as it came */
    zc_slice args; /* object, or absent */
} zc_request;

typedef struct {
    char name[14];
    void (*run)(const zc_request *request);
} zc_command;

/* The firmware's commands, in the order in which capabilities lists them; count in zc_command_count. */
extern const zc_command zc_commands[] ZC_ROM;
extern const uint8_t zc_command_count;

/* Error codes are part of the protocol: see the table in SPEC.md. */
#define ZC_BAD_JSON ZC_TEXT("bad_json")
#define ZC_BAD_REQUEST ZC_TEXT("bad_request")
#define ZC_BAD_PIN ZC_TEXT("bad_pin")
#define ZC_BAD_VALUE ZC_TEXT("bad_value")
#define ZC_LINE_LOST ZC_TEXT("line_damaged")
#define ZC_LINE_LONG ZC_TEXT("line_too_long")
#define ZC_NO_COMMAND ZC_TEXT("unknown_command")
#define ZC_NO_SUPPORT ZC_TEXT("unsupported")
#define ZC_IN_CONFLICT ZC_TEXT("conflict")
#define ZC_FULL ZC_TEXT("full")
#define ZC_CODE_NO_DEVICE ZC_TEXT("no_device")
#define ZC_CODE_NO_ACK ZC_TEXT("no_ack")
#define ZC_CODE_BUS_FAULT ZC_TEXT("bus_fault")

/* Send the boot event. reset_cause: power, external, brownout, watchdog, command or unknown. */
void zc_start(zc_rom_text reset_cause);
/* Take one byte from the line; answers when it ends a request. */
void zc_receive(char byte);
/* Do what is due by the clock: telemetry, change events, host watchdog. Call it at least every millisecond. */
void zc_poll(void);

/* For command functions: each request is answered exactly once. */
void zc_reply_begin(const zc_request *request); /* then write one JSON value */
void zc_reply_end(void);
void zc_reply_text(const zc_request *request, zc_rom_text text);
void zc_reply_number(const zc_request *request, uint32_t value);
void zc_error_begin(const zc_request *request); /* then write the text of the error */
void zc_error_end(zc_rom_text code);
void zc_error(const zc_request *request, zc_rom_text text, zc_rom_text code);

/*
 * Arguments. Each returns false after it has answered with an error.
 * zc_arg_number: integer from low to high. zc_has_arg: whether it is there at all.
 */
bool zc_has_arg(const zc_request *request, zc_rom_text name);
bool zc_arg(const zc_request *request, zc_rom_text name, zc_slice *value);
bool zc_arg_number(const zc_request *request, zc_rom_text name, int32_t low, int32_t high, int32_t *value);
/* As zc_arg_number; *value stays as it was when the argument is missing. */
bool zc_arg_optional(const zc_request *request, zc_rom_text name, int32_t low, int32_t high, int32_t *value);
/* Error "Invalid pin 1: serial line". */
void zc_error_reserved(const zc_request *request, uint8_t pin, zc_slice written);
/* "pin": a number, or a name such as "A0" or "D5"; refuses unknown and reserved pins. */
bool zc_arg_pin(const zc_request *request, uint8_t *pin);
/* The same without a refusal of reserved pins. */
bool zc_arg_any_pin(const zc_request *request, zc_rom_text name, uint8_t *pin, zc_slice *written);
/* As zc_arg_pin for an argument of another name. */
bool zc_arg_pin_named(const zc_request *request, zc_rom_text name, uint8_t *pin);
/* Bytes as zc_json_bytes reads them, from 1 to limit of them. */
bool zc_arg_bytes(const zc_request *request, zc_rom_text name, uint8_t *bytes, uint8_t limit, uint8_t *count);

/* Whether a pin can be an output; answers with an error when not. */
bool zc_check_output(const zc_request *request, uint8_t pin);

/* Error "Pin 4 has no PWM": the pin's number between "Pin " and the text. */
void zc_error_pin(const zc_request *request, uint8_t pin, zc_rom_text text, zc_rom_text code);

/* Answer for commands whose firmware-wide meaning is fixed. */
void zc_run_ping(const zc_request *request);
void zc_run_capabilities(const zc_request *request);
void zc_run_stop_all(const zc_request *request);

/* Commands of zc_bus.c and zc_motor.c. */
void zc_run_i2c_scan(const zc_request *request);
void zc_run_i2c_read(const zc_request *request);
void zc_run_i2c_write(const zc_request *request);
void zc_run_spi_transfer(const zc_request *request);
void zc_run_uart_write(const zc_request *request);
void zc_run_uart_read(const zc_request *request);
void zc_run_motor_start(const zc_request *request);
void zc_run_motor_stop(const zc_request *request);

/* Move the ramps on; called by zc_poll. Does nothing in a firmware without zc_motor.c. */
void zc_motor_poll(uint32_t now);

/* Host watchdog: 0 turns it off. */
void zc_host_watchdog_set(uint32_t milliseconds);
uint32_t zc_host_watchdog(void);

#ifdef __cplusplus
}
#endif

#endif
