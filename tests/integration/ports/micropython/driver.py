"""The firmware under a clock that the test moves; orders: see tests/unit/firmware/host_board.c."""

import sys

import machine
import zc_board
from zc_commands import Board

sent = bytearray()
time_ms = 0
board = None


def start(cause):
    """Start anew."""
    global board, time_ms
    time_ms = 0
    machine.pins.clear()
    machine.analog.clear()
    machine.attach_devices()
    machine.mosi, machine.miso = zc_board.SPI["out"], zc_board.SPI["in"]
    board = Board(sent.extend, zc_board, lambda: time_ms, machine.reset)
    board.start(cause)


def receive(data):
    """Bytes from the line."""
    for byte in data:
        board.receive(byte)
        if machine.resets:
            machine.resets = 0
            start("command")


def advance(milliseconds):
    """Let time pass."""
    global time_ms
    for _ in range(milliseconds):
        time_ms += 1
        board.poll()


def show_pins():
    """State of each pin, as the firmware has it and as it is."""
    letters = {
        (machine.Pin.IN, None): "i",
        (machine.Pin.IN, machine.Pin.PULL_UP): "u",
        (machine.Pin.OUT, None): "o",
    }
    for pin in zc_board.GPIO:
        mode = board.pins.mode(pin)
        found, _, pull, _, timer = machine.pins[pin]
        value = 0
        if timer is None:
            assert mode == letters[found, pull], (pin, mode, found, pull)
        elif mode == "p":
            value = timer.duty // 257
            assert timer.hertz == 1000
        elif mode == "s":
            value = timer.duty // 1000
            assert timer.hertz == 50
        else:
            value = timer.hertz
            assert mode == "t"
        print("pin", pin, mode, machine.level(pin), value)


def run(order):
    """Carry out an order; returns False for one that is unknown."""
    words = order.split()
    if words[0] == "recv":
        receive(bytes(int(words[1][i : i + 2], 16) for i in range(0, len(words[1]), 2)))
    elif words[0] == "tick":
        advance(int(words[1]))
    elif words[0] == "analog":
        machine.analog[zc_board.ANALOG[int(words[1])]] = int(words[2])
    elif words[0] == "drive":
        machine.pins[int(words[1])][3] = None if words[2] == "2" else int(words[2])
    elif words[0] == "boot":
        start(words[1])
    elif words[0] == "pins":
        show_pins()
    else:
        return False
    return True


start("power")
while True:
    line = sys.stdin.readline()
    if not line:
        break
    if not run(line.strip()):
        sys.exit(2)
    if sent:
        print("sent", "".join("%02x" % byte for byte in sent))
        sent = bytearray()
        board._put = board._line.put = board._events._put = sent.extend
    print("ok")
