/* Pins of the boards with Espressif's chips; the same numbers as GPIO numbers. */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#ifdef ESP8266

#define BOARD_NAME "esp8266"
#define PIN_COUNT 18 /* 17 is A0, which can do nothing else */
#define LED_PIN 2
#define TX_PIN 1
#define RX_PIN 3
#define SDA_PIN 4
#define SCL_PIN 5
#define MISO_PIN 12
#define MOSI_PIN 13
#define SCK_PIN 14

#else

#include "sdkconfig.h"

#if CONFIG_IDF_TARGET_ESP32
#define BOARD_NAME "esp32"
#define PIN_COUNT 40
#define LED_PIN 2
#define TX_PIN 1
#define RX_PIN 3
#define SDA_PIN 21
#define SCL_PIN 22
#define MISO_PIN 19
#define MOSI_PIN 23
#define SCK_PIN 18
#elif CONFIG_IDF_TARGET_ESP32S2
#define BOARD_NAME "esp32-s2"
#define PIN_COUNT 47
#define LED_PIN ZC_NO_PIN /* a WS2812, which takes data and no level; so on the chips below */
#define TX_PIN 43
#define RX_PIN 44
#define SDA_PIN 8
#define SCL_PIN 9
#define MISO_PIN 37
#define MOSI_PIN 35
#define SCK_PIN 36
#elif CONFIG_IDF_TARGET_ESP32S3
#define BOARD_NAME "esp32-s3"
#define PIN_COUNT 49
#define LED_PIN ZC_NO_PIN
#define TX_PIN 43
#define RX_PIN 44
#define SDA_PIN 8
#define SCL_PIN 9
#define MISO_PIN 13
#define MOSI_PIN 11
#define SCK_PIN 12
#elif CONFIG_IDF_TARGET_ESP32C3
#define BOARD_NAME "esp32-c3"
#define PIN_COUNT 22
#define LED_PIN ZC_NO_PIN
#define TX_PIN 21
#define RX_PIN 20
#define SDA_PIN 8
#define SCL_PIN 9
#define MISO_PIN 5
#define MOSI_PIN 6
#define SCK_PIN 4
#elif CONFIG_IDF_TARGET_ESP32C6
#define BOARD_NAME "esp32-c6"
#define PIN_COUNT 24
#define LED_PIN ZC_NO_PIN
#define TX_PIN 16
#define RX_PIN 17
#define SDA_PIN 23
#define SCL_PIN 22
#define MISO_PIN 20
#define MOSI_PIN 19
#define SCK_PIN 21
#else
#error "This chip is not known here: give its pins in board_config.h and board_pins.cpp."
#endif

#endif

#endif
