/* Lines, requests, replies and the host watchdog: see zc_protocol.h and SPEC.md. */
#include "zc_protocol.h"

#include <stddef.h>
#include <string.h>

#include "zc_events.h"

static char line[ZC_LINE_SIZE];
static uint16_t line_length;
static bool discarding; /* the rest of an over-long line is being thrown away */
static bool damaged;    /* bytes of this line were lost */

static uint32_t host_limit_ms;
static uint32_t host_heard_ms;
static bool host_lost;

static uint32_t polled_ms; /* the millisecond in which zc_poll did its work last */

void zc_reply_begin(const zc_request *request)
{
    zc_out_text(ZC_TEXT("{\"id\":"));
    if (request == NULL || request->id.text == NULL) {
        zc_out_text(ZC_TEXT("null"));
    } else {
        zc_out_slice(request->id);
    }
    zc_out_text(ZC_TEXT(",\"ok\":true,\"result\":"));
}

void zc_reply_end(void)
{
    zc_out_text(ZC_TEXT("}\n"));
}

void zc_reply_text(const zc_request *request, zc_rom_text text)
{
    zc_reply_begin(request);
    zc_out_char('"');
    zc_out_text(text);
    zc_out_char('"');
    zc_reply_end();
}

void zc_reply_number(const zc_request *request, uint32_t value)
{
    zc_reply_begin(request);
    zc_out_unsigned(value);
    zc_reply_end();
}

void zc_error_begin(const zc_request *request)
{
    zc_out_text(ZC_TEXT("{\"id\":"));
    if (request == NULL || request->id.text == NULL) {
        zc_out_text(ZC_TEXT("null"));
    } else {
        zc_out_slice(request->id);
    }
    zc_out_text(ZC_TEXT(",\"ok\":false,\"error\":\""));
}

void zc_error_end(zc_rom_text code)
{
    zc_out_text(ZC_TEXT("\",\"code\":\""));
    zc_out_text(code);
    zc_out_text(ZC_TEXT("\"}\n"));
}

void zc_error(const zc_request *request, zc_rom_text text, zc_rom_text code)
{
    zc_error_begin(request);
    zc_out_text(text);
    zc_error_end(code);
}

/* The value of an argument; ZC_JSON_ABSENT as well when args is missing. Duplicates were refused before. */
static zc_slice find_arg(const zc_request *request, zc_rom_text name)
{
    zc_slice value;

    (void)zc_json_member(request->args, name, &value);
    return value;
}

bool zc_has_arg(const zc_request *request, zc_rom_text name)
{
    return find_arg(request, name).text != NULL;
}

bool zc_arg(const zc_request *request, zc_rom_text name, zc_slice *value)
{
    bool once = zc_json_member(request->args, name, value);

    if (once && value->text != NULL) {
        return true;
    }
    zc_error_begin(request);
    zc_out_text(once ? ZC_TEXT("Missing ") : ZC_TEXT("Repeated "));
    zc_out_text(name);
    zc_error_end(ZC_BAD_REQUEST);
    return false;
}

bool zc_arg_number(const zc_request *request, zc_rom_text name, int32_t low, int32_t high, int32_t *value)
{
    zc_slice slice;
    zc_int_result result;

    if (!zc_arg(request, name, &slice)) {
        return false;
    }
    result = zc_json_int(slice, value);
    if (result == ZC_INT_OK && *value >= low && *value <= high) {
        return true;
    }
    zc_error_begin(request);
    zc_out_text(name);
    if (result == ZC_INT_NOT_INTEGER) {
        zc_out_text(ZC_TEXT(" must be an integer"));
    } else if (low + 1 == high) {
        zc_out_text(ZC_TEXT(" must be "));
        zc_out_unsigned((uint32_t)low);
        zc_out_text(ZC_TEXT(" or "));
        zc_out_unsigned((uint32_t)high);
    } else {
        zc_out_text(ZC_TEXT(" must be from "));
        zc_out_unsigned((uint32_t)low);
        zc_out_text(ZC_TEXT(" to "));
        zc_out_unsigned((uint32_t)high);
    }
    zc_error_end(ZC_BAD_VALUE);
    return false;
}

