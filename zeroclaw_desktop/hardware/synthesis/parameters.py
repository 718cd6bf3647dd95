"""Checks the values of a template's parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping

from zeroclaw_desktop.contracts.synthesis import Finding, ParamInfo, ParamValue, TemplateInfo, both
from zeroclaw_desktop.foundation.text import QUOTED, visible

MAX_TEXT = 1_000


def check_params(
    template: TemplateInfo, given: Mapping[str, ParamValue]
) -> tuple[dict[str, ParamValue], list[Finding]]:
    """The values of all parameters, and what is wrong with those that were given.

    A value that does not fit is replaced by the default, so that the rest can be looked at too.
    """
    values: dict[str, ParamValue] = {param.key: param.default for param in template.params}
    findings: list[Finding] = []
    known = {param.key: param for param in template.params}
    for key, value in given.items():
        param = known.get(key)
        if param is None:
            names = ", ".join(known) or "none"
            shown = visible(key, QUOTED)
            message = both(
                f"'{template.title['en']}' has no value '{shown}'. It has: {names}.",
                f"“{template.title['zh']}”没有参数“{shown}”。可用：{names}。",
            )
            findings.append(Finding("error", "param_unknown", message))
            continue
        fitting = _fitting(param, value)
        if fitting is None:
            findings.append(_unfit(param, value))
        else:
            values[key] = fitting
    return values, findings


def _fitting(param: ParamInfo, value: ParamValue) -> ParamValue | None:
    if param.kind == "text":
        text = str(value)
        return text if len(text) <= MAX_TEXT else None
    if param.kind == "choice":
        return str(value) if str(value) in param.choices else None
    try:
        number = float(value)
    except ValueError:
        return None
    if not math.isfinite(number) or not param.minimum <= number <= param.maximum:
        return None
    if param.kind == "whole":
        return int(number) if number == int(number) else None
    return number


def _unfit(param: ParamInfo, value: ParamValue) -> Finding:
    shown = visible(str(value), QUOTED)
    if param.kind == "choice":
        range_en = range_zh = ", ".join(param.choices)
        message = both(
            f"{param.label['en']}: {shown} is none of {range_en}.",
            f"{param.label['zh']}：{shown} 不在 {range_zh} 之中。",
        )
    else:
        unit = f" {param.unit}" if param.unit else ""
        limits = f"{param.minimum:g} – {param.maximum:g}{unit}"
        message = both(
            f"{param.label['en']}: {shown} is not between {limits}.",
            f"{param.label['zh']}：{shown} 不在 {limits} 范围内。",
        )
    return Finding("error", "param_range", message)
