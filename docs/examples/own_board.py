"""A board of your own in one file: three pins that this program pretends to have, on TCP or MQTT.

    python own_board.py tcp 9999
    python own_board.py mqtt 127.0.0.1 1883 greenhouse

Then add it in ZeroClaw Desktop as tcp://HOST:9999 or mqtt://HOST:1883/greenhouse, kind "Arduino Uno".
The protocol is described in firmware/protocol/SPEC.md; docs/own-board.md goes through this file.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from typing import Any

PINS = (11, 12, 13)
TOOLS = [
    {
        "name": "count",
        "description": "Shows a number in binary on the three pins.",
        "args": {"number": {"type": "int", "min": 0, "max": 7, "required": True}},
    }
]
COMMANDS = ["ping", "capabilities", "state", "gpio_read", "gpio_write", "stop_all", "watchdog_host", "count"]
LONGEST_LINE = 255


class Board:
    """Answers lines. What stands for your hardware is ``levels``."""

    def __init__(self) -> None:
        self.levels = dict.fromkeys(PINS, 0)
        self.limit = 0.0
        self.heard = time.monotonic()

    def answer(self, line: bytes) -> bytes | None:
        """The reply to one line; every request gets exactly one, whatever is wrong with it."""
        if not line.strip():
            return None
        if len(line) > LONGEST_LINE:
            return self._reply(None, error="Line too long", code="line_too_long")
        try:
            request = json.loads(line)
            number, command, args = request["id"], request["cmd"], request.get("args") or {}
        except (ValueError, TypeError, KeyError):
            return self._reply(None, error="Bad request", code="bad_request")
        self.heard = time.monotonic()
        work: Callable[[dict[str, Any]], Any] | None = getattr(self, f"do_{command}", None)
        if command not in COMMANDS or work is None:
            return self._reply(number, error="Unknown command", code="unknown_command")
        try:
            return self._reply(number, result=work(args))
        except (KeyError, TypeError, ValueError) as fault:
            return self._reply(number, error=f"Invalid {fault}", code="bad_value")

    @staticmethod
    def _reply(number: Any, **fields: Any) -> bytes:
        row = {"id": number, "ok": "error" not in fields, **fields}
        return json.dumps(row, separators=(",", ":")).encode()

    def do_ping(self, _args: dict[str, Any]) -> Any:
        return "pong"

    def do_capabilities(self, _args: dict[str, Any]) -> Any:
        facts = {"gpio": PINS, "led_pin": 13, "proto": 1, "fw": "own-board", "version": "1.0"}
        return json.dumps({**facts, "line_max": LONGEST_LINE, "commands": COMMANDS, "tools": TOOLS})

    def do_count(self, args: dict[str, Any]) -> Any:
        self.levels = {pin: args["number"] >> bit & 1 for bit, pin in enumerate(PINS)}
        return f"{args['number']:03b}"

    def do_state(self, _args: dict[str, Any]) -> Any:
        known = [self.levels.get(pin) for pin in range(20)]
        modes = "".join("-" if level is None else "o" for level in known)
        return {"mode": modes, "level": "".join("-" if level is None else str(level) for level in known)}

    def do_gpio_read(self, args: dict[str, Any]) -> Any:
        return str(self.levels[args["pin"]])

    def do_gpio_write(self, args: dict[str, Any]) -> Any:
        if args["pin"] not in PINS or args["value"] not in (0, 1):
            raise ValueError("pin or value")
        self.levels[args["pin"]] = args["value"]
        print(f"pin {args['pin']} is {args['value']}", flush=True)
        return "done"

    def do_stop_all(self, _args: dict[str, Any]) -> Any:
        for pin in PINS:
            self.levels[pin] = 0
        print("all pins are 0", flush=True)
        return {"stopped": len(PINS)}

    def do_watchdog_host(self, args: dict[str, Any]) -> Any:
        self.limit = args["ms"] / 1000
        return "done"

    async def watch(self) -> None:
        """Make the outputs safe when nothing was heard for the time that the app has set."""
        while True:
            await asyncio.sleep(0.05)
            if self.limit and time.monotonic() - self.heard > self.limit:
                self.limit = 0.0
                self.do_stop_all({})


async def serve_tcp(board: Board, port: int) -> None:
    """One line in, one line out."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                reply = board.answer(line.rstrip(b"\r\n"))
                if reply is not None:
                    writer.write(reply + b"\n")
        except (ConnectionError, ValueError):  # hung up; a line beyond all measure
            pass
        writer.close()

    server = await asyncio.start_server(talk, "0.0.0.0", port)
    print(f"listening on {server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


async def serve_mqtt(board: Board, host: str, port: int, base: str) -> None:
    """Requests come on <base>/cmd, replies go to <base>/reply; <base>/online says whether we are there."""
    from gmqtt import Client, Message

    client = Client(f"board-{base}", will_message=Message(f"{base}/online", "offline", qos=1, retain=True))

    def came(_client: Client, _topic: str, payload: bytes, _qos: int, _properties: Any) -> int:
        reply = board.answer(payload)
        if reply is not None:
            client.publish(f"{base}/reply", reply)
        return 0

    def connected(_client: Client, _flags: int, _code: int, _properties: Any) -> None:
        client.subscribe(f"{base}/cmd")
        client.publish(f"{base}/online", "online", qos=1, retain=True)
        print("connected", flush=True)

    client.on_message, client.on_connect = came, connected
    await client.connect(host, port)
    await asyncio.Event().wait()


async def main() -> None:
    """Serve in the way that the command line says."""
    board = Board()
    watching = asyncio.create_task(board.watch())
    if sys.argv[1] == "tcp":
        await serve_tcp(board, int(sys.argv[2]))
    else:
        await serve_mqtt(board, sys.argv[2], int(sys.argv[3]), sys.argv[4])
    watching.cancel()


if __name__ == "__main__":
    asyncio.run(main())