bool zc_arg_optional(const zc_request *request, zc_rom_text name, int32_t low, int32_t high, int32_t *value)
{
    return !zc_has_arg(request, name) || zc_arg_number(request, name, low, high, value);
}

bool zc_arg_bytes(const zc_request *request, zc_rom_text name, uint8_t *bytes, uint8_t limit, uint8_t *count)
{
    zc_slice slice;

    if (!zc_arg(request, name, &slice)) {
        return false;
    }
    if (zc_json_bytes(slice, bytes, limit, count) && *count > 0) {
        return true;
    }
    zc_error_begin(request);
    zc_out_text(name);
    zc_out_text(ZC_TEXT(" must be 1 to "));
    zc_out_unsigned(limit);
    zc_out_text(ZC_TEXT(" bytes"));
    zc_error_end(ZC_BAD_VALUE);
    return false;
}

void zc_error_pin(const zc_request *request, uint8_t pin, zc_rom_text text, zc_rom_text code)
{
    zc_error_begin(request);
    zc_out_text(ZC_TEXT("Pin "));
    zc_out_unsigned(pin);
    zc_out_text(text);
    zc_error_end(code);
}

bool zc_arg_pin(const zc_request *request, uint8_t *pin)
{
    return zc_arg_pin_named(request, ZC_TEXT("pin"), pin);
}

bool zc_arg_any_pin(const zc_request *request, zc_rom_text name, uint8_t *pin, zc_slice *written)
{
    int32_t number = -1;
    zc_json_kind kind;

    if (!zc_arg(request, name, written)) {
        return false;
    }
    kind = zc_json_kind_of(*written);
    if (kind == ZC_JSON_STRING) {
        number = zc_pin_by_name(*written);
        written->text++; /* without the quotes, for the error text */
        written->length = (uint16_t)(written->length - 2);
    } else if (zc_json_int(*written, &number) == ZC_INT_NOT_INTEGER) {
        zc_error_begin(request);
        zc_out_text(name);
        zc_out_text(ZC_TEXT(" must be an integer"));
        zc_error_end(ZC_BAD_VALUE);
        return false;
    }
    if (number < 0 || number >= zc_hal_pin_count()) {
        zc_error_begin(request);
        zc_out_text(ZC_TEXT("Invalid pin "));
        zc_out_slice(*written);
        zc_error_end(ZC_BAD_PIN);
        return false;
    }
    *pin = (uint8_t)number;
    return true;
}

void zc_error_reserved(const zc_request *request, uint8_t pin, zc_slice written)
{
    zc_error_begin(request);
    zc_out_text(ZC_TEXT("Invalid pin "));
    zc_out_slice(written);
    zc_out_text(ZC_TEXT(": "));
    zc_out_text(zc_hal_reserved_reason(pin));
    zc_error_end(ZC_BAD_PIN);
}

bool zc_arg_pin_named(const zc_request *request, zc_rom_text name, uint8_t *pin)
{
    zc_slice written;

    if (!zc_arg_any_pin(request, name, pin, &written)) {
        return false;
    }
    if (zc_hal_mode(*pin) == ZC_MODE_RESERVED) {
        zc_error_reserved(request, *pin, written);
        return false;
    }
    return true;
}

bool zc_check_output(const zc_request *request, uint8_t pin)
{
    if (zc_hal_can(pin, ZC_MODE_OUTPUT)) {
        return true;
    }
    zc_error_pin(request, pin, ZC_TEXT(" cannot be an output"), ZC_NO_SUPPORT);
    return false;
}

void zc_run_ping(const zc_request *request)
{
    zc_reply_text(request, ZC_TEXT("pong"));
}

void zc_run_stop_all(const zc_request *request)
{
    uint8_t stopped = zc_hal_stop_all();

    zc_reply_begin(request);
    zc_out_text(ZC_TEXT("{\"stopped\":"));
    zc_out_unsigned(stopped);
    zc_out_char('}');
    zc_reply_end();
}

