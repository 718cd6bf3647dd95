/*
 * An Arduino Uno in simavr for the firmware tests: serial line on a pseudo terminal, pins and ADC on stdin/stdout.
 *
 * simavr_uno [--mega] IMAGE.hex... [--boot] : loads the images, starts at the boot loader with --boot, else at 0.
 * --mega, as the first word, makes it an Arduino Mega 2560, for its serial line and flash only.
 * Prints "port PATH" once, then "pin NUMBER LEVEL CYCLE" for every change of an output pin.
 * Reads "adc CHANNEL MILLIVOLTS", "pin NUMBER LEVEL" (drive an input), "reset" from stdin; ends with stdin.
 * Opening the terminal resets the board, as the DTR line of a real Uno does. Runs in real time.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define SLICE_CYCLES 16000 /* 1 ms */
#define LOADER_START 0x7E00
#define MEGA_LOADER_START 0x3E000

static avr_t *avr;
static int master = -1;
static int uart_ready = 1;
static char outgoing[65536];
static int outgoing_length;

static void load_hex(const char *path)
{
    char text[600];
    unsigned base = 0;
    FILE *file = fopen(path, "r");

    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while (fgets(text, sizeof text, file)) {
        unsigned count, address, type, byte, index;
        if (sscanf(text, ":%2x%4x%2x", &count, &address, &type) != 3) {
            continue;
        }
        if (type == 2) {
            sscanf(text + 9, "%4x", &base);
            base <<= 4;
        }
        if (type != 0) {
            continue;
        }
        for (index = 0; index < count; index++) {
            sscanf(text + 9 + 2 * index, "%2x", &byte);
            avr->flash[base + address + index] = (uint8_t)byte;
        }
    }
    fclose(file);
}

static void external_reset(void)
{
    avr_reset(avr);
    avr_regbit_set(avr, avr->reset_flags.extrf);
    avr->state = cpu_Running;
}

static void on_uart_output(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    if (outgoing_length < (int)sizeof outgoing) {
        outgoing[outgoing_length++] = (char)value;
    }
}

static void on_uart_ready(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    uart_ready = (int)(long)param;
}

static avr_irq_t *pin_irq(int pin)
{
    char port = pin < 8 ? 'D' : pin < 14 ? 'B' : 'C';
    int bit = pin < 8 ? pin : pin < 14 ? pin - 8 : pin - 14;

    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
}

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    printf("pin %d %u %llu\n", (int)(long)param, value & 1, (unsigned long long)avr->cycle);
}

static void connect_board(void)
{
    uint32_t flags = 0;
    int pin;

    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart_output, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_uart_ready, (void *)1L);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_uart_ready, (void *)0L);
    for (pin = 2; pin < 20; pin++) {
        avr_irq_register_notify(pin_irq(pin), on_pin, (void *)(long)pin);
    }
}

static void handle_order(const char *order)
{
    int number, value;

    if (sscanf(order, "adc %d %d", &number, &value) == 2) {
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + number), (uint32_t)value);
    } else if (sscanf(order, "pin %d %d", &number, &value) == 2) {
        avr_raise_irq(pin_irq(number), (uint32_t)value);
    } else if (strncmp(order, "reset", 5) == 0) {
        external_reset();
    }
}

static void read_orders(void)
{
    static char text[4096];
    static size_t length;
    struct pollfd waiting = {0, POLLIN, 0};
    char *end;

    if (poll(&waiting, 1, 0) <= 0) {
        return;
    }
    ssize_t count = read(0, text + length, sizeof text - 1 - length);
    if (count <= 0) {
        exit(0);
    }
    length += (size_t)count;
    text[length] = '\0';
    while ((end = strchr(text, '\n')) != NULL) {
        *end = '\0';
        handle_order(text);
        length -= (size_t)(end + 1 - text);
        memmove(text, end + 1, length + 1);
    }
}

static void exchange_serial(void)
{
    static char incoming[4096];
    static int incoming_length, incoming_at;

    if (incoming_at == incoming_length) {
        ssize_t count = read(master, incoming, sizeof incoming);
        incoming_at = 0;
        incoming_length = count > 0 ? (int)count : 0;
    }
    while (incoming_at < incoming_length && uart_ready) {
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), (uint8_t)incoming[incoming_at++]);
    }
    if (outgoing_length > 0) {
        ssize_t count = write(master, outgoing, (size_t)outgoing_length);
        if (count > 0) {
            outgoing_length -= (int)count;
            memmove(outgoing, outgoing + count, (size_t)outgoing_length);
        } else {
            outgoing_length = 0; /* nobody reads */
        }
    }
}

static void never_sleep(avr_t *simulated, avr_cycle_count_t cycles)
{
    (void)simulated;
    (void)cycles;
}

static int open_terminal(void)
{
    struct termios settings;
    int notifier = inotify_init1(IN_NONBLOCK);
    int slave;

    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    grantpt(master);
    unlockpt(master);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY); /* stays open, so that the settings stay */
    tcgetattr(slave, &settings);
    cfmakeraw(&settings);
    tcsetattr(slave, TCSANOW, &settings);
    inotify_add_watch(notifier, ptsname(master), IN_OPEN);
    printf("port %s\n", ptsname(master));
    return notifier;
}

static void pace(struct timespec *next)
{
    next->tv_nsec += 1000000;
    if (next->tv_nsec >= 1000000000) {
        next->tv_nsec -= 1000000000;
        next->tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

int main(int count, char **arguments)
{
    char events[4096];
    struct timespec next;
    int index, notifier;
    int mega = count > 1 && strcmp(arguments[1], "--mega") == 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    avr = avr_make_mcu_by_name(mega ? "atmega2560" : "atmega328p");
    avr_init(avr);
    avr->frequency = 16000000;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = never_sleep;
    avr->log = LOG_NONE;
    memset(avr->flash, 0xFF, avr->flashend + 1);
    for (index = 1 + mega; index < count; index++) {
        if (strcmp(arguments[index], "--boot") == 0) {
            avr->reset_pc = mega ? MEGA_LOADER_START : LOADER_START;
        } else {
            load_hex(arguments[index]);
        }
    }
    avr->codeend = avr->flashend;
    connect_board();
    external_reset();
    notifier = open_terminal();
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) {
        avr_cycle_count_t until = avr->cycle + SLICE_CYCLES;
        if (read(notifier, events, sizeof events) > 0) {
            external_reset();
        }
        read_orders();
        exchange_serial();
        while (avr->cycle < until) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                printf("crashed at %x\n", avr->pc);
                return 1;
            }
        }
        pace(&next);
    }
}
