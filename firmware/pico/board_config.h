/* Pins of a Raspberry Pi Pico or Pico W, GP0 to GP29; some of them belong to the board itself. */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#define PIN_COUNT 30
#if HAS_RADIO
#define LED_PIN ZC_NO_PIN /* the LED hangs on the radio chip */
#else
#define LED_PIN 25
#endif
#define USB_POWER_PIN 24    /* high while USB gives power; on the Pico W, 23 to 25 and 29 belong to the radio */
#define SUPPLY_PIN 29       /* a third of the supply voltage */
#define TX_PIN 0
#define RX_PIN 1
#define SDA_PIN 4
#define SCL_PIN 5
#define MISO_PIN 16
#define SCK_PIN 18
#define MOSI_PIN 19
#define TONE_BY_OWN_TIMER 1
#define HARDWARE_WATCHDOG_MS 2000

#endif
