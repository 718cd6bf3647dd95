"""From a wish to a plan: values, pins, parts, libraries, the sketch and what is wrong with any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from zeroclaw_desktop.contracts.boards import BoardProfile, NamedPin
from zeroclaw_desktop.contracts.synthesis import (
    DIALECTS,
    Dialect,
    Finding,
    FirmwarePlan,
    FirmwareWish,
    NeedInfo,
    ParamValue,
    PartPlan,
    PinChoice,
    both,
)
from zeroclaw_desktop.foundation.text import QUOTED, visible
from zeroclaw_desktop.hardware.synthesis.errors import WishError
from zeroclaw_desktop.hardware.synthesis.parameters import check_params
from zeroclaw_desktop.hardware.synthesis.pin_map import LETTERS, MapRow, named_rows, needs_of, read_map
from zeroclaw_desktop.hardware.synthesis.pin_planner import PinPlan, plan_pins
from zeroclaw_desktop.hardware.synthesis.rendering import render
from zeroclaw_desktop.hardware.synthesis.rust_build import PLATFORMS
from zeroclaw_desktop.hardware.synthesis.sketch_check import Checked, check_sketch
from zeroclaw_desktop.hardware.synthesis.templates import (
    Template,
    shared_source,
    template_catalog,
)

MAX_SKETCH = 256 * 1024
"""Characters; nobody writes more by hand, and the checks read all of it."""


def dialects_of(board: BoardProfile) -> tuple[Dialect, ...]:
    """The dialects that a board can run, best first."""
    found: list[Dialect] = []
    if board.fqbn:
        found.append("arduino")
    if "mpremote" in board.flash.methods:
        found.append("micropython")
    if board.key in PLATFORMS:
        found.append("rust")
    return tuple(found)


def find_template(key: str) -> Template:
    """A template by its key.

    Raises:
        WishError: ``unknown_template``.
    """
    template = template_catalog().get(key)
    if template is None:
        known = ", ".join(template_catalog())
        raise WishError(
            f"There is no template '{visible(key, QUOTED)}'.",
            hint=f"Known: {known}.",
            code="unknown_template",
            details={"template": visible(key, QUOTED), "known": known},
        )
    return template


def _dialect(wish: FirmwareWish, template: Template, board: BoardProfile) -> Dialect:
    usable = [name for name in dialects_of(board) if name in template.info.dialects]
    if not wish.dialect and usable:
        return usable[0]
    chosen = next((name for name in DIALECTS if name == wish.dialect), None)
    if chosen is None or chosen not in usable:
        known = ", ".join(usable) or "none"
        raise WishError(
            f"'{template.info.title['en']}' cannot be made in '{visible(wish.dialect, QUOTED)}' for the "
            f"{board.name}.",
            hint=f"Usable there: {known}.",
            code="unknown_dialect",
            details={"dialect": visible(wish.dialect, QUOTED), "board": board.name, "known": known},
        )
    return chosen


def board_tags(board: BoardProfile) -> set[str]:
    """What is true of a board for the sections of templates."""
    vendor, _, rest = board.fqbn.partition(":")
    tags = {rest.partition(":")[0], vendor, board.key}
    if board.adc_bits > 10:
        tags.add("wide_adc")
    if board.chip.startswith("RP2"):
        tags.add("rp2040")
    tags.discard("")
    return tags


def _values(
    template: Template, board: BoardProfile, params: Mapping[str, ParamValue], pins: Sequence[PinChoice]
) -> dict[str, str]:
    """Text for each name that a source may use."""
    led = next((choice for choice in pins if choice.need == "led"), None)
    inverted = led is not None and led.pin == board.led_pin and board.led_active_low
    commands = ["ping", "capabilities", "stop_all"]
    if ":avr:" in board.fqbn:
        commands.append("state")
    numbers: list[int] = []
    if template.info.key == "protocol":
        commands += ["gpio_read", "gpio_write", "pwm_write", "adc_read"]
        numbers = [choice.pin for choice in pins if choice.pin is not None]
    highest = max((pin.number for pin in board.pins), default=0)
    values = {
        "key": template.info.key,
        "title": template.info.title["en"],
        "board": board.name,
        "board_key": board.key,
        "baud": str(board.serial.baud),
        "led_on": "0" if inverted else "1",
        "led_pin": "null" if board.led_pin is None else str(board.led_pin),
        "adc_volts": repr(float(board.adc_reference_volts)),
        "adc_max": str((1 << board.adc_bits) - 1),
        "adc_bits": str(board.adc_bits),
        "pin_count": str(highest + 1),
        "serial_pins": "".join(f"\\{pin.number + 1:03o}" for pin in board.pins if pin.reserved),
        "gpio": ",".join(map(str, numbers)),
        "commands": ",".join(f'\\\\\\"{name}\\\\\\"' for name in commands),
        "command_list": ", ".join(f'"{name}"' for name in commands),
    }
    values |= {key: str(value) for key, value in params.items()}
    for choice in pins:
        values[f"pin_{choice.need}"] = choice.spelled or "0"
        values[f"name_{choice.need}"] = choice.name
    return values


def _parts(template: Template, board: BoardProfile, pins: Sequence[PinChoice]) -> tuple[PartPlan, ...]:
    names = {choice.need: choice.name or "?" for choice in pins}
    volts = board.limits.volts if board.limits is not None else board.adc_reference_volts
    names["volts"] = f"{volts:g}"
    own = {choice.need for choice in pins if choice.by == "board" and choice.need in ("led", "button")}
    parts = []
    for part in template.parts:
        wiring = tuple(both(line["en"].format(**names), line["zh"].format(**names)) for line in part.wiring)
        on_board = [need for need in own if any(f"{{{need}}}" in line["en"] for line in part.wiring)]
        if on_board:
            wiring = (both("on the board, nothing to connect", "板载，无需接线"),)
        parts.append(PartPlan(part.name, wiring))
    return tuple(parts)


def _cautions(template: Template, board: BoardProfile) -> list[Finding]:
    volts = board.limits.volts if board.limits is not None else board.adc_reference_volts
    kind = "3v3" if volts < 4 else "5v"
    return [
        Finding("warning", "caution", caution.text)
        for caution in template.cautions
        if caution.when in ("always", kind)
    ]


def _wiring_comment(pins: Sequence[PinChoice], mark: str) -> str:
    """Which pin is what, for the head of the sketch."""
    lines = [f"{mark}   pin {choice.name or '?'}: {_ascii(choice.label['en'])}" for choice in pins]
    return "\n".join(lines) or f"{mark}   no pins"


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii")


def _map_of(
    wish_map: ParamValue, board: BoardProfile, named: Sequence[NamedPin]
) -> tuple[list[MapRow], list[Finding]]:
    if not str(wish_map).strip():
        return named_rows(board, named), []
    return read_map(str(wish_map))


def _map_rows(rows: Sequence[MapRow], pins: Sequence[PinChoice], dialect: Dialect) -> str:
    lines = []
    for row, choice in zip(rows, pins, strict=True):
        if choice.pin is None:
            continue
        name = _ascii(row.name).replace("?", "_")
        if dialect == "micropython":
            lines.append(f'    {choice.pin}: ({choice.spelled}, "{LETTERS[row.use]}"),  # {name}')
        else:
            lines.append(f"  {{{choice.pin}, {choice.spelled}, '{LETTERS[row.use]}'}},  // {name}")
    return "\n".join(lines) + "\n"


def _unused(wish: FirmwareWish) -> list[Finding]:
    if not wish.unused:
        return []
    pieces = ", ".join(f"'{visible(piece, QUOTED)}'" for piece in wish.unused[:5])
    message = both(f"Not used of the request: {pieces}.", f"请求中未用到：{pieces}。")
    return [Finding("note", "request_unused", message)]


def plan_firmware(wish: FirmwareWish, board: BoardProfile, named: Sequence[NamedPin] = ()) -> FirmwarePlan:
    """Decide everything about a firmware and check it; what is wrong stands in ``findings``.

    Args:
        named: pins of this board that have names.

    Raises:
        WishError: there is no such template, or no such dialect for the board.
    """
    template = find_template(wish.template)
    dialect = _dialect(wish, template, board)
    params, findings = check_params(template.info, wish.params)
    rows: list[MapRow] = []
    needs: Sequence[NeedInfo] = template.info.needs
    wanted, taken_names = dict(wish.pins), tuple(named)
    for key in [key for key in wanted if key not in {need.key for need in needs}]:
        wanted.pop(key)
        message = both(
            f"'{template.info.title['en']}' needs no pin '{visible(key, QUOTED)}'.",
            f"“{template.info.title['zh']}”不需要引脚“{visible(key, QUOTED)}”。",
        )
        findings.append(Finding("error", "need_unknown", message))
    if any(param.reads == "pin_map" for param in template.info.params):
        rows, problems = _map_of(params["map"], board, named)
        findings += problems
        needs = needs_of(rows)
        wanted = {need.key: row.pin for need, row in zip(needs, rows, strict=True)}
        taken_names = ()  # they are in the map because they have names
        if not rows and not problems:
            message = both(
                "The pin map is empty: name pins of the board, or write it: lamp=9, door=2:in.",
                "引脚表为空：请给引脚命名，或写成：lamp=9, door=2:in。",
            )
            findings.append(Finding("error", "map_row", message))
    pins: PinPlan = plan_pins(board, needs, wanted, taken_names, dialect)
    findings += pins.findings
    values = _values(template, board, params, pins.choices)
    values["wiring"] = _wiring_comment(pins.choices, "#" if dialect == "micropython" else "//")
    values["pin_rows"] = _map_rows(rows, pins.choices if rows else (), dialect)
    tags = board_tags(board) | {f"{key}={value}" for key, value in params.items()} | {template.info.key}
    sketch = render(template.sources[dialect], values, tags, shared_source)
    edited = bool(wish.sketch) and wish.sketch != sketch
    if edited:
        sketch = wish.sketch[:MAX_SKETCH]
    checked = check_sketch(sketch, dialect, board)
    if any(choice.pin is None for choice in pins.choices) and not edited:
        # The sketch has stand-ins for pins; why they are missing is told already.
        checked = Checked((), checked.libraries)
    seen = [finding for finding in checked.findings if edited or finding.code != "pin_computed"]
    ending = {"arduino": "ino", "micropython": "py", "rust": "rs"}[dialect]
    return FirmwarePlan(
        template.info,
        dialect,
        board.key,
        params,
        pins.choices,
        _parts(template, board, pins.choices),
        checked.libraries,
        (*findings, *_cautions(template, board), *seen, *_unused(wish)),
        f"{template.info.key.replace('-', '_')}.{ending}",
        sketch,
        edited,
    )


def with_sketch(wish: FirmwareWish, sketch: str) -> FirmwareWish:
    """The same wish with a sketch that a person or a model has edited."""
    return replace(wish, sketch=sketch)
