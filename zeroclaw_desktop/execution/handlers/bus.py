"""Commands for devices on buses: i2c_scan, i2c_read, i2c_write, spi_transfer, uart_write, uart_read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.bus_requests import (
    DATA,
    HEX,
    MAX_BYTES,
    as_bytes,
    ask,
    given_bytes,
    i2c_uses,
    known_to_firmware,
    one_form_faults,
    shown_bytes,
)
from zeroclaw_desktop.execution.handlers.pin_rules import (
    SERIAL_SHARED,
    illegal_pin,
    pin_faults,
    read_back,
)
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse

ADDRESS = Param("int", "7-bit I2C address of the device", True, None, 0x08, 0x77)
UART_POLL_SECONDS = 0.02


# -- I2C --------------------------------------------------------------------------------------------------
async def _i2c_scan(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    answer = await ask(context, "i2c_scan", {})
    found = answer.get("found") if isinstance(answer, Mapping) else None
    if not isinstance(found, list) or not all(isinstance(address, int) for address in found):
        raise FaultError([fault(Code.DEVICE_REFUSED, "The board's answer lists no addresses.", reason="")])
    names = [f"0x{address:02X}" for address in found]
    return Outcome({"found": found, "addresses": names}, {"i2c_0": {"found": names}})


def _register(params: Mapping[str, Any]) -> dict[str, Any]:
    """The register as the protocol has it: a number for one byte, else bytes, high byte first."""
    if params.get("reg") is None:
        return {}
    if params["reg_bytes"] == 1:
        return {"reg": params["reg"]}
    return {"reg": params["reg"].to_bytes(params["reg_bytes"], "big").hex()}


async def _i2c_read(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    args = {"addr": params["addr"], **_register(params), "count": params["count"]}
    data = as_bytes(await ask(context, "i2c_read", args))
    device = f"i2c_0x{params['addr']:02X}"
    row: dict[str, Any] = {"data": data.hex()}
    if params.get("reg") is not None:
        row["reg"] = params["reg"]
    return Outcome({"addr": params["addr"], **shown_bytes(data)}, {device: row})


def _check_register(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[ActionFault]:
    highest = (1 << 8 * params["reg_bytes"]) - 1
    if params.get("reg") is None or params["reg"] <= highest:
        return ()
    return [
        fault(
            Code.OUT_OF_RANGE,
            f"'reg' is {params['reg']}; with reg_bytes {params['reg_bytes']} it may be 0 to {highest}.",
            "reg",
            got=params["reg"],
            minimum=0,
            maximum=highest,
            unit="",
        )
    ]


async def _i2c_write(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    data = given_bytes(params)
    await ask(context, "i2c_write", {"addr": params["addr"], "data": data.hex()})
    return Outcome({"addr": params["addr"], "bytes": len(data)})


def _whole_bus(_params: Mapping[str, Any], board: BoardInfo | None) -> Sequence[ResourceUse]:
    return i2c_uses(board, None)


def _one_device(params: Mapping[str, Any], board: BoardInfo | None) -> Sequence[ResourceUse]:
    return i2c_uses(board, params["addr"])


def _check_data(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[ActionFault]:
    return one_form_faults(params, "data", "hex")


# -- SPI --------------------------------------------------------------------------------------------------
async def _spi_transfer(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    args = {
        "cs": params["cs"],
        "data": given_bytes(params).hex(),
        "mode": params["mode"],
        "hz": params["frequency"],
    }
    data = as_bytes(await ask(context, "spi_transfer", args))
    return Outcome(
        {"cs": params["cs"], **shown_bytes(data)}, await read_back(context, *_spi_pins(params, context.board))
    )


def _spi_pins(params: Mapping[str, Any], board: BoardInfo) -> list[int]:
    spi = board.profile.wiring.spi
    return [params["cs"], *((spi.out_pin, spi.in_pin, spi.clock_pin) if spi else ())]


def _check_select(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    faults = pin_faults(board, params["cs"], "digital", "cs")
    bus = _spi_pins(params, board)[1:]
    if params["cs"] in bus:
        reason = Words("it carries the SPI data.", "它用于传输 SPI 数据。")
        free = ", ".join(pin.name for pin in board.profile.pins if not pin.reserved and pin.number not in bus)
        faults.append(illegal_pin(params["cs"], reason, free, "cs"))
    return faults


def _spi_uses(params: Mapping[str, Any], board: BoardInfo | None) -> Sequence[ResourceUse]:
    pins = _spi_pins(params, board) if board is not None else []
    return (ResourceUse("spi:0"), *(ResourceUse(f"gpio:{number}") for number in pins), SERIAL_SHARED)


def _plan_spi(
    params: Mapping[str, Any], board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    """The selecting pin ends high, clock and data out low, data in as an input."""
    changes = [PinChange(params["cs"], shown(pins, params["cs"]), 1)]
    spi = board.profile.wiring.spi
    if spi is not None:
        changes += [PinChange(number, shown(pins, number), 0) for number in (spi.out_pin, spi.clock_pin)]
        before = shown(pins, spi.in_pin)
        changes.append(PinChange(spi.in_pin, before, before, "input"))
    return changes


def shown(pins: Mapping[int, PinState], number: int) -> float | int | None:
    """The value of a pin as last observed."""
    state = pins.get(number)
    return state.shown if state is not None else None


async def _deselect(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """Safe state of the selecting pin, as for every output: low."""
    await context.link.request("gpio_write", {"pin": params["cs"], "value": 0}, timeout=0.8)
    return Outcome()


# -- second serial line -----------------------------------------------------------------------------------
async def _uart_write(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    data = given_bytes(params)
    args: dict[str, Any] = {"tx": params["tx"], "data": data.hex()}
    if params.get("rx") is not None:
        args["rx"] = params["rx"]
    await ask(context, "uart_write", args)
    return Outcome({"tx": params["tx"], "bytes": len(data)}, await read_back(context, params["tx"]))


def _check_uart_write(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    faults = one_form_faults(params, "data", "hex", "text") + pin_faults(board, params["tx"], "digital", "tx")
    if params.get("rx") is not None:
        faults += pin_faults(board, params["rx"], "digital", "rx")
        if params["rx"] == params["tx"]:
            expected = "another pin than tx"
            faults.append(fault(Code.BAD_FORMAT, f"'rx' must be {expected}.", "rx", expected=expected))
    return faults


def _plan_uart(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    return (PinChange(params["tx"], shown(pins, params["tx"]), 1),)


def _uart_uses(params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    pins = [params[name] for name in ("tx", "rx") if params.get(name) is not None]
    return (ResourceUse("uart:1"), *(ResourceUse(f"gpio:{number}") for number in pins), SERIAL_SHARED)


async def _line_low(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await context.link.request("gpio_write", {"pin": params["tx"], "value": 0}, timeout=0.8)
    return Outcome()


async def _uart_read(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """What has come, waiting for the wanted number of bytes as long as was asked for."""
    received, lost = bytearray(), 0
    polls = round(params["wait"] / UART_POLL_SECONDS)
    while True:
        args = {"rx": params["rx"], "count": params["count"] - len(received)}
        answer = await ask(context, "uart_read", args)
        row = answer if isinstance(answer, Mapping) else {}
        received += as_bytes(row.get("data"))
        lost += row["lost"] if isinstance(row.get("lost"), int) else 0
        if len(received) >= params["count"] or polls <= 0:
            break
        polls -= 1
        await context.sleep(UART_POLL_SECONDS)
    value = {
        "rx": params["rx"],
        **shown_bytes(bytes(received)),
        "text": received.decode(errors="replace"),
        "lost": lost,
    }
    return Outcome(value, {f"uart_{params['rx']}": {"data": received.hex(), "lost": lost}})


def _check_receiver(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    return pin_faults(board, params["rx"], "digital", "rx")


_PIN_LIMITS: tuple[float, float] = (0, 255)

BUS_COMMANDS: tuple[Command, ...] = (
    Command(
        "i2c_scan",
        "List the addresses of the devices on the I2C bus.",
        _i2c_scan,
        permission=Permission.SKILL,
        check=known_to_firmware("i2c_scan"),
        resources=_whole_bus,
        idempotent=True,
        default_timeout=5.0,
    ),
    Command(
        "i2c_read",
        "Read bytes from a device on the I2C bus, from a register when one is given.",
        _i2c_read,
        {
            "addr": ADDRESS,
            "reg": Param("int", "Register, or address in a memory", minimum=0, maximum=65_535),
            "reg_bytes": Param(
                "int", "Bytes of the register number, high byte first", False, 1, choices=(1, 2)
            ),
            "count": Param("int", "How many bytes", False, 1, 1, MAX_BYTES),
        },
        Permission.SKILL,
        check=known_to_firmware("i2c_read", _check_register),
        resources=_one_device,
        idempotent=True,
        default_timeout=5.0,
    ),
    Command(
        "i2c_write",
        "Write bytes to a device on the I2C bus; a register number is the first of them.",
        _i2c_write,
        {"addr": ADDRESS, "data": DATA, "hex": HEX},
        Permission.ROOT,
        check=known_to_firmware("i2c_write", _check_data),
        resources=_one_device,
        default_timeout=5.0,
    ),
    Command(
        "spi_transfer",
        "Exchange bytes with the SPI device that a pin selects.",
        _spi_transfer,
        {
            "cs": Param("int", "Pin that selects the device, low while it is", True, None, *_PIN_LIMITS),
            "data": DATA,
            "hex": HEX,
            "mode": Param("int", "SPI mode: clock polarity and phase", False, 0, choices=(0, 1, 2, 3)),
            "frequency": Param("int", "Fastest clock", False, 1_000_000, 125_000, 8_000_000, unit="Hz"),
        },
        Permission.ROOT,
        check=known_to_firmware("spi_transfer", _check_data, _check_select),
        resources=_spi_uses,
        plan=_plan_spi,
        cancel=_deselect,
        default_timeout=5.0,
    ),
    Command(
        "uart_write",
        "Send bytes on the board's second serial line, 9600 baud.",
        _uart_write,
        {
            "tx": Param("int", "Pin that sends", True, None, *_PIN_LIMITS),
            "data": DATA,
            "hex": HEX,
            "text": Param("str", "A text instead of the bytes, sent as UTF-8", minimum=1, maximum=MAX_BYTES),
            "rx": Param("int", "Pin on which the answer will come", minimum=0, maximum=255),
        },
        Permission.ROOT,
        check=known_to_firmware("uart_write", _check_uart_write),
        resources=_uart_uses,
        plan=_plan_uart,
        cancel=_line_low,
        default_timeout=5.0,
    ),
    Command(
        "uart_read",
        "Take what came on the board's second serial line, 9600 baud; the first call begins listening.",
        _uart_read,
        {
            "rx": Param("int", "Pin that listens; it must be an input", True, None, *_PIN_LIMITS),
            "count": Param("int", "How many bytes at most", False, MAX_BYTES, 1, MAX_BYTES),
            "wait": Param("float", "How long to wait for them", False, 0.0, 0.0, 10.0, unit="s"),
        },
        Permission.OBSERVER,
        check=known_to_firmware("uart_read", _check_receiver),
        resources=_uart_uses,
        default_timeout=30.0,
    ),
)
