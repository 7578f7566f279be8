# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed lists of values with units. Plain text, no Blender."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import PlantError

MOST_VALUES = 24

#: What stands for "times the present value".
_TIMES = ("x", "×")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_VALUE = re.compile(rf"({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*(\S.*)?")


@dataclass(frozen=True)
class Value:
    """A number in the quantity's own unit, and how it is written below the plant."""

    number: float
    text: str


def read_values(text: str, unit: str, units: Mapping[str, float], present: float) -> list[Value]:
    """Numbers of a list such as "0.5x, 1x, 2x", "50, 0.2 GPa", "1/240 s" or "100:400:4" (from, to, how many).

    A number without a unit is in `unit`; `units` are others, by what one of them is in `unit`. "x" and "×" multiply
    `present`. Raises PlantError.
    """
    parts = [part.strip() for part in text.split(",")]
    if parts == [""]:
        raise PlantError("Type values to compare, such as 0.5x, 1x, 2x")
    values = [value for part in parts for value in _read(part, unit, units, present)]
    if len(values) > MOST_VALUES:
        raise PlantError(
            "{count} values are too many to compare, at most {most}",
            count=len(values), most=MOST_VALUES,
        )
    return values


def _read(part: str, unit: str, units: Mapping[str, float], present: float) -> list[Value]:
    ends = part.split(":")
    if len(ends) == 1:
        return [_one(part, unit, units, present)]
    count = ends[2].strip() if len(ends) == 3 else ""
    if not (count.isdigit() and 2 <= int(count) <= MOST_VALUES):
        raise PlantError("'{part}' is no range: write from:to:count, such as 100:400:4", part=part)
    last = _split(ends[1])
    first = _split(ends[0])
    shared = first[1] or last[1]  # "100:400 MPa:4" gives both the unit
    numbers = [first[0] + (last[0] - first[0]) * i / (int(count) - 1) for i in range(int(count))]
    return [_one(f"{number!r} {shared}", unit, units, present) for number in numbers]


def _split(text: str) -> tuple[float, str]:
    match = _VALUE.fullmatch(text.strip())
    if match is None:
        raise PlantError("'{text}' is no number", text=text.strip())
    divisor = float(match[2]) if match[2] else 1.0
    number = float(match[1]) / divisor if divisor else math.inf
    if not math.isfinite(number):
        raise PlantError("'{text}' is not a finite number", text=text.strip())
    return number, match[3] or ""


def _one(text: str, unit: str, units: Mapping[str, float], present: float) -> Value:
    number, own = _split(text)
    own = own.replace("^", "").replace("²", "2").replace("³", "3").strip() or unit
    known = {name.replace("²", "2").replace("³", "3"): factor for name, factor in {unit: 1.0, **units}.items()}
    if own in _TIMES and own not in known:
        number *= present
    elif own in known:
        number *= known[own]
    elif own != unit:
        raise PlantError(
            "'{own}' is no unit here; known: {names}",
            own=own, names=", ".join([unit or 'none', *units, 'x']),
        )
    if not math.isfinite(number):
        raise PlantError("'{text}' is not a finite number", text=text.strip())
    return Value(number, written(number, unit))


def written(number: float, unit: str) -> str:
    """As below a plant: 0.5 ×, 150 MPa."""
    return f"{number:.4g} {unit}".strip() if unit != "%" else f"{number:.4g} %"