/* Whether the request is complete; answers with an error when it is not. */
static bool read_request(zc_request *request, zc_slice *command)
{
    zc_slice root = zc_json_root(line);
    zc_json_kind kind;
    bool once;

    request->id.text = NULL;
    if (zc_json_kind_of(root) != ZC_JSON_OBJECT) {
        zc_error(NULL, ZC_TEXT("Request must be an object"), ZC_BAD_REQUEST);
        return false;
    }
    once = zc_json_member(root, ZC_TEXT("id"), &request->id);
    kind = zc_json_kind_of(request->id);
    if (!once || kind == ZC_JSON_BOOL || kind == ZC_JSON_ARRAY || kind == ZC_JSON_OBJECT) {
        zc_error(NULL, ZC_TEXT("id must be one string or number"), ZC_BAD_REQUEST);
        return false;
    }
    once = zc_json_member(root, ZC_TEXT("cmd"), command);
    if (!once || zc_json_kind_of(*command) != ZC_JSON_STRING) {
        zc_error(request, ZC_TEXT("cmd must be one string"), ZC_BAD_REQUEST);
        return false;
    }
    once = zc_json_member(root, ZC_TEXT("args"), &request->args);
    kind = zc_json_kind_of(request->args);
    if (!once || (kind != ZC_JSON_ABSENT && kind != ZC_JSON_NULL && kind != ZC_JSON_OBJECT)) {
        zc_error(request, ZC_TEXT("args must be one object"), ZC_BAD_REQUEST);
        return false;
    }
    return true;
}

static void run_command(const zc_request *request, zc_slice name)
{
    uint8_t index;

    for (index = 0; index < zc_command_count; index++) {
        zc_command command;
        if (zc_json_equals(name, zc_commands[index].name)) {
            zc_rom_copy(&command, &zc_commands[index], sizeof command);
            command.run(request);
            return;
        }
    }
    zc_error(request, ZC_TEXT("Unknown command"), ZC_NO_COMMAND);
}

static void handle_line(void)
{
    zc_request request;
    zc_slice command;

    line[line_length] = '\0';
    if (damaged) {
        zc_error(NULL, ZC_TEXT("Bytes of the line were lost"), ZC_LINE_LOST);
    } else if (!zc_json_valid(line)) {
        zc_error(NULL, ZC_TEXT("Bad JSON"), ZC_BAD_JSON);
    } else if (read_request(&request, &command)) {
        host_heard_ms = zc_hal_millis();
        host_lost = false;
        run_command(&request, command);
    }
}

static bool line_is_blank(void)
{
    uint16_t index;

    for (index = 0; index < line_length; index++) {
        if (line[index] != ' ' && line[index] != '\t') {
            return false;
        }
    }
    return !damaged;
}

void zc_receive(char byte)
{
    if (byte == '\n' || byte == '\r') {
        if (!discarding && !line_is_blank()) {
            handle_line();
        }
        line_length = 0;
        discarding = false;
        damaged = false;
    } else if (discarding) {
        return;
    } else if (byte == ZC_LOST_BYTE) {
        damaged = true;
    } else if (line_length < ZC_LINE_SIZE - 1) {
        line[line_length++] = byte;
    } else {
        discarding = true;
        zc_error_begin(NULL);
        zc_out_text(ZC_TEXT("Line longer than "));
        zc_out_unsigned(ZC_LINE_SIZE - 1);
        zc_out_text(ZC_TEXT(" bytes"));
        zc_error_end(ZC_LINE_LONG);
    }
}

void zc_host_watchdog_set(uint32_t milliseconds)
{
    host_limit_ms = milliseconds;
}

uint32_t zc_host_watchdog(void)
{
    return host_limit_ms;
}

void zc_poll(void)
{
    uint32_t now = zc_hal_millis();

    if (now == polled_ms) {
        return;
    }
    polled_ms = now;
    if (host_limit_ms != 0 && !host_lost && now - host_heard_ms >= host_limit_ms) {
        uint8_t stopped = zc_hal_stop_all();
        host_lost = true;
        zc_event_host_lost(stopped, now);
    }
    zc_motor_poll(now);
    zc_events_poll(now);
}

void zc_start(zc_rom_text reset_cause)
{
    line_length = 0;
    discarding = false;
    damaged = false;
    host_limit_ms = 0;
    host_lost = false;
    polled_ms = zc_hal_millis();
    zc_events_clear();
    zc_event_boot(reset_cause);
}
