/*
 * What the board says of itself on USB: one serial port (CDC ACM). USB 2.0 section 9.6; CDC 1.2 and PSTN 1.2 sections 5.
 * The ids are those that Raspberry Pi gives to serial ports of programs on an RP2040.
 */
#ifndef USB_DESCRIPTORS_H
#define USB_DESCRIPTORS_H

#include <stdint.h>

#define PACKET_BYTES 64
#define NOTIFY_ENDPOINT 1
#define DATA_ENDPOINT 2
#define NOTIFY_BYTES 8

static const uint8_t DEVICE_DESCRIPTOR[18] = {
    18, 1,          /* device */
    0x00, 0x02,     /* USB 2.0 */
    0xEF, 0x02, 1,  /* functions are told by interface associations */
    PACKET_BYTES,
    0x8A, 0x2E,     /* vendor: Raspberry Pi */
    0x0A, 0x00,     /* product: serial port of a program */
    0x10, 0x01,     /* version 1.10 */
    1, 2, 0,        /* texts: maker, product, no serial number (see README.md) */
    1,              /* configurations */
};

static const uint8_t CONFIGURATION_DESCRIPTOR[75] = {
    9, 2, 75, 0, 2, 1, 0, 0x80, 50,             /* two interfaces, fed by the bus with 100 mA */
    8, 11, 0, 2, 2, 2, 0, 0,                    /* association: interfaces 0 and 1 are a serial port */
    9, 4, 0, 0, 1, 2, 2, 0, 0,                  /* interface 0: control */
    5, 0x24, 0x00, 0x10, 0x01,                  /* CDC 1.10 */
    5, 0x24, 0x01, 0, 1,                        /* calls are not managed; data on interface 1 */
    4, 0x24, 0x02, 2,                           /* line coding and line state are there */
    5, 0x24, 0x06, 0, 1,                        /* union of both interfaces */
    7, 5, 0x80 | NOTIFY_ENDPOINT, 3, NOTIFY_BYTES, 0, 16,
    9, 4, 1, 0, 2, 10, 0, 0, 0,                 /* interface 1: data */
    7, 5, DATA_ENDPOINT, 2, PACKET_BYTES, 0, 0,
    7, 5, 0x80 | DATA_ENDPOINT, 2, PACKET_BYTES, 0, 0,
};

static const uint8_t LANGUAGES[4] = {4, 3, 0x09, 0x04}; /* English */
static const char MAKER[] = "ZeroClaw";

#endif
