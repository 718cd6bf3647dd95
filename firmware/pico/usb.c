/*
 * Serial port on USB: the RP2040's controller as a CDC ACM device (data sheet section 4.1, USB 2.0 chapter 9), polled.
 *
 * The controller answers the host with NAK by itself as long as a buffer is not handed over, so that a board that is
 * busy loses nothing.
 */
#include "board.h"
#include "usb_descriptors.h"
#include "zc_protocol.h"

#define EP0_BUFFER 0x100u /* places in the controller's RAM */
#define NOTIFY_BUFFER 0x180u
#define OUT_BUFFER 0x1C0u
#define IN_BUFFER 0x200u
#define BUFF_STATUS_IN(endpoint) (1u << ((endpoint) * 2))
#define BUFF_STATUS_OUT(endpoint) (1u << ((endpoint) * 2 + 1))
#define LINE_CODING_BYTES 7
#define TOUCH_BAUD 1200u /* opening the port with it asks for the boot loader, as with boards of Arduino */
#define TOUCH_DELAY_US 100000u

enum { GET_STATUS = 0, SET_ADDRESS = 5, GET_DESCRIPTOR = 6, GET_CONFIGURATION = 8, SET_CONFIGURATION = 9, GET_INTERFACE = 10 };
enum { SET_LINE_CODING = 0x20, GET_LINE_CODING = 0x21, SET_CONTROL_LINE_STATE = 0x22 };
enum { DEVICE = 1, CONFIGURATION = 2, TEXT = 3 };
enum { TYPE_MASK = 0x60, TYPE_STANDARD = 0x00, TYPE_CLASS = 0x20 };

typedef struct {
    uint8_t type, request, value_low, value_high, index_low, index_high, length_low, length_high;
} setup_packet;

static uint8_t reply[80]; /* what EP0 sends, in packets */
static uint16_t reply_left, reply_sent;
static bool reply_needs_end; /* an empty packet, because the last one was full and the host waits for more */
static uint32_t ep0_pid;

static uint8_t new_address;
static bool is_configured, is_port_open;
static bool awaits_line_coding;
static uint8_t line_coding[LINE_CODING_BYTES] = {0x00, 0xC2, 0x01, 0x00, 0, 0, 8}; /* 115200 8N1 */
static uint32_t in_pid, out_pid;
static bool is_sending, last_was_full;
static bool is_receiving; /* the host has a buffer for more */
static bool is_touched;
static uint32_t touched_us;

/* Section 4.1.2.5.1: the length first, the mark that hands the buffer over some cycles of the slower clock later. */
static void hand_over(uint8_t endpoint, bool in, uint32_t control)
{
    USB_BUFFER(endpoint, in) = control;
    board_wait_ns(100);
    USB_BUFFER(endpoint, in) = control | BUFFER_AVAILABLE;
}

static void copy_in(uint32_t place, const uint8_t *bytes, uint16_t count)
{
    uint16_t index;

    for (index = 0; index < count; index++) {
        USB_RAM[place + index] = bytes[index];
    }
}

static void send_reply_packet(void)
{
    uint16_t count = reply_left < PACKET_BYTES ? reply_left : PACKET_BYTES;

    copy_in(EP0_BUFFER, reply + reply_sent, count);
    reply_sent = (uint16_t)(reply_sent + count);
    reply_left = (uint16_t)(reply_left - count);
    if (count < PACKET_BYTES) {
        reply_needs_end = false;
    }
    hand_over(0, true, BUFFER_FULL | ep0_pid | count);
    ep0_pid ^= BUFFER_DATA1;
}

static void take_status_packet(void)
{
    hand_over(0, false, BUFFER_DATA1 | PACKET_BYTES);
}

static void acknowledge(void)
{
    reply_left = reply_sent = 0;
    reply_needs_end = false;
    hand_over(0, true, BUFFER_FULL | BUFFER_DATA1);
}

static void answer(const uint8_t *bytes, uint16_t count, const setup_packet *setup)
{
    uint16_t wanted = (uint16_t)(setup->length_low | setup->length_high << 8);
    uint16_t index;

    for (index = 0; index < count; index++) {
        reply[index] = bytes[index];
    }
    reply_left = count < wanted ? count : wanted;
    reply_needs_end = reply_left < wanted;
    reply_sent = 0;
    send_reply_packet();
}

static void refuse(void)
{
    USB_EP_STALL_ARM = 3;
    USB_BUFFER(0, true) = BUFFER_STALL;
    USB_BUFFER(0, false) = BUFFER_STALL;
}

