/* Pins of a Nucleo-64 with STM32F401RE or STM32F411RE. A pin's number is 16 for each port and its place in the port. */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#define PIN_A(n) (n)
#define PIN_B(n) (16 + (n))
#define PIN_C(n) (32 + (n))
#define PIN_D(n) (48 + (n))

#define PIN_COUNT 51 /* to PD2 */
#define LED_PIN PIN_A(5)
#define SCL_PIN PIN_B(8) /* D15 and D14 of the Arduino header */
#define SDA_PIN PIN_B(9)
#define SCK_PIN PIN_A(5) /* D13, D12, D11 */
#define MISO_PIN PIN_A(6)
#define MOSI_PIN PIN_A(7)
#define TX_PIN PIN_A(2) /* USART2, which the ST-LINK passes on to USB */
#define RX_PIN PIN_A(3)
#define TONE_BY_OWN_TIMER 0
#define HARDWARE_WATCHDOG_MS 2000

#endif
