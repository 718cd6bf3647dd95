"""Numbers, gaps, units and times of day as boards print them.

The unit list holds the SI symbols (SI brochure, 9th edition) and the spellings that sensor libraries print
(``*C``, ``hPa``, ``uT``, ``lux``). It decides only where a space stands between number and unit, or where a
value has no label: there an unknown word means prose, and prose is not plotted.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

NUMBER_PATTERN = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
GAP_PATTERN = r"[+-]?(?:[nN][aA][nN]|[iI][nN][fF](?:inity|INITY)?|[oO][vV][fF])(?![^\W_])"
VALUE_PATTERN = rf"(?:{NUMBER_PATTERN}|{GAP_PATTERN})"
UNIT_START = "A-Za-z%°µμΩ℃℉‰*²³"
ATTACHED_UNIT_PATTERN = rf"[{UNIT_START}][{UNIT_START}0-9/^·]{{0,9}}"
TIME_OF_DAY_PATTERN = (
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]|$))?"
    r"(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)

KNOWN_UNIT_LIST = (
    "% %RH ‰ ° °C °F ℃ ℉ *C *F C F K degC degF deg degrees Celsius Fahrenheit percent "
    "V mV uV µV μV kV A mA uA µA μA W mW kW Wh kWh VA J kJ Ah mAh Ω kΩ MΩ Ohm ohm Ohms ohms kOhm "
    "Hz kHz MHz GHz s sec ms us µs μs ns min h m mm cm km um µm μm nm ft in "
    "lx lux Lux lm cd Pa hPa kPa MPa mbar bar psi atm mmHg inHg g kg mg ug µg N mN kN Nm rpm RPM "
    "rad rad/s deg/s °/s dps m/s m/s2 m/s^2 m/s² m/s/s km/h kph mph G Gauss gauss uT µT μT mT T "
    "dB dBm dBA ppm ppb pF nF uF µF mH uH L l mL ml L/min l/min L/h mg/m3 ug/m3 µg/m3 µg/m³ kg/m3 "
    "B kB KB MB GB KiB MiB bytes bpm BPM counts raw steps pulses"
)
KNOWN_UNITS = frozenset(KNOWN_UNIT_LIST.split())

_CELL = re.compile(rf"({VALUE_PATTERN})(\s*)({ATTACHED_UNIT_PATTERN})?")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_TIME_OF_DAY = re.compile(TIME_OF_DAY_PATTERN)
_LABEL_UNIT = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]{1,12})[)\]]")


class NumberCell(NamedTuple):
    """A number found in a text cell: value (NaN is a gap), unit, and where its digits stand in the cell."""

    value: float
    unit: str
    end: int


def to_value(text: str) -> float:
    """Return the number that ``text`` (a match of ``VALUE_PATTERN``) stands for; NaN if not finite."""
    value = float(text) if text[-1:] in "0123456789." else math.nan
    return value if math.isfinite(value) else math.nan


def finite_or_gap(number: int | float) -> float:
    """Return ``number`` as a float, NaN when it is not finite or too large for one."""
    try:
        value = float(number)
    except OverflowError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def parse_cell(text: str, *, decimal_comma: bool = False) -> NumberCell | None:
    """Read a cell that holds one number and perhaps a known unit.

    Args:
        text: the cell without surrounding spaces.
        decimal_comma: also read ``1,5`` as one and a half.

    Returns:
        The number, or None when the cell is anything else.
    """
    if decimal_comma and _DECIMAL_COMMA.fullmatch(text):
        return NumberCell(to_value(text.replace(",", ".")), "", len(text))
    found = _CELL.fullmatch(text)
    if found is None:
        return None
    unit = found[3] or ""
    if unit and unit not in KNOWN_UNITS:
        return None
    return NumberCell(to_value(found[1]), unit, found.end(1))


def is_time_of_day(text: str) -> bool:
    """Tell whether ``text`` is a time or date (``12:30:45``, ``2024-01-05T12:30:45Z``): no value."""
    return bool(text) and _TIME_OF_DAY.fullmatch(text) is not None


def split_label_unit(label: str) -> tuple[str, str]:
    """Split ``Humidity (%)`` or ``temp[C]`` into label and unit; the unit is empty where there is none."""
    found = _LABEL_UNIT.fullmatch(label)
    if found is None or found[2] not in KNOWN_UNITS:
        return label, ""
    return found[1], found[2]