/* A text descriptor: two bytes for each character. */
static void answer_text(const char *text, const setup_packet *setup)
{
    uint8_t bytes[66];
    uint8_t count = 2;

    for (; *text != '\0' && count < sizeof bytes; text++) {
        bytes[count++] = (uint8_t)*text;
        bytes[count++] = 0;
    }
    bytes[0] = count;
    bytes[1] = TEXT;
    answer(bytes, count, setup);
}

static void get_descriptor(const setup_packet *setup)
{
    if (setup->value_high == DEVICE) {
        answer(DEVICE_DESCRIPTOR, sizeof DEVICE_DESCRIPTOR, setup);
    } else if (setup->value_high == CONFIGURATION) {
        answer(CONFIGURATION_DESCRIPTOR, sizeof CONFIGURATION_DESCRIPTOR, setup);
    } else if (setup->value_high != TEXT) {
        refuse();
    } else if (setup->value_low == 0) {
        answer(LANGUAGES, sizeof LANGUAGES, setup);
    } else if (setup->value_low == 1) {
        answer_text(MAKER, setup);
    } else {
        answer_text(zc_board_name, setup);
    }
}

static void arm_data_endpoints(void)
{
    in_pid = 0;
    out_pid = 0;
    is_sending = false;
    last_was_full = false;
    USB_BUFFER(NOTIFY_ENDPOINT, true) = 0;
    USB_BUFFER(DATA_ENDPOINT, true) = 0;
    USB_BUFFER(DATA_ENDPOINT, false) = 0;
    USB_ENDPOINT(NOTIFY_ENDPOINT, true) =
        ENDPOINT_ENABLE | ENDPOINT_INTERRUPT | ENDPOINT_TYPE_INTERRUPT | NOTIFY_BUFFER;
    USB_ENDPOINT(DATA_ENDPOINT, true) = ENDPOINT_ENABLE | ENDPOINT_INTERRUPT | ENDPOINT_TYPE_BULK | IN_BUFFER;
    USB_ENDPOINT(DATA_ENDPOINT, false) = ENDPOINT_ENABLE | ENDPOINT_INTERRUPT | ENDPOINT_TYPE_BULK | OUT_BUFFER;
    is_receiving = false;
}

static void set_port_open(bool open)
{
    if (open != is_port_open) {
        is_port_open = open;
        serial_clear(); /* it was for the other line, or for nobody */
        if (open) {
            uart_stop();
            gpio_free_serial_pins();
        }
    }
}

static void standard_request(const setup_packet *setup)
{
    static const uint8_t ZEROS[2] = {0, 0};
    uint8_t number;

    switch (setup->request) {
    case GET_DESCRIPTOR:
        get_descriptor(setup);
        break;
    case SET_ADDRESS:
        new_address = setup->value_low;
        acknowledge();
        break;
    case SET_CONFIGURATION:
        is_configured = setup->value_low != 0;
        if (is_configured) {
            arm_data_endpoints();
        }
        acknowledge();
        break;
    case GET_CONFIGURATION:
        number = is_configured;
        answer(&number, 1, setup);
        break;
    case GET_STATUS:
        answer(ZEROS, 2, setup);
        break;
    case GET_INTERFACE:
        answer(ZEROS, 1, setup);
        break;
    default:
        if (setup->type & 0x80) {
            refuse();
        } else {
            acknowledge(); /* features and interfaces have one state only */
        }
    }
}

static void class_request(const setup_packet *setup)
{
    switch (setup->request) {
    case SET_LINE_CODING:
        awaits_line_coding = true;
        take_status_packet();
        break;
    case GET_LINE_CODING:
        answer(line_coding, sizeof line_coding, setup);
        break;
    case SET_CONTROL_LINE_STATE:
        set_port_open((setup->value_low & 1) != 0);
        acknowledge();
        break;
    default:
        if (setup->type & 0x80) {
            refuse();
        } else {
            acknowledge();
        }
    }
}

static void take_setup(void)
{
    setup_packet setup;
    uint8_t *bytes = (uint8_t *)&setup, index;

    for (index = 0; index < sizeof setup; index++) {
        bytes[index] = USB_RAM[index];
    }
    USB_SIE_STATUS = SIE_STATUS_SETUP_REC;
    awaits_line_coding = false;
    ep0_pid = BUFFER_DATA1;
    if ((setup.type & TYPE_MASK) == TYPE_STANDARD) {
        standard_request(&setup);
    } else if ((setup.type & TYPE_MASK) == TYPE_CLASS) {
        class_request(&setup);
    } else {
        refuse();
    }
}

