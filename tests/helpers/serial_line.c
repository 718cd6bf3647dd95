/*
 * Makes a pseudo terminal look like a serial port with modem lines and parity, for programs that insist on them:
 * loaded into them by LD_PRELOAD (see serial_line.py). Linux' pseudo terminals have neither (drivers/tty/pty.c).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>

#define LINES 256
#define PARITY (PARENB | PARODD)

static tcflag_t parity[LINES];
static int modem[LINES];

int tcsetattr(int line, int when, const struct termios *wanted)
{
    static int (*next)(int, int, const struct termios *);
    struct termios settings = *wanted;

    if (next == NULL) {
        next = dlsym(RTLD_NEXT, "tcsetattr");
    }
    if (line >= 0 && line < LINES) {
        parity[line] = settings.c_cflag & PARITY;
        settings.c_cflag &= ~(tcflag_t)PARITY;
    }
    return next(line, when, &settings);
}

int tcgetattr(int line, struct termios *settings)
{
    static int (*next)(int, struct termios *);
    int result;

    if (next == NULL) {
        next = dlsym(RTLD_NEXT, "tcgetattr");
    }
    result = next(line, settings);
    if (result == 0 && line >= 0 && line < LINES) {
        settings->c_cflag |= parity[line];
    }
    return result;
}

int ioctl(int line, unsigned long request, ...)
{
    static int (*next)(int, unsigned long, void *);
    va_list arguments;
    int *bits;

    if (next == NULL) {
        next = dlsym(RTLD_NEXT, "ioctl");
    }
    va_start(arguments, request);
    bits = va_arg(arguments, void *);
    va_end(arguments);
    if (line >= 0 && line < LINES) {
        switch (request) {
        case TIOCMGET:
            *bits = modem[line];
            return 0;
        case TIOCMSET:
            modem[line] = *bits;
            return 0;
        case TIOCMBIS:
            modem[line] |= *bits;
            return 0;
        case TIOCMBIC:
            modem[line] &= ~*bits;
            return 0;
        }
    }
    return next(line, request, bits);
}
