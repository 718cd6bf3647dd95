/* An ATmega2560 in simavr (GPL, linked into this test program only) under a clock that the test moves.
 *
 * simavr_mega IMAGE.bin; orders on stdin, one a line, each answered by any number of lines and "ok":
 *   recv HEX               bytes on the line, sent at 115200 baud
 *   tick MS                let time pass; "sent HEX" tells what came back, "left N" what is still to be received
 *   drive PORT BIT LEVEL   level at a pin
 *   analog CHANNEL MV      voltage at an analog input
 *   data ADDRESS COUNT     "data HEX" of the data memory
 */
#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES_PER_MS 16000
#define CYCLES_PER_BYTE 1389 /* of 115200 baud */

static avr_t *avr;
static unsigned char waiting[4096];
static size_t waiting_count;
static avr_cycle_count_t next_byte;

static void on_uart(struct avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq, (void)parameter;
    printf("sent %02x\n", value & 0xFF);
}

/* Sleeping must not take real time. */
static void no_sleep(avr_t *machine, avr_cycle_count_t cycles)
{
    (void)machine, (void)cycles;
}

static void feed(void)
{
    if (waiting_count > 0 && avr->cycle >= next_byte) {
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), waiting[0]);
        memmove(waiting, waiting + 1, --waiting_count);
        next_byte = avr->cycle + CYCLES_PER_BYTE;
    }
}

static void advance(unsigned milliseconds)
{
    avr_cycle_count_t end = avr->cycle + (avr_cycle_count_t)milliseconds * CYCLES_PER_MS;

    while (avr->cycle < end) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("crashed at %x\n", avr->pc);
            exit(1);
        }
        feed();
    }
    printf("left %zu\n", waiting_count);
}

static void receive(const char *hex)
{
    unsigned byte;

    for (; sscanf(hex, "%2x", &byte) == 1 && waiting_count < sizeof waiting; hex += 2) {
        waiting[waiting_count++] = (unsigned char)byte;
    }
}

static void show_data(unsigned address, unsigned count)
{
    printf("data ");
    for (; count-- > 0; address++) {
        /* Reading by the register's own function, as the program would: pins are not in the memory itself. */
        int index = (int)address - 32;
        int has_function = index >= 0 && index < MAX_IOs && avr->io[index].r.c != NULL;
        printf("%02x", has_function ? avr->io[index].r.c(avr, (avr_io_addr_t)address, avr->io[index].r.param)
                                    : avr->data[address]);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    char line[9000], port;
    unsigned first, second;
    uint32_t flags = 0;
    FILE *image;

    avr = argc == 2 ? avr_make_mcu_by_name("atmega2560") : NULL;
    image = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (avr == NULL || image == NULL) {
        return 2;
    }
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->frequency = 16000000;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = no_sleep;
    avr->codeend = (uint32_t)fread(avr->flash, 1, avr->flashend + 1, image);
    fclose(image);
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart, NULL);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "recv ", 5) == 0) {
            receive(line + 5);
        } else if (sscanf(line, "tick %u", &first) == 1) {
            advance(first);
        } else if (sscanf(line, "drive %c %u %u", &port, &first, &second) == 3) {
            avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), first), second);
        } else if (sscanf(line, "analog %u %u", &first, &second) == 2) {
            avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + first), second);
        } else if (sscanf(line, "data %x %u", &first, &second) == 2) {
            show_data(first, second);
        } else {
            return 3;
        }
        puts("ok");
        fflush(stdout);
    }
    return 0;
}
