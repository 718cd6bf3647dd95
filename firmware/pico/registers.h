/* The registers of the RP2040 that are used here, after its data sheet. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

typedef volatile uint32_t reg;

/* Section 2.1.2: the same register at these distances takes a write as "set these bits" and "clear these bits". */
#define SET_BITS(target) (*(reg *)((uintptr_t)&(target) + 0x2000u))
#define CLEAR_BITS(target) (*(reg *)((uintptr_t)&(target) + 0x3000u))

#define RESETS_RESET (*(reg *)0x4000C000u) /* section 2.14 */
#define RESETS_DONE (*(reg *)0x4000C008u)
#define RESET_ADC (1u << 0)
#define RESET_IO_BANK0 (1u << 5)
#define RESET_PADS_BANK0 (1u << 8)
#define RESET_PLL_SYS (1u << 12)
#define RESET_PLL_USB (1u << 13)
#define RESET_PWM (1u << 14)
#define RESET_TIMER (1u << 21)
#define RESET_UART0 (1u << 22)
#define RESET_USB (1u << 24)

#define XOSC_CTRL (*(reg *)0x40024000u) /* section 2.16 */
#define XOSC_STATUS (*(reg *)0x40024004u)
#define XOSC_STARTUP (*(reg *)0x4002400Cu)

typedef struct { /* section 2.18 */
    reg CS, PWR, FBDIV, PRIM;
} pll_block;
#define PLL_SYS ((pll_block *)0x40028000u)
#define PLL_USB ((pll_block *)0x4002C000u)

typedef struct { /* section 2.15 */
    reg CTRL, DIV, SELECTED;
} clock_block;
#define CLOCK(number) ((clock_block *)(0x40008000u + 12u * (number)))
#define CLOCK_REF CLOCK(4)
#define CLOCK_SYS CLOCK(5)
#define CLOCK_PERI CLOCK(6)
#define CLOCK_USB CLOCK(7)
#define CLOCK_ADC CLOCK(8)
#define CLOCK_ENABLE (1u << 11)

typedef struct { /* section 2.19.6 */
    reg STATUS, CTRL;
} io_block;
#define IO(pin) ((io_block *)(0x40014000u + 8u * (pin)))
#define IO_INTR(pin) (*(reg *)(0x400140F0u + (pin) / 8u * 4u))
#define IO_INTE(pin) (*(reg *)(0x40014100u + (pin) / 8u * 4u))
#define PAD(pin) (*(reg *)(0x4001C004u + 4u * (pin)))

#define SIO_GPIO_IN (*(reg *)0xD0000004u) /* section 2.3.1.7 */
#define SIO_GPIO_OUT (*(reg *)0xD0000010u)
#define SIO_GPIO_OUT_SET (*(reg *)0xD0000014u)
#define SIO_GPIO_OUT_CLR (*(reg *)0xD0000018u)
#define SIO_GPIO_OE_SET (*(reg *)0xD0000024u)
#define SIO_GPIO_OE_CLR (*(reg *)0xD0000028u)

typedef struct { /* section 4.5.3 */
    reg CSR, DIV, CTR, CC, TOP;
} pwm_block;
#define PWM(slice) ((pwm_block *)(0x40050000u + 0x14u * (slice)))

#define ADC_CS (*(reg *)0x4004C000u) /* section 4.9.6 */
#define ADC_RESULT (*(reg *)0x4004C004u)
#define ADC_CS_EN (1u << 0)
#define ADC_CS_START_ONCE (1u << 2)
#define ADC_CS_READY (1u << 8)

typedef struct { /* section 4.2.8 */
    reg DR, RSR, reserved[4], FR, reserved2, ILPR, IBRD, FBRD, LCR_H, CR, IFLS, IMSC, RIS, MIS, ICR;
} uart_block;
#define UART0 ((uart_block *)0x40034000u)
#define UART_FR_BUSY (1u << 3)
#define UART_FR_RXFE (1u << 4)
#define UART_FR_TXFF (1u << 5)
#define UART_DR_FAULT (7u << 8) /* framing, parity, break */
#define UART_DR_OVERRUN (1u << 11)
#define UART_INT_RX (1u << 4)
#define UART_INT_RX_TIMEOUT (1u << 6)

#define TIMER_ALARM0 (*(reg *)0x40054010u) /* section 4.6.5 */
#define TIMER_RAWL (*(reg *)0x40054028u)
#define TIMER_INTR (*(reg *)0x40054034u)
#define TIMER_INTE (*(reg *)0x40054038u)

#define WATCHDOG_CTRL (*(reg *)0x40058000u) /* section 4.7.6 */
#define WATCHDOG_LOAD (*(reg *)0x40058004u)
#define WATCHDOG_REASON (*(reg *)0x40058008u)
#define WATCHDOG_SCRATCH0 (*(reg *)0x4005800Cu)
#define WATCHDOG_TICK (*(reg *)0x4005802Cu)
#define PSM_WDSEL (*(reg *)0x40010008u)    /* section 2.13 */
#define CHIP_RESET (*(reg *)0x40064008u)   /* section 2.10.6 */

#define NVIC_ISER (*(reg *)0xE000E100u) /* ARMv6-M manual, section B3.4 */

#define IRQ_TIMER0 0
#define IRQ_IO_BANK0 13
#define IRQ_UART0 20

/* USB device controller, section 4.1.3 */
#define USB_ADDR_ENDP (*(reg *)0x50110000u)
#define USB_MAIN_CTRL (*(reg *)0x50110040u)
#define USB_SIE_CTRL (*(reg *)0x5011004Cu)
#define USB_SIE_STATUS (*(reg *)0x50110050u)
#define USB_BUFF_STATUS (*(reg *)0x50110058u)
#define USB_EP_STALL_ARM (*(reg *)0x50110068u)
#define USB_MUXING (*(reg *)0x50110074u)
#define USB_PWR (*(reg *)0x50110078u)
#define USB_INTE (*(reg *)0x50110090u)
#define SIE_CTRL_PULLUP_EN (1u << 16)
#define SIE_CTRL_EP0_INT_1BUF (1u << 29)
#define SIE_STATUS_SETUP_REC (1u << 17)
#define SIE_STATUS_BUS_RESET (1u << 19)
#define INT_BUFF_STATUS (1u << 4)
#define INT_BUS_RESET (1u << 12)
#define INT_SETUP_REQ (1u << 16)

#define USB_RAM ((volatile uint8_t *)0x50100000u)
/* Control and buffer words; `in` is 1 for what goes to the host. Table 391 and the following. */
#define USB_ENDPOINT(number, in) (*(reg *)(0x50100000u + (number) * 8u + ((in) ? 0u : 4u)))
#define USB_BUFFER(number, in) (*(reg *)(0x50100080u + (number) * 8u + ((in) ? 0u : 4u)))
#define BUFFER_LENGTH 0x3FFu
#define BUFFER_AVAILABLE (1u << 10)
#define BUFFER_STALL (1u << 11)
#define BUFFER_DATA1 (1u << 13)
#define BUFFER_FULL (1u << 15)
#define ENDPOINT_ENABLE (1u << 31)
#define ENDPOINT_INTERRUPT (1u << 29)
#define ENDPOINT_TYPE_BULK (2u << 26)
#define ENDPOINT_TYPE_INTERRUPT (3u << 26)

#endif