static void control_sent(void)
{
    if (new_address != 0) { /* not before the host has the answer: section 9.4.6 of USB 2.0 */
        USB_ADDR_ENDP = new_address;
        new_address = 0;
    } else if (reply_left > 0 || reply_needs_end) {
        send_reply_packet();
    } else if (reply_sent > 0) {
        reply_sent = 0;
        take_status_packet();
    }
}

static void control_received(void)
{
    uint32_t baud;
    uint8_t index;

    if (!awaits_line_coding) {
        return;
    }
    awaits_line_coding = false;
    for (index = 0; index < LINE_CODING_BYTES; index++) {
        line_coding[index] = USB_RAM[EP0_BUFFER + index];
    }
    acknowledge();
    baud = (uint32_t)line_coding[0] | (uint32_t)line_coding[1] << 8 | (uint32_t)line_coding[2] << 16;
    is_touched = baud == TOUCH_BAUD;
    touched_us = board_micros();
}

static void take_data(void)
{
    uint16_t count = (uint16_t)(USB_BUFFER(DATA_ENDPOINT, false) & BUFFER_LENGTH), index;

    for (index = 0; index < count; index++) {
        serial_received((char)USB_RAM[OUT_BUFFER + index], true);
    }
    out_pid ^= BUFFER_DATA1;
    is_receiving = false;
}

/* The host gets no buffer for more as long as there is no room for it. */
static void offer_buffer(void)
{
    if (!is_receiving && serial_room() >= PACKET_BYTES) {
        is_receiving = true;
        hand_over(DATA_ENDPOINT, false, out_pid | PACKET_BYTES);
    }
}

static void send_data(void)
{
    uint8_t count = 0;
    char byte;

    while (count < PACKET_BYTES && serial_next(&byte)) {
        USB_RAM[IN_BUFFER + count++] = (uint8_t)byte;
    }
    if (count == 0 && !last_was_full) {
        return;
    }
    last_was_full = count == PACKET_BYTES; /* then an empty one tells that nothing more follows */
    is_sending = true;
    hand_over(DATA_ENDPOINT, true, BUFFER_FULL | in_pid | count);
    in_pid ^= BUFFER_DATA1;
}

static void take_buffers(void)
{
    uint32_t done = USB_BUFF_STATUS;

    USB_BUFF_STATUS = done;
    if (done & BUFF_STATUS_IN(0)) {
        control_sent();
    }
    if (done & BUFF_STATUS_OUT(0)) {
        control_received();
    }
    if (done & BUFF_STATUS_IN(DATA_ENDPOINT)) {
        is_sending = false;
    }
    if (done & BUFF_STATUS_OUT(DATA_ENDPOINT)) {
        take_data();
    }
}

void usb_poll(void)
{
    uint32_t status = USB_SIE_STATUS;

    if (status & SIE_STATUS_BUS_RESET) {
        USB_SIE_STATUS = SIE_STATUS_BUS_RESET;
        USB_ADDR_ENDP = 0;
        new_address = 0;
        is_configured = false;
        set_port_open(false);
    }
    if (status & SIE_STATUS_SETUP_REC) {
        take_setup();
    }
    if (USB_BUFF_STATUS != 0) {
        take_buffers();
    }
    if (is_configured) {
        offer_buffer();
        if (is_port_open && !is_sending) {
            send_data();
        }
    }
    if (is_touched && board_micros() - touched_us > TOUCH_DELAY_US) {
        (void)zc_hal_stop_all();
        restart_into_bootloader();
    }
}

bool usb_is_open(void)
{
    return is_port_open;
}

void usb_start(void)
{
    uint32_t place;

    for (place = 0; place < 4096; place += 4) {
        *(reg *)(0x50100000u + place) = 0;
    }
    USB_MUXING = 1u << 0 | 1u << 3; /* to the socket, by software */
    USB_PWR = 1u << 2 | 1u << 3;    /* the bus is taken to be powered */
    USB_MAIN_CTRL = 1;
    USB_SIE_CTRL = SIE_CTRL_EP0_INT_1BUF;
    USB_INTE = INT_BUFF_STATUS | INT_BUS_RESET | INT_SETUP_REQ; /* not enabled in the NVIC: it is polled */
    SET_BITS(USB_SIE_CTRL) = SIE_CTRL_PULLUP_EN;
}
