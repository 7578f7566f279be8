# SPDX-License-Identifier: GPL-3.0-or-later
"""What cpfg's turtle counts itself."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..base.module_string import ModuleString
from ..base.quaternions import Vector
from ..base.whole_numbers import as_int
from ..language.beside.kinds import View
from .tubes import GO_ON, RINGS, Style

_LEAST = 1e-5
"""Squares below which parts of a quaternion are nothing."""
_PIXEL = 0.1
"""Of a usual segment's length; plants of thin lines would not stand."""
_MEASURED = frozenset("FGfg+-&^/\\#!{}_")
_ALL_MEASURED = frozenset(
    ["?", "@O", "@c", "@o", "@bc", "@bo", "@PS", "@PC", "@PD", "@M", "@R", "@Gt", "@Gr", "@Ti", "@Td", "@Ts", "@D",
     "@Di", "@Dd"]
)  # fmt: skip
"""Words by whose first parameter the turtle goes, and by all of whose; the others take any number or do nothing."""


class State(NamedTuple):
    """What brackets restore and cpfg's turtle counts itself; ``told`` is what ours has been told of it."""

    width: float
    colour: int
    elasticities: tuple[float, ...]
    """Of the old tropism, then of those that the view file numbers."""
    scale: float = 1.0
    in_tube: bool = False
    """Between @Gs and @Ge: moves are to control points."""
    has_moved: bool = False
    """In a tube, since its last control point."""
    points_alone: bool = False
    """In a tube, whether each move is one to a control point."""
    texture: int = 0
    """Of surfaces, by its number in the view file; 0 is none."""
    tube_texture: int = 0
    """At a tube's last control point, from which on it has it."""
    tube: Style = Style(GO_ON, RINGS, 0)
    """What a control point would say here, but for what it does."""
    told: tuple[float, int] = (0.0, 0)


def pixel_of(string: ModuleString, step: float) -> float:
    """What a width of 1 pixel is taken for, in units: a small part of a usual segment, or of a step without one."""
    lengths: list[float] = []
    for letter in ("F", "G"):
        for kind in (kind for (symbol, count), kind in string.table.kinds.items() if symbol == letter and count):
            for column in string.columns(np.flatnonzero(string.kinds == kind))[:1]:
                if len(drawn := np.abs(column[np.isfinite(column)])):
                    lengths.append(float(np.median(drawn)))
    return _PIXEL * max(lengths or [step])


def pulls_of(elasticities: tuple[float, ...], view: View) -> list[tuple[Any, ...]]:
    """What the numbered tropisms do before a move, as modules: those with an angle first, then the sum of all that lead
    to their directions, then what twists."""
    modules: list[tuple[Any, ...]] = []
    pull, roll = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for elasticity, tropism in zip(elasticities[1:], view.tropisms, strict=True):
        x, y, z = tropism.direction
        sine = 0.0 if tropism.twists else elasticity * math.sin(math.radians(tropism.angle))
        cosine = elasticity * (1.0 if tropism.twists else math.cos(math.radians(tropism.angle)))
        if sine:
            modules.append(("@lean", x, -z, y, sine))
        total = roll if tropism.twists else pull
        for axis, part in enumerate((x, -z, y)):
            total[axis] += cosine * part
    if modules or any(pull):
        modules.append(("@pull", *pull))
    if any(roll):
        modules.append(("@roll", *roll))
    return modules


def measures_of(word: str, parameters: list[float]) -> list[float]:
    """The parameters by which a word leads or sizes something: those that must be finite."""
    if word in _MEASURED:
        return parameters[:1]
    return parameters if word in _ALL_MEASURED or word[0] == "~" else []


def changed_elasticities(
    old: tuple[float, ...], letter: str, parameters: list[float], view: View
) -> tuple[float, ...]:
    """Elasticities behind `@Ti`, `@Td` or `@Ts`; parameters: the tropism's number from 1, and by or to how much.

    Without a number nothing changes, as with cpfg."""
    number = as_int(parameters[0] - 1.0) + 1 if parameters else 0
    if not 1 <= number < len(old):
        return old
    step = parameters[1] if len(parameters) > 1 else view.tropisms[number - 1].increment
    if letter == "s":
        value = parameters[1] if len(parameters) > 1 else 0.0
    else:
        value = old[number] + (step if letter == "i" else -step)
    return (*old[:number], value, *old[number + 1 :])


def rotation_of(axes: tuple[Vector, Vector, Vector]) -> tuple[float, float, float, float]:
    """The quaternion x, y, z, w of which `?Q` is told; axes: H, L and U of cpfg's turtle."""
    (a, b, c), (d, e, f), (g, h, i) = axes
    square = 0.25 * (1.0 + a + e + i)
    if square > _LEAST:
        w = math.sqrt(square)
        return (f - h) / (4.0 * w), (g - c) / (4.0 * w), (b - d) / (4.0 * w), w
    if (square := -0.5 * (e + i)) > _LEAST:
        x = math.sqrt(square)
        return x, b / (2.0 * x), c / (2.0 * x), 0.0
    if (square := 0.5 * (1.0 - i)) > _LEAST:
        y = math.sqrt(square)
        return 0.0, y, f / (2.0 * y), 0.0
    return 0.0, 0.0, 1.0, 0.0
