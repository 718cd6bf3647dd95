/*
 * Makes a pseudo terminal look like a serial port with modem lines and parity, for programs that insist on them:
 * loaded into them by LD_PRELOAD (see serial_line.py). Linux' pseudo terminals have neither (drivers/tty/pty.c).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

#define LINES 256
#define RAISED (TIOCM_DTR | TIOCM_RTS)
#define PARITY (PARENB | PARODD)

static tcflag_t parity[LINES];
static int lowered[LINES]; /* of DTR and RTS: opening a port raises both (tty_port_raise_dtr_rts in drivers/tty) */

/* Adds a state of the lines, "11" for DTR and RTS raised, to the file that SERIAL_LINE_STATES names. */
static void note(int line)
{
    const char *path = getenv("SERIAL_LINE_STATES");
    FILE *states = path == NULL ? NULL : fopen(path, "a");

    if (states != NULL) {
        fprintf(states, "%d%d\n", !(lowered[line] & TIOCM_DTR), !(lowered[line] & TIOCM_RTS));
        fclose(states);
    }
}

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
            *bits = RAISED & ~lowered[line];
            return 0;
        case TIOCMSET:
            lowered[line] = RAISED & ~*bits;
            note(line);
            return 0;
        case TIOCMBIS:
            lowered[line] &= ~*bits;
            note(line);
            return 0;
        case TIOCMBIC:
            lowered[line] |= RAISED & *bits;
            note(line);
            return 0;
        }
    }
    return next(line, request, bits);
}
