/* Runs a flash image on simavr (GPL, linked into this test program only) and prints what the outside sees.
 *
 * simavr_firmware IMAGE.bin CYCLES < SCRIPT
 * Script lines, ascending by cycle: "CYCLE uart BYTE", "CYCLE pin PIN LEVEL", "CYCLE adc CHANNEL MILLIVOLTS".
 * Prints "pin CYCLE PIN LEVEL" for changes of output pins and "uart CYCLE BYTE".
 */
#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static avr_t *avr;

/* simavr stamps with the cycle in which an instruction begins; two-cycle stores act in their second one. */
static unsigned long long access_cycle(void) {
    uint32_t pc = avr->pc;
    uint16_t word = (uint16_t)(avr->flash[pc] | avr->flash[pc + 1] << 8);
    int is_sbi_cbi = (word & 0xFD00) == 0x9800;
    int is_store = (word & 0xFE00) == 0x9200 || (word & 0xD200) == 0x8200;
    return avr->cycle + (is_sbi_cbi || is_store ? 1 : 0);
}

static avr_irq_t *pin_irq(int pin) {
    char port = pin < 8 ? 'D' : pin < 14 ? 'B' : 'C';
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin < 8 ? pin : pin < 14 ? pin - 8 : pin - 14);
}

static int last_level[20];

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *parameter) {
    int pin = (int)(long)parameter, level = value & 1;
    (void)irq;
    if (last_level[pin] == level) return;
    last_level[pin] = level;
    printf("pin %llu %d %d\n", access_cycle(), pin, level);
}

static void on_uart(struct avr_irq_t *irq, uint32_t value, void *parameter) {
    (void)irq, (void)parameter;
    printf("uart %llu %u\n", (unsigned long long)avr->cycle, value & 0xFF);
}

static void act(const char *kind, int first, int second) {
    if (strcmp(kind, "uart") == 0)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), (uint32_t)first);
    else if (strcmp(kind, "pin") == 0)
        avr_raise_irq(pin_irq(first), (uint32_t)second);
    else if (strcmp(kind, "adc") == 0)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + first), (uint32_t)second);
}

static void run_until(unsigned long long cycle) {
    while (avr->cycle < cycle) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("stopped %llu %d\n", (unsigned long long)avr->cycle, state);
            exit(0);
        }
    }
}

/* Sleeping must not take real time. */
static void no_sleep(avr_t *machine, avr_cycle_count_t cycles) { (void)machine, (void)cycles; }

static void connect(void) {
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart, NULL);
    for (int pin = 0; pin < 20; pin++) avr_irq_register_notify(pin_irq(pin), on_pin, (void *)(long)pin);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr) return 3;
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->frequency = 16000000;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = no_sleep;
    FILE *image = fopen(argv[1], "rb");
    if (!image) return 4;
    size_t size = fread(avr->flash, 1, 0x8000, image);
    fclose(image);
    avr->codeend = (uint32_t)size;
    connect();
    unsigned long long cycle;
    char kind[16];
    int first, second;
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        second = 0;
        if (sscanf(line, "%llu %15s %d %d", &cycle, kind, &first, &second) < 3) continue;
        run_until(cycle);
        act(kind, first, second);
    }
    run_until(strtoull(argv[2], NULL, 10));
    return 0;
}
